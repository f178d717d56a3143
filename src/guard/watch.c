/* watch.c - gate 12: what comes up while the target is being written.
 *
 * The kernel tells when a mount table or the list of swap areas changes (poll(2) on
 * /proc/PID/mounts and /proc/swaps, see proc(5)); then, and twice a second in any case, the
 * gates that may refuse are passed again. Size and state of the target itself are looked at
 * each time. Other mount namespaces are left to the claim, which keeps them from mounting a
 * block device, and to the list of loop devices, which is one for all.
 */
#include "guard/gates.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>
#include "units.h"

#define FULL_LOOK_NS (500 * NS_PER_MS)
/* Of a LUN: going through the worldwide names of all disks is slow where there are many. */
#define LUN_LOOK_NS (5 * NS_PER_SEC)

enum { OWN_MOUNTS, INIT_MOUNTS, SWAPS, EVENTS };

struct guard_watch {
	const struct guard_host *host;
	struct guard_report target;
	struct guard_lun lun; /* backend NULL: the target is none */
	char name[NODE_NAME], disk[NODE_NAME];
	uint64_t diskseq; /* as sysfs has it */
	int held;         /* O_PATH descriptor of a file, else -1 */
	bool polled;      /* the kernel tells of changes; a recorded tree doesn't */
	struct pollfd event[EVENTS];
	struct path_row *paths;
	size_t path_count;
	uint64_t looked; /* clock_ns() of the last full look */
};

static int changed(const struct guard_watch *w, struct error *e, const char *what)
{
	return error_set(e, EPERM, "%s: writing has to stop: %s", w->target.spec, what);
}

static int check_block(const struct guard_watch *w, struct error *e)
{
	char name[NODE_NAME], flag[8];
	uint64_t start, length, diskseq;

	if (!sysfs_name(w->host, w->target.rdev, name) || strcmp(name, w->name) != 0)
		return changed(w, e, "the device is gone");
	sysfs_extent(w->host, w->name, &start, &length);
	if (length != w->target.size)
		return changed(w, e, "its size has changed");
	sysfs_u64(w->host, &diskseq, "class/block/%s/diskseq", w->disk);
	if (diskseq != w->diskseq)
		return changed(w, e, "other media have taken its place");
	if (sysfs_read(w->host, flag, sizeof(flag), "class/block/%s/ro", w->name) &&
	    strcmp(flag, "0") != 0)
		return changed(w, e, "it was set read-only");
	return 0;
}

/* By the descriptor held: a file may have lost its name meanwhile. */
static int check_file(const struct guard_watch *w, struct error *e)
{
	struct stat st;

	if (fstat(w->held, &st) < 0)
		return changed(w, e, "the file can't be looked at any more");
	if ((uint64_t)st.st_size != w->target.size)
		return changed(w, e, "its size has changed");
	return 0;
}

static bool tables_changed(struct guard_watch *w)
{
	bool any = !w->polled;

	for (int i = 0; i < EVENTS; i++)
		w->event[i].revents = 0;
	if (poll(w->event, EVENTS, 0) > 0)
		any = true;
	return any;
}

static int full_look(struct guard_watch *w, struct error *e)
{
	struct tables tables;
	struct look l = {.host = w->host, .tables = &tables, .fd = -1};
	int err = tables_read(w->host, TABLES_ASK_LOOPS, &tables, e);

	if (err)
		return err;
	/* Worldwide names don't change, and reading them all is slow on hosts with many disks. */
	tables.paths = w->paths;
	tables.path_count = w->path_count;
	l.r = calloc(1, sizeof(*l.r));
	memcpy(l.name, w->name, sizeof(l.name));
	memcpy(l.disk, w->disk, sizeof(l.disk));
	if (w->target.kind == GUARD_FILE) {
		l.files[l.file_count++] =
			(struct node_id){.dev = w->target.dev, .ino = w->target.ino};
		/* As it was when we opened it; now we are the writer. */
		l.writers = WRITERS_NONE;
	}
	if (!l.r || topology_build(&l) < 0) {
		err = error_set(e, ENOMEM, "%s: no memory to watch it", w->target.spec);
	} else {
		gate_mounted(&l);
		gate_swap(&l);
		gate_holders(&l);
		gate_stacks(&l);
		for (unsigned i = 0; !err && i < l.r->count; i++)
			if (l.r->finding[i].level == GUARD_REFUSE)
				err = changed(w, e, l.r->finding[i].text);
	}
	if (!err)
		err = sight_take(e);
	free(l.r);
	look_free(&l);
	tables.paths = NULL;
	tables_free(&tables);
	return err;
}

static int check_lun(struct guard_watch *w, struct error *e)
{
	bool look = clock_ns() - w->looked >= LUN_LOOK_NS;
	int err = lun_check_change(&w->target, &w->lun, w->host, look, e);

	if (!err)
		err = sight_take(e);
	if (look)
		w->looked = clock_ns();
	return err;
}

int guard_watch_check(struct guard_watch *w, struct error *e)
{
	if (w->lun.backend) {
		sight_clear();
		return check_lun(w, e);
	}
	bool look = tables_changed(w) || clock_ns() - w->looked >= FULL_LOOK_NS;
	int err;

	sight_clear();
	err = w->target.kind == GUARD_BLOCK ? check_block(w, e) : check_file(w, e);
	if (!err)
		err = sight_take(e);
	if (err || !look)
		return err;
	err = full_look(w, e);
	w->looked = clock_ns();
	return err;
}

static void open_event(struct guard_watch *w, int i, const char *name)
{
	char path[PATH_MAX];
	struct statfs fs;
	int fd = -1;

	if (snprintf(path, sizeof(path), "%s/%s", w->host->proc, name) < (int)sizeof(path))
		fd = open(path, O_RDONLY | O_CLOEXEC);
	w->event[i] = (struct pollfd){.fd = fd, .events = POLLPRI};
	if (fd >= 0 && (fstatfs(fd, &fs) < 0 || fs.f_type != PROC_SUPER_MAGIC))
		w->polled = false;
}

static int start_target(struct guard_watch *w, struct error *e)
{
	struct stat st;

	if (w->target.kind == GUARD_BLOCK) {
		if (!sysfs_name(w->host, w->target.rdev, w->name))
			return error_set(e, ENODEV, "%s: is gone", w->target.spec);
		sysfs_disk(w->host, w->name, w->disk);
		sysfs_u64(w->host, &w->diskseq, "class/block/%s/diskseq", w->disk);
		return 0;
	}
	w->held = open(w->target.path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (w->held < 0 || fstat(w->held, &st) < 0)
		return error_errno(e, errno, "%s: can't be watched", w->target.spec);
	if (st.st_dev != w->target.dev || st.st_ino != w->target.ino)
		return error_set(e, ESTALE, "%s: another file has taken its place", w->target.spec);
	return 0;
}

int guard_watch_start(struct guard_watch **watch, const struct guard_report *r,
		      const struct guard_host *host, struct error *e)
{
	struct guard_watch *w = calloc(1, sizeof(*w));
	struct tables tables;
	int err;

	*watch = NULL;
	if (!w)
		return error_set(e, ENOMEM, "%s: no memory to watch it", r->spec);
	w->host = host;
	w->target = *r;
	w->held = -1;
	w->polled = true;
	open_event(w, OWN_MOUNTS, "self/mountinfo");
	open_event(w, INIT_MOUNTS, "1/mountinfo");
	open_event(w, SWAPS, "swaps");
	err = start_target(w, e);
	if (!err)
		err = tables_read(host, TABLES_PATHS, &tables, e);
	if (err) {
		guard_watch_stop(w);
		return err;
	}
	w->paths = tables.paths;
	w->path_count = tables.path_count;
	tables.paths = NULL;
	tables_free(&tables);
	*watch = w;
	return 0;
}

int guard_watch_start_lun(struct guard_watch **watch, const struct guard_report *r,
			  const struct guard_lun *lun, const struct guard_host *host,
			  struct error *e)
{
	struct guard_watch *w = calloc(1, sizeof(*w));

	*watch = w;
	if (!w)
		return error_set(e, ENOMEM, "%s: no memory to watch it", r->spec);
	w->host = host;
	w->target = *r;
	w->lun = *lun;
	w->lun.spec = w->target.spec;
	w->held = -1;
	for (int i = 0; i < EVENTS; i++)
		w->event[i].fd = -1;
	return 0;
}

void guard_watch_stop(struct guard_watch *w)
{
	if (!w)
		return;
	for (int i = 0; i < EVENTS; i++)
		if (w->event[i].fd >= 0)
			close(w->event[i].fd);
	if (w->held >= 0)
		close(w->held);
	free(w->paths);
	free(w);
}
