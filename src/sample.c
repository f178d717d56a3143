/* sample.c - adding samples up, so that any stretch of time is a sample itself. */
#include "timeline.h"

#include <string.h>

void sample_clear(struct sample *s)
{
	memset(s, 0, sizeof(*s));
	for (int op = 0; op < IO_OPS; op++)
		s->op[op].lat_min = UINT64_MAX;
	s->due.lat_min = UINT64_MAX;
	s->device_depth = -1;
}

uint64_t sample_cpu_dt(const struct sample *s)
{
	if (!s->cpu.valid)
		return 0;
	return s->cpu.dt_ns ? s->cpu.dt_ns : s->dt_ns;
}

uint64_t sample_requested_ns(const struct sample *s)
{
	return s->requested_ns ? s->requested_ns : s->depth_requested * s->dt_ns;
}

static void op_add(struct op_sample *into, const struct op_sample *s)
{
	into->ios += s->ios;
	into->bytes += s->bytes;
	into->errors += s->errors;
	into->lat_sum += s->lat_sum;
	if (s->lat_min < into->lat_min)
		into->lat_min = s->lat_min;
	if (s->lat_max > into->lat_max)
		into->lat_max = s->lat_max;
}

static void due_add(struct due_sample *into, const struct due_sample *s)
{
	into->offered += s->offered;
	into->started += s->started;
	into->ios += s->ios;
	into->lat_sum += s->lat_sum;
	if (s->ios && s->lat_min < into->lat_min)
		into->lat_min = s->lat_min;
	if (s->lat_max > into->lat_max)
		into->lat_max = s->lat_max;
}

static void cpu_add(struct cpu_sample *into, const struct cpu_sample *s)
{
	into->valid = true;
	into->cpus = s->cpus;
	into->user += s->user;
	into->system += s->system;
	into->irq += s->irq;
	into->softirq += s->softirq;
	into->iowait += s->iowait;
	into->steal += s->steal;
	into->idle += s->idle;
	into->ctx_switches += s->ctx_switches;
	into->interrupts += s->interrupts;
	into->self_ns += s->self_ns;
	into->ui_ns += s->ui_ns;
	if (s->hot_share >= into->hot_share) {
		into->hot_share = s->hot_share;
		into->hot_cpu = s->hot_cpu;
	}
}

static void net_add(struct net_sample *into, const struct net_sample *s)
{
	into->valid = true;
	into->pauses |= s->pauses;
	into->resends |= s->resends;
	into->dt_ns += s->dt_ns;
	into->rx_bytes += s->rx_bytes;
	into->tx_bytes += s->tx_bytes;
	into->rx_packets += s->rx_packets;
	into->tx_packets += s->tx_packets;
	into->drops += s->drops;
	into->errors += s->errors;
	into->pause_rx += s->pause_rx;
	into->pause_tx += s->pause_tx;
	into->retransmits += s->retransmits;
}

void sample_add(struct sample *into, const struct sample *s)
{
	uint64_t cpu_dt = sample_cpu_dt(into) + sample_cpu_dt(s);
	uint64_t requested_ns = sample_requested_ns(into) + sample_requested_ns(s);

	for (int op = 0; op < IO_OPS; op++)
		op_add(&into->op[op], &s->op[op]);
	due_add(&into->due, &s->due);
	if (s->cpu.valid)
		cpu_add(&into->cpu, &s->cpu);
	into->cpu.dt_ns = cpu_dt;
	if (s->net.valid)
		net_add(&into->net, &s->net);
	if (s->device_depth >= 0) {
		double before = into->device_depth >= 0 ? (double)into->dt_ns : 0;
		double all = before + (double)s->dt_ns;
		into->device_depth = all > 0 ? (into->device_depth * before +
						s->device_depth * (double)s->dt_ns) /
						       all
					     : s->device_depth;
	}
	into->depth_ns += s->depth_ns;
	into->drain_ns += s->drain_ns;
	into->requested_ns = requested_ns;
	into->dt_ns += s->dt_ns;
	into->gap_ns += s->gap_ns;
	if (s->t_ns < into->t_ns)
		return;
	into->t_ns = s->t_ns;
	into->inflight = s->inflight;
	into->oldest_ns = s->oldest_ns;
	into->depth_requested = s->depth_requested;
	into->generation = s->generation;
	into->p50 = s->p50;
	into->p95 = s->p95;
	into->p99 = s->p99;
	into->p999 = s->p999;
	into->due.p50 = s->due.p50;
	into->due.p99 = s->due.p99;
	into->due.backlog = s->due.backlog;
	into->due.oldest_ns = s->due.oldest_ns;
}

const char *mark_kind_name(enum mark_kind kind)
{
	static const char *const name[] = {
		[MARK_START] = "start", [MARK_KNOB] = "knob",     [MARK_NOTE] = "note",
		[MARK_PAUSE] = "pause", [MARK_RESET] = "reset",   [MARK_EVENT] = "event",
		[MARK_END] = "end",     [MARK_PASSED] = "passed", [MARK_ENV] = "environment",
	};

	return name[kind];
}
