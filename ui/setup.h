/* setup.h - what the setup screen chooses: as one value that can be tried, taken back and saved. */
#ifndef LUNSCOPE_SETUP_H
#define LUNSCOPE_SETUP_H

#include "action.h"
#include "conf.h"
#include "glyph.h"
#include "layout.h"
#include "meter.h"
#include "term.h"
#include "units.h"

/* Whose names the footer shows. */
enum footer_keys { FOOTER_AUTO, FOOTER_FKEYS, FOOTER_LETTERS };
/* As in the config and on the command line: 0, or -EINVAL with words. */
int setup_footer_parse(enum footer_keys *f, const char *word, struct error *e);

struct setup {
	char theme[160];	 /* name or path */
	enum glyph_level level;	 /* GL_COUNT: what the terminal can */
	enum colour_mode colour;
	enum rate_unit unit;
	double fps;
	bool quiet_kernel; /* see quiet_kernel.h */
	bool mouse;
	enum footer_keys footer;
	struct pane_plan plan;
	struct key_map keys;
	struct meter_setup meters;
};

/* As it is without any config. */
struct setup setup_usual(void);
/* Takes [panes], [meters] and [keys] from c; the rest are options. -EINVAL with words that name file, line and remedy. */
int setup_read(struct setup *s, const struct conf *c, struct error *e);
/* Saves all of it at path; see conf_save(). */
int setup_save(const struct setup *s, const char *path, bool others, struct error *e);

/* What stands against key as one of a's, in words; NULL: nothing does. */
const char *setup_key_trouble(const struct setup *s, enum action a, int key, char words[120]);

#endif
