/* load.c - see load.h. */
#include "load.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "units.h"

struct load_step *load_append(struct load_log *l, const struct load_step *s)
{
	if (l->steps < LOAD_STEPS_MAX)
		l->steps++;
	l->step[l->steps - 1] = *s;
	return &l->step[l->steps - 1];
}

struct workload load_workload(const struct workload *w, struct load load)
{
	struct workload out = *w;

	if (load.by == KNOB_RATE) {
		out.rate_iops = load.value;
	} else {
		out.outstanding = (uint32_t)load.value;
		out.rate_iops = 0;
	}
	return out;
}

int load_check(enum knob by, const struct workload *w, struct error *e)
{
	if (by != KNOB_RATE || !workload_thinks(w))
		return 0;
	if (w->access.count)
		return error_set(
			e, EINVAL,
			"by rate there can be no delays in access lines: set them to 0, or "
			"go by outstanding");
	return error_set(e, EINVAL,
			 "by rate there can be no think time: set think to none, or go by "
			 "outstanding");
}

int load_parse_by(enum knob *by, const char *text, struct error *e)
{
	static const enum knob can[] = {KNOB_OUTSTANDING, KNOB_RATE};

	for (size_t i = 0; i < sizeof(can) / sizeof(*can); i++)
		if (strcasecmp(text, knobs[can[i]].option) == 0) {
			*by = can[i];
			return 0;
		}
	return error_set(e, EINVAL, "'%s': write outstanding or rate", text);
}

static char *value_text(char *out, size_t n, struct load load)
{
	if (load.by != KNOB_RATE)
		snprintf(out, n, "%llu", (unsigned long long)load.value);
	else if (load.value == 0)
		snprintf(out, n, "max");
	else
		units_count(out, n, (double)load.value);
	return out;
}

char *load_describe(char *out, size_t n, struct load load)
{
	char value[32];

	value_text(value, sizeof(value), load);
	snprintf(out, n, "%s %s%s", knobs[load.by].option, value,
		 load.by == KNOB_RATE && load.value ? "/s" : "");
	return out;
}

bool load_from_due(const struct load_step *s, int of)
{
	return s->load.by == KNOB_RATE && s->load.value && s->sum.due.ios &&
	       s->sum.op[of].ios == s->sum.op[SUM_TOTAL].ios;
}

struct summary_op load_latency(const struct load_step *s, int of)
{
	const struct summary_due *d = &s->sum.due;
	struct summary_op o = s->sum.op[of];

	if (!load_from_due(s, of))
		return o;
	o.mean = d->mean;
	o.min = d->min;
	o.p50 = d->p50;
	o.p90 = d->p90;
	o.p95 = d->p95;
	o.p99 = d->p99;
	o.p999 = d->p999;
	o.max = d->max;
	return o;
}

/* --- The table. --- */

static int columns(const char *text)
{
	int n = 0;

	for (; *text; text++)
		n += ((unsigned char)*text & 0xc0) != 0x80;
	return n;
}

/* Appends text at the right end of a column that is so wide. */
static void append(char *out, size_t n, int width, const char *text)
{
	size_t used = strlen(out);
	int blank = width - columns(text);

	snprintf(out + used, n - used, "%*s%s", blank > 0 ? blank : 0, "", text);
}

enum { COL_MARK = 4, COL_LOAD = 7, COL_IOPS = 7, COL_RATE = 7, COL_LATENCY = 8, COL_CPU = 6 };

char *load_head(char *out, size_t n, enum knob by, enum rate_unit unit)
{
	static const char *const latency[] = {"mean", "p50", "p95", "p99", "p99.9"};

	out[0] = '\0';
	append(out, n, COL_MARK, "mark");
	append(out, n, COL_LOAD, by == KNOB_RATE ? "rate" : "outst");
	append(out, n, COL_IOPS, "IOPS");
	append(out, n, COL_RATE, units_rate_name(unit));
	for (size_t i = 0; i < sizeof(latency) / sizeof(*latency); i++)
		append(out, n, COL_LATENCY, latency[i]);
	append(out, n, COL_CPU, "CPU %");
	return out;
}

static void append_figures(char *out, size_t n, const struct load_step *s, int of,
			   enum rate_unit unit, int ascii)
{
	const struct summary_op *all = &s->sum.op[SUM_TOTAL], o = load_latency(s, of);
	const double latency[] = {o.mean, o.p50, o.p95, o.p99, o.p999};
	char text[32];
	double rate = all->bytes_s / units_rate_scale(unit);

	append(out, n, COL_IOPS, units_count(text, sizeof(text), all->iops));
	snprintf(text, sizeof(text), "%.*f", rate < 9.995 ? 2 : rate < 999.5, rate);
	append(out, n, COL_RATE, text);
	for (size_t i = 0; i < sizeof(latency) / sizeof(*latency); i++)
		append(out, n, COL_LATENCY, units_latency(text, sizeof(text), latency[i], ascii));
	snprintf(text, sizeof(text), "%.1f", s->sum.cpu_percent);
	append(out, n, COL_CPU, s->sum.cpu_valid ? text : "-");
}

char *load_row(char *out, size_t n, const struct load_step *s, int of, enum rate_unit unit,
	       int ascii)
{
	char text[32];

	out[0] = '\0';
	append(out, n, COL_MARK, (char[]){s->letter ? s->letter : '-', '\0'});
	append(out, n, COL_LOAD, value_text(text, sizeof(text), s->load));
	if (!s->refused)
		append_figures(out, n, s, of, unit, ascii);
	if (s->note[0]) {
		size_t used = strlen(out);
		snprintf(out + used, n - used, " %s", s->note);
	}
	return out;
}

/* --- JSON. --- */

static json_t *step_json(const struct load_step *s, int of)
{
	char letter[2] = {s->letter, '\0'};
	bool limitless = s->load.by == KNOB_RATE && s->load.value == 0;

	return json_pack("{s:o, s:b, s:b, s:b, s:b, s:b, s:o, s:s, s:o}", "value",
			 limitless ? json_null() : json_integer((json_int_t)s->load.value),
			 "confirms", s->confirms, "refused", s->refused, "few_ios", s->few,
			 "sustained", s->sustained, "from_due", load_from_due(s, of), "mark",
			 s->letter ? json_string(letter) : json_null(), "note", s->note, "summary",
			 s->refused ? json_null() : summary_json(&s->sum));
}

json_t *load_json(const struct load_log *l, int of)
{
	json_t *list = json_array();

	for (unsigned i = 0; list && i < l->steps; i++)
		json_array_append_new(list, step_json(&l->step[i], of));
	return list;
}
