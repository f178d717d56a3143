/* crew.h - who does what: a seat for each of the engine's threads, each on one target.
 *
 * With one target a seat is a worker. With several, workers are dealt to them in turn, and where there are
 * more targets than workers, a worker has several seats: one for each of its targets. Either way `outstanding`
 * is per worker and target, as in Iometer.
 *
 * Where every worker has something of its own to do, there is a list of jobs instead, a seat for each.
 */
#ifndef LUNSCOPE_CREW_H
#define LUNSCOPE_CREW_H

#include <stdint.h>
#include "error.h"
#include "pattern.h"
#include "target.h"
#include "workload.h"

#define TARGETS_MAX 64u

/* What one worker does on one target: its workload, of which workers, share_range, rate and seed do not
 * count (those are the whole crew's), as does not whether it is paused. */
struct job {
	const struct target *target;
	uint32_t worker; /* from 0 on, for whoever wants to know whose seat it is */
	struct workload workload;
};

/* What seats do: everything that those have in common who share a target. */
struct duty {
	const struct target *target;
	struct workload_limits limits;
	struct workload load;          /* its workers: as many as its range is dealt to */
	struct workload paced;         /* the same for the pace: its workers are all seats */
	struct pattern_tables *tables; /* NULL where the workload needs none */
};

struct seat {
	const struct duty *duty;
	uint32_t worker; /* whose it is */
	uint32_t part;   /* which of load.workers it has */
};

struct crew {
	struct workload workload; /* as the operator set it */
	uint32_t seats, duties, targets;
	bool jobs; /* made from such */
	struct seat *seat;
	struct duty *duty;
};

/* How many seats w has on so many targets. */
uint32_t crew_seats(const struct workload *w, uint32_t targets);
/* Makes the crew for w on n targets, or for jobs (count > 0; each of w's workers has its part of them). Tables
 * that are the same in before (NULL: nothing is) are taken from there. 0; -EINVAL, -EPERM or -ENOMEM with
 * words. */
int crew_create(struct crew **crew, const struct target *const *target, uint32_t n,
		const struct workload *w, const struct job *job, uint32_t count,
		const struct crew *before, struct error *e);
void crew_free(struct crew *crew);

#endif
