/* path_rows.c - see path_rows.h. */
#include "path_rows.h"

#include <string.h>
#include "segment_table.h"
#include "units.h"
#include "wire.h"

#define COLUMNS 79

static double real(const json_t *o, const char *key)
{
	const json_t *v = json_object_get(o, key);

	return json_is_number(v) ? json_number_value(v) : -1;
}

static json_int_t count(const json_t *o, const char *key)
{
	return json_integer_value(json_object_get(o, key));
}

static const char *text(const json_t *o, const char *key)
{
	const char *t = json_string_value(json_object_get(o, key));

	return t ? t : "";
}

/* "2/2, 1 lost": sessions that are up, of all, and how often one was lost. */
static const char *state_words(char *out, size_t n, const json_t *p)
{
	if (json_is_true(json_object_get(p, "out")))
		snprintf(out, n, "out");
	else
		snprintf(out, n, "%lld/%lld", (long long)count(p, "up"),
			 (long long)count(p, "sessions"));
	units_append(out, n, ", %lld lost", (long long)count(p, "drops"));
	return out;
}

static void print_row(FILE *out, const json_t *p, enum rate_unit unit)
{
	char words[48];
	double share = real(p, "share"), iops = real(p, "iops"), rate = real(p, "mib_s");
	const char *nic = text(json_object_get(p, "nic"), "name");

	if (rate >= 0)
		rate *= (double)MIB / units_rate_scale(unit);

	fprintf(out, "%4lld", (long long)count(p, "number"));
	snprintf(words, sizeof(words), share < 0 ? "-" : "%.0f %%", 100 * share);
	table_right(out, 7, words);
	snprintf(words, sizeof(words), "-");
	table_right(out, 8, iops < 0 ? words : units_count(words, sizeof(words), iops));
	snprintf(words, sizeof(words), rate < 0 ? "-" : rate < 100 ? "%.2f" : "%.1f", rate);
	table_right(out, 9, words);
	table_right(out, 9,
		    units_latency(words, sizeof(words), real(p, "lat_mean_ns"), units_ascii()));
	table_right(out, 14, state_words(words, sizeof(words), p));
	fprintf(out, "  %s%s%s%s%s\n", nic, nic[0] ? " to " : "", text(p, "portal"),
		text(p, "sent_on_to")[0] ? " > " : "", text(p, "sent_on_to"));
}

/* Where to break so many columns: behind a clause that fills half of them, so that no number stands without its
 * unit; if there is none, between words. 0 = nowhere. */
static size_t place_to_break(const char *words, size_t columns)
{
	size_t any = 0;

	for (size_t n = columns; n > 0; n--) {
		if (words[n] != ' ')
			continue;
		if (n > columns / 2 && strchr(";:,", words[n - 1]))
			return n;
		if (!any)
			any = n;
	}
	return any;
}

/* The lines that follow begin where the first one's words do. */
static void print_wrapped(FILE *out, const char *head, const char *words)
{
	size_t indent = strlen(head), n;

	fputs(head, out);
	while (strlen(words) > COLUMNS - indent && (n = place_to_break(words, COLUMNS - indent))) {
		fprintf(out, "%.*s\n%*s", (int)n, words, (int)indent, "");
		words += n + 1;
	}
	fprintf(out, "%s\n", words);
}

/* Of a path that ended down: what is in its way. */
static void print_why(FILE *out, const json_t *p)
{
	char head[24];
	const char *why = text(p, "why");

	if (!why[0] || count(p, "up") || json_is_true(json_object_get(p, "out")))
		return;
	snprintf(head, sizeof(head), "path %-5lld", (long long)count(p, "number"));
	print_wrapped(out, head, why);
}

/* Of the only path, which has no row. */
static void print_sent_on(FILE *out, const json_t *p)
{
	char words[240];

	if (!text(p, "sent_on_to")[0])
		return;
	snprintf(words, sizeof(words), "%.79s sent the login on to %.79s", text(p, "portal"),
		 text(p, "sent_on_to"));
	print_wrapped(out, "portal    ", words);
}

void path_event_row(FILE *out, uint64_t after_ns, const char *words)
{
	char span[32], head[40];

	snprintf(head, sizeof(head), "%8s  ", units_span(span, sizeof(span), after_ns));
	print_wrapped(out, head, words);
}

void path_rows(FILE *out, const json_t *object, enum rate_unit unit)
{
	const json_t *paths = json_object_get(object, "paths");
	const json_t *w = json_object_get(object, "wire");
	const char *imbalance = text(object, "imbalance"), *mtu = text(object, "mtu");
	size_t n = json_array_size(paths);
	char wire[200];

	wire_words(wire, sizeof(wire), text(w, "text"), real(w, "data_bytes_s"), unit);
	if (n > 1)
		fprintf(out, "\n%4s%7s%8s%9s%9s%14s  by\n", "path", "share", "IOPS",
			units_rate_name(unit), "mean", "sessions up");
	for (size_t i = 0; n > 1 && i < n; i++)
		print_row(out, json_array_get(paths, i), unit);
	if (n > 1 && json_is_object(json_object_get(object, "outage")))
		fprintf(out, "      of all the time, with the outage; a mean is from being sent on "
			     "the path,\n      without the wait for one\n");
	for (size_t i = 0; n > 1 && i < n; i++)
		print_why(out, json_array_get(paths, i));
	if (n == 1)
		print_sent_on(out, json_array_get(paths, 0));
	if (n > 1 && (imbalance[0] || wire[0] || mtu[0]))
		fputc('\n', out);
	if (imbalance[0])
		print_wrapped(out, "uneven    ", imbalance);
	if (wire[0])
		print_wrapped(out, "wire      ", wire);
	if (mtu[0])
		print_wrapped(out, "MTU       ", mtu);
}
