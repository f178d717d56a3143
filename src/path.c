/* path.c - see path.h. */
#include "path.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool under(const char *path, const char *top)
{
	size_t n = strlen(top);

	return !strncmp(path, top, n) && (!path[n] || path[n] == '/');
}

bool path_on_dev(const char *path, dev_t dev)
{
	struct stat nodes, root;

	/* Where /dev is a mere folder of the root file system, only the path tells. */
	if (!stat("/dev", &nodes) && !stat("/", &root) && nodes.st_dev != root.st_dev &&
	    nodes.st_dev == dev)
		return true;
	return under(path, "/dev") && !under(path, "/dev/shm");
}

/* Cuts the last part off; false when there is none left to cut. */
static bool cut(char *path)
{
	size_t n = strlen(path);

	while (n > 1 && path[n - 1] == '/')
		path[--n] = 0;
	char *slash = strrchr(path, '/');
	if (!strcmp(path, "/") || !strcmp(path, "."))
		return false;
	if (!slash)
		strcpy(path, ".");
	else
		*(slash == path ? slash + 1 : slash) = 0;
	return true;
}

bool path_below_dev(const char *path)
{
	char at[PATH_MAX], real[PATH_MAX];
	struct stat st;

	if (!path[0] || strlen(path) >= sizeof(at))
		return false;
	strcpy(at, path);
	while (cut(at))
		if (realpath(at, real) && !stat(real, &st))
			return path_on_dev(real, st.st_dev);
	return false;
}
