/* headless.h - what all measurements without a screen have in common: opening the target, consent,
 * the run, signals, result files, the summary and the exit status. What is done while the IO goes on
 * is the command's own.
 */
#ifndef LUNSCOPE_HEADLESS_H
#define LUNSCOPE_HEADLESS_H

#include <stdio.h>
#include "options.h"
#include "run.h"

/* So soon it is seen that a run has ended by itself; its time counts until then. */
#define HEADLESS_LOOK_NS (50 * NS_PER_MS)
/* Between two lines of progress. */
#define HEADLESS_TELL_NS (NS_PER_SEC / 2)

struct headless {
	const struct options *options;
	struct target *target; /* the first of */
	struct target *all;
	unsigned targets;
	struct run *run;
	int signals; /* INT, TERM and HUP are read from it, and USR1, which leaves a mark */
	bool next;   /* USR2 came: the task goes on to what is next, and clears it */
	bool tell;   /* progress is wanted: stderr is a terminal */
	void *ctx;   /* the task's */
};

struct headless_task {
	/* The command line that would repeat it, into out. */
	void (*command)(const struct headless *h, const struct workload *w, char *out, size_t n);
	/* Before anybody is asked for consent: what else can't be right? NULL: nothing. */
	int (*check)(struct headless *h, const struct workload *w, struct error *e);
	/* Agreed to, and from here on signals wait: what has to be done before there is a run. NULL: nothing. */
	int (*prepare)(struct headless *h, struct error *e);
	/* Measures, until it is done, the run has ended, or a signal has come (returned; else 0). A
	 * negative errno with words ends it as bad usage. */
	int (*measure)(struct headless *h, struct error *e);
	/* Its own result: more of the document; on out, its table, and in the end its answer, which stand
	 * in place of the summary. NULL: none. */
	void (*document)(const struct headless *h, json_t *document);
	void (*print)(const struct headless *h, FILE *out);
	void (*answer)(const struct headless *h, FILE *out);
	/* In the place of what the options say: what the run begins with (target < 0), and what there will be
	 * on one target, which is what consent is asked for. NULL: what the options say. */
	struct workload (*workload)(const struct headless *h, int target);
	/* NICs that are watched beside those of the options and of the target's paths. */
	struct env_scope watch;
	/* The exit status when everything else is fine. NULL: EXIT_FINE. */
	int (*status)(const struct headless *h);
	void *ctx;
};

/* Does it all on the target o->arg[0]. Returns the exit status. */
int headless_main(const struct options *o, const struct headless_task *task);
/* The same on n of them at once. */
int headless_targets(const struct options *o, char *const *spec, unsigned n,
		     const struct headless_task *task);

/* Sleeps for at most ns, or until fd (-1: none) can be read. The signal that came and ends it, 0 if none did. */
int headless_wait(struct headless *h, int fd, uint64_t ns);

/* Whether two names stand for the same file, be it there already or not. */
bool headless_same_file(const char *a, const char *b);

#endif
