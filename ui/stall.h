/* stall.h - for how long the terminal has taken nothing.
 *
 * A slow line takes its time for what it has been sent: that is no stall, and neither is a wait for room in front
 * of it. Only what goes beyond counts.
 */
#ifndef LUNSCOPE_STALL_H
#define LUNSCOPE_STALL_H

#include <stdint.h>

/* So long is told. */
#define STALL_TOLD_NS NS_PER_SEC

struct stall {
	uint64_t since_ns;   /* when the terminal was first found to take nothing; 0: it does */
	uint64_t carried_ns; /* by when the line has carried what was sent to it */
};

/* A frame was handed to the terminal at began_ns; by now_ns it was taken, in so many bytes, or it was left out
 * (bytes < 0). bytes_s: what the line carries; 0: no limit is known. Once it is taken, returns for how long
 * nothing was, ns. */
uint64_t stall_note(struct stall *s, double bytes_s, uint64_t began_ns, uint64_t now_ns,
		    long bytes);

#endif
