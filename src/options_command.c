/* options_command.c - the command line that repeats what is done, for the operator to copy: every option that is
 * not at its default, and secrets only by where they are to be found.
 */
#include "options.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "export.h"
#include "sessions.h"
#include "setting.h"

const char *options_program(void)
{
	return strchr(program_invocation_name, '/') ? program_invocation_name : "lunscope";
}

/* A word as a shell reads it back. */
void options_append_word(char *out, size_t n, const char *word)
{
	if (word[0] && strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "_-./:=@%+,") == strlen(word)) {
		units_append(out, n, " %s", word);
		return;
	}
	units_append(out, n, " '");
	for (const char *p = word; *p; p++)
		units_append(out, n, *p == '\'' ? "'\\''" : "%c", *p);
	units_append(out, n, "'");
}

/* Those that are not at their default. */
static void append_settings(char *out, size_t n, const struct workload *w)
{
	const struct workload plain = workload_default();

	for (int s = KNOB_COUNT; s < SETTING_COUNT; s++) {
		char value[SETTING_LONG];
		const char *option = setting_info((enum setting)s).option;
		if (!option[0] || setting_same(w, &plain, (enum setting)s) ||
		    setting_gives_way(w, (enum setting)s))
			continue;
		units_append(out, n, " --%s", option);
		options_append_word(out, n,
				    setting_format(value, sizeof(value), w, (enum setting)s));
	}
}

/* To the byte, in the largest unit that gives a whole number. */
static char *exact_size(char *out, size_t n, uint64_t bytes)
{
	static const char unit[] = "KMGT";
	int i = -1;

	for (; bytes && bytes % KIB == 0 && i < 3; i++)
		bytes /= KIB;
	snprintf(out, n, i < 0 ? "%" PRIu64 : "%" PRIu64 "%c", bytes, i < 0 ? 0 : unit[i]);
	return out;
}

static void append_workload(char *out, size_t n, const struct workload *w)
{
	for (enum knob k = 0; k < KNOB_COUNT; k++) {
		char value[32];
		if (setting_gives_way(w, (enum setting)k))
			continue;
		knob_format(value, sizeof(value), w, k);
		value[strcspn(value, "%")] = 0;
		units_append(out, n, " --%s %s", knobs[k].option, value);
	}
	append_settings(out, n, w);
	char start[32], length[32];

	exact_size(start, sizeof(start), w->range_start);
	exact_size(length, sizeof(length), w->range_length);
	if (w->range_start || w->range_length)
		units_append(out, n, " --range %s:%s", start, w->range_length ? length : "end");
	if (w->share_range)
		units_append(out, n, " --share-range");
	units_append(out, n, " --seed %" PRIu64, w->seed);
}

/* Where secrets are to be found, never what they are. */
static void append_login(char *out, size_t n, const struct options *o)
{
	const struct {
		const char *option, *value;
	} given[] = {
		{"initiator", o->given[OPT_INITIATOR] ? o->login.initiator : NULL},
		{"chap-secret-file", o->chap_secret_file},
		{"chap-target-user", o->given[OPT_CHAP_TARGET_USER] ? o->login.target_user : NULL},
		{"chap-target-secret-file", o->chap_target_secret_file},
	};

	for (size_t i = 0; i < sizeof(given) / sizeof(*given); i++) {
		if (!given[i].value)
			continue;
		units_append(out, n, " --%s", given[i].option);
		options_append_word(out, n, given[i].value);
	}
	if (o->login.header_digest)
		units_append(out, n, " --header-digest");
}

/* As they are now: the policy may be another than was given. */
static void append_paths(char *out, size_t n, const struct options *o, const struct target *t)
{
	const struct backend_paths *p = &t->paths;
	char nics[sizeof(p->nic) + 1] = "", given[32], now[32];

	for (unsigned i = 0; i < p->nics; i++)
		units_append(nics, sizeof(nics), "%s%s", i ? "," : "", p->nic[i]);
	if (nics[0]) {
		units_append(out, n, " --nic");
		options_append_word(out, n, nics);
	}
	if (o->given[OPT_IO_HOLD])
		units_append(out, n, " --io-hold %.9gs", (double)p->hold_ns / 1e9);
	export_policy_words(given, sizeof(given), &o->paths);
	export_policy_words(now, sizeof(now), p);
	if (o->given[OPT_PATHS] || strcmp(given, now) != 0)
		units_append(out, n, " --paths %s", now);
}

static void append_common(char *out, size_t n, const struct options *o, const struct workload *w,
			  const struct target *t, const char *command, const char *backend)
{
	out[0] = 0;
	units_append(out, n, command[0] ? "%s %s" : "%s%s", options_program(), command);
	options_append_word(out, n, t->spec);
	append_workload(out, n, w);
	if (t->kind == TARGET_LUN) {
		append_login(out, n, o);
		append_paths(out, n, o, t);
	} else if (backend) {
		units_append(out, n, " --backend %s", backend);
	}
	if (o->buffered)
		units_append(out, n, " --buffered");
	for (unsigned i = 0; i < env_scope_count(&o->watch); i++) {
		units_append(out, n, i ? "," : " --watch ");
		units_append(out, n, "%s", o->watch.nic[i]);
	}
	if (workload_writes(w))
		units_append(out, n, " --write");
	if (workload_writes(w) && o->window.whole)
		units_append(out, n, " --whole");
}

static const char *used_backend(const struct target *t)
{
	return t->kind == TARGET_NULL ? NULL : t->backend->name;
}

char *options_command_shown(char *out, unsigned long n, const struct options *o,
			    const struct workload *w, const struct target *t)
{
	append_common(out, n, o, w, t, "", t->kind == TARGET_NULL ? NULL : o->backend);
	return out;
}

char *options_command(char *out, unsigned long n, const struct options *o, const struct workload *w,
		      const struct target *t, uint64_t for_ns)
{
	append_common(out, n, o, w, t, for_ns ? "run" : "", used_backend(t));
	if (for_ns) {
		units_append(out, n, " --for %gs", (double)for_ns / 1e9);
		if (o->warmup_ns)
			units_append(out, n, " --warmup %gs", (double)o->warmup_ns / 1e9);
	}
	return out;
}

/* What was given of the options that only find and curve have; the rest are defaults. */
char *options_command_load(char *out, unsigned long n, const struct options *o,
			   const struct workload *w, const struct target *t, const char *command)
{
	char time[32];

	append_common(out, n, o, w, t, command, used_backend(t));
	if (o->given[OPT_GOAL]) {
		units_append(out, n, " --goal '%s<%s'", goal_figure_name(o->goal.figure),
			     units_time_exact(time, sizeof(time), o->goal.limit_ns));
	}
	if (o->given[OPT_OF])
		units_append(out, n, " --of %s", goal_of_name(o->goal.of));
	if (o->given[OPT_BY])
		units_append(out, n, " --by %s", knobs[o->by].option);
	if (o->given[OPT_FROM])
		units_append(out, n, " --from %" PRIu64, o->from);
	if (o->to)
		units_append(out, n, " --to %" PRIu64, o->to);
	if (o->given[OPT_POINTS])
		units_append(out, n, " --points %" PRIu64, o->points);
	if (o->given[OPT_STEP_TIME])
		units_append(out, n, " --step-time %gs", (double)o->step_ns / 1e9);
	return out;
}

char *options_command_ab(char *out, unsigned long n, const struct options *o,
			 const struct workload *w, const struct target *t)
{
	append_common(out, n, o, w, t, "ab", used_backend(t));
	for (unsigned i = 0; i < o->flips; i++) {
		char flip[FACT_WORDS + 2 * FACT_VALUE + 8];
		units_append(out, n, " --flip");
		options_append_word(out, n, ab_flip_format(flip, sizeof(flip), &o->flip[i]));
	}
	for (int side = 0; side < 2; side++) {
		if (!o->side[side])
			continue;
		units_append(out, n, " --name-%c", 'a' + side);
		options_append_word(out, n, o->side[side]);
	}
	units_append(out, n, " --pairs %" PRIu64 " --segment %gs --settle %gs", o->pairs,
		     (double)o->segment_ns / 1e9, (double)o->settle_ns / 1e9);
	return out;
}

void options_print_kept(FILE *f, const struct options *o, int64_t run)
{
	char store[PATH_MAX + 64] = "";

	if (o->store) {
		units_append(store, sizeof(store), " --store");
		options_append_word(store, sizeof(store), o->store);
	}
	fprintf(f, "kept as run %" PRId64 ": %s show %" PRId64 "%s\n", run, options_program(), run,
		store);
}
