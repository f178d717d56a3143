/* drive.h - drives a backend through its interface like the engine does, and remembers what every block
 * must hold, so that each IO is accounted for and each byte is checked, whatever happens on the way.
 *
 * Each block has at most one IO at a time. Its content names the block and how often it was written. A
 * write that failed may have happened or not; both are right.
 */
#ifndef LUNSCOPE_TEST_DRIVE_H
#define LUNSCOPE_TEST_DRIVE_H

#include <stdbool.h>
#include <stdint.h>
#include "backends/backend.h"

struct drive_block {
	uint32_t sure, maybe; /* the last write that went well; the last one after it that failed */
	bool busy;
};

struct drive {
	const struct backend *b;
	void *target, *queue;
	int wake;
	uint32_t depth, size; /* of one IO, bytes */
	uint64_t count;	      /* blocks of that size */
	struct drive_block *block;
	struct io *io;
	uint32_t *writes; /* by slot: the generation on its way */
	bool *flying;
	uint8_t *buffer[IO_OPS];
	uint64_t random;
	uint32_t generation;

	unsigned write_percent; /* may be changed at any time */
	uint32_t outstanding;
	uint64_t submitted, completed, errors; /* completed counts good ones only */
	uint64_t shorts; /* errors that were answers of fewer bytes than asked */
	uint64_t wrong;	 /* reads that are not what was written */
	int last_error;
	struct error e; /* words when something could not be opened */
};

/* Opens the URL (secrets may be in it) and a queue. 0, or -errno with words in e. */
int drive_open(struct drive *d, const char *url, uint32_t depth, uint32_t size,
	       bool header_digest);
/* The same with paths of one's own; drive_open takes the program's defaults. */
int drive_open_paths(struct drive *d, const char *url, uint32_t depth, uint32_t size,
		     const struct backend_paths *paths);
/* Nothing may be outstanding. Safe on a zeroed or failed one. */
void drive_close(struct drive *d);

/* Keeps depth IOs in flight until so many more have been submitted, or until patience is over: false. */
bool drive_ios(struct drive *d, uint64_t n);
/* The same for so long (s). */
void drive_for(struct drive *d, double seconds);
/* Submits no more, and waits until nothing is outstanding; false when patience is over. */
bool drive_drain(struct drive *d, double patience);
/* Reads every block once and compares; false when patience is over. */
bool drive_read_all(struct drive *d);
/* Every IO that was submitted has come back, once. */
bool drive_balanced(const struct drive *d);

/* The counters of its session. */
struct backend_session drive_session(const struct drive *d);
/* Those of the session on that path, from 0 on. */
struct backend_session drive_path(const struct drive *d, uint32_t path);

#endif
