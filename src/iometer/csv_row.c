/* csv_row.c - see csv_row.h. */
#include "iometer/csv_row.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "units.h"

/* What 6 decimals leave open. */
#define ROUNDING 1e-6

void csv_split(char *line, struct csv_fields *f)
{
	char *at = line, *comma;

	f->count = 0;
	do {
		comma = strchr(at, ',');
		if (comma)
			*comma = 0;
		at += strspn(at, " \t");
		size_t n = strlen(at);
		while (n && (at[n - 1] == ' ' || at[n - 1] == '\t'))
			at[--n] = 0;
		if (f->count < CSV_FIELDS)
			f->field[f->count] = at;
		f->count++;
		if (comma)
			at = comma + 1;
	} while (comma && f->count <= CSV_FIELDS);
}

/* --- The header. --- */

/* 1.1.0-rc1 called the binary rates otherwise. */
static const struct {
	const char *name;
	enum csv_column column;
} aliases[] = {
	{"MBps (Binary)", CSV_MIB},
	{"Read MBps (Binary)", CSV_MIB_R},
	{"Write MBps (Binary)", CSV_MIB_W},
};

static bool same_name(const char *name, const char *of)
{
	if (!of)
		return false;
	of += strspn(of, "' ");
	return strcasecmp(name, of) == 0;
}

/* CSV_COLUMNS: none. */
static unsigned column_of(const char *name)
{
	name += strspn(name, "'");
	for (unsigned c = 0; c < CSV_COLUMNS; c++)
		if (same_name(name, csv_column_name(c, IOMETER_CSV_80)) ||
		    same_name(name, csv_column_name(c, IOMETER_CSV_56)))
			return c;
	for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++)
		if (same_name(name, aliases[i].name))
			return aliases[i].column;
	return CSV_COLUMNS;
}

static bool is_time(const char *name)
{
	return same_name(name + strspn(name, "'"), "TimeStamp") ||
	       same_name(name + strspn(name, "'"), "Time Stamp");
}

bool csv_is_head(const struct csv_fields *f)
{
	return f->count > 1 && f->count <= CSV_FIELDS &&
	       (column_of(f->field[0]) == CSV_TYPE ||
		(is_time(f->field[0]) && column_of(f->field[1]) == CSV_TYPE));
}

int csv_head_take(struct csv_head *h, const struct csv_fields *f, struct error *e)
{
	static const enum csv_column needed[] = {CSV_TYPE,    CSV_NAME,   CSV_IOPS,
						 CSV_MEAN_R,  CSV_MEAN_W, CSV_BYTES_R,
						 CSV_BYTES_W, CSV_IOS_R,  CSV_IOS_W};

	for (unsigned c = 0; c < CSV_COLUMNS; c++)
		h->at[c] = -1;
	h->time = -1;
	h->count = f->count;
	for (unsigned i = 0; i < f->count; i++) {
		unsigned c = column_of(f->field[i]);
		if (c < CSV_COLUMNS && h->at[c] < 0)
			h->at[c] = (int)i;
		else if (is_time(f->field[i]))
			h->time = (int)i;
	}
	for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++)
		if (h->at[needed[i]] < 0)
			return error_set(e, EINVAL, "there is no column '%s'",
					 csv_column_name(needed[i], IOMETER_CSV_80));
	return 0;
}

/* --- Fields. --- */

struct row_reader {
	const struct csv_head *h;
	const struct csv_fields *f;
	int shift; /* of what stands at and behind the rates in decimal megabytes */
	struct error *e;
	bool bad;
};

/* "" where there is none. */
static const char *text_at(const struct row_reader *r, unsigned c)
{
	int at = r->h->at[c];

	if (at >= 0 && c >= CSV_MB)
		at -= r->shift;
	return at >= 0 && (unsigned)at < r->f->count ? r->f->field[at] : "";
}

static void refuse(struct row_reader *r, unsigned c, const char *text)
{
	const char *name = csv_column_name(c, IOMETER_CSV_80);

	if (!r->bad)
		error_set(r->e, EINVAL, "'%.40s' is no value for column '%s'", text, name);
	r->bad = true;
}

/* NaN where it is blank. */
static double real_at(struct row_reader *r, unsigned c)
{
	const char *text = text_at(r, c);
	char *end;

	if (!*text)
		return NAN;
	double v = strtod(text, &end);
	if (*end || text[strspn(text, "0123456789.+-eE")] || !isfinite(v)) {
		refuse(r, c, text);
		return NAN;
	}
	return v;
}

/* Not negative; 0 where it is blank. */
static double amount_at(struct row_reader *r, unsigned c)
{
	double v = real_at(r, c);

	if (v < 0)
		refuse(r, c, text_at(r, c));
	return v > 0 ? v : 0;
}

static uint64_t count_at(struct row_reader *r, unsigned c)
{
	const char *text = text_at(r, c);

	if (*text && !text[strspn(text, "0123456789")]) {
		errno = 0;
		uint64_t v = strtoull(text, NULL, 10);
		if (errno)
			refuse(r, c, text);
		return v;
	}
	double v = amount_at(r, c);
	if (v >= 18446744073709551615.0)
		refuse(r, c, text);
	return r->bad ? 0 : (uint64_t)v;
}

/* -1: those that are in it differ; or it is not in use. */
static uint64_t common_at(struct row_reader *r, unsigned c, uint64_t differs)
{
	return real_at(r, c) < 0 ? differs : count_at(r, c);
}

static uint32_t small_at(struct row_reader *r, unsigned c)
{
	uint64_t v = common_at(r, c, 0);

	if (v > UINT32_MAX)
		refuse(r, c, text_at(r, c));
	return (uint32_t)v;
}

/* --- A row. --- */

static bool agree(double a, double b)
{
	return fabs(a - b) <= ROUNDING + ROUNDING * fabs(b);
}

static uint64_t whole_ns(long double ns)
{
	return ns > 0 && ns < 9e18L ? (uint64_t)(ns + 0.5L) : 0;
}

/* Ticks in ns, where they say what a figure in ms says, for so many; else that figure. */
static uint64_t ticks_or(struct row_reader *r, unsigned c, double ticks_s, double ms,
			 uint64_t count)
{
	double raw = real_at(r, c);
	long double ns = ticks_s > 0 ? (long double)raw * 1e9L / (long double)ticks_s : NAN;

	if (count && raw >= 0 && agree((double)(ns / 1e6L / (long double)count), ms))
		return ticks_s == 1e9 ? count_at(r, c) : whole_ns(ns);
	return whole_ns((long double)ms * 1e6L * (long double)count);
}

static void take_sums(struct row_reader *r, struct iometer_row *row)
{
	double ticks = real_at(r, CSV_TICKS);

	for (unsigned op = 0; op < 2; op++) {
		struct iometer_sums *s = &row->op[op];
		double mean = amount_at(r, CSV_MEAN_R + op), max = amount_at(r, CSV_MAX_R + op);
		s->ios = count_at(r, CSV_IOS_R + op);
		s->bytes = count_at(r, CSV_BYTES_R + op);
		s->errors = count_at(r, CSV_ERRORS_R + op);
		s->lat_ns = ticks_or(r, CSV_RAW_R + op, ticks, mean, s->ios);
		s->lat_max_ns = ticks_or(r, CSV_RAW_MAX_R + op, ticks, max, 1);
	}
}

/* How long was measured: so long that the IOPS come out. */
static void take_time(struct row_reader *r, struct iometer_row *row)
{
	double ticks = real_at(r, CSV_TICKS), raw = real_at(r, CSV_RAW_RUN);
	double iops = amount_at(r, CSV_IOPS);
	long double ios = (long double)row->op[0].ios + (long double)row->op[1].ios;
	long double ns = raw >= 0 && ticks > 0 ? (long double)raw * 1e9L / (long double)ticks : 0;

	if (iops > 0 && ios > 0 && !(ns > 0 && agree((double)(ios * 1e9L / ns), iops)))
		ns = ios * 1e9L / (long double)iops;
	row->elapsed_ns = whole_ns(ns);
}

static void take_host(struct row_reader *r, struct iometer_row *row)
{
	struct iometer_cpu *cpu = &row->cpu;
	struct iometer_net *net = &row->net;
	double interrupts = real_at(r, CSV_INTERRUPTS);

	row->managers = small_at(r, CSV_MANAGERS);
	row->workers = small_at(r, CSV_WORKERS);
	row->targets = small_at(r, CSV_DISKS);
	row->start_sector = common_at(r, CSV_START, UINT64_MAX);
	row->max_sectors = common_at(r, CSV_SIZE, UINT64_MAX);
	row->outstanding = small_at(r, CSV_DEPTH);
	cpu->known = isfinite(real_at(r, CSV_CPU));
	cpu->busy = amount_at(r, CSV_CPU);
	cpu->user = amount_at(r, CSV_CPU_USER);
	cpu->system = amount_at(r, CSV_CPU_SYSTEM);
	cpu->softirq = amount_at(r, CSV_CPU_DPC);
	cpu->irq = amount_at(r, CSV_CPU_IRQ);
	cpu->interrupts_s = isfinite(interrupts) ? interrupts : -1;
	net->known = isfinite(real_at(r, CSV_PACKETS));
	net->packets_s = amount_at(r, CSV_PACKETS);
	net->errors = amount_at(r, CSV_PACKET_ERRORS);
	net->retransmits_s = amount_at(r, CSV_RETRANSMITS);
}

static void take_bins(struct row_reader *r, struct iometer_row *row)
{
	for (unsigned i = 0; i < IOMETER_BINS; i++) {
		row->bins |= *text_at(r, CSV_BIN + i) != 0;
		row->bin[i] = count_at(r, CSV_BIN + i);
	}
}

/* 1: there is none of this name. */
static int kind_of(const char *word, enum iometer_row_kind *kind)
{
	for (int k = IOMETER_ROW_ALL; k <= IOMETER_ROW_NETWORK; k++)
		if (strcasecmp(word, csv_kind_word((enum iometer_row_kind)k)) == 0) {
			*kind = (enum iometer_row_kind)k;
			return 0;
		}
	return 1;
}

/* In 1.1.0-rc1 the rows of CPUs lack three commas: the CPU's time stands three fields too early. */
static int shift_of(const struct csv_head *h, const struct csv_fields *f)
{
	int cpu = h->at[CSV_CPU];

	if (cpu < 3 || h->at[CSV_MB] < 0 || (unsigned)cpu >= f->count)
		return 0;
	for (int i = h->at[CSV_NAME] + 1; i < cpu - 3; i++)
		if (*f->field[i])
			return 0;
	return *f->field[cpu - 3] ? 3 : 0;
}

/* A row that ends early has nothing in what it lacks, but for these. */
static int check_length(const struct csv_head *h, const struct csv_fields *f,
			enum iometer_row_kind kind, struct error *e)
{
	unsigned least = (unsigned)h->at[kind == IOMETER_ROW_PROCESSOR ? CSV_NAME : CSV_IOS_W];

	if (f->count > least && f->count <= CSV_FIELDS && f->count <= h->count)
		return 0;
	for (unsigned i = h->count; i < f->count && f->count <= CSV_FIELDS; i++)
		if (*f->field[i])
			break;
		else if (i + 1 == f->count)
			return 0;
	return error_set(e, EINVAL, "a row of %u fields, below %u columns", f->count, h->count);
}

int csv_row_take(const struct csv_head *h, const struct csv_fields *f, struct iometer_row *row,
		 char *spec, size_t n, struct error *e)
{
	struct row_reader r = {.h = h, .f = f, .e = e};

	memset(row, 0, sizeof(*row));
	if (kind_of(text_at(&r, CSV_TYPE), &row->kind))
		return 1;
	int rc = check_length(h, f, row->kind, e);
	if (rc)
		return rc;
	if (row->kind == IOMETER_ROW_PROCESSOR)
		r.shift = shift_of(h, f);
	snprintf(row->name, sizeof(row->name), "%s", text_at(&r, CSV_NAME));
	snprintf(spec, n, "%s", text_at(&r, CSV_SPEC));
	take_host(&r, row);
	if (row->kind != IOMETER_ROW_PROCESSOR) {
		take_sums(&r, row);
		take_time(&r, row);
		take_bins(&r, row);
	}
	return r.bad ? -EINVAL : 0;
}

double csv_row_off(const struct csv_head *h, const struct csv_fields *f,
		   const struct iometer_row *row)
{
	struct row_reader r = {.h = h, .f = f};
	double mib = real_at(&r, CSV_MIB), is = iometer_row_bytes_s(row, 2) / (double)MIB;

	if (!isfinite(mib) || (mib < 0.01 && is < 0.01))
		return 0;
	return mib > 0 ? is / mib - 1 : INFINITY;
}

/* --- ALL. --- */

/* The rows below ALL, of the uppermost kind that there is: their sums, and the longest time. */
static struct iometer_row below(const struct iometer_result *r)
{
	struct iometer_row sum = {.kind = IOMETER_ROW_ALL};

	for (size_t i = 1; i < r->rows; i++) {
		const struct iometer_row *row = &r->row[i];
		if (row->kind != IOMETER_ROW_MANAGER && row->kind != IOMETER_ROW_WORKER)
			continue;
		if (sum.managers && row->kind == IOMETER_ROW_WORKER)
			continue;
		sum.managers += row->kind == IOMETER_ROW_MANAGER;
		for (unsigned op = 0; op < 2; op++) {
			sum.op[op].ios += row->op[op].ios;
			sum.op[op].lat_ns += row->op[op].lat_ns;
			if (row->op[op].lat_max_ns > sum.op[op].lat_max_ns)
				sum.op[op].lat_max_ns = row->op[op].lat_max_ns;
		}
		if (row->elapsed_ns > sum.elapsed_ns)
			sum.elapsed_ns = row->elapsed_ns;
	}
	return sum;
}

void csv_rows_settle(struct iometer_result *r)
{
	struct iometer_row *all = &r->row[0], sum = below(r);

	for (unsigned op = 0; op < 2; op++) {
		struct iometer_sums *a = &all->op[op], *s = &sum.op[op];
		if (a->ios == s->ios &&
		    agree(iometer_row_mean_ms(&sum, op), iometer_row_mean_ms(all, op)))
			a->lat_ns = s->lat_ns;
		if (agree(iometer_row_max_ms(&sum, op), iometer_row_max_ms(all, op)))
			a->lat_max_ns = s->lat_max_ns;
	}
	bool none = !all->op[0].ios && !all->op[1].ios;
	struct iometer_row with = *all;
	with.elapsed_ns = sum.elapsed_ns;
	if (none || (sum.elapsed_ns && agree(iometer_row_iops(&with, 2), iometer_row_iops(all, 2))))
		all->elapsed_ns = sum.elapsed_ns ? sum.elapsed_ns : all->elapsed_ns;
}
