/* policy.c - which of several paths an order takes. */
#include "backends/iscsi/path.h"

/* A path from which no IO comes back for so long while others answer theirs is fed no more until it does. */
#define STALL_NS (100 * MS_NS)

static bool stalled(const struct path *p, uint64_t now)
{
	if (!path_inflight(p) || now < p->answered_ns + STALL_NS)
		return false;
	for (unsigned i = 0; i < p->paths; i++)
		if (i != p->index && p->all[i].answered_ns > p->answered_ns)
			return true;
	return false;
}

static bool usable(const struct path *p, uint64_t now)
{
	return path_takes(p, now) && !stalled(p, now);
}

/* The next in turn. None holds more than a quarter above its share of what is in flight, so that one from
 * which nothing comes back does not end up with all of it. */
static struct path *round_robin(struct path *all, unsigned paths, unsigned *turn, uint64_t now)
{
	uint32_t usable_paths = 0, inflight = 0;
	bool may[ISCSI_PATHS_MAX];

	for (unsigned i = 0; i < paths; i++) {
		may[i] = usable(&all[i], now);
		usable_paths += may[i];
		inflight += may[i] ? path_inflight(&all[i]) : 0;
	}
	for (unsigned i = 0; i < paths; i++) {
		unsigned k = (*turn + i) % paths;
		if (may[k] && 4 * usable_paths * path_inflight(&all[k]) <= 5 * inflight) {
			*turn = (k + 1) % paths;
			return &all[k];
		}
	}
	return NULL;
}

static struct path *least(struct path *all, unsigned paths, unsigned *turn, uint64_t now)
{
	struct path *best = NULL;

	for (unsigned i = 0; i < paths; i++) {
		struct path *p = &all[(*turn + i) % paths];
		if (usable(p, now) && (!best || path_inflight(p) < path_inflight(best)))
			best = p;
	}
	/* Among equals it goes round: from behind the one that is taken, so that the turn of a path that is
	 * down does not fall to the next one each time. */
	if (best)
		*turn = (best->index + 1) % paths;
	return best;
}

static struct path *first(struct path *all, unsigned paths, uint64_t now)
{
	for (unsigned i = 0; i < paths; i++)
		if (usable(&all[i], now))
			return &all[i];
	return NULL;
}

struct path *policy_choose(struct path *all, unsigned paths, uint32_t choice, unsigned *turn,
			   uint64_t now)
{
	if (paths == 1)
		return path_takes(all, now) ? all : NULL;
	switch (choice_policy(choice)) {
	case PATHS_ROUND_ROBIN: return round_robin(all, paths, turn, now);
	case PATHS_LEAST: return least(all, paths, turn, now);
	case PATHS_FAILOVER: return first(all, paths, now);
	case PATHS_PINNED: {
		struct path *p = &all[choice_pinned(choice)];
		return path_takes(p, now) ? p : NULL;
	}
	}
	return NULL;
}

bool policy_left(const struct path *all, unsigned paths, uint32_t choice)
{
	bool pinned = choice_policy(choice) == PATHS_PINNED;

	for (unsigned i = 0; i < paths; i++)
		if ((all[i].state == SESSION_UP || all[i].anew) &&
		    (!pinned || i == choice_pinned(choice)))
			return true;
	return false;
}
