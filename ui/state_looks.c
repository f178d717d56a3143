/* state_looks.c - the keys that change what the screen is drawn with: characters and colours. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "state.h"

void state_next_glyphs(struct ui_state *s)
{
	struct view *v = &s->gather.view;
	int level = v->level;

	do
		level = (level + 1) % GL_COUNT;
	while (glyph_table[level].utf8 && !s->utf8);
	v->level = (enum glyph_level)level;
	v->g = &glyph_table[level];
	s->setup.level = v->level;
	s->repaint = true;
	state_say(s, false, "Characters: %s", v->g->name);
}

static int find_theme(char **names, int n, const char *name)
{
	for (int i = 0; i < n; i++)
		if (strcmp(names[i], name) == 0)
			return i;
	return n - 1;
}

/* The next theme that loads; what is wrong with one that doesn't is said, and it is passed over. */
void state_next_theme(struct ui_state *s)
{
	char **names;
	int n = theme_list(&names);
	struct error e = {""}, first = {""};
	int at = find_theme(names, n, s->theme.name);

	for (int tries = 0; tries < n; tries++) {
		struct theme t;
		at = (at + 1) % n;
		if (theme_load(&t, names[at], &e) == 0) {
			s->theme = t;
			s->theme_serial++;
			snprintf(s->setup.theme, sizeof(s->setup.theme), "%s", names[at]);
			break;
		}
		if (!first.text[0])
			first = e;
	}
	if (first.text[0])
		state_say(s, true, "%s", first.text);
	else
		state_say(s, false, "Theme: %s", s->theme.title);
	for (int i = 0; i < n; i++)
		free(names[i]);
	free(names);
}
