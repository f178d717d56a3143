/* nodes.c - what a path named in a mount table, in /proc/swaps or by a loop device stands for.
 *
 * The node may be missing (no udev, another mount namespace), so below /dev sysfs is asked too: the
 * kernel's name is enough. Paths are looked at with statx and AT_STATX_DONT_SYNC, as a dead network
 * server behind one of them must not hang the look at a local disk.
 */
#include "guard/gates.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

bool node_same(const struct node_id *a, const struct node_id *b)
{
	if (a->rdev || b->rdev)
		return a->rdev == b->rdev;
	return a->ino != 0 && a->ino == b->ino && a->dev == b->dev;
}

static struct node_id look_at(const char *path)
{
	struct node_id id = {0};
	struct statx sx;

	if (statx(AT_FDCWD, path, AT_STATX_DONT_SYNC | AT_NO_AUTOMOUNT, STATX_TYPE | STATX_INO,
		  &sx) < 0)
		return id;
	if (S_ISBLK(sx.stx_mode)) {
		id.rdev = makedev(sx.stx_rdev_major, sx.stx_rdev_minor);
	} else if (S_ISREG(sx.stx_mode)) {
		id.dev = makedev(sx.stx_dev_major, sx.stx_dev_minor);
		id.ino = sx.stx_ino;
	}
	return id;
}

struct mapped {
	const struct guard_host *host;
	const char *want;
	dev_t rdev;
};

static int match_mapped(const char *name, void *arg)
{
	struct mapped *m = arg;
	char mapped[128];

	if (strncmp(name, "dm-", 3) != 0 ||
	    !sysfs_read(m->host, mapped, sizeof(mapped), "class/block/%s/dm/name", name) ||
	    strcmp(mapped, m->want) != 0)
		return 0;
	m->rdev = sysfs_rdev(m->host, name);
	return 1;
}

/* What is below /dev, by the kernel's name or that of the device mapper. */
static dev_t rdev_by_name(const struct guard_host *h, const char *below)
{
	char name[NODE_NAME];

	if (strncmp(below, "mapper/", 7) == 0) {
		struct mapped m = {.host = h, .want = below + 7};

		sysfs_each(h, "class/block", match_mapped, &m);
		return m.rdev;
	}
	if (strlen(below) >= sizeof(name))
		return 0;
	strcpy(name, below);
	for (char *c = name; *c; c++)
		if (*c == '/')
			*c = '!';
	return name[0] == '.' ? 0 : sysfs_rdev(h, name);
}

struct node_id node_of_path(const struct guard_host *h, const char *root, const char *path)
{
	struct node_id id = {0};
	char full[PATH_MAX];

	if (path[0] != '/')
		return id;
	if (strncmp(path, "/dev/", 5) == 0) {
		if (snprintf(full, sizeof(full), "%s/%s", h->dev, path + 5) >= (int)sizeof(full))
			return id;
		id = look_at(full);
		if (!id.rdev && !id.ino)
			id.rdev = rdev_by_name(h, path + 5);
		return id;
	}
	if (snprintf(full, sizeof(full), "%s%s", root, path) >= (int)sizeof(full))
		return id;
	return look_at(full);
}
