/* queues.c - the block queues that a device's IO goes through; see files.h.
 *
 * A partition has its disk's queue. Device mapper and md stand on what their folders "slaves" list, a
 * loop device on the device that holds its file.
 */
#include "env/files.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "guard/gates.h"

#define DEVICES_MAX 32

static const char *const attributes[] = {"scheduler", "nr_requests", "read_ahead_kb",
					 "max_sectors_kb", "write_cache"};
#define ATTRIBUTES (sizeof(attributes) / sizeof(*attributes))

struct stack {
	const struct guard_host *host;
	char name[DEVICES_MAX][NODE_NAME];
	unsigned count;
};

static bool is_in(const struct stack *s, const char *name)
{
	for (unsigned i = 0; i < s->count; i++)
		if (strcmp(s->name[i], name) == 0)
			return true;
	return false;
}

static int add_device(const char *name, void *arg)
{
	struct stack *s = arg;
	char disk[NODE_NAME];

	sysfs_disk(s->host, name, disk);
	if (s->count < DEVICES_MAX && disk[0] && !is_in(s, disk))
		memcpy(s->name[s->count++], disk, sizeof(disk));
	return 0;
}

/* The device below a loop device: what it is over, or what holds the file that it is over. */
static void add_backing(struct stack *s, const char *name)
{
	char file[PATH_MAX], below[NODE_NAME];

	if (!sysfs_read(s->host, file, sizeof(file), "class/block/%s/loop/backing_file", name))
		return;
	struct node_id id = node_of_path(s->host, "", file);
	if (sysfs_name(s->host, id.rdev ? id.rdev : id.dev, below))
		add_device(below, s);
}

/* The host below a root. */
struct place {
	char proc[PATH_MAX], sys[PATH_MAX], dev[PATH_MAX];
	struct guard_host host;
};

static const struct guard_host *host_at(struct place *p, const char *root)
{
	snprintf(p->proc, sizeof(p->proc), "%s/proc", root);
	snprintf(p->sys, sizeof(p->sys), "%s/sys", root);
	snprintf(p->dev, sizeof(p->dev), "%s/dev", root);
	p->host = (struct guard_host){p->proc, p->sys, p->dev};
	return root[0] ? &p->host : &guard_host;
}

void env_device_name(const char *root, dev_t rdev, char name[64])
{
	struct place p;

	_Static_assert(NODE_NAME == 64, "a name fits");
	sysfs_name(host_at(&p, root), rdev, name);
	sight_take(NULL);
}

void env_queues(struct env_files *files, const char *root, const char *device)
{
	char path[2 * PATH_MAX], words[FACT_WORDS];
	struct place p;
	struct stack s = {.host = host_at(&p, root)};

	add_device(device, &s);
	for (unsigned i = 0; i < s.count; i++) {
		char folder[NODE_NAME + 32];
		snprintf(folder, sizeof(folder), "class/block/%s/slaves", s.name[i]);
		sysfs_each(s.host, folder, add_device, &s);
		add_backing(&s, s.name[i]);
	}
	for (unsigned i = 0; i < s.count; i++)
		for (size_t k = 0; k < ATTRIBUTES; k++) {
			snprintf(words, sizeof(words), "%.40s %s", s.name[i], attributes[k]);
			snprintf(path, sizeof(path), "%s/class/block/%s/queue/%s", s.host->sys,
				 s.name[i], attributes[k]);
			env_files_add(files, words, path, k == 0);
		}
	/* What could not be seen is no matter here. */
	sight_take(NULL);
}

const char *env_queue_attribute(unsigned i)
{
	return i < ATTRIBUTES ? attributes[i] : NULL;
}

bool env_is_queue(const char *words)
{
	const char *what = strchr(words, ' ');

	for (size_t k = 0; what && k < ATTRIBUTES; k++)
		if (strcmp(what + 1, attributes[k]) == 0)
			return true;
	return false;
}
