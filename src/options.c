/* options.c - parsing the command line; see options_command.c for writing one. */
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "compare/compare.h"
#include "curve.h"
#include "load.h"
#include "secret.h"
#include "sessions.h"
#include "setting.h"

/* clang-format off */
static const struct option_info table_info[OPT_COUNT] = {
#define X(id, name, argument, commands, heading, help) [id] = {name, argument, commands, heading, help},
	OPTION_TABLE(X)
#undef X
};
/* clang-format on */

static enum setting setting_at(int i)
{
	return (enum setting)(i - OPT_COUNT + KNOB_COUNT);
}

struct option_info option_at(int i)
{
	if (i < OPT_COUNT)
		return table_info[i];
	struct setting_info s = setting_info(setting_at(i));
	return (struct option_info){s.option[0] ? s.option : NULL, s.argument, FOR_IO, "Workload",
				    s.help};
}

static int parse_range(const char *text, struct options *o, struct error *e)
{
	char start[64];
	const char *colon = strchr(text, ':');

	if (!colon || (size_t)(colon - text) >= sizeof(start))
		return error_set(e, EINVAL,
				 "--range '%s': write START:LENGTH, for example 10G:1G (LENGTH "
				 "may be 'end')",
				 text);
	memcpy(start, text, (size_t)(colon - text));
	start[colon - text] = 0;
	int rc = setting_parse(&o->workload, SETTING_START, start, e);
	if (rc == 0)
		rc = setting_parse(&o->workload, SETTING_LENGTH, colon + 1, e);
	o->window.given = true;
	o->window.start = o->workload.range_start;
	o->window.length = o->workload.range_length;
	return rc;
}

static int parse_unit(const char *text, enum rate_unit *unit, struct error *e)
{
	if (strcasecmp(text, "MiB") == 0 || strcasecmp(text, "MiB/s") == 0)
		*unit = RATE_MIB;
	else if (strcasecmp(text, "MB") == 0 || strcasecmp(text, "MB/s") == 0)
		*unit = RATE_MB;
	else
		return error_set(e, EINVAL, "--units '%s': write MiB or MB", text);
	return 0;
}

static int parse_layout(enum iometer_layout *layout, const char *text, struct error *e)
{
	bool new = strcmp(text, "1.1.0") == 0;

	/* Both of the versions that had 56 columns. */
	if (!new && strcmp(text, "2006") != 0 && strcmp(text, "2006.07.27") != 0 && strcmp(text, "2008") != 0)
		return error_set(e, EINVAL, "--layout %s: 1.1.0 or 2006", text);
	*layout = new ? IOMETER_CSV_80 : IOMETER_CSV_56;
	return 0;
}

static int parse_fps(const char *text, double *fps, struct error *e)
{
	char *end;

	*fps = strtod(text, &end);
	if (end == text || *end || !(*fps >= 1 && *fps <= 20))
		return error_set(e, EINVAL, "--fps '%s': a number from 1 to 20", text);
	return 0;
}

static int parse_time(const char *text, bool zero, uint64_t *ns, struct error *e)
{
	int rc = units_parse_duration(text, ns, e);

	if (rc == 0 && *ns == 0 && !zero)
		rc = error_set(e, EINVAL, "'%s': the time must be more than 0", text);
	return rc;
}

static int parse_least(const char *text, uint64_t *n, struct error *e)
{
	int rc = units_parse_rate(text, n, e);

	if (rc == 0 && *n == 0)
		rc = error_set(e, EINVAL, "'%s': the least is 1 or more", text);
	return rc;
}

/* Shorter steps than a few ticks of the sampler show nothing. */
static int parse_step(const char *text, uint64_t *ns, struct error *e)
{
	int rc = units_parse_duration(text, ns, e);

	if (rc == 0 && *ns < 500 * NS_PER_MS)
		rc = error_set(e, EINVAL, "'%s': a step takes 500ms or more", text);
	return rc;
}

/* "-" is standard output, as everywhere. */
static const char *output(const char *arg)
{
	return strcmp(arg, "-") == 0 ? OPTIONS_STDOUT : arg;
}

static int parse_name(const char *text, char *out, size_t n, struct error *e)
{
	if (!*text || strlen(text) >= n)
		return error_set(e, EINVAL, "'%.300s': a name has from 1 to %zu bytes", text,
				 n - 1);
	strcpy(out, text);
	return 0;
}

static int parse_paths(const char *text, struct backend_paths *p, struct error *e)
{
	uint64_t n;

	for (unsigned i = PATHS_LEAST; i < PATHS_PINNED; i++)
		if (strcmp(text, sessions_policy_name((enum paths_policy)i)) == 0) {
			p->policy = (enum paths_policy)i;
			return 0;
		}
	if (strncmp(text, "pinned:", 7) != 0 ||
	    units_parse_uint(text + 7, "--paths pinned", 1, 64, &n, NULL))
		return error_set(
			e, EINVAL,
			"--paths '%s': write least, round-robin, failover, or pinned:N with "
			"the number of a portal",
			text);
	p->policy = PATHS_PINNED;
	p->pinned = (unsigned)n - 1;
	return 0;
}

/* "eth1,eth2" */
static int parse_nics(const char *text, struct backend_paths *p, struct error *e)
{
	p->nics = 0;
	for (const char *name = text; name;) {
		const char *comma = strchr(name, ',');
		size_t n = comma ? (size_t)(comma - name) : strlen(name);
		if (n == 0 || n >= sizeof(p->nic[0]))
			return error_set(e, EINVAL,
					 "'%.300s': a NIC's name has from 1 to %zu bytes", text,
					 sizeof(p->nic[0]) - 1);
		if (p->nics == PATHS_MAX)
			return error_set(e, EINVAL, "'%.300s': %d NICs at most", text, PATHS_MAX);
		snprintf(p->nic[p->nics++], sizeof(p->nic[0]), "%.*s", (int)n, name);
		name = comma ? comma + 1 : NULL;
	}
	return 0;
}

static int parse_flip(struct options *o, const char *text, struct error *e)
{
	if (o->flips == AB_FLIPS_MAX)
		return error_set(e, EINVAL, "--flip is given more than %d times", AB_FLIPS_MAX);
	return ab_flip_parse(&o->flip[o->flips++], text, e);
}

static int parse_pairs(const char *text, uint64_t *pairs, struct error *e)
{
	int rc = units_parse_uint(text, "--pairs", 2, COMPARE_PAIRS, pairs, e);

	if (rc == 0 && *pairs % 2)
		rc = error_set(e, EINVAL, "--pairs '%s': an even number, so that drift cancels out",
			       text);
	return rc;
}

/* Figures are of whole seconds, and those that begin before or end behind it don't count. */
static int parse_segment(const char *text, uint64_t *ns, struct error *e)
{
	int rc = units_parse_duration(text, ns, e);

	if (rc == 0 && *ns < AB_SEGMENT_LEAST)
		rc = error_set(e, EINVAL, "--segment '%s': a segment takes 4s or more", text);
	return rc;
}

static int parse_side(const char *text, const char **side, struct error *e)
{
	*side = text;
	if (*text && strlen(text) < sizeof(((struct ab_config *)0)->name[0]))
		return 0;
	return error_set(e, EINVAL, "'%.300s': a name has from 1 to %zu bytes", text,
			 sizeof(((struct ab_config *)0)->name[0]) - 1);
}

static int parse_watch(const char *text, struct env_scope *s, struct error *e)
{
	struct backend_paths names;
	int rc = parse_nics(text, &names, e);

	for (uint32_t i = 0; rc == 0 && i < names.nics; i++) {
		if (!if_nametoindex(names.nic[i]))
			rc = error_set(e, EINVAL,
				       "--watch: there is no NIC '%s'; ip link has their names",
				       names.nic[i]);
		env_scope_add(s, names.nic[i]);
	}
	return rc;
}

static int parse_secret(const char *path, const char **kept, char *out, size_t n, struct error *e)
{
	*kept = path;
	return secret_read(path, out, n, e);
}

static int parse_value(struct options *o, enum option_id id, const char *arg, struct error *e)
{
	switch (id) {
	case OPT_WORKERS: return knob_parse(&o->workload, KNOB_WORKERS, arg, e);
	case OPT_OUTSTANDING: return knob_parse(&o->workload, KNOB_OUTSTANDING, arg, e);
	case OPT_BLOCK: return knob_parse(&o->workload, KNOB_BLOCK, arg, e);
	case OPT_READ: return knob_parse(&o->workload, KNOB_READ, arg, e);
	case OPT_RANDOM: return knob_parse(&o->workload, KNOB_RANDOM, arg, e);
	case OPT_RATE: return knob_parse(&o->workload, KNOB_RATE, arg, e);
	case OPT_RANGE: return parse_range(arg, o, e);
	case OPT_SHARE_RANGE: o->workload.share_range = true; return 0;
	case OPT_SEED: return units_parse_uint(arg, "--seed", 0, UINT64_MAX, &o->workload.seed, e);
	case OPT_BACKEND: o->backend = arg; return 0;
	case OPT_BUFFERED: o->buffered = true; return 0;
	case OPT_CREATE: return units_parse_size(arg, &o->create_size, e);
	case OPT_INITIATOR:
		return parse_name(arg, o->login.initiator, sizeof(o->login.initiator), e);
	case OPT_CHAP_SECRET_FILE:
		return parse_secret(arg, &o->chap_secret_file, o->login.secret,
				    sizeof(o->login.secret), e);
	case OPT_CHAP_TARGET_USER:
		return parse_name(arg, o->login.target_user, sizeof(o->login.target_user), e);
	case OPT_CHAP_TARGET_SECRET_FILE:
		return parse_secret(arg, &o->chap_target_secret_file, o->login.target_secret,
				    sizeof(o->login.target_secret), e);
	case OPT_NIC: return parse_nics(arg, &o->paths, e);
	case OPT_IO_HOLD: return parse_time(arg, true, &o->paths.hold_ns, e);
	case OPT_PATHS: return parse_paths(arg, &o->paths, e);
	case OPT_HEADER_DIGEST: o->login.header_digest = true; return 0;
	case OPT_FOR: return parse_time(arg, false, &o->for_ns, e);
	case OPT_WARMUP: return parse_time(arg, true, &o->warmup_ns, e);
	case OPT_WATCH: return parse_watch(arg, &o->watch, e);
	case OPT_SETTLE: return parse_time(arg, true, &o->settle_ns, e);
	case OPT_STOP_ON_ERROR: o->stop_on_error = true; return 0;
	case OPT_GOAL: return goal_parse(&o->goal, arg, e);
	case OPT_OF: return goal_parse_of(&o->goal.of, arg, e);
	case OPT_BY: return load_parse_by(&o->by, arg, e);
	case OPT_FROM: return parse_least(arg, &o->from, e);
	case OPT_TO: return units_parse_rate(arg, &o->to, e);
	case OPT_POINTS:
		return units_parse_uint(arg, "--points", 2, CURVE_POINTS_MAX, &o->points, e);
	case OPT_STEP_TIME: return parse_step(arg, &o->step_ns, e);
	case OPT_FLIP: return parse_flip(o, arg, e);
	case OPT_NAME_A: return parse_side(arg, &o->side[AB_A], e);
	case OPT_NAME_B: return parse_side(arg, &o->side[AB_B], e);
	case OPT_PAIRS: return parse_pairs(arg, &o->pairs, e);
	case OPT_SEGMENT: return parse_segment(arg, &o->segment_ns, e);
	case OPT_WRITE: o->write = true; return 0;
	case OPT_CHECK: o->check = true; return 0;
	case OPT_MAP:
		if (o->maps == OPTIONS_MAPS)
			return error_set(e, EINVAL, "--map: %u of them are possible", OPTIONS_MAPS);
		o->map[o->maps++] = arg;
		return 0;
	case OPT_ICF: o->icf = arg; return 0;
	case OPT_RESULTS: o->results = arg; return 0;
	case OPT_LAYOUT: return parse_layout(&o->layout, arg, e);
	case OPT_I_OWN:
		if (o->owned == TARGETS_MAX)
			return error_set(e, EINVAL, "--i-own: %u of them are possible",
					 TARGETS_MAX);
		o->i_own[o->owned++] = arg;
		return 0;
	case OPT_DESTROY: o->destroy = true; return 0;
	case OPT_LIST: o->list = true; return 0;
	case OPT_FORCE: o->force = true; return 0;
	case OPT_FORGET: o->forget = true; return 0;
	case OPT_WHOLE: o->window.whole = true; return 0;
	case OPT_JSON: o->json = output(arg); return 0;
	case OPT_CSV: o->csv = output(arg); return 0;
	case OPT_OUTPUT: o->output = output(arg); return 0;
	case OPT_NAME: o->name = arg; return 0;
	case OPT_TAG: o->tag = arg; return 0;
	case OPT_NOTE: o->note = arg; return 0;
	case OPT_MD: o->md = output(arg); return 0;
	case OPT_UNITS: return parse_unit(arg, &o->unit, e);
	case OPT_STORE: o->store = arg; return 0;
	case OPT_SIDE_BY_SIDE: o->side_by_side = true; return 0;
	case OPT_NO_STORE: o->no_store = true; return 0;
	case OPT_THEME: o->theme = arg; return 0;
	case OPT_GLYPHS: o->glyphs = arg; return 0;
	case OPT_COLOR: o->color = arg; return 0;
	case OPT_BASELINE:
		return units_parse_uint(arg, "--baseline", 1, INT64_MAX, &o->baseline, e);
	case OPT_FPS: return parse_fps(arg, &o->fps, e);
	case OPT_TRIGGER: o->trigger_text = arg; return trigger_parse(&o->trigger, arg, e);
	case OPT_BAUD: return units_parse_uint(arg, "--baud", 50, 100000000, &o->baud, e);
	case OPT_NO_SYNC: o->no_sync = true; return 0;
	case OPT_MOUSE: o->mouse = true; return 0;
	case OPT_FOOTER: o->footer = arg; return 0;
	case OPT_QUIET_KERNEL: o->quiet_kernel = true; return 0;
	case OPT_NO_REP: o->no_rep = true; return 0;
	case OPT_HELP: o->help = true; return 0;
	case OPT_VERSION: o->version = true; return 0;
	case OPT_COUNT: break;
	}
	return -EINVAL;
}

/* The word that getopt_long stumbled over. */
static int parse_failure(int c, char **argv, struct error *e)
{
	const char *word = argv[optind - 1];

	if (c == ':')
		return error_set(e, EINVAL, "option '%s' needs a value: see lunscope --help", word);
	return error_set(e, EINVAL, "unknown option '%s': see lunscope --help", word);
}

/* A value's own words may not say which option it was for. */
static void name_option(struct error *e, const char *name)
{
	struct error inner = *e;

	if (!strstr(e->text, name))
		error_set(e, 0, "--%s: %.400s", name, inner.text);
}

int options_set(struct options *o, int i, const char *arg, struct error *e)
{
	int rc = i < OPT_COUNT ? parse_value(o, (enum option_id)i, arg, e)
			       : setting_parse(&o->workload, setting_at(i), arg, e);

	if (rc)
		name_option(e, option_at(i).name);
	return rc;
}

int options_parse(struct options *o, int argc, char **argv, struct error *e)
{
	struct option table[OPTIONS_ALL + 1] = {{0}};
	int rows = 0;

	for (int i = 0; i < OPTIONS_ALL; i++) {
		struct option_info info = option_at(i);
		int argument = info.argument[0] ? required_argument : no_argument;
		if (info.name)
			table[rows++] = (struct option){info.name, argument, NULL, 256 + i};
	}
	*o = (struct options){
		.workload = workload_default(),
		.for_ns = 10 * NS_PER_SEC,
		.settle_ns = SIDE_SETTLE_NS,
		.pairs = 4,
		.segment_ns = 20 * NS_PER_SEC,
		.fps = 4,
		.paths.hold_ns = PATHS_HOLD_NS,
	};
	opterr = 0;
	optind = 0;
	for (int c; (c = getopt_long(argc, argv, ":hVo:", table, NULL)) != -1;) {
		if (c == 'h')
			c = 256 + OPT_HELP;
		if (c == 'V')
			c = 256 + OPT_VERSION;
		if (c == 'o')
			c = 256 + OPT_OUTPUT;
		if (c < 256)
			return parse_failure(c, argv, e);
		/* "--json --no-store": the next option is hardly meant as the file's name. */
		if (optarg && optarg == argv[optind - 1] && strncmp(optarg, "--", 2) == 0)
			return error_set(e, EINVAL,
					 "option '--%s' needs a value, and '%s' is an option",
					 option_at(c - 256).name, optarg);
		int rc = options_set(o, c - 256, optarg, e);
		if (rc)
			return rc;
		o->given[c - 256] = true;
	}
	o->args = argc - optind;
	o->arg = argv + optind;
	int rc = 0;
	bool discover = o->args && strcmp(o->arg[0], "discover") == 0;
	for (int i = 0; i < o->args && rc == 0; i++)
		rc = discover && i ? secret_take_portal(o->arg[i], &o->login, e)
				   : secret_take(o->arg[i], &o->login, e);
	return rc;
}

/* --- What has no effect is refused, so that nobody believes in it. --- */

static int option_of(enum setting s)
{
	static const enum option_id knob_option[KNOB_COUNT] = {
		[KNOB_WORKERS] = OPT_WORKERS, [KNOB_OUTSTANDING] = OPT_OUTSTANDING,
		[KNOB_BLOCK] = OPT_BLOCK,     [KNOB_READ] = OPT_READ,
		[KNOB_RANDOM] = OPT_RANDOM,   [KNOB_RATE] = OPT_RATE,
	};

	return (int)s < KNOB_COUNT ? (int)knob_option[s] : OPT_COUNT + (int)s - KNOB_COUNT;
}

static int check_given_way(const struct options *o, struct error *e)
{
	for (int s = 0; s < SETTING_COUNT; s++) {
		int option = option_of((enum setting)s);
		if (o->given[option] && setting_gives_way(&o->workload, (enum setting)s))
			return error_set(
				e, EINVAL,
				"--%s and --lines exclude each other: each access line has "
				"its own",
				option_at(option).name);
	}
	return 0;
}

static bool turns_rate(const struct options *o, unsigned command)
{
	if (!(command & FOR_LOADS))
		return false;
	return o->given[OPT_BY] ? o->by == KNOB_RATE : command == FOR_CURVE;
}

static bool has_random(const struct workload *w)
{
	bool any = false;

	for (uint32_t i = 0; i < workload_lines(w); i++)
		any |= workload_line(w, i).random_pct > 0;
	return any;
}

static bool has_sequential(const struct workload *w)
{
	bool any = false;

	for (uint32_t i = 0; i < workload_lines(w); i++)
		any |= workload_line(w, i).random_pct < 100;
	return any;
}

/* What keeps a setting from having any effect, and the remedy; NULL when it has one. */
static const char *idle_because(const struct options *o, enum setting s, unsigned command)
{
	const struct workload *w = &o->workload;

	switch ((int)s) {
	case KNOB_RATE:
		return !(command & FOR_LOADS)   ? NULL
		       : turns_rate(o, command) ? "it is the rate that is turned: leave it out"
						: "a depth is tried at the rate max: leave it out";
	case SETTING_ARRIVAL:
		return w->rate_iops || turns_rate(o, command) ? NULL
		       : command & FOR_LOADS                  ? "there is no rate: add --by rate"
							      : "there is no rate: add --rate IOPS";
	case SETTING_BURST: return w->think_ns ? NULL : "there is no think time: add --think TIME";
	case SETTING_SPREAD: return has_random(w) ? NULL : "no IO is random: raise --random";
	case SETTING_STREAMS:
		return has_sequential(w) ? NULL : "all IOs are random: lower --random";
	case SETTING_DATA:
	case SETTING_COMPRESS:
	case SETTING_DEDUPE:
		return workload_writes(w) || o->create_size ? NULL
							    : "nothing is written: lower --read";
	}
	return NULL;
}

/* On the screen the other knobs can be turned until it has one. */
static int check_effect(const struct options *o, unsigned command, struct error *e)
{
	const struct workload plain = workload_default();

	for (int s = 0; s < SETTING_COUNT && command != FOR_LIVE; s++) {
		int option = option_of((enum setting)s);
		const char *why = idle_because(o, (enum setting)s, command);
		if (o->given[option] && why && !setting_same(&o->workload, &plain, (enum setting)s))
			return error_set(e, EINVAL, "--%s has no effect, as %s",
					 option_at(option).name, why);
	}
	return 0;
}

static bool names_url(const struct options *o)
{
	for (int i = 1; i < o->args; i++) {
		if (secret_is_url(o->arg[i]))
			return true;
	}
	return false;
}

/* On the screen another target can be chosen. */
static int check_network(const struct options *o, unsigned command, struct error *e)
{
	for (int i = OPT_INITIATOR; i <= OPT_PATHS; i++)
		if (o->given[i] && command & FOR_HEADLESS && o->args > 1 && !names_url(o))
			return error_set(
				e, EINVAL,
				"--%s has no effect, as %s is no iscsi:// target: leave it "
				"out",
				option_at(i).name, o->arg[1]);
	return 0;
}

/* The commands that an option is for, in words. */
static char *name_commands(char *out, size_t n, unsigned commands)
{
	static const struct {
		unsigned command;
		const char *name;
	} list[] = {{FOR_LIVE, "the live screen"},
		    {FOR_RUN, "run"},
		    {FOR_FIND, "find"},
		    {FOR_CURVE, "curve"},
		    {FOR_AB, "ab"},
		    {FOR_STORE, "list, show and import"},
		    {FOR_DISCOVER, "discover"},
		    {FOR_COMPARE, "compare"},
		    {FOR_TABLE, "table"},
		    {FOR_REPORT, "report"},
		    {FOR_SESSIONS, "sessions"},
		    {FOR_ENV, "env"},
		    {FOR_IOMETER, "iometer"},
		    {FOR_NOTE, "note"},
		    {FOR_DELETE, "delete"},
		    {FOR_RESTORE, "restore"},
		    {FOR_SPECS, "specs"}};

	out[0] = '\0';
	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++)
		if (commands & list[i].command)
			units_append(out, n, "%s%s", out[0] ? ", " : "", list[i].name);
	return out;
}

int options_check(const struct options *o, unsigned command, const char *command_name,
		  struct error *e)
{
	char others[256];

	for (int i = 0; i < OPTIONS_ALL; i++)
		if (o->given[i] && !(option_at(i).commands & command))
			return error_set(
				e, EINVAL, "option --%s is not for %s, but for %s",
				option_at(i).name, command_name,
				name_commands(others, sizeof(others), option_at(i).commands));
	if (o->no_store && o->store)
		return error_set(e, EINVAL, "--store and --no-store exclude each other");
	if (o->owned && !o->write)
		return error_set(e, EINVAL, "--i-own without --write: add --write to write");
	int rc = check_given_way(o, e);
	if (rc == 0)
		rc = check_network(o, command, e);
	return rc ? rc : check_effect(o, command, e);
}

static void print_option(const struct option_info *o)
{
	char left[64];

	snprintf(left, sizeof(left), "--%s%s%s", o->name, o->argument[0] ? " " : "", o->argument);
	printf("  %-22s %s\n", left, o->help);
}

static void print_settings(void)
{
	for (int i = OPT_COUNT; i < OPTIONS_ALL; i++) {
		struct option_info o = option_at(i);
		if (o.name)
			print_option(&o);
	}
}

void options_help(void)
{
	const char *heading = "";

	for (int i = 0; i < OPT_COUNT; i++) {
		struct option_info o = option_at(i);
		/* The settings are the end of the workload's part. */
		if (i == OPT_SEED + 1)
			print_settings();
		if (strcmp(heading, o.heading) != 0)
			printf("\n%s:\n", o.heading);
		heading = o.heading;
		print_option(&o);
	}
}
