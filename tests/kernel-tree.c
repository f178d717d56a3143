/* kernel-tree.c - see kernel-tree.h. */
#include "tests/kernel-tree.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/scratch.h"

static void give_up(const char *what)
{
	printf("Bail out! %s: %s\n", what, strerror(errno));
	exit(1);
}

const char *tree_path(const char *path)
{
	static char out[PATH_MAX];

	snprintf(out, sizeof(out), "%s/sys%s", scratch_dir(), path);
	return out;
}

const struct guard_host *tree_host(void)
{
	static char sys[PATH_MAX], proc[PATH_MAX], dev[PATH_MAX];
	static const struct guard_host host = {.proc = proc, .sys = sys, .dev = dev};

	/* Once: threads that look may have it still. */
	if (sys[0])
		return &host;
	snprintf(sys, sizeof(sys), "%s/sys", scratch_dir());
	snprintf(proc, sizeof(proc), "%s/proc", scratch_dir());
	snprintf(dev, sizeof(dev), "%s/dev", scratch_dir());
	return &host;
}

static void make_folders(char *path)
{
	for (char *c = path + 1; (c = strchr(c, '/')); c++) {
		*c = '\0';
		if (mkdir(path, 0755) && errno != EEXIST)
			give_up(path);
		*c = '/';
	}
}

static void put(const char *folder, const char *name, const char *contents, const char *link)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s%s%s", tree_path(folder), *name ? "/" : "", name);
	make_folders(path);
	if (link) {
		unlink(path);
		if (symlink(link, path))
			give_up(path);
		return;
	}
	FILE *f = fopen(path, "w");
	if (!f)
		give_up(path);
	if (contents)
		fprintf(f, "%s\n", contents);
	if (fclose(f))
		give_up(path);
}

void tree_file(const char *path, const char *contents)
{
	put(path, "", contents, NULL);
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	(void)st;
	(void)kind;
	(void)at;
	return remove(path);
}

void tree_remove(const char *path)
{
	if (nftw(tree_path(path), remove_one, 16, FTW_DEPTH | FTW_PHYS) && errno != ENOENT)
		give_up(path);
}

void tree_clear(void)
{
	tree_remove("");
}

/* "  name contents", "  name -> target" or "  name". */
static void put_line(const char *folder, char *line)
{
	char *name = line + 2;
	char *rest = strchr(name, ' ');

	if (rest)
		*rest++ = '\0';
	if (rest && strncmp(rest, "-> ", 3) == 0)
		put(folder, name, NULL, rest + 3);
	else
		put(folder, name, rest, NULL);
}

static void put_section(FILE *f, const char *section)
{
	char line[512], wanted[64], folder[256] = "";
	bool inside = false, found = false;

	snprintf(wanted, sizeof(wanted), "[%s]", section);
	rewind(f);
	while (fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		if (line[0] == '[')
			inside = strcmp(line, wanted) == 0;
		found |= inside;
		if (inside && line[0] == '/')
			snprintf(folder, sizeof(folder), "%s", line);
		if (inside && line[0] == ' ')
			put_line(folder, line);
	}
	errno = ENOENT;
	if (!found)
		give_up(wanted);
}

void tree_put(const char *sections)
{
	char path[PATH_MAX], list[128];
	const char *source = getenv("TEST_SRCDIR");

	snprintf(path, sizeof(path), "%s/tests/kernel-iscsi.txt", source ? source : ".");
	FILE *f = fopen(path, "r");
	if (!f)
		give_up(path);
	snprintf(list, sizeof(list), "%s", sections);
	for (char *save, *s = strtok_r(list, " ", &save); s; s = strtok_r(NULL, " ", &save))
		put_section(f, s);
	fclose(f);
}
