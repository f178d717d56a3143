/* session_book.h - what the sessions have done since they were looked at, by path: sums to rates.
 *
 * A session is known by its number. One that is new has done all that it counts since the last look; one
 * that is gone leaves what it did last in the past, where the backend keeps one. Sums of TCP are those of
 * one connection, and begin at 0 with the next.
 */
#ifndef LUNSCOPE_SESSION_BOOK_H
#define LUNSCOPE_SESSION_BOOK_H

#include "imbalance.h"
#include "nic.h"
#include "sessions.h"

/* What a path did in some time. */
struct flow {
	int64_t ios, bytes, wait_ns;
	bool tcp; /* the rest is known, at least of one session */
	int64_t untold; /* of bytes: by connections that ended before they were looked at again */
	int64_t segments, data_in, data_out, bytes_in, bytes_out, again;
	int64_t busy_us, peer_limited_us;
};

struct stretch {
	uint64_t from_ns, to_ns;
	struct flow flow[PATHS_MAX];
};

struct session_book {
	struct backend_session *room; /* for what the backend tells; grows as it needs */
	unsigned room_size;
	struct backend_session *seen; /* at the last look */
	unsigned seen_count, seen_size;
	struct backend_past past[PATHS_MAX];
	bool looked;
	struct stretch recent, last; /* since rates were made; that they were made of */
	struct stretch whole;
	struct imbalance imbalance;
	struct nics nics;
};

/* Takes the sessions down: views without rates in s, flows in the book. */
void session_book_take(struct session_book *b, struct sessions *s, uint64_t t_ns,
		       const struct backend_session *now, unsigned n,
		       const struct backend_past *past);
/* Sums and rates of a stretch, into all paths of s. */
void session_book_rates(const struct stretch *stretch, struct sessions *s);

#endif
