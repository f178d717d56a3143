/* cmd_import.c - `lunscope import FILE`: Iometer's results.csv, each test a run of the store. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "cmd.h"
#include "iometer/import.h"
#include "segment_table.h"

static int open_store(const struct options *o, struct store **s, struct error *e)
{
	char path[PATH_MAX];

	if (o->store)
		return store_open(s, o->store, e);
	int rc = store_default_path(path, sizeof(path), e);
	return rc ? rc : store_open(s, path, e);
}

static void print_test(const struct iometer_csv_test *t, const struct iometer_imported *i)
{
	const struct iometer_row *all = &t->result.row[0];
	char text[32];

	printf("%4lld  ", (long long)i->run);
	table_right(stdout, 8, units_count(text, sizeof(text), iometer_row_iops(all, 2)));
	snprintf(text, sizeof(text), "%.2f", iometer_row_bytes_s(all, 2) / (double)MIB);
	table_figure(stdout, 9, text);
	table_right(stdout, 10,
		    units_latency(text, sizeof(text), iometer_row_mean_ms(all, 2) * 1e6,
				  units_ascii()));
	printf("  %-7s  %s\n", i->known ? "known" : "new", t->result.spec.name);
	if (i->note[0])
		printf("      note: %s\n", i->note);
	if (!t->result.end_ns)
		printf("      note: the file has no times; it is dated as the file is\n");
	if (t->aborted)
		printf("      note: it was stopped before its time\n");
}

static void print_result(const char *path, const struct iometer_csv_file *f,
			 const struct iometer_imported *list)
{
	size_t known = 0;

	printf("%4s  %8s%9s%10s  %-7s  %s\n", "ID", "IOPS", "MiB/s", "mean", "", "test");
	for (size_t i = 0; i < f->tests; i++) {
		known += list[i].known;
		print_test(&f->test[i], &list[i]);
	}
	printf("%s: %zu test%s imported", path, f->tests - known, f->tests - known == 1 ? "" : "s");
	if (known)
		printf(", %zu had been before and %s left as %s", known, known == 1 ? "is" : "are",
		       known == 1 ? "it is" : "they are");
	printf("\nThere are no seconds behind them: they compare by ratio, without interval or "
	       "verdict.\n");
}

static int import(const struct options *o, const char *path, const struct iometer_csv_file *f,
		  uint64_t file_ns, struct error *e)
{
	struct iometer_imported *list = calloc(f->tests, sizeof(*list));
	struct store *s;
	int rc = list ? open_store(o, &s, e) : error_set(e, ENOMEM, "%s: out of memory", path);

	if (rc == 0) {
		rc = iometer_import(s, path, file_ns, f, list, e);
		store_close(s);
	}
	if (rc == 0)
		print_result(path, f, list);
	free(list);
	return rc;
}

int cmd_import(const struct options *o)
{
	const char *path = o->arg[0];
	static struct iometer_csv_file f;
	struct stat st;
	struct error e;

	if (iometer_csv_read(path, &f, &e))
		return cmd_fail(EXIT_USAGE, &e);
	for (unsigned i = 0; i < f.notes; i++)
		fprintf(stderr, "lunscope: %s, %s\n", path, f.note[i]);
	uint64_t file_ns = stat(path, &st) == 0 && st.st_mtime > 0
				   ? (uint64_t)st.st_mtime * NS_PER_SEC
				   : wall_ns();
	int rc = import(o, path, &f, file_ns, &e);
	iometer_csv_file_free(&f);
	return rc ? cmd_fail(EXIT_USAGE, &e) : EXIT_FINE;
}
