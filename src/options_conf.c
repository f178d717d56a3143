/* options_conf.c - options that stand in the config file: the same table, the same parser. Only those that
 * say how the screen looks can: what is measured, and whether anything is written, is said each time.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "options.h"

static bool may_stand(int i)
{
	return i == OPT_UNITS || i == OPT_THEME || i == OPT_GLYPHS || i == OPT_COLOR ||
	       i == OPT_NO_REP || i == OPT_FPS || i == OPT_BAUD || i == OPT_NO_SYNC ||
	       i == OPT_TRIGGER || i == OPT_QUIET_KERNEL || i == OPT_MOUSE || i == OPT_FOOTER;
}

static int option_named(const char *name)
{
	for (int i = 0; i < OPT_COUNT; i++)
		if (strcmp(option_at(i).name, name) == 0)
			return i;
	return -1;
}

/* What the environment says comes before the config. */
static bool is_overruled(const struct options *o, int i)
{
	const char *no_color = getenv("NO_COLOR");

	return o->given[i] || (i == OPT_COLOR && no_color && *no_color);
}

static int take(struct options *o, int i, const char *value, struct error *e)
{
	static const char *const yes_or_no[] = {"no", "yes"};
	struct options scratch = *o;

	if (!option_at(i).argument[0]) {
		bool yes = strcmp(value, yes_or_no[1]) == 0;
		if (!yes && strcmp(value, yes_or_no[0]) != 0)
			return error_set(e, EINVAL, "%s is yes or no, not '%s'", option_at(i).name,
					 value);
		return yes && !o->given[i] ? options_set(o, i, "", e) : 0;
	}
	/* A wrong value is one, whatever the command line says. */
	return options_set(is_overruled(o, i) ? &scratch : o, i, value, e);
}

int options_take_conf(struct options *o, const struct conf *c, char *unknown, unsigned long n,
		      struct error *e)
{
	unknown[0] = '\0';
	for (size_t k = 0; k < c->count; k++) {
		const struct conf_entry *at = &c->entry[k];
		if (strcmp(at->section, "panes") == 0 || strcmp(at->section, "meters") == 0 ||
		    strcmp(at->section, "keys") == 0)
			continue;
		int i = strcmp(at->section, "screen") == 0 ? option_named(at->name) : -1;
		if (i >= 0 && !may_stand(i)) {
			error_set(
				e, EINVAL,
				"%s belongs on the command line, not into the config, which is of "
				"the screen alone: take the line out",
				at->name);
			return conf_blame(c, at, e);
		}
		if (i < 0) {
			if (!unknown[0])
				units_append(unknown, n,
					     "%.120s:%d: '%.40s' in [%.30s] is not known, "
					     "and left alone",
					     c->path, at->line, at->name, at->section);
			continue;
		}
		if (take(o, i, at->value, e))
			return conf_blame(c, at, e);
	}
	return 0;
}
