/* pane_util.h - what the panes share among themselves, and with those who draw like them or count what
 * they show (header.c, knobs.c, answer.c, chart.c, view.c, state.c, some dialogs).
 */
#ifndef LUNSCOPE_PANE_UTIL_H
#define LUNSCOPE_PANE_UTIL_H

#include "pane.h"

void pane_iops_draw(struct canvas *c, struct rect r, const struct view *v);
void pane_rate_draw(struct canvas *c, struct rect r, const struct view *v);
void pane_latency_draw(struct canvas *c, struct rect r, const struct view *v);
void pane_cpu_draw(struct canvas *c, struct rect r, const struct view *v);
void pane_target_draw(struct canvas *c, struct rect r, const struct view *v);
void pane_events_draw(struct canvas *c, struct rect r, const struct view *v);
/* How many events it can be scrolled back in that place: then the oldest is in its first row. */
int pane_events_most(const struct view *v, struct rect r);
void pane_sessions_draw(struct canvas *c, struct rect r, const struct view *v);
void pane_nic_draw(struct canvas *c, struct rect r, const struct view *v);
void pane_heat_draw(struct canvas *c, struct rect r, const struct view *v);
void pane_meters_draw(struct canvas *c, struct rect r, const struct view *v);
/* The path that is chosen among those there are; 0 where there are none. */
unsigned pane_sessions_chosen(const struct view *v);

/* A chart over time with axes, marks and legend: both time panes. */
void pane_chart_draw(struct canvas *c, struct rect r, const struct view *v, enum pane_id id,
		     bool bytes);

/* How many cells its body is wide, in that place of a screen of so many columns. */
int pane_chart_cells(int screen_cols, struct rect r, const struct view *v, enum pane_id id);

/* Where that body is. */
struct rect pane_chart_body(int screen_cols, struct rect r, const struct view *v, enum pane_id id);
/* "30 s", "5 min", "12 h". */
void pane_span_text(char *out, size_t n, uint64_t ns);

/* Can lunscope write over something there? */
bool target_armed(const struct target *t);

/* The body with a blank column at either side where there is room for that. */
struct rect pane_inset(struct rect body);

/* Is the mark one that charts and events show? */
bool mark_shown(const struct mark *m);
/* How many of the view's are. */
int marks_shown(const struct view *v);

/* One piece of a row of figures. Pieces of the same rank come and go together; the highest rank
 * goes first when there is no room. gap: blanks before it (none before the first drawn). */
struct piece {
	const char *text;
	enum style style;
	int gap;
	int rank;
};

/* Those of a rank below this fit into cols columns. */
int pieces_fit(const struct piece *p, int n, int cols);
/* Draws the pieces that fit into cols columns from col on; returns the column after the last. */
int pieces_draw(struct canvas *c, struct rect r, int row, int col, int cols,
		const struct piece *p, int n);

/* A horizontal bar, share (0..1) of width cells, in the finest steps the level has. What is more
 * than nothing is never drawn as nothing. */
void bar_draw(struct canvas *c, struct rect r, int row, int col, int width, double share,
	      const struct glyphs *g, enum style s);

/* Text that may hold arrows and the like, in characters that the level has. Returns out. */
char *text_for_level(char *out, size_t n, const char *text, const struct glyphs *g);
/* What is wider than width loses its middle, so that the end of a path or of a target's URL is seen. Returns out. */
char *text_both_ends(char *out, size_t n, const char *text, int width, const struct glyphs *g);
/* Draws it in at most width columns; what is too long ends at a word's end and with dots. Returns
 * the columns used. */
int text_draw(struct canvas *c, struct rect r, int row, int col, int width, const char *text,
	      const struct glyphs *g, enum style s);

/* UTF-8 of a code point; returns out. */
char *utf8_of(char out[5], uint32_t ch);

/* "12:04:31", local time, from ns since 1970. */
char *clock_text(char *out, size_t n, uint64_t wall);

#endif
