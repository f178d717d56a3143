/* store_load.h - a run of the store in memory, for what works on its seconds. */
#ifndef LUNSCOPE_STORE_LOAD_H
#define LUNSCOPE_STORE_LOAD_H

#include "store.h"

struct stored_segment {
	uint32_t number;
	uint32_t mark;		/* that opened it */
	char letter;		/* of that; 0 = it has none */
	bool passed;		/* its knobs were only on the way to others */
	char text[MARK_TEXT];	/* the mark's */
	uint64_t start_ns, end_ns; /* wall */
	struct workload workload;
};

struct stored_run {
	int64_t id;
	char target[160];
	json_t *settings, *environment;
	struct sample *second; /* t_ns: wall */
	size_t seconds;
	struct stored_segment *segment;
	size_t segments;
	struct store_change *change; /* of settings, by mark */
	size_t changes;
};

/* -ENOENT: there is no such run; -EINVAL: a row can't be read. */
int store_load(struct store *s, int64_t run, struct stored_run *out, struct error *e);
/* The same without its seconds, of which there may be hundreds of thousands. */
int store_load_circumstances(struct store *s, int64_t run, struct stored_run *out, struct error *e);
void stored_run_free(struct stored_run *r);

/* The environment as it was when g began; NULL: at the run's end. New reference; NULL without memory. */
json_t *stored_environment(const struct stored_run *r, const struct stored_segment *g);
/* The same from parts: an environment as stored, with what changed up to a mark. */
json_t *environment_at(const json_t *environment, const struct store_change *change, size_t n,
		       uint32_t mark);

/* The segment that a person means: "b" (the newest with that letter), "3" (a number), or "" where there
 * is only one. -EINVAL with words that list what there is. */
int stored_segment_find(const struct stored_run *r, const char *name,
			const struct stored_segment **out, struct error *e);

#endif
