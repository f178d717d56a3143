/* host.c - see host.h. CPUs through libproc2; /proc/net/dev and /proc/net/snmp are read here (proc(5)). */
#include "iometer/host.h"

#include <libproc2/stat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "units.h"

enum { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STOLEN, TICS };

struct tics {
	uint64_t of[TICS];
};

struct iometer_host {
	uint64_t t_ns;
	bool cpus_known, net_known, retransmits_known;
	unsigned cpus;
	struct tics all, *cpu; /* by order; CPUs that are off are left out */
	uint64_t interrupts;
	uint64_t packets, errors, retransmits;
};

/* clang-format off */
static enum stat_item items[TICS] = {
	STAT_TIC_USER, STAT_TIC_NICE, STAT_TIC_SYSTEM, STAT_TIC_IDLE, STAT_TIC_IOWAIT, STAT_TIC_IRQ,
	STAT_TIC_SOFTIRQ, STAT_TIC_STOLEN,
};
/* clang-format on */

static struct tics tics_of(const struct stat_stack *s)
{
	struct tics t;

	for (int i = 0; i < TICS; i++)
		t.of[i] = s->head[i].result.ull_int;
	return t;
}

static void look_at_cpus(struct iometer_host *h)
{
	struct stat_info *info = NULL;

	if (procps_stat_new(&info) < 0)
		return;
	h->interrupts = (uint64_t)STAT_GET(info, STAT_SYS_INTERRUPTS, ul_int);
	struct stat_reaped *r = procps_stat_reap(info, STAT_REAP_CPUS_ONLY, items, TICS);
	h->cpu = r ? calloc((size_t)r->cpus->total, sizeof(*h->cpu)) : NULL;
	if (h->cpu) {
		h->all = tics_of(r->summary);
		for (int i = 0; i < r->cpus->total; i++)
			h->cpu[h->cpus++] = tics_of(r->cpus->stacks[i]);
		h->cpus_known = true;
	}
	procps_stat_unref(&info);
}

/* "  eth0: bytes packets errs drop fifo frame compressed multicast bytes packets errs ..." */
static void look_at_devices(struct iometer_host *h)
{
	char line[512], name[64];
	unsigned long long rx, rx_errors, tx, tx_errors;
	FILE *f = fopen("/proc/net/dev", "re");

	if (!f)
		return;
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, " %63[^:]: %*u %llu %llu %*u %*u %*u %*u %*u %*u %llu %llu", name,
			   &rx, &rx_errors, &tx, &tx_errors) != 5 ||
		    strcmp(name, "lo") == 0)
			continue;
		h->packets += rx + tx;
		h->errors += rx_errors + tx_errors;
		h->net_known = true;
	}
	fclose(f);
}

/* Number n, from 1 on, of the words of a line; "" if there is none. */
static const char *word_at(char *line, unsigned n)
{
	char *save = NULL, *word = strtok_r(line, " \n", &save);

	while (word && --n)
		word = strtok_r(NULL, " \n", &save);
	return word ? word : "";
}

/* Which word of the line this is, from 1 on; 0 if none. The line is taken apart. */
static unsigned column_of(char *line, const char *name)
{
	char *save = NULL;
	unsigned n = 1;

	for (char *word = strtok_r(line, " \n", &save); word;
	     word = strtok_r(NULL, " \n", &save), n++) {
		if (strcmp(word, name) == 0)
			return n;
	}
	return 0;
}

/* A line of names is followed by one of numbers. */
static void look_at_retransmits(struct iometer_host *h)
{
	char names[1024], numbers[1024];
	FILE *f = fopen("/proc/net/snmp", "re");

	while (f && !h->retransmits_known && fgets(names, sizeof(names), f) &&
	       fgets(numbers, sizeof(numbers), f)) {
		if (strncmp(names, "Tcp:", 4) != 0)
			continue;
		unsigned i = column_of(names, "RetransSegs");
		h->retransmits_known = i > 0;
		h->retransmits = i ? strtoull(word_at(numbers, i), NULL, 10) : 0;
	}
	if (f)
		fclose(f);
}

struct iometer_host *iometer_host_look(void)
{
	struct iometer_host *h = calloc(1, sizeof(*h));

	if (!h)
		return NULL;
	h->t_ns = clock_ns();
	look_at_cpus(h);
	look_at_devices(h);
	look_at_retransmits(h);
	return h;
}

void iometer_host_free(struct iometer_host *h)
{
	if (h)
		free(h->cpu);
	free(h);
}

unsigned iometer_host_cpus(const struct iometer_host *h)
{
	return h->cpus;
}

/* Counters of a CPU can step back by a tick (iowait does, proc(5)); that counts as none. */
static double since(const struct tics *to, const struct tics *from, int i)
{
	return to->of[i] > from->of[i] ? (double)(to->of[i] - from->of[i]) : 0;
}

struct iometer_cpu iometer_host_cpu(const struct iometer_host *from, const struct iometer_host *to,
				    int i)
{
	struct iometer_cpu c = {.interrupts_s = -1};

	if (!from->cpus_known || !to->cpus_known || from->cpus != to->cpus || i >= (int)to->cpus)
		return c;
	const struct tics *b = i < 0 ? &to->all : &to->cpu[i],
			  *a = i < 0 ? &from->all : &from->cpu[i];
	double total = 0;
	for (int k = 0; k < TICS; k++)
		total += since(b, a, k);
	double percent = total > 0 ? 100 / total : 0;
	c.known = true;
	c.user = percent * (since(b, a, USER) + since(b, a, NICE));
	c.softirq = percent * since(b, a, SOFTIRQ);
	c.irq = percent * since(b, a, IRQ);
	c.system = percent * since(b, a, SYSTEM) + c.softirq + c.irq;
	c.busy = c.user + c.system;
	double seconds = (double)(to->t_ns - from->t_ns) / 1e9;
	if (i < 0 && seconds > 0)
		c.interrupts_s = (double)(to->interrupts - from->interrupts) / seconds;
	return c;
}

struct iometer_net iometer_host_net(const struct iometer_host *from, const struct iometer_host *to)
{
	struct iometer_net n = {0};
	double seconds = (double)(to->t_ns - from->t_ns) / 1e9;

	/* An interface that went away takes its counts along. */
	if (!from->net_known || !to->net_known || !from->retransmits_known ||
	    !to->retransmits_known || to->packets < from->packets || to->errors < from->errors ||
	    seconds <= 0)
		return n;
	n.known = true;
	n.packets_s = (double)(to->packets - from->packets) / seconds;
	n.errors = (double)(to->errors - from->errors);
	n.retransmits_s = (double)(to->retransmits - from->retransmits) / seconds;
	return n;
}
