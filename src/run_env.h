/* run_env.h - what is set on the host that a run is made on: watched, marked when it changes, and kept.
 *
 * For src/run*.c, sampler.c and recorder.c; all with the run's lock held.
 */
#ifndef LUNSCOPE_RUN_ENV_H
#define LUNSCOPE_RUN_ENV_H

#include "env/counters.h"
#include "env/watch.h"
#include "run.h"
#include "store.h"

/* What was said of a path: run_mtu.c. */
struct mtu_told {
	int64_t mtu, cap;
};

struct run_env {
	struct env_watch *watch; /* NULL: it could not be had */
	struct env_scope scope;
	unsigned asked;	   /* how many NICs of the scope carry no path, as far as is known */
	unsigned comings;  /* env_watch_comings() as of the last look */
	struct facts start; /* everything that is watched, as it was when that began */
	size_t start_recorded; /* how many of them the store has */

	/* Every change, in the order of time. */
	struct store_change *change;
	size_t changes, changes_room, recorded;

	struct {
		uint32_t mark; /* the newest that tells of settings; 0 = none */
		uint64_t t_ns;
		struct facts from; /* what they were before the first of those that it took the place of */
	} turn;

	struct counters counters;
	struct env_nic nic[WATCH_NICS]; /* that `before` is of */
	struct nic_counters before[WATCH_NICS];
	unsigned nics;
	uint64_t read_ns, retransmits;
	bool retransmits_known;

	struct mtu_told told[PATHS_MAX];
};

/* Takes a first look; the environment of the record has it from then on. */
void run_env_open(struct run *r);
void run_env_close(struct run *r);
/* The paths are over these NICs now. */
void run_env_follow(struct run *r, const struct sessions *s);
/* Says so when connections were opened with another MTU than their NIC has. */
void run_mtu_look(struct run *r, const struct sessions *s);
/* Marks what has changed at the tick that was just taken. */
void run_env_look(struct run *r);
/* The network's figures since the last call, into s and the snapshot. */
void run_env_sample(struct run *r, struct sample *s);
/* What has not been recorded yet, to be freed by store_news_free(); and that it has been. */
struct store_news run_env_news(struct run *r);
void run_env_recorded(struct run *r, const struct store_news *news);
/* Adds "facts", {words: value}, to marks that tell of changes. */
void run_env_export_marks(const struct run *r, json_t *marks);

#endif
