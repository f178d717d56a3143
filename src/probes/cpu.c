/* cpu.c - CPU time of the host, through libproc2, and lunscope's own.
 *
 * busy = user + nice + system + irq + softirq; iowait, steal and idle are not busy: CPU % as Iometer
 * defines it (mean busy share over all CPUs). Guest time is already part of user. Figures are in ns,
 * from clock ticks, so that they add up over any stretch.
 */
#include "probes/probe.h"

#include <errno.h>
#include <libproc2/stat.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "units.h"

enum {
	TIC_ID,
	TIC_USER,
	TIC_NICE,
	TIC_SYSTEM,
	TIC_IDLE,
	TIC_IOWAIT,
	TIC_IRQ,
	TIC_SOFTIRQ,
	TIC_STEAL
};

/* clang-format off */
static enum stat_item items[] = {
	STAT_TIC_ID, STAT_TIC_USER, STAT_TIC_NICE, STAT_TIC_SYSTEM, STAT_TIC_IDLE, STAT_TIC_IOWAIT,
	STAT_TIC_IRQ, STAT_TIC_SOFTIRQ, STAT_TIC_STOLEN,
};
/* clang-format on */
#define ITEMS (int)(sizeof(items) / sizeof(*items))

struct cpu_ticks {
	uint64_t tic[TIC_STEAL + 1];
};

struct cpu_probe {
	struct stat_info *info;
	uint64_t ns_per_tick;
	uint64_t t_ns;
	struct cpu_ticks total;
	struct cpu_ticks *cpu; /* by CPU number */
	struct cpu_cores cores;
	uint64_t ctx_switches, interrupts, self_ns;
};

static uint64_t self_cpu_ns(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return ((uint64_t)u.ru_utime.tv_sec + (uint64_t)u.ru_stime.tv_sec) * NS_PER_SEC +
	       ((uint64_t)u.ru_utime.tv_usec + (uint64_t)u.ru_stime.tv_usec) * NS_PER_US;
}

static struct cpu_ticks ticks_of(const struct stat_stack *s)
{
	struct cpu_ticks t = {{0}};

	for (int i = TIC_USER; i < ITEMS; i++)
		t.tic[i] = s->head[i].result.ull_int;
	return t;
}

/* Counters of a CPU can step back by a tick (iowait does, proc(5)); that counts as none. */
static struct cpu_ticks ticks_since(const struct cpu_ticks *now, const struct cpu_ticks *before)
{
	struct cpu_ticks d = {{0}};

	for (int i = TIC_USER; i < ITEMS; i++)
		if (now->tic[i] > before->tic[i])
			d.tic[i] = now->tic[i] - before->tic[i];
	return d;
}

static uint64_t busy_ticks(const struct cpu_ticks *t)
{
	return t->tic[TIC_USER] + t->tic[TIC_NICE] + t->tic[TIC_SYSTEM] + t->tic[TIC_IRQ] +
	       t->tic[TIC_SOFTIRQ];
}

static uint64_t all_ticks(const struct cpu_ticks *t)
{
	return busy_ticks(t) + t->tic[TIC_IDLE] + t->tic[TIC_IOWAIT] + t->tic[TIC_STEAL];
}

static void look_at_cores(struct cpu_probe *p, const struct stat_reap *cpus, struct cpu_sample *out)
{
	memset(&p->cores, 0, sizeof(p->cores));
	for (int i = 0; i < cpus->total; i++) {
		int id = cpus->stacks[i]->head[TIC_ID].result.s_int;
		if (id < 0 || id >= CORES_MAX)
			continue;
		struct cpu_ticks now = ticks_of(cpus->stacks[i]);
		struct cpu_ticks d = ticks_since(&now, &p->cpu[id]);
		p->cpu[id] = now;
		uint64_t all = all_ticks(&d);
		float share = all ? (float)busy_ticks(&d) / (float)all : 0;
		p->cores.busy[id] = (uint8_t)(100 * share + 0.5f);
		if ((uint32_t)id >= p->cores.count)
			p->cores.count = (uint32_t)id + 1;
		if (share >= out->hot_share) {
			out->hot_share = share;
			out->hot_cpu = (uint32_t)id;
		}
	}
}

static void read_all(struct cpu_probe *p, struct cpu_sample *out)
{
	memset(out, 0, sizeof(*out));
	struct stat_reaped *r = procps_stat_reap(p->info, STAT_REAP_CPUS_ONLY, items, ITEMS);
	if (!r)
		return;
	uint64_t now_ns = clock_ns();
	struct cpu_ticks now = ticks_of(r->summary), d = ticks_since(&now, &p->total);
	p->total = now;
	look_at_cores(p, r->cpus, out);
	uint64_t unit = p->ns_per_tick;
	out->cpus = (uint32_t)r->cpus->total;
	out->dt_ns = now_ns - p->t_ns;
	p->t_ns = now_ns;
	out->user = (d.tic[TIC_USER] + d.tic[TIC_NICE]) * unit;
	out->system = d.tic[TIC_SYSTEM] * unit;
	out->irq = d.tic[TIC_IRQ] * unit;
	out->softirq = d.tic[TIC_SOFTIRQ] * unit;
	out->iowait = d.tic[TIC_IOWAIT] * unit;
	out->steal = d.tic[TIC_STEAL] * unit;
	out->idle = d.tic[TIC_IDLE] * unit;
	uint64_t switches = STAT_GET(p->info, STAT_SYS_CTX_SWITCHES, ul_int);
	uint64_t interrupts = STAT_GET(p->info, STAT_SYS_INTERRUPTS, ul_int);
	out->ctx_switches = switches - p->ctx_switches;
	out->interrupts = interrupts - p->interrupts;
	p->ctx_switches = switches;
	p->interrupts = interrupts;
	uint64_t self = self_cpu_ns();
	out->self_ns = self - p->self_ns;
	p->self_ns = self;
	out->valid = true;
}

static int cpu_start(void **state, const char *root, const struct target *t, struct error *e)
{
	(void)t;
	/* libproc2 knows no other /proc than the host's. */
	if (root[0])
		return error_set(e, ENOTSUP, "cpu: only the host's own /proc can be read");
	struct cpu_probe *p = calloc(1, sizeof(*p));
	if (!p || !(p->cpu = calloc(CORES_MAX, sizeof(*p->cpu)))) {
		free(p);
		return error_set(e, ENOMEM, "cpu: out of memory");
	}
	int rc = procps_stat_new(&p->info);
	if (rc < 0) {
		free(p->cpu);
		free(p);
		return error_errno(e, -rc, "cpu: /proc/stat");
	}
	p->ns_per_tick = NS_PER_SEC / (uint64_t)sysconf(_SC_CLK_TCK);
	struct cpu_sample discard;
	read_all(p, &discard);
	*state = p;
	return 0;
}

static void cpu_sample_take(void *state, struct sample *s)
{
	uint64_t ui = s->cpu.ui_ns;

	read_all(state, &s->cpu);
	s->cpu.ui_ns = ui;
}

static void cpu_live(void *state, struct cpu_cores *cores)
{
	*cores = ((const struct cpu_probe *)state)->cores;
}

static void cpu_stop(void *state)
{
	struct cpu_probe *p = state;

	procps_stat_unref(&p->info);
	free(p->cpu);
	free(p);
}

const struct probe probe_cpu = {
	.name = "cpu",
	.start = cpu_start,
	.sample = cpu_sample_take,
	.live = cpu_live,
	.stop = cpu_stop,
};
