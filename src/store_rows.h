/* store_rows.h - inside the run store: the open file, and how samples become rows.
 *
 * For src/store*.c and their tests only.
 */
#ifndef LUNSCOPE_STORE_ROWS_H
#define LUNSCOPE_STORE_ROWS_H

#include <limits.h>
#include <sqlite3.h>
#include "store.h"
#include "summary.h"

/* Statements that are prepared once and used again. */
enum store_sql {
	SQL_BEGIN,
	SQL_COMMIT,
	SQL_ROLLBACK,
	SQL_RUN,
	SQL_END,
	SQL_DISCARD,
	SQL_SAMPLE,
	SQL_MARK,
	SQL_SEGMENT,
	SQL_ENVIRONMENT,
	SQL_FACT,
	SQL_COUNT
};

struct store {
	sqlite3 *db;
	char path[PATH_MAX];
	int schema; /* the file's, 1 to STORE_SCHEMA */
	sqlite3_stmt *sql[SQL_COUNT];

	/* How far the run that is being recorded has been written. */
	int64_t run;	       /* 0 = none */
	uint64_t sample_t_ns;  /* newest second */
	uint32_t mark;	       /* newest mark's id */
	uint32_t notes;	       /* timeline_notes() when they were written */
	uint32_t gaps;	       /* timeline_gaps_changed() likewise */
	uint32_t segment;      /* the first segment that may still change */
};

/* The columns of a sample, "a, b, c" in the order of binding; the same in tables sample and
 * segment. Those that a file of this schema does not have yet are NULL. With types for CREATE TABLE, or
 * as "?, ?, ?". */
char *store_sample_names(char *out, size_t n, int schema);
char *store_sample_types(char *out, size_t n);
char *store_sample_marks(char *out, size_t n);
/* "ALTER TABLE ...;" for each column that table does not have in this schema. */
char *store_sample_additions(char *out, size_t n, const char *table, int schema);

/* Binds s from parameter `first` on; t_ns becomes a wall time by offset_ns. What is not known is
 * NULL. Returns SQLITE_OK or the first error. */
int store_sample_bind(sqlite3_stmt *st, int first, const struct sample *s, int64_t offset_ns);
/* The reverse, from column `first` on; t_ns is the wall time. */
void store_sample_read(sqlite3_stmt *st, int first, struct sample *s);

/* Writes a segment of the run that is being recorded, s->run. */
int store_write_segment(struct store *s, const struct segment *g, int64_t offset_ns, struct error *e);

/* The statement, prepared and reset; NULL with words when it can't be. */
sqlite3_stmt *store_sql(struct store *s, enum store_sql which, struct error *e);
/* Prepares sql for one use. */
int store_prepare(struct store *s, sqlite3_stmt **st, const char *sql, struct error *e);
/* What SQLite says about its last failure: -errno with the store's path in e. */
int store_failed(struct store *s, struct error *e);

/* When this process started, in clock ticks since boot, to tell a pid that was used again; 0 when
 * there is no such process. */
uint64_t store_process_start(int64_t pid);

#endif
