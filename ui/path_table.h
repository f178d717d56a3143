/* path_table.h - the paths to a LUN as a table, in the pane and in the dialog, and one path in full. */
#ifndef LUNSCOPE_PATH_TABLE_H
#define LUNSCOPE_PATH_TABLE_H

#include "pane_util.h"

/* A row each below the column heads. What a path
 * that is not up has no figures for says why instead. Where there are fewer rows than paths, the chosen one
 * and those in trouble stay. chosen: from 0 on, -1 for none; dialog: in the dialog's style. Returns the
 * rows used; *left_out counts the paths that have none. */
int path_table_draw(struct canvas *c, struct rect r, const struct view *v,
		    const struct sessions *s, int chosen, bool dialog, unsigned *left_out);

/* All that is known of path i, and "unknown" for the rest. Returns the rows used. */
int path_facts_draw(struct canvas *c, struct rect r, const struct view *v,
		    const struct sessions *s, unsigned i);
/* The rows that takes at this width. */
int path_facts_rows(const struct sessions *s, unsigned i, int cols);

/* Its sessions, a row each, where there are several and some rows to spare. */
void path_sessions_draw(struct canvas *c, struct rect r, const struct view *v,
			const struct sessions *s, unsigned i);

/* All its sessions are up, and it is not taken out. */
bool path_is_up(const struct path_view *p);
/* "up", "3/4", "login", "down", "out" */
void path_state(char *out, size_t n, const struct path_view *p);
/* "next try in 0.4 s", "trying again"; "" where it is up, or out. */
void path_next_try(char *out, size_t n, const struct path_view *p, uint64_t now_ns);
/* A word on a path whose connection can't use what its NIC could carry: a new one could. False when there
 * is nothing to say. */
bool path_mss_words(char *out, size_t n, const struct sessions *s, const struct path_view *p);

#endif
