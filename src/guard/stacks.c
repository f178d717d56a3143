/* stacks.c - loop and zram devices: block devices over a file or over another block device,
 * which appear in no holders folder of what they stand on.
 *
 * A loop device knows its backing file by device and inode (LOOP_GET_STATUS64), which still
 * holds when the file was renamed, has other names or lies in another mount namespace; the path
 * in sysfs is for those who may not ask.
 */
#include "guard/gates.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

static struct node_id ask_loop(const struct guard_host *h, const char *name, dev_t rdev)
{
	struct loop_info64 info;
	struct node_id id = {0};
	char node[PATH_MAX];
	struct stat st;
	int fd = open(sysfs_node(h, name, node, sizeof(node)),
		      O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);

	if (fd < 0)
		return id;
	if (fstat(fd, &st) == 0 && S_ISBLK(st.st_mode) && st.st_rdev == rdev &&
	    ioctl(fd, LOOP_GET_STATUS64, &info) == 0) {
		if (info.lo_rdevice) {
			id.rdev = info.lo_rdevice;
		} else {
			id.dev = info.lo_device;
			id.ino = info.lo_inode;
		}
	}
	close(fd);
	return id;
}

struct walk {
	const struct guard_host *host;
	struct tables *tables;
	bool ask;
};

static bool backing_path(const struct guard_host *h, const char *name, char path[PATH_MAX])
{
	if (strncmp(name, "loop", 4) == 0)
		return sysfs_read(h, path, PATH_MAX, "class/block/%s/loop/backing_file", name);
	if (strncmp(name, "zram", 4) == 0)
		return sysfs_read(h, path, PATH_MAX, "class/block/%s/backing_dev", name) &&
		       strcmp(path, "none") != 0;
	return false;
}

static int add_stack(const char *name, void *arg)
{
	struct walk *w = arg;
	struct tables *t = w->tables;
	struct stack_row *rows, row = {0};
	char path[PATH_MAX];

	if (!backing_path(w->host, name, path))
		return 0;
	snprintf(row.name, sizeof(row.name), "%s", name);
	row.rdev = sysfs_rdev(w->host, name);
	if (w->ask && name[0] == 'l')
		row.backing = ask_loop(w->host, name, row.rdev);
	if (!row.backing.rdev && !row.backing.ino)
		row.backing = node_of_path(w->host, "", path);
	rows = realloc(t->stacks, (t->stack_count + 1) * sizeof(*rows));
	if (!rows)
		return -ENOMEM;
	t->stacks = rows;
	row.path = strdup(path);
	if (!row.path)
		return -ENOMEM;
	rows[t->stack_count++] = row;
	return 0;
}

int stacks_read(const struct guard_host *h, bool ask, struct tables *t)
{
	struct walk w = {.host = h, .tables = t, .ask = ask};

	return sysfs_each(h, "class/block", add_stack, &w);
}
