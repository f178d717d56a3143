/* outfile.c - files that lunscope writes for the operator; see outfile.h. */
#include "outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "path.h"

/* The folder that path is in, links followed; "" when it doesn't exist. */
static void real_folder(const char *path, char out[PATH_MAX])
{
	char copy[PATH_MAX];

	snprintf(copy, sizeof(copy), "%s", path);
	if (!realpath(dirname(copy), out))
		out[0] = 0;
}

/* Standard output is written through the descriptor that is open: behind the name there can be a pipe,
 * a file that others append to or one that has no name any more, and none of them is to be replaced. */
static bool is_stdout(const char *path)
{
	return strcmp(path, "/dev/stdout") == 0;
}

int outfile_check_kind(const char *path, const char *what, struct error *e)
{
	struct stat st;

	if (!path[0])
		return error_set(e, EINVAL, "%s: the file name is empty", what);
	if (strlen(path) >= PATH_MAX - 16)
		return error_set(e, ENAMETOOLONG, "%s: the file name is too long", what);
	if (stat(path, &st)) {
		if (errno != ENOENT)
			return error_errno(e, errno, "%s: %s", what, path);
		if (path_below_dev(path))
			return error_set(e, EINVAL,
					 "%s: %s does not exist, and nothing is created below "
					 "/dev: name a file elsewhere",
					 what, path);
		return 0;
	}
	if (!S_ISREG(st.st_mode))
		return error_set(e, EINVAL, "%s: %s is a %s: name a file", what, path,
				 S_ISBLK(st.st_mode)   ? "block device"
				 : S_ISDIR(st.st_mode) ? "folder"
						       : "special file");
	return 0;
}

static int open_straight(struct outfile *o, const char *path, struct error *e)
{
	snprintf(o->path, sizeof(o->path), "%s", path);
	o->f = fopen(path, "we");
	return o->f ? 0 : error_errno(e, errno, "%s", path);
}

static int open_stdout(struct outfile *o, struct error *e)
{
	snprintf(o->path, sizeof(o->path), "standard output");
	fflush(stdout);
	int fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
	if (fd >= 0 && (o->f = fdopen(fd, "w")))
		return 0;
	int err = errno;
	if (fd >= 0)
		close(fd);
	return error_errno(e, err, "standard output");
}

/* Makes a new file next to o->path; its descriptor or -errno. */
static int open_beside(struct outfile *o)
{
	for (unsigned i = 0; i < 100; i++) {
		if (snprintf(o->temp, sizeof(o->temp), "%s.%ld-%u", o->path, (long)getpid(), i) >=
		    PATH_MAX)
			return -ENAMETOOLONG;
		int fd = open(o->temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (fd >= 0)
			return fd;
		if (errno != EEXIST)
			return -errno;
	}
	return -EEXIST;
}

/* A link keeps pointing where it did: what it points to is replaced. A name below /proc can stand for
 * a file that has none any more: nothing can take its place. */
static int resolve(struct outfile *o, const char *path, const char *what, struct error *e)
{
	struct stat st;

	if (realpath(path, o->path))
		return 0;
	if (lstat(path, &st) == 0)
		return error_set(e, EINVAL, "%s: %s leads to nothing that has a name: name a file",
				 what, path);
	snprintf(o->path, sizeof(o->path), "%s", path);
	return 0;
}

int outfile_check(const char *path, const char *what, struct error *e)
{
	struct outfile o = {0};

	if (is_stdout(path))
		return 0;
	int rc = outfile_check_kind(path, what, e);
	if (rc == 0)
		rc = resolve(&o, path, what, e);
	if (rc)
		return rc;
	/* Only trying tells: a folder may be missing, read-only, full of somebody else's rights. */
	int fd = open_beside(&o);
	if (fd < 0)
		return error_errno(e, -fd, "%s: %s cannot be written", what, path);
	close(fd);
	unlink(o.temp);
	return 0;
}

int outfile_open(struct outfile *o, const char *path, struct error *e)
{
	struct stat st;

	memset(o, 0, sizeof(*o));
	if (is_stdout(path))
		return open_stdout(o, e);
	bool there = !stat(path, &st);
	if (there && (S_ISCHR(st.st_mode) || S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode)))
		return open_straight(o, path, e);
	int err = outfile_check_kind(path, "output", e);
	if (err == 0)
		err = resolve(o, path, "output", e);
	if (err)
		return err;
	int fd = open_beside(o);
	if (fd < 0)
		return error_errno(e, -fd, "%s: cannot be written", path);
	/* A new file has what the umask leaves; an old one keeps its mode. */
	if ((there && fchmod(fd, st.st_mode & 07777)) || !(o->f = fdopen(fd, "w"))) {
		err = errno;
		close(fd);
		unlink(o->temp);
		return error_errno(e, err, "%s: cannot be written", path);
	}
	return 0;
}

static void sync_folder(const char *path)
{
	char folder[PATH_MAX];

	real_folder(path, folder);
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return;
	fsync(fd);
	close(fd);
}

int outfile_commit(struct outfile *o, struct error *e)
{
	bool bad = fflush(o->f) || ferror(o->f);

	if (!bad && o->temp[0])
		bad = fsync(fileno(o->f));
	int err = errno;
	if (fclose(o->f) && !bad) {
		bad = true;
		err = errno;
	}
	o->f = NULL;
	if (!bad && o->temp[0] && rename(o->temp, o->path)) {
		bad = true;
		err = errno;
	}
	if (bad) {
		if (o->temp[0])
			unlink(o->temp);
		return error_errno(e, err ? err : EIO, "%s: cannot be written", o->path);
	}
	if (o->temp[0])
		sync_folder(o->path);
	return 0;
}
