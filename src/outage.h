/* outage.h - paths that go out and come back: marks that tell of it, and gaps that keep it out of the means.
 *
 * Told per path, whatever the number of its sessions: that it is lost, at the time when that was noticed, and
 * that it is back, at that time. A mark's words are given anew as long as more becomes known; what became of
 * the IOs that the path took with it is said in the newer of the two.
 *
 * A gap begins when the path answered last, but no earlier than the first of the IOs that it took with it was
 * sent; it ends when the last of these is done elsewhere or, where no path was left, when IO flows again; at a
 * rate, when what fell due meanwhile has been started. A path that had nothing in flight leaves none. What the
 * operator does to a path is no outage.
 *
 * A path that owes answers when the run ends, and gave not one in all the time that they were waited for, is
 * told as well: nobody has found it to be lost yet.
 */
#ifndef LUNSCOPE_OUTAGE_H
#define LUNSCOPE_OUTAGE_H

#include <stdbool.h>
#include <stdint.h>
#include "env/facts.h"
#include "sessions.h"
#include "timeline.h"

struct outage_path {
	struct backend_loss loss;    /* the one that was seen last */
	uint64_t first_ns;	     /* when the first of several that overlap began; 0: it is alone */
	bool told;		     /* it began in this run: it has marks, and may have a gap */
	bool silent;		     /* it is no loss that was noticed, but the end of the run */
	bool gone;		     /* its sessions are: no more will be heard of it */
	uint64_t before;	     /* drops of the path's sessions before it */
	uint32_t mark[2], gap;	     /* lost, back; 0: not yet */
	uint64_t again_ns;	     /* the end of a gap of the same loss before this one; 0: none */
	uint64_t until_ns;	     /* the gap's end; 0: it goes on, ... */
	uint64_t moved_ns;	     /* ... and loss.moved_ns that it follows from */
	char text[2][MARK_TEXT];     /* the marks' words */
	uint64_t out_ns;	     /* since when it is seen to be taken out; 0: it is not */
	uint64_t drops, ios;	     /* as it was looked at last */
	bool up;
	char nic[16];		     /* by which it left while it was up */
	bool no_link;		     /* that had no link then */
	uint64_t no_link_ns;	     /* when it was seen without a link last; 0: never */
};

/* So many of the marks are remembered. */
#define OUTAGE_MARKS 64

/* All zeros before the first look. One thread at a time. */
struct outage {
	bool looked;
	bool ended;    /* set by the caller: the run is over, IOs are out, and have been waited for */
	bool doubtful; /* it is not known yet whether a path is silent or merely slow: figures of now may
			* have a gap in them that is still to come */
	struct outage_path path[PATHS_MAX];
	unsigned marks;			/* that were made in all, and ... */
	uint32_t newest[OUTAGE_MARKS];	/* ... the ids of the last: that of number i, from 0 on, at i %
					 * OUTAGE_MARKS */
	struct {
		uint32_t gap;
		uint64_t from_ns;
		uint64_t back_ns;  /* when the first path was there again; 0: none is */
		uint64_t until_ns; /* when IO flowed again; 0: not yet */
		bool over;	   /* and the gap has its end */
		uint64_t longest_ns; /* what the slowest IO that came back till then took */
		unsigned path;	   /* which one that was, from 0 on */
	} still; /* the last time that no path was left */
};

/* Tells on the timeline what has become of the paths since the last look; t_ns is its newest tick's end. What
 * was lost at the first look already is not told. host: what is set on this host, so that a NIC without a link
 * is named as the cause; NULL where that is not known. */
void outage_look(struct outage *o, const struct sessions *s, const struct facts *host,
		 struct timeline *t, uint64_t t_ns, uint32_t generation);
/* Since when a loss mattered: how long a path was away is counted from then. */
uint64_t outage_since(const struct backend_loss *l);
/* How long, in the words that all places have for it. */
char *outage_span(char *out, size_t n, uint64_t ns);

#endif
