/* mounts.c - gate 3: what is mounted, in every mount namespace that can be seen.
 *
 * Rows are matched by major:minor, since the names in mount tables lie: a second node, a
 * symlink or a chroot gives a device any name. File systems over several devices (btrfs) and
 * those of fuse show an anonymous number instead; for these the source is resolved, and
 * /sys/fs/btrfs lists the rest.
 *
 * Mount tables are read by libmount; a container's mounts are in no table but its own, so that
 * of one process of each mount namespace and root is read.
 */
#include "guard/gates.h"

#include <ctype.h>
#include <dirent.h>
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

static int read_table(const struct guard_host *h, const char *path, const char *root, pid_t pid,
		      struct tables *t)
{
	struct libmnt_table *table = mnt_new_table_from_file(path);
	struct libmnt_iter *iter;
	struct libmnt_fs *fs;
	int err = 0;

	if (!table)
		return -EIO;
	iter = mnt_new_iter(MNT_ITER_FORWARD);
	if (!iter)
		err = -ENOMEM;
	while (!err && mnt_table_next_fs(table, iter, &fs) == 0) {
		struct node_id id = mounted_device(h, fs, root);

		if (id.rdev || id.ino)
			err = add_row(t, id, mnt_fs_get_target(fs), mnt_fs_get_fstype(fs), pid);
	}
	mnt_free_iter(iter);
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

static int view_of(const struct guard_host *h, const char *pid, char out[VIEW_TEXT])
{
	char path[PATH_MAX], ns[48];
	struct stat root = {0};
	ssize_t n;

	if (snprintf(path, sizeof(path), "%s/%s/ns/mnt", h->proc, pid) >= (int)sizeof(path))
		return -1;
	n = readlink(path, ns, sizeof(ns) - 1);
	if (n <= 0)
		return -1;
	ns[n] = '\0';
	if (snprintf(path, sizeof(path), "%s/%s/root", h->proc, pid) < (int)sizeof(path) &&
	    stat(path, &root) < 0)
		memset(&root, 0, sizeof(root));
	snprintf(out, VIEW_TEXT, "%s %llu %llu", ns, (unsigned long long)root.st_dev,
		 (unsigned long long)root.st_ino);
	return 0;
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

static int read_process(const struct guard_host *h, const char *pid, struct views *views,
			struct tables *t)
{
	char path[PATH_MAX], root[PATH_MAX], text[VIEW_TEXT] = "";
	int fresh;

	if (view_of(h, pid, text) < 0) {
		/* Gone since, or a process that isn't ours to look at. */
		if (errno != ENOENT)
			t->unreadable++;
		return 0;
	}
	fresh = remember(views, text);
	if (fresh <= 0)
		return fresh;
	if (snprintf(path, sizeof(path), "%s/%s/mountinfo", h->proc, pid) >= (int)sizeof(path) ||
	    snprintf(root, sizeof(root), "%s/%s/root", h->proc, pid) >= (int)sizeof(root))
		return 0;
	/* -EIO: it ended while it was read. Others may share its view. */
	fresh = read_table(h, path, root, atoi(pid), t);
	if (fresh == -EIO) {
		views->count--;
		return 0;
	}
	return fresh;
}

static int read_processes(const struct guard_host *h, struct views *views, struct tables *t)
{
	struct dirent *entry;
	DIR *dir = opendir(h->proc);
	int err = 0;

	if (!dir)
		return 0;
	while (!err && (entry = readdir(dir)))
		if (isdigit((unsigned char)entry->d_name[0]))
			err = read_process(h, entry->d_name, views, t);
	closedir(dir);
	return err;
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
	struct btrfs_walk walk = {.host = h, .tables = t};
	struct views views = {0};
	char path[PATH_MAX], own[VIEW_TEXT] = "";
	int err;

	if (snprintf(path, sizeof(path), "%s/self/mountinfo", h->proc) >= (int)sizeof(path))
		return error_set(e, ENAMETOOLONG, "%s: path too long", h->proc);
	err = read_table(h, path, "", 0, t);
	if (err)
		return error_set(e, -err,
				 "%s: cannot be read; without the mount table nothing can "
				 "be said about what is mounted",
				 path);
	if (view_of(h, "self", own) == 0)
		err = remember(&views, own) < 0 ? -ENOMEM : 0;
	if (!err)
		err = all ? read_processes(h, &views, t) : read_process(h, "1", &views, t);
	if (!err)
		err = sysfs_each(h, "fs/btrfs", btrfs_uuid, &walk);
	free(views.seen);
	if (err)
		return error_set(e, -err, "no memory for the mount tables");
	return 0;
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
	if (l->tables->unreadable)
		report_add(l->r, GATE_MOUNTED, GUARD_NOTE,
			   "the mount table of %u process%s can't be read", l->tables->unreadable,
			   l->tables->unreadable == 1 ? "" : "es");
}
