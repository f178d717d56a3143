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
	COLUMN_NET,   /* NULL unless the net sample is valid */
	COLUMN_PAUSE, /* NULL unless pause frames are counted, too */
	COLUMN_AGAIN, /* NULL unless retransmits are known, too */
};

struct column {
	const char *name;
	enum column_kind kind;
	size_t offset;
	int since; /* the schema that brought it; 0 = it was there from the first */
};

/* clang-format off */
#define OP(name, which)                                                                             \
	{name "_ios",     COLUMN_U64, offsetof(struct sample, op[which].ios), 0},                      \
	{name "_bytes",   COLUMN_U64, offsetof(struct sample, op[which].bytes), 0},                    \
	{name "_errors",  COLUMN_U64, offsetof(struct sample, op[which].errors), 0},                   \
	{name "_lat_sum", COLUMN_U64, offsetof(struct sample, op[which].lat_sum), 0},                  \
	{name "_lat_min", COLUMN_MIN, offsetof(struct sample, op[which].lat_min), 0},                  \
	{name "_lat_max", COLUMN_U64, offsetof(struct sample, op[which].lat_max), 0}

static const struct column columns[] = {
	{"time",            COLUMN_TIME,  offsetof(struct sample, t_ns), 0},
	{"dt",              COLUMN_U64,   offsetof(struct sample, dt_ns), 0},
	OP("read", IO_READ),
	OP("write", IO_WRITE),
	{"depth_ns",        COLUMN_U64,   offsetof(struct sample, depth_ns), 0},
	{"requested_ns",    COLUMN_U64,   offsetof(struct sample, requested_ns), 0},
	{"inflight",        COLUMN_U64,   offsetof(struct sample, inflight), 0},
	{"oldest",          COLUMN_U64,   offsetof(struct sample, oldest_ns), 0},
	{"depth_requested", COLUMN_U32,   offsetof(struct sample, depth_requested), 0},
	{"generation",      COLUMN_U32,   offsetof(struct sample, generation), 0},
	{"p50",             COLUMN_U64,   offsetof(struct sample, p50), 0},
	{"p95",             COLUMN_U64,   offsetof(struct sample, p95), 0},
	{"p99",             COLUMN_U64,   offsetof(struct sample, p99), 0},
	{"p999",            COLUMN_U64,   offsetof(struct sample, p999), 0},
	{"device_depth",    COLUMN_DEPTH, offsetof(struct sample, device_depth), 0},
	{"cpus",            COLUMN_CPU32, offsetof(struct sample, cpu.cpus), 0},
	{"cpu_dt",          COLUMN_CPU64, offsetof(struct sample, cpu.dt_ns), 0},
	{"cpu_user",        COLUMN_CPU64, offsetof(struct sample, cpu.user), 0},
	{"cpu_system",      COLUMN_CPU64, offsetof(struct sample, cpu.system), 0},
	{"cpu_irq",         COLUMN_CPU64, offsetof(struct sample, cpu.irq), 0},
	{"cpu_softirq",     COLUMN_CPU64, offsetof(struct sample, cpu.softirq), 0},
	{"cpu_iowait",      COLUMN_CPU64, offsetof(struct sample, cpu.iowait), 0},
	{"cpu_steal",       COLUMN_CPU64, offsetof(struct sample, cpu.steal), 0},
	{"cpu_idle",        COLUMN_CPU64, offsetof(struct sample, cpu.idle), 0},
	{"hot_cpu",         COLUMN_CPU32, offsetof(struct sample, cpu.hot_cpu), 0},
	{"hot_share",       COLUMN_SHARE, offsetof(struct sample, cpu.hot_share), 0},
	{"ctx_switches",    COLUMN_CPU64, offsetof(struct sample, cpu.ctx_switches), 0},
	{"interrupts",      COLUMN_CPU64, offsetof(struct sample, cpu.interrupts), 0},
	{"self",            COLUMN_CPU64, offsetof(struct sample, cpu.self_ns), 0},
	{"ui",              COLUMN_CPU64, offsetof(struct sample, cpu.ui_ns), 0},
	{"due_offered",     COLUMN_U64,   offsetof(struct sample, due.offered), 2},
	{"due_started",     COLUMN_U64,   offsetof(struct sample, due.started), 2},
	{"due_ios",         COLUMN_U64,   offsetof(struct sample, due.ios), 2},
	{"due_lat_sum",     COLUMN_U64,   offsetof(struct sample, due.lat_sum), 2},
	{"due_lat_min",     COLUMN_MIN,   offsetof(struct sample, due.lat_min), 2},
	{"due_lat_max",     COLUMN_U64,   offsetof(struct sample, due.lat_max), 2},
	{"due_p50",         COLUMN_U64,   offsetof(struct sample, due.p50), 2},
	{"due_p99",         COLUMN_U64,   offsetof(struct sample, due.p99), 2},
	{"backlog",         COLUMN_U64,   offsetof(struct sample, due.backlog), 2},
	{"backlog_oldest",  COLUMN_U64,   offsetof(struct sample, due.oldest_ns), 2},
	{"gap",             COLUMN_U64,   offsetof(struct sample, gap_ns), 3},
	{"net_dt",          COLUMN_NET,   offsetof(struct sample, net.dt_ns), 4},
	{"net_rx_bytes",    COLUMN_NET,   offsetof(struct sample, net.rx_bytes), 4},
	{"net_tx_bytes",    COLUMN_NET,   offsetof(struct sample, net.tx_bytes), 4},
	{"net_rx_packets",  COLUMN_NET,   offsetof(struct sample, net.rx_packets), 4},
	{"net_tx_packets",  COLUMN_NET,   offsetof(struct sample, net.tx_packets), 4},
	{"net_drops",       COLUMN_NET,   offsetof(struct sample, net.drops), 4},
	{"net_errors",      COLUMN_NET,   offsetof(struct sample, net.errors), 4},
	{"net_retransmits", COLUMN_AGAIN, offsetof(struct sample, net.retransmits), 4},
	{"net_pause_rx",    COLUMN_PAUSE, offsetof(struct sample, net.pause_rx), 4},
	{"net_pause_tx",    COLUMN_PAUSE, offsetof(struct sample, net.pause_tx), 4},
};
/* clang-format on */

#define COLUMNS (sizeof(columns) / sizeof(*columns))

char *store_sample_names(char *out, size_t n, int schema)
{
	size_t used = 0;

	for (size_t i = 0; i < COLUMNS && used < n; i++)
		used += (size_t)snprintf(out + used, n - used, "%s%s", i ? ", " : "",
					 columns[i].since <= schema ? columns[i].name : "NULL");
	return out;
}

static const char *column_type(const struct column *c)
{
	return c->kind == COLUMN_DEPTH || c->kind == COLUMN_SHARE ? "REAL" : "INTEGER";
}

char *store_sample_additions(char *out, size_t n, const char *table, int schema)
{
	size_t used = 0;

	out[0] = 0;
	for (size_t i = 0; i < COLUMNS && used < n; i++)
		if (columns[i].since > schema)
			used += (size_t)snprintf(out + used, n - used,
						 "ALTER TABLE %s ADD COLUMN %s %s;", table,
						 columns[i].name, column_type(&columns[i]));
	return out;
}

char *store_sample_types(char *out, size_t n)
{
	size_t used = 0;

	for (size_t i = 0; i < COLUMNS && used < n; i++)
		used += (size_t)snprintf(out + used, n - used, "%s%s %s", i ? ", " : "",
					 columns[i].name, column_type(&columns[i]));
	return out;
}

char *store_sample_marks(char *out, size_t n)
{
	size_t used = 0;

	for (size_t i = 0; i < COLUMNS && used < n; i++)
		used += (size_t)snprintf(out + used, n - used, "%s", i ? ", ?" : "?");
	return out;
}

static bool is_known(const struct net_sample *n, enum column_kind kind)
{
	return n->valid && (kind != COLUMN_PAUSE || n->pauses) &&
	       (kind != COLUMN_AGAIN || n->resends);
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
	case COLUMN_NET:
	case COLUMN_PAUSE:
	case COLUMN_AGAIN:
		return is_known(&s->net, c->kind) ? sqlite3_bind_int64(st, at, (int64_t)*u64)
						  : sqlite3_bind_null(st, at);
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
		s->cpu.valid |= c->kind == COLUMN_CPU64;
		s->net.valid |= c->kind == COLUMN_NET;
		s->net.pauses |= c->kind == COLUMN_PAUSE;
		s->net.resends |= c->kind == COLUMN_AGAIN;
		switch (c->kind) {
		case COLUMN_CPU64:
		case COLUMN_NET:
		case COLUMN_PAUSE:
		case COLUMN_AGAIN:
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
