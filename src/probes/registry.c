/* registry.c - every probe of this build. */
#include "probes/probe.h"

#include <stddef.h>

extern const struct probe probe_cpu, probe_block;

static const struct probe *const probes[] = {
	&probe_cpu,
	&probe_block,
};

const struct probe *probe_at(unsigned i)
{
	return i < sizeof(probes) / sizeof(*probes) ? probes[i] : NULL;
}
