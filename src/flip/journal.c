/* journal.c - see journal.h. Reading it is in journal_read.c. */
#include "flip/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "flip/flip_internal.h"
#include "store.h"
#include "units.h"

#define BYTES_MAX (16 << 20)

int flips_default_path(char *out, size_t n, struct error *e)
{
	char runs[PATH_MAX];
	int rc = store_default_path(runs, sizeof(runs), e);

	if (rc)
		return rc;
	int length = snprintf(out, n, "%s/flips.jsonl", dirname(runs));
	if (length < 0 || (size_t)length >= n)
		return error_set(e, ENAMETOOLONG, "the journal's path is too long");
	return 0;
}

void journal_step(const struct journal *j, enum flip_step at)
{
	if (j->hook.step)
		j->hook.step(at, j->hook.arg);
}

/* --- The file. --- */

static int make_folders(const char *path, struct error *e)
{
	char at[PATH_MAX];

	snprintf(at, sizeof(at), "%s", path);
	for (char *p = at + 1; (p = strchr(p, '/')); p++) {
		*p = 0;
		if (mkdir(at, 0700) && errno != EEXIST)
			return error_errno(e, errno, "journal %s: folder %s", path, at);
		*p = '/';
	}
	return 0;
}

/* The file's name is as safe as its contents. */
static int sync_folder(const char *path, struct error *e)
{
	char copy[PATH_MAX];

	snprintf(copy, sizeof(copy), "%s", path);
	int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int err = fd < 0 || fsync(fd) ? errno : 0;
	if (fd >= 0)
		close(fd);
	return err ? error_errno(e, err, "journal %s: its folder", path) : 0;
}

static int owned_by_another(uid_t uid, const char *path, struct error *e)
{
	if (uid == 0)
		return error_set(e, EPERM, "journal %s: it is root's: sudo lunscope restore", path);
	if (geteuid() == 0)
		return error_set(e, EPERM,
				 "journal %s: user %u has written it, so root does not believe it: "
				 "remove it, or make it root's",
				 path, uid);
	return error_set(e, EPERM, "journal %s: it is user %u's: only they can use it", path, uid);
}

/* What stands in it is done as root: nobody else may have written it. */
static int check_file(int fd, const char *path, struct error *e)
{
	struct stat st;

	if (fstat(fd, &st))
		return error_errno(e, errno, "journal %s", path);
	if (!S_ISREG(st.st_mode))
		return error_set(e, EINVAL, "journal %s: not a regular file", path);
	if (st.st_uid != geteuid())
		return owned_by_another(st.st_uid, path, e);
	if (st.st_mode & (S_IWGRP | S_IWOTH))
		return error_set(e, EPERM,
				 "journal %s: others can write it, so it is not believed: remove "
				 "it, or make it yours alone",
				 path);
	if (st.st_size > BYTES_MAX)
		return error_set(e, EFBIG, "journal %s: too large to be one", path);
	return 0;
}

/* The device as the kernel counts it, MAJOR:MINOR of the file system: what stat() tells is another number on
 * some (btrfs has one for each subvolume), so it is asked of the mount (proc(5), mountinfo). */
static bool mount_device(int fd, unsigned *major_id, unsigned *minor_id)
{
	char path[64], line[4096];
	int mount = -1, id;
	bool found = false;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	FILE *f = fopen(path, "re");
	while (f && mount < 0 && fgets(line, sizeof(line), f))
		if (sscanf(line, "mnt_id: %d", &id) == 1)
			mount = id;
	if (f)
		fclose(f);
	f = mount >= 0 ? fopen("/proc/self/mountinfo", "re") : NULL;
	while (f && !found && fgets(line, sizeof(line), f))
		found = sscanf(line, "%d %*d %u:%u ", &id, major_id, minor_id) == 3 && id == mount;
	if (f)
		fclose(f);
	return found;
}

pid_t journal_lock_line(const char *line, unsigned major_id, unsigned minor_id, uint64_t inode)
{
	unsigned long long i;
	unsigned a, b;
	int pid;

	if (sscanf(line, "%*u: FLOCK %*s WRITE %d %x:%x:%llu", &pid, &a, &b, &i) != 4 ||
	    a != major_id || b != minor_id || i != inode)
		return 0;
	return pid > 0 ? pid : -1;
}

static pid_t lock_holder(int fd)
{
	char line[256];
	struct stat st;
	unsigned a, b;
	pid_t holder = 0;

	if (fstat(fd, &st))
		return 0;
	if (!mount_device(fd, &a, &b)) {
		a = major(st.st_dev);
		b = minor(st.st_dev);
	}
	FILE *f = fopen("/proc/locks", "re");
	while (f && holder == 0 && fgets(line, sizeof(line), f))
		holder = journal_lock_line(line, a, b, st.st_ino);
	if (f)
		fclose(f);
	return holder;
}

static int take_lock(int fd, const char *path, pid_t *holder, struct error *e)
{
	char who[32] = "";

	if (flock(fd, LOCK_EX | LOCK_NB) == 0)
		return 0;
	if (errno != EWOULDBLOCK)
		return error_errno(e, errno, "journal %s: its lock", path);
	*holder = lock_holder(fd);
	if (*holder > 0)
		snprintf(who, sizeof(who), " (pid %d)", *holder);
	else if (*holder == 0) /* the kernel knows of none here, so a server of files does */
		snprintf(who, sizeof(who), " (on another host)");
	return error_set(e, EBUSY,
			 "another lunscope%s has settings in its hands: one at a time, as neither "
			 "could tell what the other's changes did",
			 who);
}

static int read_all(struct journal *j, int fd, struct error *e)
{
	struct stat st;

	if (fstat(fd, &st))
		return error_errno(e, errno, "journal %s", j->path);
	char *text = malloc((size_t)st.st_size + 1);
	if (!text)
		return error_set(e, ENOMEM, "out of memory for the journal");
	ssize_t n = pread(fd, text, (size_t)st.st_size, 0);
	int rc = n < 0 ? error_errno(e, errno, "journal %s", j->path)
		       : journal_parse(j, text, (size_t)n);
	free(text);
	return rc == -ENOMEM ? error_set(e, ENOMEM, "out of memory for the journal") : rc;
}

static void read_line(const char *path, char *out, int n)
{
	FILE *f = fopen(path, "re");

	out[0] = 0;
	if (f && fgets(out, n, f))
		out[strcspn(out, "\n")] = 0;
	if (f)
		fclose(f);
}

/* SO_NETNS_COOKIE (Linux 5.14): a number that no other namespace of this boot gets. */
static uint64_t read_cookie(void)
{
	uint64_t cookie = 0;
#ifdef SO_NETNS_COOKIE
	socklen_t n = sizeof(cookie);
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd >= 0 && getsockopt(fd, SOL_SOCKET, SO_NETNS_COOKIE, &cookie, &n))
		cookie = 0;
	if (fd >= 0)
		close(fd);
#endif
	return cookie;
}

static void read_place(struct journal *j)
{
	struct utsname name;
	struct stat st;

	if (uname(&name) == 0)
		snprintf(j->host, sizeof(j->host), "%.63s", name.nodename);
	read_line("/proc/sys/kernel/random/boot_id", j->boot, sizeof(j->boot));
	read_line("/etc/machine-id", j->machine, sizeof(j->machine));
	if (!j->machine[0])
		snprintf(j->machine, sizeof(j->machine), "%s", j->host);
	if (stat("/proc/thread-self/ns/net", &st) == 0)
		j->netns = st.st_ino;
	j->cookie = read_cookie();
}

static int open_file(struct journal *j, bool look, bool *made, struct error *e)
{
	int flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
	int fd = open(j->path, (look ? O_RDONLY : O_RDWR) | flags);

	if (fd < 0 && errno == ENOENT && !look) {
		int rc = make_folders(j->path, e);
		if (rc)
			return rc;
		fd = open(j->path, O_RDWR | O_CREAT | flags, 0600);
		*made = true;
	}
	if (fd < 0) {
		int err = errno;
		struct stat st;
		if (err == EACCES && stat(j->path, &st) == 0 && st.st_uid != geteuid())
			return owned_by_another(st.st_uid, j->path, e);
		return error_errno(e, err, "journal %s", j->path);
	}
	int rc = check_file(fd, j->path, e);
	if (rc) {
		close(fd);
		return rc;
	}
	return fd;
}

/* Nothing is left that anybody would want to know of. */
static void empty(struct journal *j)
{
	for (size_t i = 0; i < j->count; i++)
		if (!j->entry[i].rebooted)
			return;
	if (j->bad || ftruncate(j->fd, 0))
		return;
	j->end = 0;
	j->count = 0;
	fsync(j->fd);
	journal_step(j, FLIP_EMPTIED);
}

int journal_open(struct journal *j, const char *path, bool look, pid_t *holder, struct error *e)
{
	bool made = false;

	memset(j, 0, sizeof(*j));
	j->fd = -1;
	j->next_id = 1;
	*holder = 0;
	int rc = path ? 0 : flips_default_path(j->path, sizeof(j->path), e);
	if (rc)
		return rc;
	if (path)
		snprintf(j->path, sizeof(j->path), "%s", path);
	read_place(j);
	int fd = open_file(j, look, &made, e);
	if (fd == -ENOENT && look)
		return 0;
	if (fd < 0)
		return fd;
	if (look)
		*holder = lock_holder(fd);
	else
		rc = take_lock(fd, j->path, holder, e);
	if (rc == 0 && made)
		rc = sync_folder(j->path, e);
	if (rc == 0)
		rc = read_all(j, fd, e);
	/* What is cut off must not become the beginning of the next line. */
	if (rc == 0 && !look && ftruncate(fd, j->end))
		rc = error_errno(e, errno, "journal %s", j->path);
	if (rc || look) {
		close(fd);
		if (rc)
			journal_close(j);
		return rc;
	}
	j->fd = fd;
	empty(j);
	return 0;
}

void journal_close(struct journal *j)
{
	if (j->fd >= 0)
		close(j->fd);
	j->fd = -1;
	free(j->entry);
	j->entry = NULL;
	j->count = j->room = 0;
}

/* --- Writing. --- */

/* Adds text whole, or leaves the file as it was. */
static int append(struct journal *j, const char *text, size_t n, enum flip_step written,
		  enum flip_step synced)
{
	size_t done = 0;
	int err = 0;

	while (done < n && !err) {
		ssize_t w = pwrite(j->fd, text + done, n - done, j->end + (off_t)done);
		if (w > 0)
			done += (size_t)w;
		else if (w == 0 || errno != EINTR)
			err = w == 0 ? ENOSPC : errno;
	}
	if (!err)
		journal_step(j, written);
	if (!err && fsync(j->fd))
		err = errno;
	if (err) {
		/* Should that fail too, what is there is cut off, and so no line. */
		if (ftruncate(j->fd, j->end))
			return -err;
		return -err;
	}
	j->end += (long long)n;
	journal_step(j, synced);
	return 0;
}

/* Takes over o. */
static int append_line(struct journal *j, json_t *o, enum flip_step written, enum flip_step synced)
{
	char *text = o ? json_dumps(o, JSON_COMPACT | JSON_ENSURE_ASCII) : NULL;
	size_t n = text ? strlen(text) : 0;
	int rc = -ENOMEM;

	json_decref(o);
	/* Its end takes the place of the 0 at the end of the text. */
	if (text) {
		text[n] = '\n';
		rc = append(j, text, n + 1, written, synced);
	}
	free(text);
	return rc;
}

/* NULL: there are none. */
static json_t *beside_json(const struct flip_beside list[FLIP_BESIDE])
{
	json_t *o = list[0].what[0] ? json_object() : NULL;

	for (unsigned i = 0; i < FLIP_BESIDE && list[i].what[0]; i++)
		json_object_set_new(o, list[i].what, json_string(list[i].value));
	return o;
}

int journal_make(struct journal *j, const char *words, const char *from, const char *to,
		 uint64_t *id, struct error *e)
{
	struct flip_entry *n = journal_add(j);

	if (!n)
		return error_set(e, ENOMEM, "out of memory for the journal");
	n->id = *id = j->next_id++;
	n->wall = wall_ns();
	n->pid = getpid();
	n->netns = j->netns;
	snprintf(n->words, sizeof(n->words), "%s", words);
	snprintf(n->from, sizeof(n->from), "%s", from);
	snprintf(n->to, sizeof(n->to), "%s", to);
	beside_read(words, n->before);
	journal_step(j, FLIP_BEFORE_MAKE);
	int rc = append_line(
		j,
		json_pack("{s:s, s:I, s:I, s:i, s:s, s:s, s:s, s:I, s:I, s:s, s:s, s:s, s:o*}",
			  "step", "make", "id", (json_int_t)n->id, "wall", (json_int_t)n->wall,
			  "pid", (int)n->pid, "machine", j->machine, "host", j->host, "boot",
			  j->boot, "netns", (json_int_t)j->netns, "netns_cookie",
			  (json_int_t)j->cookie, "setting", words, "from", from, "to", to, "beside",
			  beside_json(n->before)),
		FLIP_MAKE_WRITTEN, FLIP_MAKE_SYNCED);
	if (rc == 0)
		return 0;
	j->count--;
	return error_errno(e, -rc, "%s is left as it is: journal %s", words, j->path);
}

void journal_made(struct journal *j, uint64_t id, const char *to)
{
	long at = journal_find(j, id);

	if (at < 0)
		return;
	struct flip_entry *n = &j->entry[at];
	n->made = true;
	snprintf(n->to, sizeof(n->to), "%s", to);
	beside_read(n->words, n->after);
	append_line(j,
		    json_pack("{s:s, s:I, s:s, s:o*}", "step", "made", "id", (json_int_t)id, "to",
			      to, "beside", beside_json(n->after)),
		    FLIP_MADE_WRITTEN, FLIP_MADE_SYNCED);
}

void journal_take_back(struct journal *j, uint64_t id, long long before)
{
	if (!j->count || j->entry[j->count - 1].id != id)
		return;
	j->count--;
	/* Where that fails, the next reader sees by the value that nothing was changed. */
	if (ftruncate(j->fd, before) == 0)
		j->end = before;
}

/* One line for each, the newest first. */
static void append_ids(struct journal *j, const char *step, const size_t *at, size_t n,
		       enum flip_step written, enum flip_step synced)
{
	size_t room = 64 * n + 1, used = 0;
	char *text = malloc(room);

	for (size_t i = n; text && i-- > 0;)
		used += (size_t)snprintf(text + used, room - used,
					 "{\"step\":\"%s\",\"id\":%" PRIu64 "}\n", step,
					 j->entry[at[i]].id);
	if (text)
		append(j, text, used, written, synced);
	free(text);
}

void journal_undo(struct journal *j, const size_t *at, size_t n)
{
	journal_step(j, FLIP_BEFORE_UNDO);
	append_ids(j, "undo", at, n, FLIP_UNDO_WRITTEN, FLIP_UNDO_SYNCED);
}

void journal_undone(struct journal *j, const size_t *at, size_t n)
{
	append_ids(j, "undone", at, n, FLIP_UNDONE_WRITTEN, FLIP_UNDONE_SYNCED);
	for (size_t i = n; i-- > 0;) {
		memmove(&j->entry[at[i]], &j->entry[at[i] + 1],
			(j->count - at[i] - 1) * sizeof(*j->entry));
		j->count--;
	}
	empty(j);
}
