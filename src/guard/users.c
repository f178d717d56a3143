/* users.c - gate 8: which processes have the target open or mapped.
 *
 * Who has it open for writing, or mapped, uses it: it is not written. A reader is worth a warning.
 * Descriptors are compared by number, so any name or node will do to be found, and so are maps,
 * which stay after their descriptor was closed. Our own process is left out: it reads the target
 * already. What may not be looked at counts as in use, unless the kernel answers for a file that
 * nobody has it open for writing.
 */
#include "guard/gates.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* Files that are mapped, by the numbers in maps, and known to be none of ours: most processes map
 * the same libraries. One that falls out is looked at again. */
#define MAPPED_KNOWN 1024

struct mapped {
	dev_t dev;
	ino_t ino;
};

struct users {
	struct look *look;
	char own[32];
	unsigned closed;      /* processes that may not be looked at, but for init, ... */
	char closed_name[64]; /* ... and the first of them */
	bool init_closed;
	struct mapped known[MAPPED_KNOWN];
};

static bool concerns(const struct look *l, const struct statx *sx, const struct member **m)
{
	struct node_id id = {0};

	*m = NULL;
	if (S_ISBLK(sx->stx_mode)) {
		id.rdev = makedev(sx->stx_rdev_major, sx->stx_rdev_minor);
		*m = topology_find(l, id.rdev);
		return *m && ((*m)->relation == REL_SELF || (*m)->relation == REL_PART ||
			      (*m)->relation == REL_DISK || (*m)->relation == REL_ALIAS ||
			      (*m)->relation == REL_PATH);
	}
	if (!S_ISREG(sx->stx_mode))
		return false;
	id.dev = makedev(sx->stx_dev_major, sx->stx_dev_minor);
	id.ino = sx->stx_ino;
	return topology_is_file(l, &id);
}

/* How a descriptor was opened: O_RDONLY, O_WRONLY, O_RDWR, with O_PATH; or -errno. */
static int mode_of(const struct look *l, const char *process, const char *fd)
{
	char path[PATH_MAX], *text, *flags;
	int mode = -EIO, err;
	size_t length;

	if (snprintf(path, sizeof(path), "%s/%s/fdinfo/%s", l->host->proc, process, fd) >=
	    (int)sizeof(path))
		return -ENAMETOOLONG;
	err = sight_text(l->host, path, &text, &length);
	if (err)
		return err;
	flags = strstr(text, "flags:");
	if (flags)
		mode = (int)(strtoul(flags + 6, NULL, 8) & (O_ACCMODE | O_PATH));
	free(text);
	return mode;
}

/* udev looks at a device each time a writer has closed it. */
static bool is_udev(const char *name)
{
	return strstr(name, "((udev-worker))") || strstr(name, "(systemd-udevd)");
}

static void report_user(struct look *l, const char *process, const struct member *m,
			enum guard_level level, const char *how)
{
	char name[64], words[200] = "it";

	processes_name(l->host, process, name, sizeof(name));
	if (m && m->relation != REL_SELF)
		topology_words(l, m, words, sizeof(words));
	if (level == GUARD_WARN && is_udev(name))
		level = GUARD_NOTE;
	report_add(l->r, GATE_USERS, level, "%s has %s %s", name, words, how);
}

static void report_descriptor(struct look *l, const char *process, const char *fd,
			      const struct member *m)
{
	int mode = mode_of(l, process, fd);

	if (mode == O_RDONLY)
		report_user(l, process, m, GUARD_WARN, "open for reading");
	else if (mode >= 0 && mode & O_PATH)
		report_user(l, process, m, GUARD_NOTE, "in hand (O_PATH), but not open");
	else if (mode >= 0)
		report_user(l, process, m, GUARD_REFUSE, "open for writing");
	else if (!processes_gone(mode))
		report_user(l, process, m, GUARD_REFUSE, "open, whether for writing can't be seen");
}

static bool denied(int err)
{
	return err == -EACCES || err == -EPERM;
}

static void add_closed(struct users *u, const char *process)
{
	if (strcmp(process, "1") == 0)
		u->init_closed = true;
	else if (u->closed++ == 0)
		processes_name(u->look->host, process, u->closed_name, sizeof(u->closed_name));
}

/* Errors of a file or server that is out of order, which the target is not: it was just read. */
static bool foreign(int err)
{
	return err == ESTALE || err == EIO || err == ENOTCONN || err == ETIMEDOUT ||
	       err == EHOSTDOWN;
}

/* False when the process may not be looked at. */
static bool look_at_descriptor(struct users *u, DIR *dir, const char *path, const char *process,
			       const char *fd)
{
	const struct member *m;
	struct statx sx;

	if (statx(dirfd(dir), fd, AT_STATX_DONT_SYNC, STATX_TYPE | STATX_INO, &sx) == 0) {
		if (concerns(u->look, &sx, &m))
			report_descriptor(u->look, process, fd, m);
		return true;
	}
	/* Where the link can be read the process may be looked at: it is the file's own file system that
	 * says no (another user's FUSE mount), and what we could open does not lie on that one. */
	int err = errno;
	char link[8];
	if (denied(-err))
		return readlinkat(dirfd(dir), fd, link, sizeof(link)) >= 0;
	if (!processes_gone(-err) && !foreign(err))
		sight_lost(path, err);
	return true;
}

static bool look_at_descriptors(struct users *u, const char *process)
{
	char path[PATH_MAX];
	struct dirent *entry;
	bool open = true;

	DIR *dir;
	int err;

	if (snprintf(path, sizeof(path), "%s/%s/fd", u->look->host->proc, process) >=
	    (int)sizeof(path))
		return false;
	err = sight_folder(u->look->host, path, &dir);
	if (err) {
		if (!denied(err) && !processes_gone(err))
			sight_lost(path, -err);
		return !denied(err);
	}
	while (open && (entry = sight_next(dir, path)))
		open = look_at_descriptor(u, dir, path, process, entry->d_name);
	closedir(dir);
	return open;
}

/* A line of maps. */
struct range {
	unsigned long long start, end;
	struct node_id id; /* as maps says: btrfs and overlay have other numbers in stat(2) */
	const char *path;
};

static bool parse_range(const char *line, struct range *r)
{
	unsigned major_number, minor_number;
	unsigned long long inode;
	int path = 0;

	if (sscanf(line, "%llx-%llx %*s %*s %x:%x %llu %n", &r->start, &r->end, &major_number,
		   &minor_number, &inode, &path) != 5 ||
	    inode == 0)
		return false;
	r->id.rdev = 0;
	r->id.dev = makedev(major_number, minor_number);
	r->id.ino = inode;
	r->path = line + path;
	return true;
}

/* By the numbers in maps alone, where the file itself can't be had. */
static bool concerns_by_number(const struct look *l, const struct range *r, const struct member **m)
{
	struct node_id id;

	*m = NULL;
	for (size_t i = 0; i < l->file_count; i++)
		if (l->files[i].ino == r->id.ino &&
		    (l->files[i].dev == r->id.dev ||
		     (major(l->files[i].dev) == 0 && major(r->id.dev) == 0)))
			return true;
	if (strncmp(r->path, "/dev/", 5) != 0)
		return false;
	id = node_of_path(l->host, "", r->path);
	*m = topology_find(l, id.rdev);
	return *m && (*m)->relation != REL_SIBLING && (*m)->relation != REL_LOWER;
}

static bool concerns_range(struct users *u, const char *process, const struct range *r,
			   const struct member **m)
{
	char path[PATH_MAX];
	struct statx sx;

	if (snprintf(path, sizeof(path), "%s/%s/map_files/%llx-%llx", u->look->host->proc, process,
		     r->start, r->end) < (int)sizeof(path) &&
	    statx(AT_FDCWD, path, AT_STATX_DONT_SYNC, STATX_TYPE | STATX_INO, &sx) == 0)
		return concerns(u->look, &sx, m);
	return concerns_by_number(u->look, r, m);
}

static void look_at_range(struct users *u, const char *process, const char *line)
{
	const struct member *m;
	struct mapped *known;
	struct range r;

	if (!parse_range(line, &r))
		return;
	known = &u->known[(r.id.dev * 31 + r.id.ino) % MAPPED_KNOWN];
	if (known->dev == r.id.dev && known->ino == r.id.ino)
		return;
	if (concerns_range(u, process, &r, &m))
		report_user(u->look, process, m, GUARD_REFUSE, "mapped into memory");
	else
		*known = (struct mapped){.dev = r.id.dev, .ino = r.id.ino};
}

static bool look_at_maps(struct users *u, const char *process)
{
	char path[PATH_MAX], *text, *next;
	size_t length;
	int err;

	if (snprintf(path, sizeof(path), "%s/%s/maps", u->look->host->proc, process) >=
	    (int)sizeof(path))
		return false;
	err = sight_text(u->look->host, path, &text, &length);
	if (err) {
		if (!denied(err) && !processes_gone(err))
			sight_lost(path, -err);
		return !denied(err);
	}
	for (char *line = text; *line; line = next) {
		next = line + strcspn(line, "\n");
		if (*next)
			*next++ = '\0';
		look_at_range(u, process, line);
	}
	free(text);
	return true;
}

static int look_at_process(const char *process, void *arg)
{
	struct users *u = arg;
	bool seen;

	if (strcmp(process, u->own) == 0)
		return 0;
	seen = look_at_descriptors(u, process);
	if (!look_at_maps(u, process) || !seen)
		add_closed(u, process);
	return 0;
}

/* Readers may be among those who can't be seen; writers too, unless the kernel knows of none. */
static void report_closed(const struct users *u)
{
	struct guard_report *r = u->look->r;
	enum guard_level level = u->look->writers == WRITERS_NONE ? GUARD_WARN : GUARD_REFUSE;
	char name[64];

	/* The warning has no names in it, so that it stays the same when one of them ends. */
	if (u->closed) {
		report_add(r, GATE_USERS, level,
			   "can't see whether a process that may not be looked at has it open%s",
			   geteuid() ? ": be root to see" : "");
		report_add(r, GATE_USERS, GUARD_NOTE,
			   "%u process%s may not be looked at, the first is %s", u->closed,
			   u->closed == 1 ? "" : "es", u->closed_name);
	}
	if (!processes_all(u->look->host))
		report_add(r, GATE_USERS, level,
			   "can't see whether a process outside of this container, or hidden in "
			   "/proc, has it open");
	/* The one that starts all others; it isn't known to write to disks by itself. */
	else if (u->init_closed)
		report_add(r, GATE_USERS, GUARD_NOTE, "can't see whether %s has it open",
			   processes_name(u->look->host, "1", name, sizeof(name)));
}

void gate_users(struct look *l)
{
	struct users *u = calloc(1, sizeof(*u));
	char path[PATH_MAX];
	ssize_t n;

	if (!u) {
		sight_lost("what processes have open", ENOMEM);
		return;
	}
	u->look = l;
	if (snprintf(path, sizeof(path), "%s/self", l->host->proc) < (int)sizeof(path) &&
	    (n = readlink(path, u->own, sizeof(u->own) - 1)) > 0)
		u->own[n] = '\0';
	processes_each(l->host, look_at_process, u);
	/* The kernel, or a process that can't be seen. */
	if (l->writers == WRITERS_SOME && guard_worst(l->r) < GUARD_REFUSE)
		report_add(l->r, GATE_USERS, GUARD_REFUSE,
			   "somebody who can't be seen has it open for writing: the kernel, or a "
			   "process in another container");
	report_closed(u);
	free(u);
}
