/* netns.c - see netns.h. The kernel keeps no list: names are files that a namespace is mounted on
 * (ip-netns(8)), and each process has a link to its own (namespaces(7)). One that only an open file or a socket
 * keeps alive is not found.
 */
#include "flip/netns.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define NAMES "/run/netns"

struct search {
	dev_t dev; /* of all namespaces */
	uint64_t inode;
	bool hidden;
};

static bool is_it(struct search *s, const char *path)
{
	struct stat st;

	if (stat(path, &st)) {
		s->hidden |= errno == EACCES || errno == EPERM;
		return false;
	}
	return st.st_dev == s->dev && st.st_ino == s->inode;
}

static bool find_name(struct search *s, char name[NAME_MAX + 1])
{
	char path[sizeof(NAMES) + NAME_MAX + 2];
	const struct dirent *at;
	bool found = false;
	DIR *d = opendir(NAMES);

	while (d && !found && (at = readdir(d))) {
		snprintf(path, sizeof(path), NAMES "/%s", at->d_name);
		found = at->d_name[0] != '.' && is_it(s, path);
		if (found)
			snprintf(name, NAME_MAX + 1, "%s", at->d_name);
	}
	if (d)
		closedir(d);
	return found;
}

static bool find_process(struct search *s, pid_t *pid)
{
	char path[64];
	const struct dirent *at;
	bool found = false;
	DIR *d = opendir("/proc");

	s->hidden |= !d;
	while (d && !found && (at = readdir(d))) {
		if (!isdigit((unsigned char)at->d_name[0]))
			continue;
		*pid = (pid_t)atoi(at->d_name);
		snprintf(path, sizeof(path), "/proc/%d/ns/net", *pid);
		found = is_it(s, path);
	}
	if (d)
		closedir(d);
	return found;
}

struct netns_found netns_find(uint64_t inode)
{
	struct netns_found found = {.where = NETNS_HIDDEN};
	struct search s = {.inode = inode};
	struct stat own;

	if (!inode || stat("/proc/self/ns/net", &own))
		return found;
	s.dev = own.st_dev;
	if (find_name(&s, found.name))
		found.where = NETNS_NAMED;
	else if (find_process(&s, &found.pid))
		found.where = NETNS_PROCESS;
	else if (!s.hidden)
		found.where = NETNS_NOWHERE;
	return found;
}
