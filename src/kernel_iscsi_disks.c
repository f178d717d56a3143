/* kernel_iscsi_disks.c - which disks of the kernel's iSCSI initiator a block device stands on. */
#include "kernel_iscsi_internal.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guard/gates.h"

#define LEVELS_MAX 16 /* of devices over devices: LVM over RAID over multipath is 3 */

/* In ".../host3/session1/target3:0:0/3:0:0:1/block/sda" the numbers of host and session; at is where
 * "/session" begins. */
static bool parse_place(const char *path, const char *at, struct kernel_disk *d)
{
	const char *host = at;
	char *end;

	do {
		if (host == path)
			return false;
	} while (*--host != '/');
	if (strncmp(host, "/host", 5) != 0)
		return false;
	d->host = (uint32_t)strtoul(host + 5, &end, 10);
	if (end != at || end == host + 5)
		return false;
	d->sid = (uint32_t)strtoul(at + 8, &end, 10);
	return end != at + 8 && *end == '/';
}

/* By the path of what class/CLASS/NAME stands for. */
static bool find_place(const struct guard_host *h, const char *class, const char *name,
		       struct kernel_disk *d)
{
	char path[PATH_MAX], *real;
	bool found = false;

	if (snprintf(path, sizeof(path), "%s/class/%s/%s", h->sys, class, name) >=
	    (int)sizeof(path))
		return false;
	real = realpath(path, NULL);
	for (const char *at = real; at && !found && (at = strstr(at, "/session")); at++)
		found = parse_place(real, at, d);
	free(real);
	return found && sysfs_exists(h, "class/iscsi_session/session%u", d->sid);
}

static void append(struct kernel_disks *to, const struct kernel_disk *d)
{
	struct kernel_disk *more = realloc(to->disk, (to->count + 1) * sizeof(*more));

	if (!more) {
		to->out_of_memory = true;
		return;
	}
	to->disk = more;
	more[to->count++] = *d;
}

static void add_disk(const struct guard_host *h, const char *name, struct kernel_disks *to)
{
	struct kernel_disk d = {0};

	if (strlen(name) >= sizeof(d.name) || !find_place(h, "block", name, &d))
		return;
	for (size_t i = 0; i < to->count; i++)
		if (strcmp(to->disk[i].name, name) == 0)
			return;
	strcpy(d.name, name);
	append(to, &d);
}

struct walk {
	const struct guard_host *host;
	struct kernel_disks *disks;
	unsigned level;
};

static int step_down(const char *name, void *arg);

static void descend(struct walk *w, const char *name)
{
	char folder[96], disk[NODE_NAME];

	sysfs_disk(w->host, name, disk);
	snprintf(folder, sizeof(folder), "class/block/%s/slaves", disk);
	if (w->level < LEVELS_MAX) {
		struct walk below = {w->host, w->disks, w->level + 1};
		sysfs_each(w->host, folder, step_down, &below);
	}
	add_disk(w->host, disk, w->disks);
}

static int step_down(const char *name, void *arg)
{
	struct walk *w = arg;

	w->disks->stacked = true;
	descend(w, name);
	return 0;
}

static int by_session(const void *a, const void *b)
{
	const struct kernel_disk *x = a, *y = b;

	if (x->sid != y->sid)
		return x->sid < y->sid ? -1 : 1;
	return strverscmp(x->name, y->name);
}

static void sort(struct kernel_disks *d)
{
	if (d->count)
		qsort(d->disk, d->count, sizeof(*d->disk), by_session);
}

void disks_below(const struct guard_host *h, const char *device, struct kernel_disks *d)
{
	struct walk w = {.host = h, .disks = d};

	memset(d, 0, sizeof(*d));
	/* One whose paths have all been taken away gets others later. */
	d->stacked = sysfs_exists(h, "class/block/%s/dm", device) ||
		     sysfs_exists(h, "class/block/%s/md", device);
	descend(&w, device);
	sort(d);
}

static int add_each_disk(const char *name, void *arg)
{
	struct walk *w = arg;

	if (!sysfs_is_partition(w->host, name))
		add_disk(w->host, name, w->disks);
	return 0;
}

static int add_each_session(const char *name, void *arg)
{
	struct walk *w = arg;
	struct kernel_disk d = {0};

	if (!find_place(w->host, "iscsi_session", name, &d))
		return 0;
	for (size_t i = 0; i < w->disks->count; i++)
		if (w->disks->disk[i].sid == d.sid)
			return 0;
	append(w->disks, &d);
	return 0;
}

void disks_all(const struct guard_host *h, struct kernel_disks *d)
{
	struct walk w = {.host = h, .disks = d};

	memset(d, 0, sizeof(*d));
	sysfs_each(h, "class/block", add_each_disk, &w);
	sysfs_each(h, "class/iscsi_session", add_each_session, &w);
	sort(d);
}

void disks_free(struct kernel_disks *d)
{
	free(d->disk);
	memset(d, 0, sizeof(*d));
}
