/* points.c - see points.h. */
#include "report/points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "compare/metric.h"

#define APART_S 0.5 /* so much between two seconds is a hole in the record */

static double cpu_percent(const struct cpu_sample *c)
{
	double busy = (double)(c->user + c->system + c->irq + c->softirq);
	double all = busy + (double)(c->idle + c->iowait + c->steal);

	return c->valid && all > 0 ? 100 * busy / all : NAN;
}

/* n seconds as one. */
static void put_together(struct point_at *p, const struct report_run *r, const struct sample *s,
			 size_t n)
{
	struct quantiles *q = calloc(n, sizeof(*q));
	struct sample sum;

	sample_clear(&sum);
	p->p50 = p->p99 = NAN;
	for (size_t i = 0; i < n; i++) {
		sample_add(&sum, &s[i]);
		if (q)
			q[i] = metric_latency(&s[i]);
		if (s[i].op[IO_READ].ios + s[i].op[IO_WRITE].ios)
			p->p99 = fmax(p->p99, (double)s[i].p99);
	}
	if (q)
		p->p50 = quantiles_pool(q, n, 0.5);
	free(q);
	p->from = report_elapsed(r, s[0].t_ns - s[0].dt_ns);
	p->to = report_elapsed(r, s[n - 1].t_ns);
	double dt = (double)sum.dt_ns / 1e9;
	for (int op = 0; op < SUM_COUNT; op++) {
		p->iops[op] = p->mib_s[op] = 0;
		for (int k = 0; k < IO_OPS && dt > 0; k++)
			if (op == SUM_TOTAL || op == k) {
				p->iops[op] += (double)sum.op[k].ios / dt;
				p->mib_s[op] += (double)sum.op[k].bytes / (double)MIB / dt;
			}
	}
	p->cpu = cpu_percent(&sum.cpu);
}

static bool apart(const struct sample *before, const struct sample *s)
{
	return (double)(s->t_ns - s->dt_ns) - (double)before->t_ns > APART_S * 1e9;
}

/* How many of the seconds from s on are one point: no hole lies in it, and the rest of a second belongs to
 * the one before it. */
static size_t stretch(const struct sample *s, size_t n, unsigned each)
{
	size_t i = 1;

	while (i < n && !apart(&s[i - 1], &s[i]) && (i < each || s[i].dt_ns < SECOND_REST))
		i++;
	return i;
}

bool points_take(struct points *p, const struct report_run *r, size_t most)
{
	const struct sample *s = r->stored.second;
	size_t n = r->stored.seconds;

	memset(p, 0, sizeof(*p));
	p->seconds = (unsigned)((n + most - 1) / most);
	p->seconds = p->seconds ? p->seconds : 1;
	p->point = calloc(n ? n : 1, sizeof(*p->point));
	if (!p->point)
		return false;
	for (size_t i = 0; i < n;) {
		size_t k = stretch(s + i, n - i, p->seconds);
		struct point_at *at = &p->point[p->count++];
		put_together(at, r, s + i, k);
		at->apart = i > 0 && apart(&s[i - 1], &s[i]);
		p->length = fmax(p->length, at->to);
		i += k;
	}
	for (size_t i = 0; i < r->marks; i++)
		p->length = fmax(p->length, report_elapsed(r, r->mark[i].wall));
	return true;
}

void points_free(struct points *p)
{
	free(p->point);
	memset(p, 0, sizeof(*p));
}
