/* mounts.c - gate 3: what is mounted, in every mount namespace that can be seen.
 *
 * Rows are matched by major:minor, since the names in mount tables lie: a second node, a
 * symlink or a chroot gives a device any name. File systems over several devices (btrfs) and
 * those of fuse show an anonymous number instead; for these the source is resolved, and
 * /sys/fs/btrfs lists the rest.
 *
 * Mount tables are parsed by libmount; a container's mounts are in no table but its own, so that
 * of one process of each mount namespace and root is read. Where the namespace of a process is not
 * told, its table still is, and is known again by its text.
 */
#include "guard/gates.h"

#include <errno.h>
#include <libmount.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static int add_row(struct tables *t, struct node_id device, const char *target, const char *fstype,
		   pid_t pid)
{
	struct mount_row *rows = realloc(t->mounts, (t->mount_count + 1) * sizeof(*rows));
	struct mount_row row = {.device = device, .pid = pid};

	if (!rows)
		return -ENOMEM;
	t->mounts = rows;
	row.target = strdup(target ? target : "?");
	row.fstype = strdup(fstype ? fstype : "?");
	if (!row.target || !row.fstype) {
		free(row.target);
		free(row.fstype);
		return -ENOMEM;
	}
	rows[t->mount_count++] = row;
	return 0;
}

static struct node_id mounted_device(const struct guard_host *h, struct libmnt_fs *fs,
				     const char *root)
{
	struct node_id id = {.rdev = mnt_fs_get_devno(fs)};
	const char *source = mnt_fs_get_source(fs);

	/* Major 0 is the kernel's for file systems without a device of their own. */
	if (major(id.rdev) != 0)
		return id;
	id.rdev = 0;
	return source ? node_of_path(h, root, source) : id;
}

static int stop_parsing(struct libmnt_table *table, const char *name, int line)
{
	(void)table;
	(void)name;
	(void)line;
	return -1;
}

static int add_rows(const struct guard_host *h, struct libmnt_table *table, const char *root,
		    pid_t pid, struct tables *t)
{
	struct libmnt_iter *iter = mnt_new_iter(MNT_ITER_FORWARD);
	struct libmnt_fs *fs;
	int err = iter ? 0 : -ENOMEM;

	while (!err && mnt_table_next_fs(table, iter, &fs) == 0) {
		struct node_id id = mounted_device(h, fs, root);

		if (id.rdev || id.ino)
			err = add_row(t, id, mnt_fs_get_target(fs), mnt_fs_get_fstype(fs), pid);
	}
	mnt_free_iter(iter);
	return err;
}

static int parse_table(const struct guard_host *h, const char *path, char *text, size_t length,
		       const char *root, pid_t pid, struct tables *t)
{
	struct libmnt_table *table = mnt_new_table();
	FILE *f = fmemopen(text, length, "r");
	int err = table && f ? 0 : -ENOMEM;

	if (!err) {
		mnt_table_set_parser_errcb(table, stop_parsing);
		if (mnt_table_parse_stream(table, f, path) != 0)
			err = -EIO;
	}
	if (!err)
		err = add_rows(h, table, root, pid, t);
	if (f)
		fclose(f);
	mnt_unref_table(table);
	return err;
}

/* The views met so far: a mount namespace and the root directory within it, since a process in a
 * chroot sees only the mounts below its root. */
#define VIEW_TEXT 96
struct views {
	char (*seen)[VIEW_TEXT];
	size_t count;
};

static int view_of(const struct guard_host *h, const char *process, char out[VIEW_TEXT])
{
	char path[PATH_MAX], ns[48];
	struct stat root = {0};
	ssize_t n;

	if (snprintf(path, sizeof(path), "%s/%s/ns/mnt", h->proc, process) >= (int)sizeof(path))
		return -1;
	n = readlink(path, ns, sizeof(ns) - 1);
	if (n <= 0)
		return -1;
	ns[n] = '\0';
	if (snprintf(path, sizeof(path), "%s/%s/root", h->proc, process) < (int)sizeof(path) &&
	    stat(path, &root) < 0)
		memset(&root, 0, sizeof(root));
	snprintf(out, VIEW_TEXT, "%s %llu %llu", ns, (unsigned long long)root.st_dev,
		 (unsigned long long)root.st_ino);
	return 0;
}

/* A view known by its table: FNV-1a, which need not withstand anybody who wants two to be alike,
 * as he could as well not mount. */
static void view_of_text(const char *text, size_t length, char out[VIEW_TEXT])
{
	uint64_t hash = 14695981039346656037ull;

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)text[i]) * 1099511628211ull;
	snprintf(out, VIEW_TEXT, "text %zu %016llx", length, (unsigned long long)hash);
}

/* 1 when the view is new, 0 when it is known, -ENOMEM. */
static int remember(struct views *views, const char text[VIEW_TEXT])
{
	char(*seen)[VIEW_TEXT];

	for (size_t i = 0; i < views->count; i++)
		if (strcmp(views->seen[i], text) == 0)
			return 0;
	seen = realloc(views->seen, (views->count + 1) * sizeof(*seen));
	if (!seen)
		return -ENOMEM;
	views->seen = seen;
	memcpy(seen[views->count++], text, VIEW_TEXT);
	return 1;
}

struct mounts_walk {
	const struct guard_host *host;
	struct tables *tables;
	struct views views;
};

static void unreadable(struct mounts_walk *w, const char *process)
{
	if (w->tables->unreadable++ == 0)
		processes_name(w->host, process, w->tables->unreadable_name,
			       sizeof(w->tables->unreadable_name));
}

/* Two tables of one text say the same, whatever the views are. */
static int read_fresh(struct mounts_walk *w, const char *process, const char *path, char *text,
		      size_t length)
{
	char root[PATH_MAX], view[VIEW_TEXT];
	int fresh;

	view_of_text(text, length, view);
	fresh = remember(&w->views, view);
	if (fresh <= 0)
		return fresh;
	if (snprintf(root, sizeof(root), "%s/%s/root", w->host->proc, process) >= (int)sizeof(root))
		return -ENAMETOOLONG;
	return parse_table(w->host, path, text, length, root, atoi(process), w->tables);
}

static int read_process(const char *process, void *arg)
{
	struct mounts_walk *w = arg;
	char path[PATH_MAX], view[VIEW_TEXT], *text;
	bool named = view_of(w->host, process, view) == 0;
	int fresh = named ? remember(&w->views, view) : 1, err;
	size_t length;

	if (fresh <= 0)
		return fresh;
	if (snprintf(path, sizeof(path), "%s/%s/mountinfo", w->host->proc, process) >=
	    (int)sizeof(path))
		return -ENAMETOOLONG;
	err = sight_text(w->host, path, &text, &length);
	if (err == 0 && length > 0) {
		err = read_fresh(w, process, path, text, length);
		free(text);
		return err;
	}
	free(text);
	/* Others may share its view. */
	if (named)
		w->views.count--;
	if (err == -EACCES || err == -EPERM)
		unreadable(w, process);
	/* EINVAL: it has just ended and sees no mounts any more. */
	else if (err && err != -EINVAL && !processes_gone(err))
		sight_lost(path, -err);
	return 0;
}

/* Our own table, without which nothing can be said. */
static int read_own(struct mounts_walk *w, struct error *e)
{
	char path[PATH_MAX], view[VIEW_TEXT], *text;
	size_t length;
	int err;

	if (snprintf(path, sizeof(path), "%s/self/mountinfo", w->host->proc) >= (int)sizeof(path))
		return error_set(e, ENAMETOOLONG, "%s: path too long", w->host->proc);
	err = sight_text(w->host, path, &text, &length);
	if (!err && length == 0)
		err = -EIO;
	if (!err)
		err = parse_table(w->host, path, text, length, "", 0, w->tables);
	if (err) {
		free(text);
		return error_errno(e, -err,
				   "%s: cannot be read; without the mount table nothing can "
				   "be said about what is mounted",
				   path);
	}
	view_of_text(text, length, view);
	free(text);
	if (remember(&w->views, view) < 0 ||
	    (view_of(w->host, "self", view) == 0 && remember(&w->views, view) < 0))
		return error_set(e, ENOMEM, "no memory for the mount tables");
	return 0;
}

struct btrfs_walk {
	const struct guard_host *host;
	struct tables *tables;
	char uuid[NODE_NAME];
};

static int btrfs_device(const char *name, void *arg)
{
	struct btrfs_walk *w = arg;
	struct node_id id = {.rdev = sysfs_rdev(w->host, name)};
	char where[96];

	if (!id.rdev)
		return 0;
	for (size_t i = 0; i < w->tables->mount_count; i++)
		if (w->tables->mounts[i].device.rdev == id.rdev)
			return 0;
	snprintf(where, sizeof(where), "(as a part of btrfs %s)", w->uuid);
	return add_row(w->tables, id, where, "btrfs", 0);
}

static int btrfs_uuid(const char *uuid, void *arg)
{
	struct btrfs_walk *w = arg;
	char folder[128];

	snprintf(w->uuid, sizeof(w->uuid), "%s", uuid);
	snprintf(folder, sizeof(folder), "fs/btrfs/%s/devices", uuid);
	return sysfs_each(w->host, folder, btrfs_device, w);
}

int mounts_read(const struct guard_host *h, bool all, struct tables *t, struct error *e)
{
	struct mounts_walk w = {.host = h, .tables = t};
	struct btrfs_walk walk = {.host = h, .tables = t};
	int err = read_own(&w, e);

	if (!err) {
		err = all ? processes_each(h, read_process, &w) : read_process("1", &w);
		if (!err)
			err = sysfs_each(h, "fs/btrfs", btrfs_uuid, &walk);
		if (err == -EIO)
			error_set(e, EIO, "the mount table of a process makes no sense");
		else if (err)
			error_errno(e, -err, "the mount tables can't be read");
	}
	free(w.views.seen);
	return err;
}

static bool is_system(const char *target)
{
	return strcmp(target, "/") == 0 || strcmp(target, "/boot") == 0 ||
	       strncmp(target, "/boot/", 6) == 0 || strcmp(target, "/usr") == 0;
}

static void name_process(pid_t pid, char *out, size_t n)
{
	if (pid)
		snprintf(out, n, " in the mount namespace of process %d", (int)pid);
	else
		out[0] = '\0';
}

static void mounted_member(struct look *l, const struct member *m)
{
	enum guard_level level = m->relation == REL_SIBLING ? GUARD_NOTE : GUARD_REFUSE;
	const struct mount_row *first = NULL, *system = NULL;
	char words[200], where[64], more[40] = "";
	unsigned count = 0;

	for (size_t i = 0; i < l->tables->mount_count; i++) {
		const struct mount_row *row = &l->tables->mounts[i];

		if (row->device.rdev != m->rdev)
			continue;
		if (!first)
			first = row;
		if (!system && is_system(row->target) && (row->pid == 0 || row->pid == 1))
			system = row;
		count++;
	}
	if (!first)
		return;
	topology_words(l, m, words, sizeof(words));
	name_process(first->pid, where, sizeof(where));
	if (count > 1)
		snprintf(more, sizeof(more), " (and at %u more places)", count - 1);
	report_add(l->r, GATE_MOUNTED, level, "%s is mounted at %s%s%s", words, first->target,
		   where, more);
	if (system)
		report_add(l->r, GATE_USERS, level, "%s holds this host's %s", words,
			   strcmp(system->target, "/") == 0 ? "root file system" : system->target);
}

void gate_mounted(struct look *l)
{
	for (size_t i = 0; i < l->member_count; i++)
		mounted_member(l, &l->members[i]);
	for (size_t i = 0; i < l->tables->mount_count; i++) {
		const struct mount_row *row = &l->tables->mounts[i];

		if (row->device.ino && topology_is_file(l, &row->device))
			report_add(l->r, GATE_MOUNTED, GUARD_REFUSE,
				   "it holds a file system (%s) that is mounted at %s", row->fstype,
				   row->target);
	}
	/* The claim shows whether a block device is mounted there; a file is left to gate 8. */
	if (l->tables->unreadable == 1)
		report_add(l->r, GATE_MOUNTED, GUARD_NOTE, "the mount table of %s can't be read",
			   l->tables->unreadable_name);
	else if (l->tables->unreadable)
		report_add(l->r, GATE_MOUNTED, GUARD_NOTE,
			   "the mount tables of %s and of %u more can't be read",
			   l->tables->unreadable_name, l->tables->unreadable - 1);
}
