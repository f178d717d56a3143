/* block.c - how many IOs the block layer itself counts in flight at the target's device.
 *
 * The 11th field of a device's stat file is the time that all its IOs have spent in it, in ms
 * (Documentation/block/stat.rst in the kernel); its growth over elapsed time is the mean depth that
 * the device really saw, whoever issued the IO.
 */
#include "probes/probe.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/sysmacros.h>

#include "units.h"

#define WEIGHTED_FIELD 11

struct block_probe {
	char path[PATH_MAX];
	uint64_t weighted_ms, t_ns;
};

/* The weighted time in ms, or -1. */
static long long read_weighted(const char *path)
{
	FILE *f = fopen(path, "re");

	if (!f)
		return -1;
	long long v = -1;
	for (int i = 0; i < WEIGHTED_FIELD; i++)
		if (fscanf(f, "%lld", &v) != 1) {
			v = -1;
			break;
		}
	fclose(f);
	return v;
}

static int block_start(void **state, const char *root, const struct target *t, struct error *e)
{
	if (t->kind != TARGET_BLOCK)
		return error_set(e, ENOTSUP, "block: %s is no block device", t->spec);
	struct block_probe *p = calloc(1, sizeof(*p));
	if (!p)
		return error_set(e, ENOMEM, "block: out of memory");
	snprintf(p->path, sizeof(p->path), "%s/sys/dev/block/%u:%u/stat", root, major(t->rdev),
		 minor(t->rdev));
	long long v = read_weighted(p->path);
	if (v < 0) {
		int rc = error_set(e, EIO, "block: %s cannot be read", p->path);
		free(p);
		return rc;
	}
	p->weighted_ms = (uint64_t)v;
	p->t_ns = clock_ns();
	*state = p;
	return 0;
}

static void block_sample(void *state, struct sample *s)
{
	struct block_probe *p = state;
	long long v = read_weighted(p->path);
	uint64_t now = clock_ns();

	if (v >= 0 && (uint64_t)v >= p->weighted_ms && now > p->t_ns)
		s->device_depth =
			(double)((uint64_t)v - p->weighted_ms) * 1e6 / (double)(now - p->t_ns);
	if (v >= 0)
		p->weighted_ms = (uint64_t)v;
	p->t_ns = now;
}

static void block_stop(void *state)
{
	free(state);
}

const struct probe probe_block = {
	.name = "block",
	.of_target = true,
	.start = block_start,
	.sample = block_sample,
	.stop = block_stop,
};
