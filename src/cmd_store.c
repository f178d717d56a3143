/* cmd_store.c - `lunscope list` and `lunscope show ID`: what the run store has. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>

#include "cmd.h"
#include "store.h"

static int open_store(const struct options *o, struct store **s, struct error *e)
{
	char path[PATH_MAX];

	if (o->store)
		return store_open_read(s, o->store, e);
	int rc = store_default_path(path, sizeof(path), e);
	return rc ? rc : store_open_read(s, path, e);
}

int cmd_list(const struct options *o)
{
	struct error e;
	struct store *s;
	int rc = open_store(o, &s, &e);

	if (rc == -ENOENT && !o->store) {
		printf("no runs are kept yet\n");
		return EXIT_FINE;
	}
	if (rc)
		return cmd_fail(EXIT_USAGE, &e);
	rc = store_list(s, stdout, &e);
	store_close(s);
	return rc ? cmd_fail(EXIT_USAGE, &e) : EXIT_FINE;
}

int cmd_show(const struct options *o)
{
	struct error e;
	struct store *s;
	uint64_t id;

	if (units_parse_uint(o->arg[0], "run", 1, INT64_MAX, &id, &e) || open_store(o, &s, &e))
		return cmd_fail(EXIT_USAGE, &e);
	int rc = store_show(s, (int64_t)id, stdout, &e);
	store_close(s);
	return rc ? cmd_fail(EXIT_USAGE, &e) : EXIT_FINE;
}
