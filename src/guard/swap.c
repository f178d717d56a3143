/* swap.c - gate 4: swap on the target, on a part of it, or on what stands on it.
 *
 * A swap area is a block device or a file; zram and loop devices in between are members of the
 * target already (topology.c), so here only numbers are compared.
 */
#include "guard/gates.h"

#include <errno.h>
#include <fcntl.h>
#include <libmount.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int add_row(struct tables *t, struct node_id area, const char *path)
{
	struct swap_row *rows = realloc(t->swaps, (t->swap_count + 1) * sizeof(*rows));
	char *copy = strdup(path);

	if (rows)
		t->swaps = rows;
	if (!rows || !copy) {
		free(copy);
		return -ENOMEM;
	}
	rows[t->swap_count++] = (struct swap_row){.area = area, .path = copy};
	return 0;
}

int swap_read(const struct guard_host *h, struct tables *t, struct error *e)
{
	struct libmnt_table *table;
	struct libmnt_iter *iter;
	struct libmnt_fs *fs;
	char path[PATH_MAX];
	int err = 0, fd;

	if (snprintf(path, sizeof(path), "%s/swaps", h->proc) >= (int)sizeof(path))
		return error_set(e, ENAMETOOLONG, "%s: path too long", h->proc);
	/* A kernel without swap has no such file. */
	fd = sight_open(h, path, O_RDONLY);
	if (fd == -ENOENT)
		return 0;
	if (fd < 0) {
		sight_lost(path, -fd);
		return 0;
	}
	close(fd);
	table = mnt_new_table();
	iter = mnt_new_iter(MNT_ITER_FORWARD);
	if (!table || !iter)
		err = error_set(e, ENOMEM, "no memory for the list of swap areas");
	else if (mnt_table_parse_swaps(table, path) != 0)
		err = error_set(e, EIO,
				"%s: cannot be read; without it nothing can be said about "
				"swap",
				path);
	while (!err && mnt_table_next_fs(table, iter, &fs) == 0) {
		const char *source = mnt_fs_get_source(fs);

		if (source && add_row(t, node_of_path(h, "", source), source) < 0)
			err = error_set(e, ENOMEM, "no memory for the list of swap areas");
	}
	mnt_free_iter(iter);
	mnt_unref_table(table);
	return err;
}

/* A swap file that isn't to be found by the name given: of another container, or removed. The
 * kernel has it open for writing, so that a file that nobody writes is none. */
static void unknown_area(struct look *l, const struct swap_row *row)
{
	if (l->writers != WRITERS_NONE)
		report_add(l->r, GATE_SWAP, GUARD_REFUSE,
			   "can't see which file or device is in use as swap by the name of "
			   "%.80s: it may be this one",
			   row->path);
}

void gate_swap(struct look *l)
{
	static const struct node_id nothing;
	char words[200];

	for (size_t i = 0; i < l->tables->swap_count; i++) {
		const struct swap_row *row = &l->tables->swaps[i];
		const struct member *m = topology_find(l, row->area.rdev);

		if (memcmp(&row->area, &nothing, sizeof(nothing)) == 0)
			unknown_area(l, row);
		else if (m)
			report_add(l->r, GATE_SWAP,
				   m->relation == REL_SIBLING ? GUARD_NOTE : GUARD_REFUSE,
				   "%s is in use as swap",
				   topology_words(l, m, words, sizeof(words)));
		else if (topology_is_file(l, &row->area))
			report_add(l->r, GATE_SWAP, GUARD_REFUSE, "%s is in use as swap",
				   row->path);
	}
}
