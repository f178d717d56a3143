/* bench_words.h - what the bench knobs say before a change is made, or put back: the command that does the same,
 * and whom it reaches.
 */
#ifndef LUNSCOPE_BENCH_WORDS_H
#define LUNSCOPE_BENCH_WORDS_H

#include "dialogs.h"
#include "prose.h"

/* The setting's newest change that is in force; NULL: it was not changed. */
const struct flip_entry *bench_newest(const struct bench_view *b, const char *words);

/* at shall become value. sawing: the NIC with the operator's own ssh session, if the change reaches it; "". */
void bench_words_change(struct prose *t, int cols, const struct bench_view *b, const char *at,
			const char *value, const char *sawing);
/* The newest change of at shall be put back; NULL: all shall be. forced: whoever has set it since. */
void bench_words_back(struct prose *t, int cols, const struct bench_view *b, const char *at,
		      bool forced, const char *sawing);

#endif
