/* meter.c - the figures of the meters. Each is made from sums, so that one of an hour is made as one of a
 * second is, and the same table serves both.
 */
#include "meter.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct meter_info meters[METERS] = {
#define X(id, word, name, unit, help) [id] = {word, name, unit, help},
	METER_TABLE(X)
#undef X
};

/* --- Arithmetic --- */

static double ratio(double a, double b)
{
	return b > 0 ? a / b : NAN;
}

/* op 0: both, else reads or writes: what follows a total in the table. */
static struct op_sample op_of(const struct sample *s, int op)
{
	struct op_sample sum = s->op[IO_READ];
	const struct op_sample *w = &s->op[IO_WRITE];

	if (op)
		return op == 1 ? sum : *w;
	sum.ios += w->ios;
	sum.bytes += w->bytes;
	sum.errors += w->errors;
	sum.lat_sum += w->lat_sum;
	if (w->lat_max > sum.lat_max)
		sum.lat_max = w->lat_max;
	return sum;
}

static double per_second(uint64_t sum, uint64_t dt_ns)
{
	return ratio((double)sum * 1e9, (double)dt_ns);
}

/* CPU % as Iometer has it: the share of the time of all CPUs. Waiting for IO is idle time. */
static double cpu_percent(const struct cpu_sample *c, uint64_t part)
{
	uint64_t all = c->user + c->system + c->irq + c->softirq + c->iowait + c->steal + c->idle;

	return c->valid ? ratio(100 * (double)part, (double)all) : NAN;
}

static double cpu_busy(const struct cpu_sample *c)
{
	return cpu_percent(c, c->user + c->system + c->irq + c->softirq);
}

static double net_rate(const struct net_sample *n, bool known, uint64_t count)
{
	return n->valid && known ? per_second(count, n->dt_ns) : NAN;
}

static double effectiveness(const struct sample *s)
{
	return ratio(per_second(op_of(s, 0).ios, s->dt_ns), cpu_busy(&s->cpu));
}

double meter_value(enum meter m, const struct sample *s)
{
	const struct cpu_sample *c = &s->cpu;
	const struct net_sample *n = &s->net;
	struct op_sample op;

	switch (m) {
	case METER_IOPS:
	case METER_IOPS_READ:
	case METER_IOPS_WRITE: return per_second(op_of(s, (int)m - METER_IOPS).ios, s->dt_ns);
	case METER_MIB:
	case METER_MIB_READ:
	case METER_MIB_WRITE:
		return per_second(op_of(s, (int)m - METER_MIB).bytes, s->dt_ns) / (double)MIB;
	case METER_MB:
	case METER_MB_READ:
	case METER_MB_WRITE: return per_second(op_of(s, (int)m - METER_MB).bytes, s->dt_ns) / 1e6;
	case METER_MEAN:
	case METER_MEAN_READ:
	case METER_MEAN_WRITE:
		op = op_of(s, (int)m - METER_MEAN);
		return ratio((double)op.lat_sum / 1e6, (double)op.ios);
	case METER_MAX:
	case METER_MAX_READ:
	case METER_MAX_WRITE:
		op = op_of(s, (int)m - METER_MAX);
		return op.ios ? (double)op.lat_max / 1e6 : NAN;
	case METER_CPU: return cpu_busy(c);
	case METER_CPU_USER: return cpu_percent(c, c->user);
	case METER_CPU_SYSTEM: return cpu_percent(c, c->system);
	case METER_CPU_IRQ: return cpu_percent(c, c->irq);
	case METER_CPU_SOFTIRQ: return cpu_percent(c, c->softirq);
	case METER_INTERRUPTS: return c->valid ? per_second(c->interrupts, sample_cpu_dt(s)) : NAN;
	case METER_EFFECTIVENESS: return effectiveness(s);
	case METER_PACKETS: return net_rate(n, true, n->rx_packets + n->tx_packets);
	case METER_PACKET_ERRORS: return n->valid ? (double)n->errors : NAN;
	case METER_RESENDS: return net_rate(n, n->resends, n->retransmits);
	case METER_ERRORS:
	case METER_ERRORS_READ:
	case METER_ERRORS_WRITE:
		return s->dt_ns ? (double)op_of(s, (int)m - METER_ERRORS).errors : NAN;
	case METERS: break;
	}
	return NAN;
}

/* --- Over time --- */

void meter_board_clear(struct meter_board *b, unsigned every_s)
{
	const struct meter_trace none = {NAN, NAN, NAN};

	memset(b, 0, sizeof(*b));
	b->every_ns = (every_s ? every_s : 1) * NS_PER_SEC;
	sample_clear(&b->total);
	sample_clear(&b->filling);
	for (int since = 0; since < METER_SINCES; since++)
		for (int m = 0; m < METERS; m++)
			b->trace[since][m] = none;
}

static void take_value(struct meter_trace *t, double value)
{
	t->now = value;
	t->low = fmin(t->low, value);
	t->high = fmax(t->high, value);
}

static void update(struct meter_board *b)
{
	for (int m = 0; m < METERS; m++) {
		take_value(&b->trace[METER_SINCE_UPDATE][m],
			   meter_value((enum meter)m, &b->filling));
		take_value(&b->trace[METER_SINCE_START][m], meter_value((enum meter)m, &b->total));
	}
	b->span_ns[METER_SINCE_UPDATE] = b->filling.dt_ns;
	b->span_ns[METER_SINCE_START] = b->total.dt_ns;
	b->updates++;
	sample_clear(&b->filling);
}

/* What a path lost is in no mean of the run; it is to be seen all the same while it lasts. */
static void add_total(struct sample *total, const struct sample *second)
{
	if (!second->gap_ns) {
		sample_add(total, second);
		return;
	}
	for (int op = 0; op < IO_OPS; op++)
		total->op[op].errors += second->op[op].errors;
}

bool meter_board_add(struct meter_board *b, const struct sample *second)
{
	add_total(&b->total, second);
	sample_add(&b->filling, second);
	if (b->filling.dt_ns + SECOND_REST < b->every_ns)
		return false;
	update(b);
	return true;
}

/* --- What is chosen --- */

struct meter_setup meter_setup_usual(void)
{
	return (struct meter_setup){
		.place = {{METER_IOPS, 0},
			  {METER_MIB, 0},
			  {METER_MEAN, 0},
			  {METER_MAX, 0},
			  {METER_CPU, 0},
			  {METER_ERRORS, 0}},
		.since = METER_SINCE_UPDATE,
		.every_s = 1,
	};
}

int meter_top_parse(double *top, const char *text, struct error *e)
{
	static const char prefix[] = "kMGT";
	const char *at = text + strspn(text, " ");
	char *end;

	if (!*at) {
		*top = 0;
		return 0;
	}
	/* strtod() takes much more for a number than anybody would write here. */
	double value = isdigit((unsigned char)*at) || *at == '.' ? strtod(at, &end) : 0;
	if (value > 0) {
		const char *p = *end ? strchr(prefix, *end) : NULL;
		for (int i = 0; p && i <= p - prefix; i++)
			value *= 1000;
		end += p != NULL;
		end += strspn(end, " ");
	}
	if (!(value > 0) || *end || value > 1e18)
		return error_set(e, EINVAL,
				 "the end of the scale is a number above 0, as 50k, or nothing "
				 "for an automatic one, not '%.40s'",
				 text);
	*top = value;
	return 0;
}

char *meter_top_text(char *out, size_t n, double top)
{
	out[0] = '\0';
	if (top > 0)
		units_append(out, n, "%.15g", top);
	return out;
}

static int take_place(struct meter_choice *c, const char *value, struct error *e)
{
	size_t n = strcspn(value, " \t");

	for (int m = 0; m < METERS; m++) {
		if (strlen(meters[m].word) != n || strncmp(meters[m].word, value, n) != 0)
			continue;
		int rc = meter_top_parse(&c->top, value + n + strspn(value + n, " \t"), e);
		if (rc == 0)
			c->what = (enum meter)m;
		return rc;
	}
	return error_set(e, EINVAL,
			 "no meter '%.*s': there are iops, mib, mb, mean, max and errors (with "
			 "-read or -write or as they are), cpu, cpu-user, cpu-system, cpu-irq, "
			 "cpu-softirq, interrupts, effectiveness, packets, packet-errors and "
			 "resends",
			 (int)(n < 40 ? n : 40), value);
}

static int take_since(struct meter_setup *s, const char *value, struct error *e)
{
	if (strcmp(value, "update") != 0 && strcmp(value, "start") != 0)
		return error_set(e, EINVAL, "since is update or start, not '%.40s'", value);
	s->since = *value == 's' ? METER_SINCE_START : METER_SINCE_UPDATE;
	return 0;
}

static int take_every(struct meter_setup *s, const char *value, struct error *e)
{
	uint64_t ns;
	int rc = units_parse_duration(value, &ns, e);

	if (rc)
		return rc;
	if (ns < NS_PER_SEC || ns % NS_PER_SEC || ns / NS_PER_SEC > METER_EVERY_MOST)
		return error_set(e, EINVAL, "every is whole seconds, 1s to 24h, not '%.40s'",
				 value);
	s->every_s = (unsigned)(ns / NS_PER_SEC);
	return 0;
}

int meter_setup_take(struct meter_setup *s, const char *name, const char *value, struct error *e)
{
	if (name[0] >= '1' && name[0] < '1' + METER_PLACES && !name[1])
		return take_place(&s->place[name[0] - '1'], value, e);
	if (strcmp(name, "since") == 0)
		return take_since(s, value, e);
	if (strcmp(name, "every") == 0)
		return take_every(s, value, e);
	return error_set(e, EINVAL, "[meters] has 1 to %d, since and every, and no '%.40s'",
			 METER_PLACES, name);
}

static bool put_place(const struct meter_choice *c, const struct meter_choice *usual,
		      char value[64])
{
	char top[32];

	meter_top_text(top, sizeof(top), c->top);
	snprintf(value, 64, "%s%s%s", meters[c->what].word, top[0] ? " " : "", top);
	return c->what != usual->what || top[0];
}

bool meter_setup_put(const struct meter_setup *s, unsigned i, char name[16], char value[64])
{
	const struct meter_setup usual = meter_setup_usual();

	if (i < METER_PLACES) {
		snprintf(name, 16, "%u", i + 1);
		return put_place(&s->place[i], &usual.place[i], value);
	}
	if (i == METER_PLACES) {
		snprintf(name, 16, "since");
		snprintf(value, 64, "%s", s->since == METER_SINCE_START ? "start" : "update");
		return s->since != usual.since;
	}
	snprintf(name, 16, "every");
	snprintf(value, 64, "%us", s->every_s);
	return s->every_s != usual.every_s;
}
