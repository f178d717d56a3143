/* probe.h - what a probe of the host is.
 *
 * A probe is one file with one descriptor. The sampler starts it, asks it once a second and stops
 * it. root is "" on a real host; a test hands in a folder with a recorded proc/ and sys/.
 */
#ifndef LUNSCOPE_PROBE_H
#define LUNSCOPE_PROBE_H

#include "error.h"
#include "target.h"
#include "timeline.h"

struct probe {
	const char *name; /* in messages */
	bool of_target;	  /* what it tells is of the target, not of the host */
	/* Makes the probe's state. 0, or -errno: the probe is left out, and its figures are "not
	 * known", never 0; told as an event unless it is -ENOTSUP, not for this target. */
	int (*start)(void **state, const char *root, const struct target *t, struct error *e);
	/* Fills in its part of s for the time since the last call. */
	void (*sample)(void *state, struct sample *s);
	/* Detail of the same second that is shown live and not recorded; NULL if there is none. */
	void (*live)(void *state, struct cpu_cores *cores);
	void (*stop)(void *state);
};

/* Every probe of this build; NULL past the end. */
const struct probe *probe_at(unsigned i);

#endif
