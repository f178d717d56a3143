/* store_words.h - what the operator says of stored runs: name, tags and note of each, and that it is to go.
 *
 * A store that is opened for this is one that is there: none is made. Words are UTF-8 without control
 * characters; what somebody else has written into the file is made so when it is read.
 */
#ifndef LUNSCOPE_STORE_WORDS_H
#define LUNSCOPE_STORE_WORDS_H

#include "store.h"

/* Of each, in bytes with the 0. */
#define STORE_NAME 128
#define STORE_TAGS 256
#define STORE_NOTE 1024

/* NULL: as it is; "": none. tags: "cable, port 3", by commas; each is kept once, in that order. */
struct store_words {
	const char *name, *tags, *note;
};

/* What a run has; "" without any. */
struct run_words {
	char name[STORE_NAME], tags[STORE_TAGS], note[STORE_NOTE];
};

/* One run of the store, for a list. */
struct store_entry {
	int64_t id;
	uint64_t started; /* wall */
	char target[160], status[32];
	struct run_words words;
	double elapsed_s;
	double iops, bytes_s, mean_ns, p99_ns, cpu; /* 1/s, B/s, ns, %; NaN: not known */
};

/* The default's path with path NULL. -ENOENT: there is no store yet. */
int store_open_words(struct store **s, const char *path, struct error *e);
/* -ENOENT: there is no such run. -EINVAL with words: too long, or no text. */
int store_set_words(struct store *s, int64_t run, const struct store_words *w, struct error *e);
int store_get_words(struct store *s, int64_t run, struct run_words *out, struct error *e);
/* All n with all that belongs to them, or none. -EBUSY: one is being recorded. */
int store_delete(struct store *s, const int64_t *run, size_t n, struct error *e);
/* Every run, newest first; malloc'd, even where there is none. Runs that have no end are added up from their rows, which may take long. */
int store_entries(struct store *s, struct store_entry **out, size_t *n, struct error *e);

#endif
