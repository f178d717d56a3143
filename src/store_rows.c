/* store_rows.c - how a sample becomes a row of the run store and a row a sample again.
 *
 * One table names the columns; CREATE TABLE, INSERT, binding and reading all follow it.
 */
#include "store_rows.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum column_kind {
	COLUMN_TIME, /* uint64_t, monotonic here, wall time there */
	COLUMN_U64,
	COLUMN_U32,
	COLUMN_MIN,   /* uint64_t; UINT64_MAX is NULL */
	COLUMN_DEPTH, /* double; < 0 is NULL */
	COLUMN_CPU64, /* NULL unless the cpu sample is valid */
	COLUMN_CPU32,
	COLUMN_SHARE, /* float of the cpu sample */
};

struct column {
	const char *name;
	enum column_kind kind;
	size_t offset;
};

/* clang-format off */
#define OP(name, which)                                                                             \
	{name "_ios",     COLUMN_U64, offsetof(struct sample, op[which].ios)},                      \
	{name "_bytes",   COLUMN_U64, offsetof(struct sample, op[which].bytes)},                    \
	{name "_errors",  COLUMN_U64, offsetof(struct sample, op[which].errors)},                   \
	{name "_lat_sum", COLUMN_U64, offsetof(struct sample, op[which].lat_sum)},                  \
	{name "_lat_min", COLUMN_MIN, offsetof(struct sample, op[which].lat_min)},                  \
	{name "_lat_max", COLUMN_U64, offsetof(struct sample, op[which].lat_max)}

static const struct column columns[] = {
	{"time",            COLUMN_TIME,  offsetof(struct sample, t_ns)},
	{"dt",              COLUMN_U64,   offsetof(struct sample, dt_ns)},
	OP("read", IO_READ),
	OP("write", IO_WRITE),
	{"depth_ns",        COLUMN_U64,   offsetof(struct sample, depth_ns)},
	{"requested_ns",    COLUMN_U64,   offsetof(struct sample, requested_ns)},
	{"inflight",        COLUMN_U64,   offsetof(struct sample, inflight)},
	{"oldest",          COLUMN_U64,   offsetof(struct sample, oldest_ns)},
	{"depth_requested", COLUMN_U32,   offsetof(struct sample, depth_requested)},
	{"generation",      COLUMN_U32,   offsetof(struct sample, generation)},
	{"p50",             COLUMN_U64,   offsetof(struct sample, p50)},
	{"p95",             COLUMN_U64,   offsetof(struct sample, p95)},
	{"p99",             COLUMN_U64,   offsetof(struct sample, p99)},
	{"p999",            COLUMN_U64,   offsetof(struct sample, p999)},
	{"device_depth",    COLUMN_DEPTH, offsetof(struct sample, device_depth)},
	{"cpus",            COLUMN_CPU32, offsetof(struct sample, cpu.cpus)},
	{"cpu_dt",          COLUMN_CPU64, offsetof(struct sample, cpu.dt_ns)},
	{"cpu_user",        COLUMN_CPU64, offsetof(struct sample, cpu.user)},
	{"cpu_system",      COLUMN_CPU64, offsetof(struct sample, cpu.system)},
	{"cpu_irq",         COLUMN_CPU64, offsetof(struct sample, cpu.irq)},
	{"cpu_softirq",     COLUMN_CPU64, offsetof(struct sample, cpu.softirq)},
	{"cpu_iowait",      COLUMN_CPU64, offsetof(struct sample, cpu.iowait)},
	{"cpu_steal",       COLUMN_CPU64, offsetof(struct sample, cpu.steal)},
	{"cpu_idle",        COLUMN_CPU64, offsetof(struct sample, cpu.idle)},
	{"hot_cpu",         COLUMN_CPU32, offsetof(struct sample, cpu.hot_cpu)},
	{"hot_share",       COLUMN_SHARE, offsetof(struct sample, cpu.hot_share)},
	{"ctx_switches",    COLUMN_CPU64, offsetof(struct sample, cpu.ctx_switches)},
	{"interrupts",      COLUMN_CPU64, offsetof(struct sample, cpu.interrupts)},
	{"self",            COLUMN_CPU64, offsetof(struct sample, cpu.self_ns)},
	{"ui",              COLUMN_CPU64, offsetof(struct sample, cpu.ui_ns)},
};
/* clang-format on */

#define COLUMNS (sizeof(columns) / sizeof(*columns))

char *store_sample_names(char *out, size_t n)
{
	size_t used = 0;

	for (size_t i = 0; i < COLUMNS && used < n; i++)
		used += (size_t)snprintf(out + used, n - used, "%s%s", i ? ", " : "",
					 columns[i].name);
	return out;
}

char *store_sample_types(char *out, size_t n)
{
	size_t used = 0;

	for (size_t i = 0; i < COLUMNS && used < n; i++) {
		enum column_kind k = columns[i].kind;
		bool real = k == COLUMN_DEPTH || k == COLUMN_SHARE;
		used += (size_t)snprintf(out + used, n - used, "%s%s %s", i ? ", " : "",
					 columns[i].name, real ? "REAL" : "INTEGER");
	}
	return out;
}

char *store_sample_marks(char *out, size_t n)
{
	size_t used = 0;

	for (size_t i = 0; i < COLUMNS && used < n; i++)
		used += (size_t)snprintf(out + used, n - used, "%s", i ? ", ?" : "?");
	return out;
}

static int column_bind(sqlite3_stmt *st, int at, const struct column *c, const struct sample *s,
		       int64_t offset_ns)
{
	const char *field = (const char *)s + c->offset;
	const uint64_t *u64 = (const void *)field;
	const uint32_t *u32 = (const void *)field;
	const double *real = (const void *)field;
	const float *share = (const void *)field;

	switch (c->kind) {
	case COLUMN_TIME: return sqlite3_bind_int64(st, at, (int64_t)*u64 + offset_ns);
	case COLUMN_U64: return sqlite3_bind_int64(st, at, (int64_t)*u64);
	case COLUMN_U32: return sqlite3_bind_int64(st, at, *u32);
	case COLUMN_MIN:
		return *u64 == UINT64_MAX ? sqlite3_bind_null(st, at)
					  : sqlite3_bind_int64(st, at, (int64_t)*u64);
	case COLUMN_DEPTH:
		return *real < 0 ? sqlite3_bind_null(st, at) : sqlite3_bind_double(st, at, *real);
	case COLUMN_CPU64:
	case COLUMN_CPU32:
	case COLUMN_SHARE: break;
	}
	if (!s->cpu.valid)
		return sqlite3_bind_null(st, at);
	if (c->kind == COLUMN_SHARE)
		return sqlite3_bind_double(st, at, *share);
	return sqlite3_bind_int64(st, at, c->kind == COLUMN_CPU32 ? *u32 : (int64_t)*u64);
}

int store_sample_bind(sqlite3_stmt *st, int first, const struct sample *s, int64_t offset_ns)
{
	int rc = SQLITE_OK;

	for (size_t i = 0; i < COLUMNS && rc == SQLITE_OK; i++)
		rc = column_bind(st, first + (int)i, &columns[i], s, offset_ns);
	return rc;
}

void store_sample_read(sqlite3_stmt *st, int first, struct sample *s)
{
	sample_clear(s);
	for (size_t i = 0; i < COLUMNS; i++) {
		const struct column *c = &columns[i];
		char *field = (char *)s + c->offset;
		int at = first + (int)i;
		if (sqlite3_column_type(st, at) == SQLITE_NULL)
			continue;
		switch (c->kind) {
		case COLUMN_CPU64:
			s->cpu.valid = true;
			/* fall through */
		case COLUMN_TIME:
		case COLUMN_U64:
		case COLUMN_MIN:
			*(uint64_t *)(void *)field = (uint64_t)sqlite3_column_int64(st, at);
			break;
		case COLUMN_U32:
		case COLUMN_CPU32:
			*(uint32_t *)(void *)field = (uint32_t)sqlite3_column_int64(st, at);
			break;
		case COLUMN_DEPTH: *(double *)(void *)field = sqlite3_column_double(st, at); break;
		case COLUMN_SHARE:
			*(float *)(void *)field = (float)sqlite3_column_double(st, at);
			break;
		}
	}
}

uint64_t store_process_start(int64_t pid)
{
	char path[64], text[1024];
	unsigned long long start = 0;

	snprintf(path, sizeof(path), "/proc/%lld/stat", (long long)pid);
	FILE *f = fopen(path, "re");
	if (!f)
		return 0;
	size_t n = fread(text, 1, sizeof(text) - 1, f);
	fclose(f);
	text[n] = 0;
	/* proc(5): the name in parentheses may hold anything; field 3, the state, follows its last
	 * one, and field 22 is the start. */
	char *p = strrchr(text, ')');
	if (!p || p[1] != ' ' || p[2] == 'Z')
		return 0;
	p++;
	for (int field = 3; p && field < 22; field++)
		p = strchr(p + 1, ' ');
	return p && sscanf(p, " %llu", &start) == 1 ? start : 0;
}
