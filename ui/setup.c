/* setup.c - the setup as the config file has it: [panes] and [keys] are read here, and all of it is
 * written.
 */
#include "setup.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "knob.h"

static const char *const pane_word[PANE_COUNT] = {
	[PANE_IOPS] = "iops",         [PANE_RATE] = "throughput", [PANE_LATENCY] = "latency",
	[PANE_CPU] = "cpu",           [PANE_TARGET] = "target",   [PANE_EVENTS] = "events",
	[PANE_SESSIONS] = "sessions", [PANE_NICS] = "nics",       [PANE_HEAT] = "heat",
	[PANE_METERS] = "meters",
};

struct setup setup_usual(void)
{
	return (struct setup){
		.theme = "default",
		.level = GL_COUNT,
		.fps = 4,
		.plan = pane_plan_usual,
		.keys = action_map_usual(),
		.meters = meter_setup_usual(),
	};
}

static const char *const footer_word[] = {"auto", "fkeys", "letters"};

int setup_footer_parse(enum footer_keys *f, const char *word, struct error *e)
{
	for (int i = 0; i < 3; i++)
		if (strcmp(word, footer_word[i]) == 0) {
			*f = (enum footer_keys)i;
			return 0;
		}
	return error_set(e, EINVAL, "--footer '%s': write auto, fkeys or letters", word);
}

/* --- [panes] --- */

static int pane_named(const char *word)
{
	for (int p = 0; p < PANE_COUNT; p++)
		if (strcmp(word, pane_word[p]) == 0)
			return p;
	return PANE_COUNT;
}

/* Those that aren't named come last, and are hidden. */
static void hide_rest(struct pane_plan *plan, unsigned named, int n)
{
	for (int i = 0; i < PANE_COUNT; i++) {
		enum pane_id p = pane_plan_usual.order[i];
		if (named & 1u << p)
			continue;
		plan->order[n++] = p;
		plan->hidden |= 1u << p;
	}
}

/* "iops throughput:large latency" */
static int read_panes(struct pane_plan *plan, const char *value, struct error *e)
{
	char text[200], *rest, *word;
	unsigned named = 0;
	int n = 0;

	memset(plan, 0, sizeof(*plan));
	snprintf(text, sizeof(text), "%s", value);
	for (word = strtok_r(text, " \t", &rest); word; word = strtok_r(NULL, " \t", &rest)) {
		char *size = strchr(word, ':');
		if (size)
			*size++ = '\0';
		int p = pane_named(word);
		if (p == PANE_COUNT)
			return error_set(e, EINVAL,
					 "no pane '%.40s': there are iops, throughput, latency, "
					 "cpu, target, events, sessions, nics, heat and meters",
					 word);
		if (named & 1u << p)
			return error_set(e, EINVAL, "the pane %s stands there twice", word);
		if (size && strcmp(size, "small") != 0 && strcmp(size, "large") != 0)
			return error_set(e, EINVAL,
					 "the size of a pane is small or large, not "
					 "'%.40s'",
					 size);
		plan->size[p] = (signed char)(!size          ? PANE_USUAL
					      : *size == 's' ? PANE_SMALL
							     : PANE_LARGE);
		plan->order[n++] = (enum pane_id)p;
		named |= 1u << p;
	}
	if (!n)
		return error_set(e, EINVAL, "no pane is shown: name one or more");
	hide_rest(plan, named, n);
	return 0;
}

static void write_panes(const struct pane_plan *plan, char *out, size_t n)
{
	static const char *const size[] = {":small", "", ":large"};

	out[0] = '\0';
	for (int i = 0; i < PANE_COUNT; i++) {
		enum pane_id p = plan->order[i];
		if (!(plan->hidden & 1u << p))
			units_append(out, n, "%s%s%s", out[0] ? " " : "", pane_word[p],
				     size[plan->size[p] + 1]);
	}
}

/* --- [keys] --- */

const char *setup_key_trouble(const struct setup *s, enum action a, int key, char words[120])
{
	char name[8], other[32];

	action_key_name(key, name);
	if (key >= '1' && key <= '9') {
		snprintf(words, 120, "%s is the key of a pane: take another", name);
		return words;
	}
	for (int k = 0; k < KNOB_COUNT; k++)
		if (key == knobs[k].key_down || key == knobs[k].key_up) {
			snprintf(words, 120, "%s is the key of a knob (%s): take another", name,
				 knobs[k].name);
			return words;
		}
	for (int b = ACT_NONE + 1; b < ACT_COUNT; b++)
		for (const int *k = s->keys.key[b]; *k; k++)
			if (*k == key && b != (int)a) {
				snprintf(words, 120, "%s is the key of %s: give that another first",
					 name, action_name((enum action)b, other));
				return words;
			}
	return NULL;
}

static int read_keys(struct setup *s, enum action a, const char *value, struct error *e)
{
	char text[200], *rest, *word;
	int *key = s->keys.key[a], n = 0;

	memset(key, 0, sizeof(s->keys.key[a]));
	snprintf(text, sizeof(text), "%s", value);
	for (word = strtok_r(text, " \t", &rest); word; word = strtok_r(NULL, " \t", &rest)) {
		int k = action_key_of_name(word);
		if (k < 0)
			return error_set(e, EINVAL,
					 "no key '%.40s': write one character, Space, "
					 "or F1 to F20",
					 word);
		for (int i = 0; i < n; i++)
			if (key[i] == k)
				return error_set(e, EINVAL, "the key %s stands there twice", word);
		if (n == ACTION_KEYS - 1)
			return error_set(e, EINVAL, "too many keys: at most %d", ACTION_KEYS - 1);
		key[n++] = k;
	}
	if (!n && (a == ACT_HELP || a == ACT_QUIT || a == ACT_SETUP))
		return error_set(e, EINVAL, "help, setup and quit can't be without a key");
	return 0;
}

static void write_keys(const int *key, char *out, size_t n)
{
	char name[8];

	out[0] = '\0';
	for (; *key; key++)
		units_append(out, n, "%s%s", out[0] ? " " : "", action_key_name(*key, name));
}

/* --- All of it --- */

static int read_entry(struct setup *s, const struct conf_entry *at, struct error *e)
{
	if (strcmp(at->section, "panes") == 0) {
		if (strcmp(at->name, "show") != 0)
			return error_set(e, EINVAL, "[panes] has show, and no '%.40s'", at->name);
		return read_panes(&s->plan, at->value, e);
	}
	if (strcmp(at->section, "meters") == 0)
		return meter_setup_take(&s->meters, at->name, at->value, e);
	if (strcmp(at->section, "keys") != 0)
		return 0;
	enum action a = action_named(at->name);
	if (a == ACT_NONE)
		return error_set(e, EINVAL,
				 "no action '%.40s': the setup screen shows their "
				 "names",
				 at->name);
	return read_keys(s, a, at->value, e);
}

/* When all are read, as keys may change places. */
static int check_keys(const struct setup *s, const struct conf *c, struct error *e)
{
	char words[120];

	for (size_t i = 0; i < c->count; i++) {
		enum action a = strcmp(c->entry[i].section, "keys") == 0
					? action_named(c->entry[i].name)
					: ACT_NONE;
		for (const int *k = s->keys.key[a]; a != ACT_NONE && *k; k++)
			if (setup_key_trouble(s, a, *k, words)) {
				error_set(e, EINVAL, "%s", words);
				return conf_blame(c, &c->entry[i], e);
			}
	}
	return 0;
}

int setup_read(struct setup *s, const struct conf *c, struct error *e)
{
	for (size_t i = 0; i < c->count; i++)
		if (read_entry(s, &c->entry[i], e))
			return conf_blame(c, &c->entry[i], e);
	return check_keys(s, c, e);
}

static struct conf_edit edit(const char *section, const char *name)
{
	return (struct conf_edit){.section = section, .name = name};
}

int setup_save(const struct setup *s, const char *path, bool others, struct error *e)
{
	static const char *const colour[] = {"auto", "always", "never"};
	const struct key_map usual = action_map_usual();
	struct conf_edit list[9 + METER_ENTRIES + ACT_COUNT];
	char name[ACT_COUNT][32], meter[METER_ENTRIES][16], value[64];
	size_t n = 0;

	list[n] = edit("screen", "theme");
	snprintf(list[n++].value, sizeof(list->value), "%s", s->theme);
	list[n] = edit("screen", "glyphs");
	snprintf(list[n++].value, sizeof(list->value), "%s",
		 s->level < GL_COUNT ? glyph_table[s->level].name : "auto");
	list[n] = edit("screen", "color");
	snprintf(list[n++].value, sizeof(list->value), "%s", colour[s->colour]);
	list[n] = edit("screen", "units");
	snprintf(list[n++].value, sizeof(list->value), "%s", s->unit == RATE_MIB ? "MiB" : "MB");
	list[n] = edit("screen", "fps");
	snprintf(list[n++].value, sizeof(list->value), "%g", s->fps);
	list[n] = edit("screen", "quiet-kernel");
	list[n].gone = !s->quiet_kernel;
	snprintf(list[n++].value, sizeof(list->value), "yes");
	list[n] = edit("screen", "mouse");
	snprintf(list[n++].value, sizeof(list->value), "%s", s->mouse ? "yes" : "no");
	list[n] = edit("screen", "footer");
	snprintf(list[n++].value, sizeof(list->value), "%s", footer_word[s->footer]);
	list[n] = edit("panes", "show");
	write_panes(&s->plan, list[n++].value, sizeof(list->value));
	/* What is as usual is left out, so that it goes on being so in later versions. */
	for (unsigned i = 0; i < METER_ENTRIES; i++) {
		bool own = meter_setup_put(&s->meters, i, meter[i], value);
		list[n] = edit("meters", meter[i]);
		list[n].gone = !own;
		snprintf(list[n++].value, sizeof(list->value), "%s", value);
	}
	for (int a = ACT_NONE + 1; a < ACT_COUNT; a++) {
		list[n] = edit("keys", action_name((enum action)a, name[a]));
		list[n].gone = memcmp(s->keys.key[a], usual.key[a], sizeof(usual.key[a])) == 0;
		write_keys(s->keys.key[a], list[n].value, sizeof(list->value));
		n++;
	}
	return conf_save(path, list, n, others, e);
}
