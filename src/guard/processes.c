/* processes.c - the processes that can hold files or mounts, one after another.
 *
 * A kernel thread has no files and sees the mounts of the host; a zombie has neither any more. But
 * a process may be called dead after its first thread while others of it live on, and those still
 * hold everything.
 */
#include "guard/gates.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PF_KTHREAD      0x00200000  /* include/linux/sched.h */
#define FIRST_NAMESPACE 0xEFFFFFFCu /* PROC_PID_INIT_INO, include/linux/proc_ns.h */

enum life { ALIVE, DEAD, FIRST_THREAD_DEAD };

/* The fields after the name, which may hold blanks and brackets itself: proc(5), stat. */
static enum life life_of(const struct guard_host *h, const char *pid)
{
	char path[PATH_MAX], text[1024], state, *rest;
	long threads = 1;
	unsigned flags;
	ssize_t n;
	int fd;

	if (snprintf(path, sizeof(path), "%s/%s/stat", h->proc, pid) >= (int)sizeof(path))
		return ALIVE;
	fd = sight_open(h, path, O_RDONLY);
	if (fd < 0)
		return ALIVE;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (n <= 0)
		return ALIVE;
	text[n] = '\0';
	rest = strrchr(text, ')');
	if (!rest ||
	    sscanf(rest + 1,
		   " %c %*d %*d %*d %*d %*d %u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %ld", &state,
		   &flags, &threads) != 3)
		return ALIVE;
	if (flags & PF_KTHREAD)
		return DEAD;
	if (state != 'Z' && state != 'X')
		return ALIVE;
	return threads > 1 ? FIRST_THREAD_DEAD : DEAD;
}

static int each_thread(const struct guard_host *h, const char *pid,
		       int (*each)(const char *process, void *arg), void *arg)
{
	char path[PATH_MAX], process[64];
	struct dirent *entry;
	int result = 0;

	DIR *dir;

	if (snprintf(path, sizeof(path), "%s/%s/task", h->proc, pid) >= (int)sizeof(path))
		return 0;
	result = sight_folder(h, path, &dir);
	if (result) {
		if (result != -ENOENT && result != -ESRCH)
			sight_lost(path, -result);
		return 0;
	}
	while (result == 0 && (entry = sight_next(dir, path))) {
		snprintf(process, sizeof(process), "%.20s/task/%.20s", pid, entry->d_name);
		if (strcmp(entry->d_name, pid) != 0)
			result = each(process, arg);
	}
	closedir(dir);
	return result;
}

int processes_each(const struct guard_host *h, int (*each)(const char *process, void *arg),
		   void *arg)
{
	struct dirent *entry;
	enum life life;
	int result = 0;

	DIR *dir;
	int err = sight_folder(h, h->proc, &dir);

	if (err) {
		sight_lost(h->proc, -err);
		return 0;
	}
	while (result == 0 && (entry = sight_next(dir, h->proc))) {
		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		life = life_of(h, entry->d_name);
		if (life == ALIVE)
			result = each(entry->d_name, arg);
		else if (life == FIRST_THREAD_DEAD)
			result = each_thread(h, entry->d_name, each, arg);
	}
	closedir(dir);
	return result;
}

bool processes_gone(int err)
{
	return err == -ENOENT || err == -ESRCH;
}

char *processes_name(const struct guard_host *h, const char *process, char *out, size_t n)
{
	char path[PATH_MAX], comm[32] = "";
	ssize_t got;
	int fd = -1;

	if (snprintf(path, sizeof(path), "%s/%s/comm", h->proc, process) < (int)sizeof(path))
		fd = sight_open(h, path, O_RDONLY);
	if (fd >= 0) {
		got = read(fd, comm, sizeof(comm) - 1);
		close(fd);
		comm[got > 0 ? got : 0] = '\0';
		comm[strcspn(comm, "\n")] = '\0';
	}
	snprintf(out, n, "process %.*s (%s)", (int)strcspn(process, "/"), process,
		 comm[0] ? comm : "?");
	return out;
}

bool processes_all(const struct guard_host *h)
{
	struct stat st;

	return !sight_real(h) || (stat("/proc/self/ns/pid", &st) == 0 &&
				  st.st_ino == FIRST_NAMESPACE && access("/proc/1", F_OK) == 0);
}
