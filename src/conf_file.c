/* conf_file.c - a file of the user's settings is replaced as a whole, so that a crash leaves the old one or the
 * new one.
 */
#include "conf.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A temporary file is the name of the one to be, a dot, these many random characters, and the end. */
#define TEMP_RANDOM 6
#define TEMP_END    "new"
#define TEMP_OLD_S  60

/* Whose the file is, or that folder which it would be made in. */
static int owner_of(const char *path, struct stat *st)
{
	char at[PATH_MAX];

	snprintf(at, sizeof(at), "%s", path);
	while (stat(at, st)) {
		char *slash = strrchr(at, '/');
		if (errno != ENOENT || !slash)
			return -errno;
		slash[slash == at] = '\0';
	}
	return 0;
}

static int make_folders(const char *path, const struct stat *owner, struct error *e)
{
	char at[PATH_MAX];

	snprintf(at, sizeof(at), "%s", path);
	for (char *p = at + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		if (mkdir(at, 0700) == 0) {
			if (owner->st_uid != geteuid() && lchown(at, owner->st_uid, owner->st_gid))
				return error_errno(e, errno, "%s", at);
		} else if (errno != EEXIST) {
			return error_errno(e, errno, "%s", at);
		}
		*p = '/';
	}
	return 0;
}

/* Where links lead to, so that they survive. */
static int resolve(const char *path, char real[PATH_MAX], struct error *e)
{
	struct stat st;

	if (realpath(path, real))
		return 0;
	if (errno != ENOENT)
		return error_errno(e, errno, "%s", path);
	if (lstat(path, &st) == 0)
		return error_set(e, ENOENT,
				 "%s: a link that leads nowhere: make its end, or "
				 "remove it",
				 path);
	snprintf(real, PATH_MAX, "%s", path);
	return 0;
}

static int fill(int fd, const char *path, const struct stat *owner, conf_put *put, const void *what)
{
	FILE *old = fopen(path, "re"), *out = fdopen(fd, "w");
	int rc = 0;

	if (!out || (!old && errno != ENOENT)) {
		rc = -errno;
		close(fd);
		if (old)
			fclose(old);
		return rc;
	}
	rc = put(out, old, what);
	if (rc == 0 && old && ferror(old))
		rc = -EIO;
	if (old)
		fclose(old);
	if (rc == 0 && (fflush(out) || ferror(out)))
		rc = errno ? -errno : -EIO;
	if (rc == 0 && owner->st_uid != geteuid() && fchown(fd, owner->st_uid, owner->st_gid))
		rc = -errno;
	if (rc == 0 && (fchmod(fd, 0600) || fsync(fd)))
		rc = -errno;
	if (fclose(out) && rc == 0)
		rc = -errno;
	return rc;
}

/* The name is on the disk only when its folder is. */
static void sync_folder(const char *path)
{
	char copy[PATH_MAX];

	snprintf(copy, sizeof(copy), "%s", path);
	int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0) {
		fsync(fd);
		close(fd);
	}
}

/* NAME.XXXXXXnew, as replace() makes them. */
static bool is_temporary(const char *entry, const char *name)
{
	size_t n = strlen(name);

	if (strncmp(entry, name, n) != 0 || entry[n++] != '.')
		return false;
	for (int i = 0; i < TEMP_RANDOM; i++, n++)
		if (!isalnum((unsigned char)entry[n]))
			return false;
	return strcmp(entry + n, TEMP_END) == 0;
}

/* What somebody who was killed while saving has left behind. Never what another is writing now: that is
 * young. */
static void sweep(const char *path)
{
	char folder[PATH_MAX], name[PATH_MAX];
	const struct dirent *entry;
	struct stat st;

	snprintf(folder, sizeof(folder), "%s", path);
	snprintf(name, sizeof(name), "%s", path);
	const char *base = basename(name);
	DIR *dir = opendir(dirname(folder));
	if (!dir)
		return;
	while ((entry = readdir(dir)))
		if (is_temporary(entry->d_name, base) &&
		    fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		    S_ISREG(st.st_mode) && st.st_nlink == 1 &&
		    st.st_mtime < time(NULL) - TEMP_OLD_S)
			unlinkat(dirfd(dir), entry->d_name, 0);
	closedir(dir);
}

static int replace(const char *path, const struct stat *owner, conf_put *put, const void *what,
		   struct error *e)
{
	char temp[PATH_MAX + 16];

	sweep(path);
	snprintf(temp, sizeof(temp), "%s.XXXXXXnew", path);
	int fd = mkostemps(temp, (int)strlen(TEMP_END), O_CLOEXEC);
	if (fd < 0)
		return error_errno(e, errno, "%s", temp);
	int rc = fill(fd, path, owner, put, what);
	if (rc == 0 && rename(temp, path))
		rc = -errno;
	if (rc) {
		unlink(temp);
		return error_errno(e, -rc, "%s: not saved", path);
	}
	sync_folder(path);
	return 0;
}

int conf_replace(const char *path, conf_put *put, const void *what, bool others, struct error *e)
{
	char real[PATH_MAX];
	struct stat owner;

	if (strlen(path) >= PATH_MAX)
		return error_set(e, EINVAL, "%.200s: too long", path);
	int rc = resolve(path, real, e);
	if (rc)
		return rc;
	rc = owner_of(real, &owner);
	if (rc)
		return error_errno(e, -rc, "%s", real);
	if (owner.st_uid != geteuid() && !others)
		return error_set(e, EPERM, "%s would be user %u's, and this is user %u", real,
				 (unsigned)owner.st_uid, (unsigned)geteuid());
	rc = make_folders(real, &owner, e);
	return rc ? rc : replace(real, &owner, put, what, e);
}
