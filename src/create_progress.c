/* create_progress.c - see create_progress.h. */
#include "create_progress.h"

#include <math.h>
#include <stdio.h>

#include "units.h"

/* Before that much of a second the pace says nothing. */
#define PACE_NS (NS_PER_SEC / 2)

void create_progress_begin(struct create_progress *p, uint64_t total)
{
	if (!p)
		return;
	atomic_store(&p->start_ns, clock_ns());
	atomic_store(&p->done, 0);
	atomic_store(&p->total, total);
}

void create_progress_done(struct create_progress *p, uint64_t done)
{
	if (p)
		atomic_store(&p->done, done);
}

bool create_progress_cancelled(const struct create_progress *p)
{
	return p && atomic_load(&p->cancel);
}

void create_progress_cancel(struct create_progress *p)
{
	atomic_store(&p->cancel, true);
}

char *create_progress_text(char *out, size_t n, const struct create_progress *p)
{
	char done_text[32], total_text[32], left_text[32];
	uint64_t total = atomic_load(&p->total), done = atomic_load(&p->done);
	uint64_t ns = clock_ns() - atomic_load(&p->start_ns);

	out[0] = 0;
	if (total == 0)
		return out;
	int used = snprintf(out, n, "%s of %s", units_size(done_text, sizeof(done_text), done),
			    units_size(total_text, sizeof(total_text), total));
	if (done == 0 || ns < PACE_NS || used < 0 || (size_t)used >= n)
		return out;
	double left_s = (double)ns / (double)done * (double)(total - done) / 1e9;
	if (left_s < 60)
		snprintf(left_text, sizeof(left_text), "%.0f s", ceil(left_s));
	else
		units_span(left_text, sizeof(left_text), (uint64_t)(left_s * 1e9));
	snprintf(out + used, n - (size_t)used, ", %s left", left_text);
	return out;
}
