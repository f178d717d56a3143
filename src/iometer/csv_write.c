/* csv_write.c - see csv_write.h. */
#include "iometer/csv_write.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "outfile.h"
#include "units.h"

#define FIRST_LINE "'Test Type,Test Description"
#define TICKS_S    1e9 /* ours are nanoseconds */

/* --- Fields. --- */

/* There is no quoting: what would break the line becomes `instead`. */
static void put_text(FILE *f, const char *text, char instead)
{
	for (; *text; text++)
		fputc(*text == ',' ? instead : (unsigned char)*text < 0x20 ? ' ' : *text, f);
}

static void put_real(FILE *f, double v)
{
	fprintf(f, "%.6f", v);
}

static void put_count(FILE *f, uint64_t v)
{
	fprintf(f, "%llu", (unsigned long long)v);
}

/* -1 where those in the row differ. */
static void put_common(FILE *f, uint64_t v, bool differs)
{
	if (differs)
		fputs("-1", f);
	else
		put_count(f, v);
}

static void put_known(FILE *f, double v, bool known)
{
	if (known && isfinite(v))
		put_real(f, v);
}

static uint64_t sum(uint64_t a, uint64_t b)
{
	return a + b;
}

static uint64_t most(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static void put_names(FILE *f, unsigned c, const struct iometer_row *r,
		      const struct iometer_spec *spec)
{
	switch (c) {
	case CSV_TYPE: fputs(csv_kind_word(r->kind), f); break;
	case CSV_NAME: put_text(f, r->name, ' '); break;
	case CSV_SPEC: put_text(f, spec->name, ' '); break;
	case CSV_MANAGERS: put_count(f, r->managers); break;
	case CSV_WORKERS: put_count(f, r->workers); break;
	default: put_count(f, r->targets); break;
	}
}

/* Per second, and times. An IO without a reply is a transaction of its own, and no connection is made. */
static void put_figures(FILE *f, unsigned c, const struct iometer_row *r)
{
	static const uint8_t of[] = {2, 0, 1}; /* the order: both, reads, writes */

	switch (c) {
	case CSV_IOPS:
	case CSV_IOPS_R:
	case CSV_IOPS_W: put_real(f, iometer_row_iops(r, of[c - CSV_IOPS])); break;
	case CSV_MIB:
	case CSV_MIB_R:
	case CSV_MIB_W: put_real(f, iometer_row_bytes_s(r, of[c - CSV_MIB]) / (double)MIB); break;
	case CSV_MB:
	case CSV_MB_R:
	case CSV_MB_W: put_real(f, iometer_row_bytes_s(r, of[c - CSV_MB]) / 1e6); break;
	case CSV_TPS: put_real(f, iometer_row_iops(r, 2)); break;
	case CSV_MEAN:
	case CSV_MEAN_R:
	case CSV_MEAN_W: put_real(f, iometer_row_mean_ms(r, of[c - CSV_MEAN])); break;
	case CSV_MEAN_T: put_real(f, iometer_row_mean_ms(r, 2)); break;
	case CSV_MAX:
	case CSV_MAX_R:
	case CSV_MAX_W: put_real(f, iometer_row_max_ms(r, of[c - CSV_MAX])); break;
	case CSV_MAX_T: put_real(f, iometer_row_max_ms(r, 2)); break;
	default: put_real(f, 0); break;
	}
}

static void put_sums(FILE *f, unsigned c, const struct iometer_row *r)
{
	const struct iometer_sums *rd = &r->op[0], *wr = &r->op[1];

	switch (c) {
	case CSV_ERRORS: put_count(f, sum(rd->errors, wr->errors)); break;
	case CSV_ERRORS_R: put_count(f, rd->errors); break;
	case CSV_ERRORS_W: put_count(f, wr->errors); break;
	case CSV_BYTES_R: put_count(f, rd->bytes); break;
	case CSV_BYTES_W: put_count(f, wr->bytes); break;
	case CSV_IOS_R: put_count(f, rd->ios); break;
	case CSV_IOS_W: put_count(f, wr->ios); break;
	case CSV_PER_CONNECTION: fputs("-1", f); break;
	case CSV_RAW_R: put_count(f, rd->lat_ns); break;
	case CSV_RAW_W: put_count(f, wr->lat_ns); break;
	case CSV_RAW_T: put_count(f, sum(rd->lat_ns, wr->lat_ns)); break;
	case CSV_RAW_MAX_R: put_count(f, rd->lat_max_ns); break;
	case CSV_RAW_MAX_W: put_count(f, wr->lat_max_ns); break;
	case CSV_RAW_MAX_T: put_count(f, most(rd->lat_max_ns, wr->lat_max_ns)); break;
	case CSV_RAW_RUN: put_count(f, r->elapsed_ns); break;
	default: put_count(f, 0); break; /* connections, and their times */
	}
}

static void put_host(FILE *f, unsigned c, const struct iometer_row *r)
{
	const struct iometer_cpu *cpu = &r->cpu;

	switch (c) {
	case CSV_START: put_common(f, r->start_sector, r->start_sector == UINT64_MAX); break;
	case CSV_SIZE: put_common(f, r->max_sectors, r->max_sectors == UINT64_MAX); break;
	case CSV_DEPTH: put_common(f, r->outstanding, !r->outstanding); break;
	case CSV_CPU: put_known(f, cpu->busy, cpu->known); break;
	case CSV_CPU_USER: put_known(f, cpu->user, cpu->known); break;
	case CSV_CPU_SYSTEM: put_known(f, cpu->system, cpu->known); break;
	case CSV_CPU_DPC: put_known(f, cpu->softirq, cpu->known); break;
	case CSV_CPU_IRQ: put_known(f, cpu->irq, cpu->known); break;
	case CSV_TICKS: put_real(f, TICKS_S); break;
	case CSV_INTERRUPTS:
		put_known(f, cpu->interrupts_s, cpu->known && cpu->interrupts_s >= 0);
		break;
	case CSV_EFFECTIVENESS:
		put_known(f, cpu->busy > 0 ? iometer_row_iops(r, 2) / cpu->busy : 0, cpu->known);
		break;
	case CSV_PACKETS: put_known(f, r->net.packets_s, r->net.known); break;
	case CSV_PACKET_ERRORS: put_known(f, r->net.errors, r->net.known); break;
	default: put_known(f, r->net.retransmits_s, r->net.known); break;
	}
}

static void put_field(FILE *f, unsigned c, const struct iometer_row *r,
		      const struct iometer_spec *spec)
{
	if (!csv_column_has(c, r->kind))
		return;
	if (c <= CSV_DISKS)
		put_names(f, c, r, spec);
	else if (c <= CSV_MAX_C)
		put_figures(f, c, r);
	else if (c <= CSV_RAW_RUN)
		put_sums(f, c, r);
	else if (c < CSV_BIN)
		put_host(f, c, r);
	else if (r->bins)
		put_count(f, r->bin[c - CSV_BIN]);
}

/* --- Lines. --- */

static void put_row(FILE *f, const struct iometer_csv *csv, const struct iometer_row *r,
		    const struct iometer_spec *spec)
{
	/* A CPU's row ends before the bins. */
	unsigned end = r->kind == IOMETER_ROW_PROCESSOR ? CSV_BIN : CSV_COLUMNS;

	for (unsigned c = 0; c < end; c++) {
		if (!csv_column_name(c, csv->layout))
			continue;
		if (c)
			fputc(',', f);
		put_field(f, c, r, spec);
	}
	fputc('\n', f);
}

static void put_columns(FILE *f, const struct iometer_csv *csv)
{
	for (unsigned c = 0; c < CSV_COLUMNS; c++)
		if (csv_column_name(c, csv->layout))
			fprintf(f, "%s%s", c ? "," : "", csv_column_name(c, csv->layout));
	fputc('\n', f);
}

static void put_time(FILE *f, uint64_t wall_ns)
{
	time_t t = (time_t)(wall_ns / NS_PER_SEC);
	struct tm tm;
	char text[64] = "";

	localtime_r(&t, &tm);
	strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &tm);
	fprintf(f, "'Time Stamp\n%s:%03u\n", text, (unsigned)(wall_ns / NS_PER_MS % 1000));
}

/* "Idle" stands in no file. */
static void put_spec(FILE *f, const struct iometer_spec *s)
{
	fputs("'Access specifications\n", f);
	if (s->count) {
		fputs("'Access specification name,default assignment\n", f);
		put_text(f, s->name, ' ');
		fprintf(f, ",%d\n'size,%% of size,%% reads,%% random,delay,burst,align,reply\n",
			(int)s->assign);
	}
	for (uint32_t i = 0; i < s->count; i++) {
		const struct access_line *l = &s->line[i].line;
		fprintf(f, "%u,%u,%u,%u,%u,%u,%u,%u,\n", l->size, l->share, l->read_pct,
			l->random_pct, l->delay_ms, l->burst, l->align, s->line[i].reply);
	}
	fputs("'End access specifications\n", f);
}

static bool is_recorded(enum iometer_record record, enum iometer_row_kind kind)
{
	switch (kind) {
	case IOMETER_ROW_ALL: return record != IOMETER_RECORD_NONE;
	case IOMETER_ROW_MANAGER:
	case IOMETER_ROW_PROCESSOR: return record <= IOMETER_RECORD_NO_WORKERS;
	case IOMETER_ROW_WORKER: return record <= IOMETER_RECORD_NO_TARGETS;
	default: return record == IOMETER_RECORD_ALL;
	}
}

char *iometer_csv_head_text(const struct iometer_csv *c, const struct iometer_setup *s,
			    uint64_t wall_ns)
{
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);

	if (!f)
		return NULL;
	fprintf(f, FIRST_LINE "\n%d,", (int)s->test);
	put_text(f, s->description, '-');
	fprintf(f, "\n'Version\n%s\n", c->layout == IOMETER_CSV_80 ? "1.1.0" : "2006.07.27");
	put_time(f, wall_ns);
	return fclose(f) ? NULL : text;
}

char *iometer_csv_test_text(const struct iometer_csv *c, const struct iometer_result *r)
{
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);

	if (!f)
		return NULL;
	if (!c->began || strcmp(c->spec, r->spec.name) != 0)
		put_spec(f, &r->spec);
	fputs("'Results\n", f);
	put_columns(f, c);
	for (size_t i = 0; i < r->rows; i++)
		if (is_recorded(c->record, r->row[i].kind))
			put_row(f, c, &r->row[i], &r->spec);
	put_time(f, r->end_ns);
	return fclose(f) ? NULL : text;
}

/* --- The file. --- */

/* Whether what is there is a results.csv that goes on with a new line. */
static int look_at(const char *path, int fd, bool *crlf, struct error *e)
{
	char first[64] = "", last = '\n';
	struct stat st;

	if (fstat(fd, &st))
		return error_errno(e, errno, "results %s", path);
	*crlf = false;
	if (st.st_size == 0)
		return 0;
	ssize_t n = pread(fd, first, sizeof(first) - 1, 0);
	if (n < 0 || pread(fd, &last, 1, st.st_size - 1) != 1)
		return error_errno(e, n < 0 ? errno : EIO, "results %s", path);
	first[n] = 0;
	const char *at = strncmp(first, "\xef\xbb\xbf", 3) ? first : first + 3;
	if (strncmp(at, FIRST_LINE, strlen(FIRST_LINE)) != 0)
		return error_set(e, EINVAL,
				 "results %s: a file is there that is no results.csv; it is left "
				 "as it is: name another",
				 path);
	if (last != '\n')
		return error_set(e, EINVAL,
				 "results %s: its last line has no end, so it may have been cut "
				 "off: name another file",
				 path);
	*crlf = at[strlen(FIRST_LINE)] == '\r';
	return 0;
}

int iometer_csv_check(const char *path, struct error *e)
{
	bool crlf;
	int rc = outfile_check_kind(path, "results", e);

	if (rc)
		return rc;
	int fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT ? outfile_check(path, "results", e)
				       : error_errno(e, errno, "results %s", path);
	rc = look_at(path, fd, &crlf, e);
	close(fd);
	return rc;
}

static char *with_crlf(char *text)
{
	size_t lines = 0;

	for (const char *p = text; *p; p++)
		lines += *p == '\n';
	char *out = malloc(strlen(text) + lines + 1), *to = out;
	for (const char *p = text; out && *p; *to++ = *p++)
		if (*p == '\n')
			*to++ = '\r';
	if (out)
		*to = 0;
	free(text);
	return out;
}

/* All of it, or the file is as it was. */
static int write_whole(const char *path, int fd, const char *text, struct error *e)
{
	size_t length = strlen(text), done = 0;
	struct stat st;

	if (fstat(fd, &st))
		return error_errno(e, errno, "results %s", path);
	while (done < length) {
		ssize_t n = write(fd, text + done, length - done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		done += (size_t)n;
	}
	int err = done == length && fdatasync(fd) == 0 ? 0 : errno ? errno : EIO;
	if (!err)
		return 0;
	if (ftruncate(fd, st.st_size))
		return error_errno(e, err, "results %s: a test is in it only in part", path);
	return error_errno(e, err, "results %s: cannot be written", path);
}

/* Appends and frees text. */
static int append(struct iometer_csv *c, char *text, struct error *e)
{
	bool crlf;

	if (!text)
		return error_set(e, ENOMEM, "results %s: out of memory", c->path);
	int fd = open(c->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	int rc = fd < 0 ? error_errno(e, errno, "results %s", c->path)
			: look_at(c->path, fd, &crlf, e);
	if (rc == 0 && crlf && !(text = with_crlf(text)))
		rc = error_set(e, ENOMEM, "results %s: out of memory", c->path);
	if (rc == 0)
		rc = write_whole(c->path, fd, text, e);
	if (fd >= 0)
		close(fd);
	free(text);
	return rc;
}

int iometer_csv_begin(struct iometer_csv *c, const char *path, enum iometer_layout layout,
		      const struct iometer_setup *s, uint64_t wall_ns, struct error *e)
{
	int rc = outfile_check_kind(path, "results", e);

	memset(c, 0, sizeof(*c));
	snprintf(c->path, sizeof(c->path), "%s", path);
	c->layout = layout;
	c->record = s->record;
	if (rc || c->record == IOMETER_RECORD_NONE)
		return rc;
	return append(c, iometer_csv_head_text(c, s, wall_ns), e);
}

int iometer_csv_test(struct iometer_csv *c, const struct iometer_result *r, struct error *e)
{
	if (c->record == IOMETER_RECORD_NONE)
		return 0;
	int rc = append(c, iometer_csv_test_text(c, r), e);
	if (rc)
		return rc;
	snprintf(c->spec, sizeof(c->spec), "%s", r->spec.name);
	c->began = true;
	return 0;
}

int iometer_csv_end(struct iometer_csv *c, bool aborted, struct error *e)
{
	if (c->record == IOMETER_RECORD_NONE || (!aborted && c->layout == IOMETER_CSV_56))
		return 0;
	return append(c, strdup(aborted ? "Aborted test\n" : "'End Test\n"), e);
}
