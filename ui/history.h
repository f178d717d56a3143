/* history.h - the stored runs as the browser shows them: which of them, in what order, and the rows.
 *
 * Knows no store: dialog_history.c has the keys, state_history.c what they do there.
 */
#ifndef LUNSCOPE_HISTORY_H
#define LUNSCOPE_HISTORY_H

#include "pane.h"
#include "store_words.h"

enum history_sort {
	HISTORY_ID, /* newest first */
	HISTORY_IOPS,
	HISTORY_RATE,
	HISTORY_MEAN, /* the least first */
	HISTORY_CPU,
	HISTORY_NAME,
	HISTORY_TARGET,
	HISTORY_SORTS
};

struct history {
	struct store_entry *list; /* newest first; its own */
	bool *chosen;		  /* of each */
	int count;
	int *row; /* the entries that are shown, in order */
	int rows;
	enum history_sort sort;
	char filter[128];   /* every word of it is in target, name, tags or note */
	int at, top, page;  /* the row at hand, the first that is seen, how many are */
};

/* Takes the list over, in the place of the one before: what was chosen and at hand stays so. False without
 * memory: nothing has changed, and the list is gone. */
bool history_put(struct history *h, struct store_entry *list, size_t n);
void history_free(struct history *h);
/* After a change of filter or sort; the run at hand stays that where it can. */
void history_arrange(struct history *h);
/* NULL: there is none. */
const struct store_entry *history_at(const struct history *h);
void history_move(struct history *h, int by);
/* Those that are chosen, the oldest first, at most `most`; returns how many there are. A run that the filter hides
 * is not among them. */
int history_chosen(const struct history *h, int64_t *run, int most);
const char *history_sort_name(enum history_sort s);

/* The table: a head, then the rows. */
void history_draw(struct history *h, struct canvas *c, struct rect r, const struct view *v);
/* Two lines about the run at hand. */
void history_draw_details(const struct history *h, struct canvas *c, struct rect r, const struct view *v);

#endif
