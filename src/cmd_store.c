/* cmd_store.c - `lunscope list` and `lunscope show ID`: what the run store has. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmd.h"
#include "store.h"
#include "wait_note.h"

/* All or nothing: what is printed while a note stands on the terminal would mix with it. */
static int print_all(int (*print)(struct store *s, int64_t run, FILE *out, struct error *e),
		     struct store *s, int64_t run, struct error *e)
{
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);

	int rc = f ? print(s, run, f, e) : -ENOMEM;
	if (!f || (fclose(f) && rc == 0))
		rc = error_set(e, ENOMEM, "out of memory for what is to be printed");
	wait_note_over();
	if (text)
		fwrite(text, 1, n, stdout);
	free(text);
	return rc;
}

static int list(struct store *s, int64_t run, FILE *out, struct error *e)
{
	(void)run;
	return store_list_watched(s, out, wait_note_step, e);
}

int cmd_list(const struct options *o)
{
	struct error e;
	struct store *s;

	wait_note_late("Reading runs");
	int rc = cmd_open_store(o, &s, &e);
	if (rc)
		wait_note_over();

	if (rc == -ENOENT && !o->store) {
		printf("no runs are kept yet\n");
		return EXIT_FINE;
	}
	if (rc)
		return cmd_fail(EXIT_USAGE, &e);
	rc = print_all(list, s, 0, &e);
	store_close(s);
	return rc ? cmd_fail(EXIT_USAGE, &e) : EXIT_FINE;
}

int cmd_show(const struct options *o)
{
	struct error e;
	struct store *s;
	uint64_t id;

	if (units_parse_uint(o->arg[0], "run", 1, INT64_MAX, &id, &e))
		return cmd_fail(EXIT_USAGE, &e);
	wait_note_late("Reading the run");
	int rc = cmd_open_store(o, &s, &e);
	if (rc) {
		wait_note_over();
		return cmd_fail(EXIT_USAGE, &e);
	}
	rc = print_all(store_show, s, (int64_t)id, &e);
	store_close(s);
	return rc ? cmd_fail(EXIT_USAGE, &e) : EXIT_FINE;
}
