/* cmd_store.c - `lunscope list` and `lunscope show ID`: what the run store has. */
#include <errno.h>
#include <stdio.h>

#include "cmd.h"
#include "store.h"

int cmd_list(const struct options *o)
{
	struct error e;
	struct store *s;
	int rc = cmd_open_store(o, &s, &e);

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

	if (units_parse_uint(o->arg[0], "run", 1, INT64_MAX, &id, &e) || cmd_open_store(o, &s, &e))
		return cmd_fail(EXIT_USAGE, &e);
	int rc = store_show(s, (int64_t)id, stdout, &e);
	store_close(s);
	return rc ? cmd_fail(EXIT_USAGE, &e) : EXIT_FINE;
}
