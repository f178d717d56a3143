/* store.c - the run store's file: where it is, whose it is, and what shape it has.
 *
 * Recording is in store_record.c, reading in store_show.c. Whatever is at the path is looked at
 * with plain reads first (SQLite's header says whose the file is and which schema it has), so that
 * a file of another program or of a newer lunscope isn't touched at all. The schema is committed
 * before the file is switched to WAL, so that the header always tells the truth.
 */
#include "store_rows.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "outfile.h"
#include "units.h"

#define APPLICATION_ID 0x4c554e53 /* "LUNS", PRAGMA application_id */
#define BUSY_MS        5000

/* --- Where. --- */

/* The owner of path or, where that doesn't exist, of the nearest folder above it that does. */
static uid_t owner(const char *path)
{
	char at[PATH_MAX];
	struct stat st;

	snprintf(at, sizeof(at), "%s", path);
	while (stat(at, &st)) {
		char *slash = strrchr(at, '/');
		if (!slash || slash == at)
			return stat("/", &st) ? 0 : st.st_uid;
		*slash = 0;
	}
	return st.st_uid;
}

/* Under sudo the environment may still be the user's; root's files don't belong in there. */
static bool usable(const char *folder)
{
	return folder && folder[0] == '/' && (geteuid() != 0 || owner(folder) == 0);
}

int store_default_path(char *out, size_t n, struct error *e)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	int length;

	if (usable(state)) {
		length = snprintf(out, n, "%s/lunscope/runs.db", state);
	} else {
		if (!usable(home)) {
			const struct passwd *p = getpwuid(geteuid());
			home = p ? p->pw_dir : NULL;
		}
		if (!home || home[0] != '/')
			return error_set(e, ENOENT,
					 "the run store has no place: HOME is not set; "
					 "use --store FILE or --no-store");
		length = snprintf(out, n, "%s/.local/state/lunscope/runs.db", home);
	}
	if (length < 0 || (size_t)length >= n)
		return error_set(e, ENAMETOOLONG,
				 "the run store's path is too long; use --store FILE");
	return 0;
}

static int make_folders(const char *path, struct error *e)
{
	char at[PATH_MAX];

	snprintf(at, sizeof(at), "%s", path);
	for (char *p = at + 1; (p = strchr(p, '/')); p++) {
		*p = 0;
		if (mkdir(at, 0700) && errno != EEXIST)
			return error_errno(e, errno, "run store %s: folder %s", path, at);
		*p = '/';
	}
	return 0;
}

/* --- Whose. --- */

static uint32_t big_endian(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static int too_new(const char *path, uint32_t schema, struct error *e)
{
	return error_set(e, EINVAL,
			 "run store %s: made by a newer lunscope (schema %u, this one knows %d); "
			 "name another with --store or update lunscope",
			 path, schema, STORE_SCHEMA);
}

/* Reads the header (sqlite.org/fileformat2.html: magic at 0, user version at 60, application id at
 * 68). 0 for a lunscope store that this program knows or, with *empty, for a file without a byte;
 * else -errno with the reason. */
static int check_header(const char *path, bool *empty, struct error *e)
{
	unsigned char head[100];
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return error_errno(e, errno, "run store %s", path);
	ssize_t n = read(fd, head, sizeof(head));
	int err = errno;
	close(fd);
	if (n < 0)
		return error_errno(e, err, "run store %s", path);
	*empty = n == 0;
	if (*empty)
		return 0;
	if (n < (ssize_t)sizeof(head) || memcmp(head, "SQLite format 3", 16))
		return error_set(e, EINVAL,
				 "run store %s: not an SQLite file; name another with --store",
				 path);
	uint32_t version = big_endian(head + 60);
	if (big_endian(head + 68) != APPLICATION_ID)
		return error_set(e, EINVAL,
				 "run store %s: an SQLite file, but of another program; name "
				 "another with --store",
				 path);
	return version > STORE_SCHEMA ? too_new(path, version, e) : 0;
}

/* --- SQLite. --- */

int store_failed(struct store *s, struct error *e)
{
	int code = s->db ? sqlite3_errcode(s->db) & 0xff : SQLITE_NOMEM, err = EIO;

	switch (code) {
	case SQLITE_BUSY:
	case SQLITE_LOCKED: err = EBUSY; break;
	case SQLITE_FULL: err = ENOSPC; break;
	case SQLITE_READONLY: err = EROFS; break;
	case SQLITE_PERM:
	case SQLITE_AUTH:
	case SQLITE_CANTOPEN: err = EACCES; break;
	case SQLITE_NOMEM: err = ENOMEM; break;
	case SQLITE_NOTADB:
	case SQLITE_CORRUPT: err = EINVAL; break;
	default: break;
	}
	return error_set(e, err, "run store %s: %s", s->path,
			 s->db ? sqlite3_errmsg(s->db) : "out of memory");
}

int store_prepare(struct store *s, sqlite3_stmt **st, const char *sql, struct error *e)
{
	return sqlite3_prepare_v2(s->db, sql, -1, st, NULL) ? store_failed(s, e) : 0;
}

static int execute(struct store *s, const char *sql, struct error *e)
{
	return sqlite3_exec(s->db, sql, NULL, NULL, NULL) ? store_failed(s, e) : 0;
}

sqlite3_stmt *store_sql(struct store *s, enum store_sql which, struct error *e)
{
	static const char *const text[SQL_COUNT] = {
		[SQL_BEGIN] = "BEGIN IMMEDIATE",
		[SQL_COMMIT] = "COMMIT",
		[SQL_ROLLBACK] = "ROLLBACK",
		[SQL_RUN] = "INSERT INTO run (started, target, command, version, settings, "
			    "environment, pid, pid_start) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
		[SQL_END] = "UPDATE run SET ended = ?, status = ?, summary = ? WHERE id = ?",
		[SQL_DISCARD] = "DELETE FROM run WHERE id = ?",
		[SQL_MARK] = "INSERT OR REPLACE INTO mark (run, id, kind, letter, time, text) "
			     "VALUES (?, ?, ?, ?, ?, ?)",
		[SQL_SAMPLE] = "INSERT OR REPLACE INTO sample (run, %s) VALUES (?, %s)",
		[SQL_ENVIRONMENT] = "UPDATE run SET environment = ? WHERE id = ?",
		[SQL_FACT] = "INSERT OR REPLACE INTO fact (run, mark, words, value) "
			     "VALUES (?, ?, ?, ?)",
		[SQL_SEGMENT] =
			"INSERT OR REPLACE INTO segment (run, number, mark, started, workload, "
			"read_hist, read_hist_count, read_hist_sum, read_hist_min, read_hist_max, "
			"write_hist, write_hist_count, write_hist_sum, write_hist_min, "
			"write_hist_max, due_hist, due_hist_count, due_hist_sum, due_hist_min, "
			"due_hist_max, gap_ios, gap_bytes, gap_lat_sum, gap_lat_max, %s) "
			"VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
			"?, ?, %s)",
	};

	if (s->sql[which]) {
		sqlite3_reset(s->sql[which]);
		return s->sql[which];
	}
	const char *sql = text[which];
	char names[1024], marks[256], whole[2048];
	if (which == SQL_SAMPLE || which == SQL_SEGMENT) {
		char *gap = strstr(sql, "%s"), *last = strstr(gap + 2, "%s");
		snprintf(whole, sizeof(whole), "%.*s%s%.*s%s%s", (int)(gap - sql), sql,
			 store_sample_names(names, sizeof(names), STORE_SCHEMA),
			 (int)(last - gap - 2), gap + 2, store_sample_marks(marks, sizeof(marks)),
			 last + 2);
		sql = whole;
	}
	if (sqlite3_prepare_v3(s->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &s->sql[which], NULL)) {
		store_failed(s, e);
		return NULL;
	}
	return s->sql[which];
}

/* --- The shape. --- */

static const char schema_run[] =
	"CREATE TABLE run ("
	" id INTEGER PRIMARY KEY AUTOINCREMENT," /* an id is never given twice */
	" started INTEGER NOT NULL,"             /* wall times: ns since 1970 */
	" ended INTEGER,"                        /* NULL: running, or cut off */
	" target TEXT NOT NULL, command TEXT NOT NULL, version TEXT NOT NULL,"
	" settings TEXT NOT NULL, environment TEXT NOT NULL," /* JSON objects */
	" pid INTEGER NOT NULL, pid_start INTEGER NOT NULL,"  /* who records it */
	" status TEXT, summary TEXT,"
	" name TEXT, tags TEXT, note TEXT);" /* of schema 5: the operator's words */
	"CREATE TABLE mark ("
	" run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,"
	" id INTEGER NOT NULL, kind TEXT NOT NULL, letter TEXT, time INTEGER NOT NULL,"
	" text TEXT NOT NULL, PRIMARY KEY (run, id)) WITHOUT ROWID;";

/* Of schema 4: the value that a setting of the host took, and the mark that tells of it. */
static const char schema_fact[] =
	"CREATE TABLE fact ("
	" run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,"
	" mark INTEGER NOT NULL, words TEXT NOT NULL, value TEXT NOT NULL,"
	" PRIMARY KEY (run, mark, words)) WITHOUT ROWID;";

/* Of schema 2; NULL in segments of before. */
#define DUE_HIST(then)                                                                 \
	"due_hist TEXT" then "due_hist_count INTEGER" then "due_hist_sum INTEGER" then \
	"due_hist_min INTEGER" then "due_hist_max INTEGER"

/* Of schema 3: what is left out of the segment beside, reads and writes together; for how long says the
 * column "gap". */
#define GAP_SUMS(then)                                                             \
	"gap_ios INTEGER" then "gap_bytes INTEGER" then "gap_lat_sum INTEGER" then \
	"gap_lat_max INTEGER"
#define ADD_TO_SEGMENT "ALTER TABLE segment ADD COLUMN "

/* Of schema 5; NULL in runs of before. */
#define ADD_TO_RUN "ALTER TABLE run ADD COLUMN "
#define ADD_WORDS  ADD_TO_RUN "name TEXT;" ADD_TO_RUN "tags TEXT;" ADD_TO_RUN "note TEXT;"

/* Executes what sqlite3_mprintf made, NULL without memory, and frees it. */
static int execute_made(struct store *s, char *sql, struct error *e)
{
	int err = sql ? execute(s, sql, e)
		      : error_set(e, ENOMEM, "run store %s: out of memory", s->path);

	sqlite3_free(sql);
	return err;
}

/* The sample columns: ns, bytes and counts, as in struct sample. */
static int create_tables(struct store *s, struct error *e)
{
	char types[2048];

	store_sample_types(types, sizeof(types));
	char *sql = sqlite3_mprintf(
		"%s%s"
		"CREATE TABLE sample ("
		" run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, %s,"
		" PRIMARY KEY (run, time)) WITHOUT ROWID;"
		"CREATE TABLE segment ("
		" run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,"
		" number INTEGER NOT NULL, mark INTEGER NOT NULL, started INTEGER NOT NULL,"
		" workload TEXT NOT NULL,"
		" read_hist TEXT NOT NULL, read_hist_count INTEGER NOT NULL,"
		" read_hist_sum INTEGER NOT NULL, read_hist_min INTEGER, read_hist_max INTEGER,"
		" write_hist TEXT NOT NULL, write_hist_count INTEGER NOT NULL,"
		" write_hist_sum INTEGER NOT NULL, write_hist_min INTEGER, write_hist_max INTEGER,"
		" %s, %s, %s, PRIMARY KEY (run, number));"
		"PRAGMA application_id = %d;"
		"PRAGMA user_version = %d;",
		schema_run, schema_fact, types, DUE_HIST(", "), GAP_SUMS(", "), types,
		APPLICATION_ID, STORE_SCHEMA);
	return execute_made(s, sql, e);
}

static int user_version(struct store *s, struct error *e)
{
	sqlite3_stmt *st;
	int err = store_prepare(s, &st, "PRAGMA user_version", e);

	if (err)
		return err;
	int version =
		sqlite3_step(st) == SQLITE_ROW ? sqlite3_column_int(st, 0) : store_failed(s, e);
	sqlite3_finalize(st);
	return version;
}

/* Makes the tables in an empty file. Somebody else may be doing the same at this moment: who comes
 * second finds them made. */
static int create_schema(struct store *s, struct error *e)
{
	int err = execute(s, "BEGIN EXCLUSIVE", e);

	if (err)
		return err;
	int version = user_version(s, e);
	err = version < 0 ? version : version == 0 ? create_tables(s, e) : 0;
	if (!err)
		err = execute(s, "COMMIT", e);
	if (err)
		sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
	return err;
}

/* Adds what the file does not have yet; rows that are there have NULL in it. A lunscope of before can
 * go on with what it has open: it names its columns. */
static int add_columns(struct store *s, struct error *e)
{
	char to_sample[2048], to_segment[2048];

	char *sql = sqlite3_mprintf(
		"%s%s%s%s%s%s PRAGMA user_version = %d;",
		store_sample_additions(to_sample, sizeof(to_sample), "sample", s->schema),
		store_sample_additions(to_segment, sizeof(to_segment), "segment", s->schema),
		s->schema < 2 ? ADD_TO_SEGMENT DUE_HIST("; " ADD_TO_SEGMENT) ";" : "",
		s->schema < 3 ? ADD_TO_SEGMENT GAP_SUMS("; " ADD_TO_SEGMENT) ";" : "", ADD_WORDS,
		s->schema < 4 ? schema_fact : "", STORE_SCHEMA);
	return execute_made(s, sql, e);
}

/* What the file is now: the header may lag behind its log. */
static int read_schema(struct store *s, struct error *e)
{
	int version = user_version(s, e);

	if (version < 0)
		return version;
	s->schema = version;
	return version > STORE_SCHEMA ? too_new(s->path, (uint32_t)version, e) : 0;
}

/* Brings a file of an older schema up to this one, whole or not at all. Somebody else may be doing the
 * same at this moment. */
static int migrate(struct store *s, struct error *e)
{
	int err = execute(s, "BEGIN EXCLUSIVE", e);

	if (err)
		return err;
	err = read_schema(s, e);
	if (!err && s->schema < STORE_SCHEMA)
		err = add_columns(s, e);
	if (!err)
		err = execute(s, "COMMIT", e);
	if (err) {
		sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
		return err;
	}
	s->schema = STORE_SCHEMA;
	/* So that the header says so, too; who reads at this moment may put that off. */
	sqlite3_exec(s->db, "PRAGMA wal_checkpoint(TRUNCATE)", NULL, NULL, NULL);
	return 0;
}

/* WAL lets `lunscope list` read while a run is recorded. On a file system that can't do it, SQLite
 * stays with its rollback journal, which is as safe. The switch doesn't wait for others by itself. */
static int set_pragmas(struct store *s, struct error *e)
{
	int err = 0;

	for (int i = 0; i < BUSY_MS / 10; i++) {
		err = execute(s, "PRAGMA journal_mode = WAL", e);
		if (err != -EBUSY)
			break;
		sqlite3_sleep(10);
	}
	/* FULL: a commit survives a crash of the host, not only of the program. */
	return err ? err : execute(s, "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON", e);
}

/* --- Open and close. --- */

static int open_file(struct store **out, const char *path, struct error *e)
{
	struct store *s = calloc(1, sizeof(*s));

	if (!s)
		return error_set(e, ENOMEM, "run store %s: out of memory", path);
	snprintf(s->path, sizeof(s->path), "%s", path);
	if (sqlite3_open_v2(path, &s->db, SQLITE_OPEN_READWRITE, NULL)) {
		int err = store_failed(s, e);
		store_close(s);
		return err;
	}
	sqlite3_extended_result_codes(s->db, 1);
	sqlite3_busy_timeout(s->db, BUSY_MS);
	*out = s;
	return 0;
}

int store_open(struct store **out, const char *path, struct error *e)
{
	bool empty;

	*out = NULL;
	int err = outfile_check_kind(path, "run store", e);
	if (!err)
		err = make_folders(path, e);
	if (err)
		return err;
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0 && errno != EEXIST)
		return error_errno(e, errno, "run store %s", path);
	if (fd >= 0)
		close(fd);
	err = check_header(path, &empty, e);
	if (err)
		return err;
	struct store *s;
	err = open_file(&s, path, e);
	if (err)
		return err;
	if (empty)
		err = create_schema(s, e);
	if (!err)
		err = read_schema(s, e);
	if (!err)
		err = set_pragmas(s, e);
	if (!err && s->schema < STORE_SCHEMA)
		err = migrate(s, e);
	if (err) {
		store_close(s);
		return err;
	}
	*out = s;
	return 0;
}

int store_open_read(struct store **out, const char *path, struct error *e)
{
	bool empty;
	struct stat st;

	*out = NULL;
	if (stat(path, &st) && errno == ENOENT)
		return error_set(e, ENOENT, "run store %s: no run has been kept there yet", path);
	int err = outfile_check_kind(path, "run store", e);
	if (!err)
		err = check_header(path, &empty, e);
	if (err)
		return err;
	if (empty)
		return error_set(e, ENOENT, "run store %s: no run has been kept there yet", path);
	struct store *s;
	err = open_file(&s, path, e);
	if (err)
		return err;
	err = execute(s, "PRAGMA query_only = ON", e);
	if (!err)
		err = read_schema(s, e);
	if (err) {
		store_close(s);
		return err;
	}
	*out = s;
	return 0;
}

void store_close(struct store *s)
{
	if (!s)
		return;
	for (int i = 0; i < SQL_COUNT; i++)
		sqlite3_finalize(s->sql[i]);
	sqlite3_close(s->db);
	free(s);
}
