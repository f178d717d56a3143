/* trigger.c - see trigger.h. */
#include "trigger.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "units.h"

#define SECONDS_MOST 3600

static const char *const name[TRIGGER_FIGURES] = {
#define X(id, text) [id] = text,
	TRIGGER_TABLE(X)
#undef X
};

/* --- What is typed. --- */

static int unknown(const char *text, struct error *e)
{
	return error_set(
		e, EINVAL,
		"trigger '%.60s': write a figure and a limit, as 'p99 > 20ms', 'iops < 5k for 3s', "
		"'rate < 100MiB', 'cpu > 90%%', or 'errors' or 'path' alone",
		text);
}

static const char *skip(const char *text)
{
	return text + strspn(text, " \t");
}

/* Names that begin alike: the longest that fits. */
static int find_figure(const char **text)
{
	int best = -1;
	size_t length = 0;

	for (int i = 0; i < TRIGGER_FIGURES; i++) {
		size_t n = strlen(name[i]);
		if (n > length && strncasecmp(*text, name[i], n) == 0) {
			best = i;
			length = n;
		}
	}
	*text += length;
	return best;
}

static int parse_limit(struct trigger *t, const char *text, struct error *e)
{
	uint64_t whole;
	uint32_t percent;
	int rc;

	switch (t->figure) {
	case TRIGGER_IOPS: rc = units_parse_rate(text, &whole, e); break;
	case TRIGGER_RATE: rc = units_parse_size(text, &whole, e); break;
	case TRIGGER_CPU:
		rc = units_parse_percent(text, "trigger", &percent, e);
		whole = rc ? 0 : percent;
		break;
	default: rc = units_parse_duration(text, &whole, e); break;
	}
	t->limit = rc ? 0 : (double)whole;
	if (rc == 0 && whole == 0)
		rc = error_set(e, EINVAL, "trigger: the limit must be more than 0");
	return rc;
}

/* The seconds behind "for", of which text is cut free. */
static int parse_seconds(struct trigger *t, char *text, struct error *e)
{
	char *at = strstr(text, " for ");
	uint64_t ns;

	t->seconds = 1;
	if (!at)
		return 0;
	int rc = units_parse_duration(skip(at + 5), &ns, e);
	if (rc == 0 && (ns < NS_PER_SEC || ns % NS_PER_SEC || ns / NS_PER_SEC > SECONDS_MOST))
		rc = error_set(e, EINVAL, "trigger: for whole seconds, 1s to 1h");
	t->seconds = rc ? 1 : (unsigned)(ns / NS_PER_SEC);
	*at = '\0';
	return rc;
}

static void trim(char *text)
{
	size_t n = strlen(text);

	while (n && isspace((unsigned char)text[n - 1]))
		text[--n] = '\0';
}

int trigger_parse(struct trigger *t, const char *text, struct error *e)
{
	char rest[128];
	const char *at = skip(text);
	int figure = find_figure(&at);

	*t = (struct trigger){.seconds = 1, .above = true};
	if (figure < 0 || strlen(at) >= sizeof(rest))
		return unknown(text, e);
	t->figure = (enum trigger_figure)figure;
	snprintf(rest, sizeof(rest), "%s", at);
	int rc = parse_seconds(t, rest, e);
	trim(rest);
	at = skip(rest);
	if (rc)
		return rc;
	if (t->figure == TRIGGER_ERRORS || t->figure == TRIGGER_PATH)
		return *at ? unknown(text, e) : 0;
	if (*at != '<' && *at != '>')
		return unknown(text, e);
	t->above = *at == '>';
	at += at[1] == '=' ? 2 : 1;
	return parse_limit(t, skip(at), e);
}

/* --- Words. --- */

static void put_value(char *out, unsigned long n, const struct trigger *t, double value, bool ascii)
{
	switch (t->figure) {
	case TRIGGER_IOPS: units_count(out, n, value); break;
	case TRIGGER_RATE: units_rate(out, n, value, RATE_MIB); break;
	case TRIGGER_CPU: snprintf(out, n, "%.1f %%", value); break;
	default: units_latency(out, n, value, ascii); break;
	}
}

char *trigger_describe(char *out, unsigned long n, const struct trigger *t, bool ascii)
{
	char limit[32];

	if (t->figure == TRIGGER_ERRORS)
		snprintf(out, n, "an IO fails");
	else if (t->figure == TRIGGER_PATH)
		snprintf(out, n, "a path is lost");
	else {
		put_value(limit, sizeof(limit), t, t->limit, ascii);
		snprintf(out, n, "%s %c %s", name[t->figure], t->above ? '>' : '<', limit);
	}
	if (t->seconds > 1)
		units_append(out, n, " for %u s", t->seconds);
	return out;
}

char *trigger_words(char *out, unsigned long n, const struct trigger *t, double value, bool ascii)
{
	char is[32], limit[32];

	if (t->figure == TRIGGER_ERRORS)
		snprintf(out, n, "%.0f IOs failed", value);
	else if (t->figure == TRIGGER_PATH)
		snprintf(out, n, "%.0f path%s lost", value, value == 1 ? "" : "s");
	else {
		put_value(is, sizeof(is), t, value, ascii);
		put_value(limit, sizeof(limit), t, t->limit, ascii);
		snprintf(out, n, "%s %s %c %s", name[t->figure], is, t->above ? '>' : '<', limit);
	}
	if (t->seconds > 1)
		units_append(out, n, " for %u s", t->seconds);
	return out;
}

/* --- What was measured. --- */

static double known(uint64_t ns, uint64_t ios)
{
	return ios ? (double)ns : NAN;
}

static double cpu_percent(const struct cpu_sample *c)
{
	double busy = (double)(c->user + c->system + c->irq + c->softirq);
	double all = busy + (double)(c->iowait + c->steal + c->idle);

	return c->valid && all > 0 ? 100 * busy / all : NAN;
}

static double figure_of(const struct trigger *t, const struct sample *s, unsigned lost)
{
	const struct op_sample *r = &s->op[IO_READ], *w = &s->op[IO_WRITE];
	uint64_t ios = r->ios + w->ios, max = r->lat_max > w->lat_max ? r->lat_max : w->lat_max;
	double seconds = (double)s->dt_ns / 1e9;

	switch (t->figure) {
	case TRIGGER_IOPS: return (double)ios / seconds;
	case TRIGGER_RATE: return (double)(r->bytes + w->bytes) / seconds;
	case TRIGGER_MEAN: return ios ? (double)(r->lat_sum + w->lat_sum) / (double)ios : NAN;
	case TRIGGER_P50: return known(s->p50, ios);
	case TRIGGER_P95: return known(s->p95, ios);
	case TRIGGER_P99: return known(s->p99, ios);
	case TRIGGER_P999: return known(s->p999, ios);
	case TRIGGER_MAX: return known(max, ios);
	case TRIGGER_CPU: return cpu_percent(&s->cpu);
	case TRIGGER_ERRORS: return (double)(r->errors + w->errors);
	case TRIGGER_PATH: return lost;
	case TRIGGER_FIGURES: break;
	}
	return NAN;
}

bool trigger_second(struct trigger *t, const struct sample *second, unsigned lost, double *value)
{
	/* A rest of a second scatters more than a whole one. */
	if (second->dt_ns < SECOND_REST)
		return false;
	*value = figure_of(t, second, lost);
	/* NaN is neither. */
	bool holds = t->above ? *value > t->limit : *value < t->limit;
	if (holds == t->fired) {
		t->held = 0;
		return false;
	}
	if (++t->held < t->seconds)
		return false;
	t->held = 0;
	t->fired = holds;
	return holds;
}
