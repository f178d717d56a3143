/* series_result.c - from what the seats counted to Iometer's rows: each one's sums are those of the rows beneath
 * it.
 */
#include "iometer/series_internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "iometer/bins.h"

/* The seats that a row is the sum of: those of parts first..last. */
static void sum_up(struct iometer_row *to, const struct seat_row *seat, size_t first, size_t last)
{
	for (size_t i = first; i <= last; i++) {
		for (int op = 0; op < IO_OPS; op++) {
			const struct op_counters *c = &seat[i].op[op];
			struct iometer_sums *s = &to->op[op];
			s->ios += c->ios;
			s->bytes += c->bytes;
			s->errors += c->errors;
			s->lat_ns += c->lat_sum;
			if (c->ios && c->lat_max > s->lat_max_ns)
				s->lat_max_ns = c->lat_max;
			iometer_bins_add(to->bin, &seat[i].hist[op]);
		}
	}
	to->bins = true;
}

/* The same in all parts, or else what says that they differ. */
static void set_place(struct iometer_row *to, const struct iometer_plan_test *t, size_t first,
		      size_t last)
{
	const struct iometer_part *p = &t->part[first];

	to->outstanding = p->outstanding;
	to->start_sector = p->worker->start_sector;
	to->max_sectors = p->worker->max_sectors;
	for (size_t i = first; i <= last; i++) {
		const struct iometer_part *q = &t->part[i];
		if (q->outstanding != to->outstanding)
			to->outstanding = 0;
		if (q->worker->start_sector != to->start_sector)
			to->start_sector = UINT64_MAX;
		if (q->worker->max_sectors != to->max_sectors)
			to->max_sectors = UINT64_MAX;
	}
}

static void count_workers(struct iometer_row *to, const struct iometer_plan_test *t, size_t first,
			  size_t last)
{
	for (size_t i = first; i <= last; i++) {
		bool other = i == first || t->part[i].number != t->part[i - 1].number;
		bool another = i == first || t->part[i].manager != t->part[i - 1].manager;
		to->workers += other;
		to->managers += another;
	}
	to->targets = (unsigned)(last - first + 1);
}

static struct iometer_row *add(struct iometer_result *r, const struct series *s,
			       enum iometer_row_kind kind, const char *name)
{
	struct iometer_row *row = iometer_add_row(r);

	if (!row)
		return NULL;
	row->kind = kind;
	snprintf(row->name, sizeof(row->name), "%s", name);
	row->elapsed_ns = s->to.t_ns - s->from.t_ns;
	return row;
}

/* A row that is a sum of parts; NULL without memory. */
static struct iometer_row *add_sum(struct iometer_result *r, const struct series *s,
				   const struct seat_row *seat, enum iometer_row_kind kind,
				   const char *name, size_t first, size_t last)
{
	const struct iometer_plan_test *t = &s->config.plan->test[s->test];
	struct iometer_row *row = add(r, s, kind, name);

	if (!row)
		return NULL;
	sum_up(row, seat, first, last);
	set_place(row, t, first, last);
	count_workers(row, t, first, last);
	return row;
}

static void set_host(struct iometer_row *row, const struct series *s,
		     const struct iometer_host *now)
{
	if (!s->host || !now)
		return;
	row->cpu = iometer_host_cpu(s->host, now, -1);
	row->net = iometer_host_net(s->host, now);
}

static int add_processors(struct iometer_result *r, const struct series *s,
			  const struct iometer_host *now)
{
	char name[32];

	for (unsigned i = 0; s->host && now && i < iometer_host_cpus(now); i++) {
		snprintf(name, sizeof(name), "CPU %u", i);
		struct iometer_row *row = add(r, s, IOMETER_ROW_PROCESSOR, name);
		if (!row)
			return -ENOMEM;
		row->cpu = iometer_host_cpu(s->host, now, (int)i);
	}
	return 0;
}

/* The last part, from `first` on, of the same worker, or with worker false of the same manager. */
static size_t last_of(const struct iometer_plan_test *t, size_t first, bool worker)
{
	size_t last = first;

	while (last + 1 < t->parts &&
	       (worker ? t->part[last + 1].number == t->part[first].number
		       : t->part[last + 1].manager == t->part[first].manager))
		last++;
	return last;
}

static int add_worker(struct iometer_result *r, const struct series *s, const struct seat_row *seat,
		      size_t first, size_t last)
{
	const struct iometer_plan_test *t = &s->config.plan->test[s->test];

	if (!add_sum(r, s, seat, IOMETER_ROW_WORKER, t->part[first].worker->name, first, last))
		return -ENOMEM;
	for (size_t i = first; i <= last; i++) {
		if (!add_sum(r, s, seat, IOMETER_ROW_DISK, seat[i].target->name, i, i))
			return -ENOMEM;
	}
	return 0;
}

static int add_manager(struct iometer_result *r, const struct series *s,
		       const struct seat_row *seat, const struct iometer_host *now, size_t first,
		       size_t last)
{
	const struct iometer_plan_test *t = &s->config.plan->test[s->test];
	struct iometer_row *row =
		add_sum(r, s, seat, IOMETER_ROW_MANAGER, t->part[first].manager->name, first, last);

	if (!row)
		return -ENOMEM;
	set_host(row, s, now);
	int rc = add_processors(r, s, now);
	for (size_t i = first; i <= last && rc == 0;) {
		size_t end = last_of(t, i, true);
		rc = add_worker(r, s, seat, i, end);
		i = end + 1;
	}
	return rc;
}

int series_result(struct iometer_result *r, const struct series *s, const struct iometer_host *now,
		  struct error *e)
{
	const struct iometer_plan_test *t = &s->config.plan->test[s->test];
	struct seat_row *seat = seat_rows(&s->from, &s->to);

	if (!seat || !s->from.t_ns) {
		free(seat);
		return error_set(e, ENOMEM, "out of memory for the results");
	}
	/* Somebody has turned a knob: what was measured is not the test. */
	if (s->to.count != t->parts || s->from.count != t->parts) {
		free(seat);
		return error_set(e, EBUSY, "the workers were given something else to do meanwhile");
	}
	r->spec = *t->spec;
	struct iometer_row *all = add_sum(r, s, seat, IOMETER_ROW_ALL, "All", 0, t->parts - 1);
	int rc = all ? 0 : -ENOMEM;
	if (all)
		set_host(all, s, now);
	for (size_t i = 0; i < t->parts && rc == 0;) {
		size_t last = last_of(t, i, false);
		rc = add_manager(r, s, seat, now, i, last);
		i = last + 1;
	}
	free(seat);
	return rc ? error_set(e, ENOMEM, "out of memory for the results") : 0;
}
