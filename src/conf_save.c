/* conf_save.c - the config file is changed line by line, so that comments and what another version
 * understands survive, and replaced as a whole, so that a crash leaves the old one or the new one.
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

#define EDITS_MOST 128

/* A temporary file is the config's name, a dot, these many random characters, and the end. */
#define TEMP_RANDOM 6
#define TEMP_END    "new"
#define TEMP_OLD_S  60

/* --- The text --- */

static const char *skip_blank(const char *p)
{
	return p + strspn(p, " \t");
}

/* "[name]": into out; false when the line is no head of a section. */
static bool section_of(const char *line, char *out, size_t n)
{
	line = skip_blank(line);
	const char *end = *line == '[' ? strchr(line, ']') : NULL;

	if (!end)
		return false;
	snprintf(out, n, "%.*s", (int)(end - line - 1), line + 1);
	return true;
}

static bool is_entry(const char *line, const char *name)
{
	size_t n = strlen(name);

	line = skip_blank(line);
	if (strncmp(line, name, n) != 0)
		return false;
	line = skip_blank(line + n);
	return *line == '=' || *line == ':';
}

/* What inih takes for a comment behind a value: a ; with a blank in front. */
static const char *comment_of(const char *line)
{
	for (const char *p = line; (p = strchr(p, ';')); p++)
		if (p > line && (p[-1] == ' ' || p[-1] == '\t'))
			return p;
	return NULL;
}

static void put_entry(FILE *out, const struct conf_edit *edit, const char *old)
{
	const char *comment = old ? comment_of(old) : NULL;

	if (!edit->gone)
		fprintf(out, "%s = %s%s%s\n", edit->name, edit->value, comment ? " " : "",
			comment ? comment : "");
}

/* A section may stand there twice: what comes later is no reason to add it. */
static void find_entries(FILE *old, const struct conf_edit *edit, size_t n, bool *there)
{
	char section[64] = "", *line = NULL;
	size_t room = 0;

	while (getline(&line, &room, old) >= 0) {
		if (section_of(line, section, sizeof(section)))
			continue;
		for (size_t i = 0; i < n; i++)
			there[i] |= strcmp(edit[i].section, section) == 0 &&
				    is_entry(line, edit[i].name);
	}
	free(line);
	rewind(old);
}

/* Those of a section that the file doesn't have. */
static void put_rest(FILE *out, const char *section, const struct conf_edit *edit, size_t n,
		     bool *done)
{
	for (size_t i = 0; i < n; i++) {
		if (done[i] || edit[i].gone || strcmp(edit[i].section, section) != 0)
			continue;
		put_entry(out, &edit[i], NULL);
		done[i] = true;
	}
}

static void put_line(FILE *out, const char *section, char *line, const struct conf_edit *edit,
		     size_t n)
{
	line[strcspn(line, "\r\n")] = '\0';
	for (size_t i = 0; i < n; i++) {
		if (strcmp(edit[i].section, section) != 0 || !is_entry(line, edit[i].name))
			continue;
		put_entry(out, &edit[i], line);
		return;
	}
	fprintf(out, "%s\n", line);
}

static void put_sections(FILE *out, const struct conf_edit *edit, size_t n, bool *done)
{
	for (size_t i = 0; i < n; i++) {
		if (done[i] || edit[i].gone)
			continue;
		fprintf(out, "%s[%s]\n", ftell(out) > 0 ? "\n" : "", edit[i].section);
		put_rest(out, edit[i].section, edit, n, done);
	}
}

/* Blank lines and comments, which belong to what comes behind them. */
struct held {
	char *text;
	size_t length;
	FILE *file;
};

static void put_held(FILE *out, struct held *h)
{
	fflush(h->file);
	fwrite(h->text, 1, h->length, out);
	rewind(h->file);
}

static bool is_remark(const char *line)
{
	line += strspn(line, " \t\r\n");
	return !*line || *line == '#' || *line == ';';
}

/* What a section didn't have goes to its end: in front of the words above the next one. */
static int put_text(FILE *out, FILE *old, const struct conf_edit *edit, size_t n)
{
	struct held held = {0};
	bool done[EDITS_MOST] = {false};
	char section[64] = "", *line = NULL;
	size_t room = 0;

	held.file = open_memstream(&held.text, &held.length);
	if (!held.file)
		return -ENOMEM;
	if (old)
		find_entries(old, edit, n, done);
	while (old && getline(&line, &room, old) >= 0) {
		char next[64];
		if (is_remark(line)) {
			line[strcspn(line, "\r\n")] = '\0';
			fprintf(held.file, "%s\n", line);
			continue;
		}
		bool head = section_of(line, next, sizeof(next));
		if (head)
			put_rest(out, section, edit, n, done);
		put_held(out, &held);
		if (head)
			strcpy(section, next);
		put_line(out, section, line, edit, n);
	}
	put_rest(out, section, edit, n, done);
	put_held(out, &held);
	put_sections(out, edit, n, done);
	fclose(held.file);
	free(held.text);
	free(line);
	return 0;
}

/* --- The file --- */

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

static int fill(int fd, const char *path, const struct stat *owner, const struct conf_edit *edit,
		size_t n)
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
	rc = put_text(out, old, edit, n);
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

static int replace(const char *path, const struct stat *owner, const struct conf_edit *edit,
		   size_t n, struct error *e)
{
	char temp[PATH_MAX + 16];

	sweep(path);
	snprintf(temp, sizeof(temp), "%s.XXXXXX" TEMP_END, path);
	int fd = mkostemps(temp, (int)strlen(TEMP_END), O_CLOEXEC);
	if (fd < 0)
		return error_errno(e, errno, "%s", temp);
	int rc = fill(fd, path, owner, edit, n);
	if (rc == 0 && rename(temp, path))
		rc = -errno;
	if (rc) {
		unlink(temp);
		return error_errno(e, -rc, "%s: not saved", path);
	}
	sync_folder(path);
	return 0;
}

int conf_save(const char *path, const struct conf_edit *edit, size_t n, bool others,
	      struct error *e)
{
	char real[PATH_MAX];
	struct stat owner;

	if (n > EDITS_MOST || strlen(path) >= PATH_MAX)
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
	return rc ? rc : replace(real, &owner, edit, n, e);
}
