/* words.c - what can stand behind an option or a command: the words that a shell offers. They are those of the
 * program's own tables, where there are any; tests/unit-completion.c holds the others against its parsers.
 */
#include "complete.h"

#include <stdio.h>
#include <string.h>

#include "src/goal.h"
#include "src/sessions.h"
#include "ui/glyph.h"

/* Words that no other table has; what an option takes beside words (as zipf:1.1) begins with one. */
static const struct {
	const char *option, *words;
} fixed[] = {
	{"arrival", "constant poisson"},
	{"by", "outstanding rate"},
	{"color", "auto always never"},
	{"cpus", "all"},
	{"data", "random zero ones aa 55 aa55 55aa a5 5a hex:"},
	{"lines", "none @"},
	{"rate", "max"},
	{"sequence", "same on"},
	{"spin", "auto off"},
	{"spread", "uniform zipf: pareto: hot:"},
	{"think", "none"},
	{"units", "MiB MB"},
};

static void add(char *out, size_t n, const char *word)
{
	size_t used = strlen(out);

	snprintf(out + used, n - used, "%s%s", used ? " " : "", word);
}

const char *complete_words(const struct option_info *o)
{
	static char out[256];

	out[0] = '\0';
	if (strcmp(o->name, "glyphs") == 0) {
		add(out, sizeof(out), "auto");
		for (int i = 0; i < GL_COUNT; i++)
			add(out, sizeof(out), glyph_table[i].name);
	}
	if (strcmp(o->name, "goal") == 0)
		for (int i = 0; i < GOAL_FIGURES; i++) {
			char figure[16];
			snprintf(figure, sizeof(figure), "%s<",
				 goal_figure_name((enum goal_figure)i));
			add(out, sizeof(out), figure);
		}
	if (strcmp(o->name, "of") == 0)
		for (int i = 0; i <= SUM_TOTAL; i++)
			add(out, sizeof(out), goal_of_name(i));
	if (strcmp(o->name, "backend") == 0) {
		add(out, sizeof(out), BACKEND_AUTO);
		for (unsigned i = 0; backend_at(i); i++)
			add(out, sizeof(out), backend_at(i)->name);
	}
	if (strcmp(o->name, "paths") == 0) {
		for (unsigned i = PATHS_LEAST; i < PATHS_PINNED; i++)
			add(out, sizeof(out), sessions_policy_name((enum paths_policy)i));
		add(out, sizeof(out), "pinned:");
	}
	for (size_t i = 0; i < sizeof(fixed) / sizeof(*fixed); i++)
		if (strcmp(o->name, fixed[i].option) == 0)
			add(out, sizeof(out), fixed[i].words);
	return out;
}

enum complete_kind complete_option_kind(const struct option_info *o)
{
	if (complete_words(o)[0])
		return COMPLETE_WORDS;
	if (strcmp(o->name, "theme") == 0)
		return COMPLETE_THEME;
	if (strcmp(o->argument, "FILE") == 0)
		return COMPLETE_FILE;
	if (strncmp(o->argument, "NIC", 3) == 0)
		return COMPLETE_NIC;
	return strcmp(o->argument, "RUN") == 0 ? COMPLETE_RUN : COMPLETE_NOTHING;
}

enum complete_kind complete_argument_kind(const char *argument)
{
	if (strstr(argument, "TARGET|NIC"))
		return COMPLETE_TARGET_OR_NIC;
	if (strstr(argument, "TARGET"))
		return COMPLETE_TARGET;
	if (strncmp(argument, "RUN", 3) == 0 || strcmp(argument, "ID") == 0)
		return COMPLETE_RUN;
	return COMPLETE_NOTHING;
}
