/* stacks.c - loop and zram devices: block devices over a file or over another block device,
 * which appear in no holders folder of what they stand on.
 *
 * A loop device knows its backing file by device and inode (LOOP_GET_STATUS64), which still
 * holds when the file was renamed, has other names or lies in another mount namespace. The path in
 * sysfs is believed only where the device is there and this user may not ask it: where it is not,
 * in a container, the same path may lead to another file. What can't be told stays all zero, and
 * then nothing is written: it may stand on anything.
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

enum answer { ANSWERED, UNUSED, FORBIDDEN, UNSEEN };

static enum answer ask_open_loop(int fd, dev_t rdev, struct node_id *id)
{
	struct loop_info64 info;
	struct stat st;

	if (fstat(fd, &st) < 0 || !S_ISBLK(st.st_mode) || st.st_rdev != rdev)
		return UNSEEN;
	if (ioctl(fd, LOOP_GET_STATUS64, &info) < 0)
		return errno == ENXIO ? UNUSED : UNSEEN;
	if (info.lo_rdevice) {
		id->rdev = info.lo_rdevice;
	} else {
		id->dev = info.lo_device;
		id->ino = info.lo_inode;
	}
	return ANSWERED;
}

static enum answer ask_loop(const struct guard_host *h, const char *name, dev_t rdev,
			    struct node_id *id)
{
	char node[PATH_MAX];
	struct stat st;
	enum answer answer;
	int fd = open(sysfs_node(h, name, node, sizeof(node)),
		      O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);

	if (fd < 0 && errno == EACCES && geteuid() != 0 && lstat(node, &st) == 0 &&
	    S_ISBLK(st.st_mode) && st.st_rdev == rdev)
		return FORBIDDEN;
	if (fd < 0)
		return errno == ENXIO ? UNUSED : UNSEEN;
	answer = ask_open_loop(fd, rdev, id);
	close(fd);
	return answer;
}

struct walk {
	const struct guard_host *host;
	struct tables *tables;
	bool ask;
};

/* False when the device has nothing behind it. path is "" when it has, but doesn't say what. */
static bool identify_loop(const struct walk *w, struct stack_row *row, char path[PATH_MAX])
{
	bool named =
		sysfs_read(w->host, path, PATH_MAX, "class/block/%s/loop/backing_file", row->name);
	enum answer answer = FORBIDDEN;
	uint64_t size;

	if (w->ask && (sight_real(w->host) || !named))
		answer = ask_loop(w->host, row->name, row->rdev, &row->backing);
	if (answer == UNUSED)
		return false;
	if (answer == FORBIDDEN && named)
		row->backing = node_of_path(w->host, "", path);
	return answer == ANSWERED || named ||
	       sysfs_exists(w->host, "class/block/%s/loop", row->name) ||
	       (sysfs_u64(w->host, &size, "class/block/%s/size", row->name) && size > 0);
}

static bool identify_zram(const struct walk *w, struct stack_row *row, char path[PATH_MAX])
{
	if (!sysfs_read(w->host, path, PATH_MAX, "class/block/%s/backing_dev", row->name) ||
	    strcmp(path, "none") == 0)
		return false;
	row->backing = node_of_path(w->host, "", path);
	return true;
}

static bool identify(const struct walk *w, struct stack_row *row, char path[PATH_MAX])
{
	path[0] = '\0';
	if (strncmp(row->name, "loop", 4) == 0)
		return identify_loop(w, row, path);
	return strncmp(row->name, "zram", 4) == 0 && identify_zram(w, row, path);
}

static int add_stack(const char *name, void *arg)
{
	struct walk *w = arg;
	struct tables *t = w->tables;
	struct stack_row *rows, row = {0};
	char path[PATH_MAX];

	sysfs_check(w->host, name);
	if (sysfs_is_partition(w->host, name))
		return 0;
	snprintf(row.name, sizeof(row.name), "%s", name);
	row.rdev = sysfs_rdev(w->host, name);
	if (!identify(w, &row, path))
		return 0;
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

void gate_stacks(struct look *l)
{
	for (size_t i = 0; i < l->tables->stack_count; i++) {
		const struct stack_row *row = &l->tables->stacks[i];

		if (!row->backing.rdev && !row->backing.ino)
			report_add(l->r, GATE_HOLDERS, GUARD_REFUSE,
				   "can't see what /dev/%s stands on%s%.60s%s: it may be this; "
				   "nothing is written while that is so",
				   row->name, row->path[0] ? " (" : "", row->path,
				   row->path[0] ? ")" : "");
	}
}
