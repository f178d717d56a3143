/* csv_parts.c - times, access specifications and updates in results.csv; see csv_row.h. */
#include "iometer/csv_row.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "units.h"

uint64_t csv_time(const char *text)
{
	struct tm tm = {.tm_isdst = -1};
	unsigned ms = 0;
	char more;
	int n = sscanf(text, "%4d-%2d-%2d %2d:%2d:%2d:%3u%c", &tm.tm_year, &tm.tm_mon, &tm.tm_mday,
		       &tm.tm_hour, &tm.tm_min, &tm.tm_sec, &ms, &more);

	if (n < 6 || n > 7 || tm.tm_year < 1990 || tm.tm_year > 2200 || tm.tm_mon < 1 ||
	    tm.tm_mon > 12 || tm.tm_mday < 1 || tm.tm_mday > 31 || tm.tm_hour < 0 ||
	    tm.tm_hour > 23 || tm.tm_min < 0 || tm.tm_min > 59 || tm.tm_sec < 0 || tm.tm_sec > 60 ||
	    ms > 999)
		return 0;
	tm.tm_year -= 1900;
	tm.tm_mon--;
	time_t t = mktime(&tm);
	return t > 0 ? (uint64_t)t * NS_PER_SEC + ms * NS_PER_MS : 0;
}

/* What each of the numbers of a line may be at most. */
static const uint32_t most[8] = {
	IOMETER_SIZE_MAX,         100,       100,       100,
	THINK_MAX_NS / NS_PER_MS, BURST_MAX, ALIGN_MAX, IOMETER_SIZE_MAX,
};

int csv_spec_line_take(struct iometer_spec *s, const char *line, struct error *e)
{
	uint32_t v[8];
	char *end;

	if (s->count == ACCESS_LINES_MAX)
		return error_set(e, EINVAL, "an access specification of more than %u lines",
				 ACCESS_LINES_MAX);
	for (unsigned i = 0; i < 8; i++) {
		line += strspn(line, ", \t");
		unsigned long n = strtoul(line, &end, 10);
		if (end == line || *line == '-' || n > most[i])
			return error_set(
				e, EINVAL,
				"an access specification has 8 numbers a line, and '%.20s' "
				"can't be number %u",
				line, i + 1);
		v[i] = (uint32_t)n;
		line = end;
	}
	if (line[strspn(line, ", \t")])
		return error_set(e, EINVAL,
				 "an access specification has 8 numbers a line, and here are more");
	if (!v[0])
		return error_set(e, EINVAL, "an access specification with requests of 0 bytes");
	struct iometer_line *l = &s->line[s->count++];
	l->line = (struct access_line){.size = v[0],
				       .share = (uint8_t)v[1],
				       .read_pct = (uint8_t)v[2],
				       .random_pct = (uint8_t)v[3],
				       .delay_ms = v[4],
				       .burst = v[5] ? v[5] : 1,
				       .align = v[6]};
	l->reply = v[7];
	return 0;
}

static void add_update(struct iometer_row *sum, const struct iometer_row *row)
{
	sum->elapsed_ns += row->elapsed_ns;
	sum->managers = row->managers;
	sum->workers = row->workers;
	sum->targets = row->targets;
	sum->outstanding = row->outstanding;
	sum->start_sector = row->start_sector;
	sum->max_sectors = row->max_sectors;
	sum->bins |= row->bins;
	for (unsigned b = 0; b < IOMETER_BINS; b++)
		sum->bin[b] += row->bin[b];
	for (unsigned op = 0; op < 2; op++) {
		struct iometer_sums *to = &sum->op[op];
		const struct iometer_sums *from = &row->op[op];
		to->ios += from->ios;
		to->bytes += from->bytes;
		to->errors += from->errors;
		to->lat_ns += from->lat_ns;
		if (from->lat_max_ns > to->lat_max_ns)
			to->lat_max_ns = from->lat_max_ns;
	}
}

int csv_updates_sum(struct iometer_result *r)
{
	struct iometer_row sum = {.kind = IOMETER_ROW_ALL, .cpu.interrupts_s = -1};
	unsigned updates = 0;

	snprintf(sum.name, sizeof(sum.name), "All");
	for (size_t i = 0; i < r->rows; i++) {
		if (r->row[i].kind != IOMETER_ROW_ALL)
			continue;
		updates++;
		add_update(&sum, &r->row[i]);
		if (r->row[i].time_ns > 1 && r->row[i].time_ns > r->end_ns)
			r->end_ns = r->row[i].time_ns;
	}
	if (!updates)
		return 0;
	if (!iometer_add_row(r))
		return -ENOMEM;
	memmove(r->row + 1, r->row, (r->rows - 1) * sizeof(*r->row));
	r->row[0] = sum;
	return 0;
}
