/* metric.c - see metric.h. */
#include "compare/metric.h"

#include <math.h>
#include <stdio.h>

const struct metric_info metrics[METRICS] = {
#define X(id, name, key, unit, better) [id] = {name, key, unit, better},
	METRIC_TABLE(X)
#undef X
};

bool metric_counts(const struct sample *s)
{
	return !s->gap_ns && (s->depth_requested || s->op[IO_READ].ios || s->op[IO_WRITE].ios);
}

static struct point per_second(double n, const struct sample *s)
{
	return (struct point){n, (double)s->dt_ns / NS_PER_SEC};
}

static double busy_ns(const struct cpu_sample *c)
{
	return (double)(c->user + c->system + c->irq + c->softirq);
}

/* CPU time over work. The CPU's figures may cover a part of the second only, or a little more: as much
 * work is counted as at that pace falls into it. */
static struct point per_work(double cpu, double work, const struct sample *s)
{
	uint64_t covered = sample_cpu_dt(s);

	if (!covered || !s->dt_ns)
		return (struct point){0, 0};
	return (struct point){cpu, work * (double)covered / (double)s->dt_ns};
}

/* Of the direction that carries the load: the other one is acknowledgements. */
static struct point frame_point(const struct net_sample *n)
{
	bool rx = n->rx_bytes > n->tx_bytes;

	if (!n->valid)
		return (struct point){0, 0};
	return (struct point){(double)(rx ? n->rx_bytes : n->tx_bytes),
			      (double)(rx ? n->rx_packets : n->tx_packets)};
}

/* Of a second that has the figure. */
static struct point net_point(uint64_t events, bool known, const struct net_sample *n)
{
	return known ? (struct point){(double)events, (double)n->dt_ns / NS_PER_SEC}
		     : (struct point){0, 0};
}

bool metric_may_be_none(enum metric m)
{
	return metrics[m].unit == UNIT_EVENTS_S;
}

struct point metric_point(enum metric m, const struct sample *s)
{
	const struct op_sample *r = &s->op[IO_READ], *w = &s->op[IO_WRITE];
	const struct cpu_sample *c = &s->cpu;
	double ios = (double)(r->ios + w->ios), bytes = (double)(r->bytes + w->bytes);

	switch (m) {
	case METRIC_IOPS_R: return per_second((double)r->ios, s);
	case METRIC_IOPS_W: return per_second((double)w->ios, s);
	case METRIC_IOPS_T: return per_second(ios, s);
	case METRIC_RATE_R: return per_second((double)r->bytes, s);
	case METRIC_RATE_W: return per_second((double)w->bytes, s);
	case METRIC_RATE_T: return per_second(bytes, s);
	case METRIC_MEAN_R: return (struct point){(double)r->lat_sum, (double)r->ios};
	case METRIC_MEAN_W: return (struct point){(double)w->lat_sum, (double)w->ios};
	case METRIC_MEAN_T: return (struct point){(double)r->lat_sum + (double)w->lat_sum, ios};
	case METRIC_P99: return (struct point){(double)s->p99, s->p99 ? 1 : 0};
	case METRIC_CPU: {
		double busy = c->valid ? busy_ns(c) : 0;
		double idle = c->valid ? (double)(c->idle + c->iowait + c->steal) : 0;
		return (struct point){100 * busy, busy + idle};
	}
	case METRIC_CPU_IO: return per_work(busy_ns(c) / 1e3, ios, s);
	case METRIC_CPU_GIB: return per_work(busy_ns(c) / 1e9, bytes / (double)GIB, s);
	case METRIC_SOFTIRQ_GIB: return per_work((double)c->softirq / 1e9, bytes / (double)GIB, s);
	case METRIC_FRAME: return frame_point(&s->net);
	case METRIC_RETRANSMITS:
		return net_point(s->net.retransmits, s->net.valid && s->net.resends, &s->net);
	case METRIC_PAUSES:
		return net_point(s->net.pause_rx + s->net.pause_tx, s->net.valid && s->net.pauses,
				 &s->net);
	case METRICS: break;
	}
	return (struct point){0, 0};
}

struct quantiles metric_latency(const struct sample *s)
{
	const struct op_sample *r = &s->op[IO_READ], *w = &s->op[IO_WRITE];
	const uint64_t max = r->lat_max > w->lat_max ? r->lat_max : w->lat_max;
	const double value[QUANTILES] = {(double)s->p50, (double)s->p95, (double)s->p99,
					 (double)s->p999, (double)max};
	struct quantiles q;

	quantiles_set(&q, (double)(r->ios + w->ios), value);
	return q;
}

static char *three_digits(char *out, size_t n, double value)
{
	snprintf(out, n, value < 999.5 ? "%.3g" : "%.0f", value);
	return out;
}

char *metric_words(enum metric m, double value, enum rate_unit rate, bool ascii, char *out,
		   size_t n)
{
	char text[32];

	if (!isfinite(value)) {
		snprintf(out, n, "-");
		return out;
	}
	switch (metrics[m].unit) {
	case UNIT_COUNT: return units_count(out, n, value);
	case UNIT_BYTES_S: return units_rate(out, n, value, rate);
	case UNIT_NS: return units_latency(out, n, value, ascii);
	case UNIT_PERCENT: snprintf(out, n, "%.1f %%", value); return out;
	case UNIT_US:
		snprintf(out, n, "%s %s", three_digits(text, sizeof(text), value),
			 ascii ? "us" : "µs");
		return out;
	case UNIT_SECONDS:
		snprintf(out, n, "%s s", three_digits(text, sizeof(text), value));
		return out;
	case UNIT_EVENTS_S:
		if (value >= 1000)
			units_count(out, n, value);
		else
			snprintf(out, n, "%s/s", three_digits(text, sizeof(text), value));
		return out;
	case UNIT_BYTES: snprintf(out, n, "%.0f B", value); return out;
	}
	return out;
}
