/* tables.c - mounts, swap and stacked devices of the host, read once for all gates. */
#include "guard/gates.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct guard_host guard_host = {.proc = "/proc", .sys = "/sys", .dev = "/dev"};

struct path_walk {
	const struct guard_host *host;
	struct tables *tables;
};

static int add_path(const char *name, void *arg)
{
	struct path_walk *w = arg;
	struct path_row *rows;
	char wwid[128];

	/* A multipath map has the worldwide name of its paths, but is none of them. */
	if (strncmp(name, "dm-", 3) == 0 || sysfs_is_partition(w->host, name))
		return 0;
	identity_wwid(w->host, name, wwid, sizeof(wwid));
	if (!wwid[0])
		return 0;
	rows = realloc(w->tables->paths, (w->tables->path_count + 1) * sizeof(*rows));
	if (!rows)
		return -ENOMEM;
	w->tables->paths = rows;
	rows += w->tables->path_count++;
	memcpy(rows->wwid, wwid, sizeof(rows->wwid));
	snprintf(rows->name, sizeof(rows->name), "%s", name);
	return 0;
}

int tables_read(const struct guard_host *h, unsigned what, struct tables *t, struct error *e)
{
	struct path_walk walk = {.host = h, .tables = t};
	char list[PATH_MAX];
	int err;

	memset(t, 0, sizeof(*t));
	sight_clear();
	snprintf(list, sizeof(list), "%.4000s/class/block", h->sys);
	if (!sysfs_exists(h, "class/block"))
		sight_lost(list, ENOENT);
	err = sight_take(e);
	if (err)
		return err;
	err = mounts_read(h, what & TABLES_NAMESPACES, t, e);
	if (!err)
		err = swap_read(h, t, e);
	if (!err && (stacks_read(h, what & TABLES_ASK_LOOPS, t) < 0 ||
		     (what & TABLES_PATHS && sysfs_each(h, "class/block", add_path, &walk) < 0)))
		err = error_set(e, ENOMEM, "no memory for the list of block devices");
	if (!err)
		err = sight_take(e);
	if (err)
		tables_free(t);
	return err;
}

void tables_free(struct tables *t)
{
	for (size_t i = 0; i < t->mount_count; i++) {
		free(t->mounts[i].target);
		free(t->mounts[i].fstype);
	}
	for (size_t i = 0; i < t->swap_count; i++)
		free(t->swaps[i].path);
	for (size_t i = 0; i < t->stack_count; i++)
		free(t->stacks[i].path);
	free(t->mounts);
	free(t->swaps);
	free(t->stacks);
	free(t->paths);
	memset(t, 0, sizeof(*t));
}
