/* users.c - gate 8: which processes have the target open.
 *
 * Descriptors are compared by number, so any name or node will do to be found. Files may also be
 * mapped after their descriptor was closed, so that maps are read too. Our own process is left out:
 * it reads the target already.
 */
#include "guard/gates.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

struct users {
	struct look *look;
	unsigned closed; /* processes that may not be looked at */
};

static bool concerns(const struct look *l, const struct statx *sx, const struct member **m)
{
	struct node_id id = {0};

	*m = NULL;
	if (S_ISBLK(sx->stx_mode)) {
		id.rdev = makedev(sx->stx_rdev_major, sx->stx_rdev_minor);
		*m = topology_find(l, id.rdev);
		return *m && ((*m)->relation == REL_SELF || (*m)->relation == REL_PART ||
			      (*m)->relation == REL_DISK || (*m)->relation == REL_ALIAS);
	}
	if (!S_ISREG(sx->stx_mode))
		return false;
	id.dev = makedev(sx->stx_dev_major, sx->stx_dev_minor);
	id.ino = sx->stx_ino;
	return topology_is_file(l, &id);
}

static bool read_text(const struct look *l, const char *pid, const char *name, char *out, size_t n)
{
	char path[PATH_MAX];
	ssize_t got = -1;
	int fd = -1;

	out[0] = '\0';
	if (snprintf(path, sizeof(path), "%s/%s/%s", l->host->proc, pid, name) < (int)sizeof(path))
		fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	got = read(fd, out, n - 1);
	close(fd);
	out[got > 0 ? got : 0] = '\0';
	return got > 0;
}

/* udev looks at a device each time a writer has closed it, and only reads. */
static bool is_udev_reading(const struct look *l, const char *pid, const char *comm, const char *fd)
{
	char name[64], text[128], *flags;

	if (strcmp(comm, "(udev-worker)") != 0 && strcmp(comm, "systemd-udevd") != 0)
		return false;
	snprintf(name, sizeof(name), "fdinfo/%.32s", fd);
	if (!read_text(l, pid, name, text, sizeof(text)))
		return false;
	flags = strstr(text, "flags:");
	return flags && (strtoul(flags + 6, NULL, 8) & O_ACCMODE) == O_RDONLY;
}

static void report_user(struct look *l, const char *pid, const char *fd, const struct member *m)
{
	char comm[32], words[200] = "it";

	read_text(l, pid, "comm", comm, sizeof(comm));
	comm[strcspn(comm, "\n")] = '\0';
	if (m && m->relation != REL_SELF)
		topology_words(l, m, words, sizeof(words));
	report_add(
		l->r, GATE_USERS, fd && is_udev_reading(l, pid, comm, fd) ? GUARD_NOTE : GUARD_WARN,
		"process %s (%s) has %s %s", pid, comm, words, fd ? "open" : "mapped into memory");
}

static void look_at_descriptors(struct users *u, const char *pid)
{
	const struct member *m;
	char path[PATH_MAX];
	struct dirent *entry;
	struct statx sx;
	DIR *dir;

	if (snprintf(path, sizeof(path), "%s/%s/fd", u->look->host->proc, pid) >= (int)sizeof(path))
		return;
	dir = opendir(path);
	if (!dir) {
		if (errno == EACCES || errno == EPERM)
			u->closed++;
		return;
	}
	while ((entry = readdir(dir)))
		if (entry->d_name[0] != '.' &&
		    statx(dirfd(dir), entry->d_name, AT_STATX_DONT_SYNC, STATX_TYPE | STATX_INO,
			  &sx) == 0 &&
		    concerns(u->look, &sx, &m))
			report_user(u->look, pid, entry->d_name, m);
	closedir(dir);
}

static void look_at_maps(struct users *u, const char *pid)
{
	unsigned major_number, minor_number;
	unsigned long long inode;
	char path[PATH_MAX], *line = NULL;
	size_t room = 0;
	FILE *f;

	if (u->look->file_count == 0 || snprintf(path, sizeof(path), "%s/%s/maps",
						 u->look->host->proc, pid) >= (int)sizeof(path))
		return;
	f = fopen(path, "re");
	if (!f)
		return;
	while (getline(&line, &room, f) > 0) {
		struct node_id id = {0};

		if (sscanf(line, "%*s %*s %*s %x:%x %llu", &major_number, &minor_number, &inode) !=
		    3)
			continue;
		id.dev = makedev(major_number, minor_number);
		id.ino = inode;
		if (topology_is_file(u->look, &id)) {
			report_user(u->look, pid, NULL, NULL);
			break;
		}
	}
	free(line);
	fclose(f);
}

void gate_users(struct look *l)
{
	struct users u = {.look = l};
	char path[PATH_MAX], own[32] = "";
	struct dirent *entry;
	ssize_t n;
	DIR *dir = opendir(l->host->proc);

	if (!dir)
		return;
	if (snprintf(path, sizeof(path), "%s/self", l->host->proc) < (int)sizeof(path) &&
	    (n = readlink(path, own, sizeof(own) - 1)) > 0)
		own[n] = '\0';
	while ((entry = readdir(dir))) {
		if (!isdigit((unsigned char)entry->d_name[0]) || strcmp(entry->d_name, own) == 0)
			continue;
		look_at_descriptors(&u, entry->d_name);
		look_at_maps(&u, entry->d_name);
	}
	closedir(dir);
	if (u.closed)
		report_add(l->r, GATE_USERS, GUARD_NOTE,
			   "whether %u processes of other users have it open can't be seen",
			   u.closed);
}
