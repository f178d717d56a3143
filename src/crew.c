/* crew.c - see crew.h. */
#include "crew.h"

#include <errno.h>
#include <stdlib.h>

uint32_t crew_seats(const struct workload *w, uint32_t targets)
{
	return w->workers > targets ? w->workers : targets;
}

void crew_free(struct crew *crew)
{
	if (!crew)
		return;
	for (uint32_t i = 0; i < crew->duties; i++)
		pattern_tables_free(crew->duty[i].tables);
	free(crew->duty);
	free(crew->seat);
	free(crew);
}

/* The tables of the duty on the same target before. */
static const struct pattern_tables *tables_before(const struct crew *before, const struct duty *d)
{
	for (uint32_t i = 0; before && i < before->duties; i++) {
		if (before->duty[i].target == d->target)
			return before->duty[i].tables;
	}
	return NULL;
}

/* Checks what is asked of a duty and makes it ready for `parts` seats that share its range. */
static int prepare(const struct crew *c, struct duty *d, const struct target *t,
		   const struct workload *w, uint32_t parts, const struct crew *before,
		   struct error *e)
{
	d->target = t;
	d->limits = target_limits(t);
	d->load = *w;
	int rc = workload_validate(w, &d->limits, e);
	if (rc)
		return rc;
	d->load.workers = parts;
	d->paced = d->load;
	d->paced.workers = c->seats;
	if (pattern_tables_create(&d->tables, tables_before(before, d), &d->load, &d->limits))
		return error_set(e, ENOMEM, "out of memory for the places of random IOs");
	return 0;
}

/* Seat s is on target s modulo their number, and is worker s modulo theirs: dealt like cards. */
static int deal(struct crew *c, const struct target *const *target, const struct crew *before,
		struct error *e)
{
	const struct workload *w = &c->workload;
	uint32_t n = c->targets;

	for (uint32_t t = 0; t < n; t++) {
		uint32_t on = (c->seats - t + n - 1) / n;
		c->duties++;
		int rc = prepare(c, &c->duty[t], target[t], w, on, before, e);
		if (rc)
			return rc;
	}
	for (uint32_t s = 0; s < c->seats; s++)
		c->seat[s] = (struct seat){
			.duty = &c->duty[s % n], .worker = s % w->workers, .part = s / n};
	return 0;
}

/* Every job has its range to itself, and random IOs of its own. */
static int employ(struct crew *c, const struct job *job, const struct crew *before, struct error *e)
{
	for (uint32_t s = 0; s < c->seats; s++) {
		struct workload own = job[s].workload;
		own.workers = c->seats;
		own.share_range = true;
		own.paused = c->workload.paused;
		own.warming = c->workload.warming;
		own.rate_iops = 0;
		own.seed = c->workload.seed;
		c->duties++;
		int rc = prepare(c, &c->duty[s], job[s].target, &own, c->seats, before, e);
		if (rc)
			return rc;
		c->seat[s] = (struct seat){.duty = &c->duty[s], .worker = job[s].worker, .part = s};
	}
	return 0;
}

int crew_create(struct crew **out, const struct target *const *target, uint32_t n,
		const struct workload *w, const struct job *job, uint32_t count,
		const struct crew *before, struct error *e)
{
	uint32_t seats = count ? count : crew_seats(w, n);
	struct crew *c;

	if (n < 1 || n > TARGETS_MAX)
		return error_set(e, EINVAL, "%u targets: from 1 to %u are possible at a time", n,
				 TARGETS_MAX);
	if (seats > WORKERS_MAX)
		return error_set(e, EINVAL, "workers %u: from 1 to %u are possible", seats,
				 WORKERS_MAX);
	c = calloc(1, sizeof(*c));
	if (!c)
		return error_set(e, ENOMEM, "out of memory for the workers");
	c->workload = *w;
	if (c->workload.workers > seats)
		c->workload.workers = seats;
	c->seats = seats;
	c->targets = n;
	c->jobs = count > 0;
	c->seat = calloc(seats, sizeof(*c->seat));
	c->duty = calloc(count ? count : n, sizeof(*c->duty));
	int rc = !c->seat || !c->duty ? error_set(e, ENOMEM, "out of memory for the workers")
		 : count              ? employ(c, job, before, e)
				      : deal(c, target, before, e);
	if (rc) {
		crew_free(c);
		return rc;
	}
	*out = c;
	return 0;
}
