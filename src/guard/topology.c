/* topology.c - which devices a write to the target concerns.
 *
 * Up: partitions, device mapper, md, bcache (holders), loop and zram devices on top of the
 * target. Down: what the target stands on; a loop device stands on a file or device that other
 * loop devices may share. Sideways: other paths to the same LUN. The rest of the disk of a
 * partition is listed as siblings, which speak against nothing but are worth a note.
 */
#include "guard/gates.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void climb(struct look *l, const char *name, enum relation relation);
static void descend(struct look *l, const char *name);

const struct member *topology_find(const struct look *l, dev_t rdev)
{
	for (size_t i = 0; rdev && i < l->member_count; i++)
		if (l->members[i].rdev == rdev)
			return &l->members[i];
	return NULL;
}

bool topology_is_file(const struct look *l, const struct node_id *id)
{
	for (size_t i = 0; i < l->file_count; i++)
		if (node_same(&l->files[i], id))
			return true;
	return false;
}

/* True when the device was not a member before. The first relation found is the nearest. */
static bool add(struct look *l, enum relation relation, bool stacked, const char *name)
{
	dev_t rdev = sysfs_rdev(l->host, name);
	struct member *members;

	if (!rdev || topology_find(l, rdev))
		return false;
	members = realloc(l->members, (l->member_count + 1) * sizeof(*members));
	if (!members) {
		/* A member that is left out could be the mounted one. */
		l->out_of_memory = true;
		return false;
	}
	l->members = members;
	members += l->member_count++;
	memset(members, 0, sizeof(*members));
	members->relation = relation;
	members->stacked = stacked;
	members->rdev = rdev;
	snprintf(members->name, sizeof(members->name), "%s", name);
	return true;
}

struct step {
	struct look *look;
	enum relation relation;
	const char *name;
	uint64_t start, length; /* what of the disk is concerned */
};

/* Partitions: those that overlap the range get the relation, others become siblings when the range
 * is the target's. */
static int add_partition(const char *name, void *arg)
{
	struct step *s = arg;
	uint64_t start, length;

	if (!sysfs_exists(s->look->host, "class/block/%s/%s/partition", s->name, name))
		return 0;
	sysfs_extent(s->look->host, name, &start, &length);
	/* One whose place isn't known may be anywhere. */
	if (length == 0 || (start < s->start + s->length && s->start < start + length))
		add(s->look, s->relation, false, name);
	else if (s->relation == REL_PART)
		add(s->look, REL_SIBLING, false, name);
	return 0;
}

static void add_partitions(struct look *l, const char *disk, uint64_t start, uint64_t length,
			   enum relation relation)
{
	struct step s = {
		.look = l, .relation = relation, .name = disk, .start = start, .length = length};
	char folder[96];

	snprintf(folder, sizeof(folder), "class/block/%s", disk);
	sysfs_each(l->host, folder, add_partition, &s);
}

static int add_holder(const char *name, void *arg)
{
	struct step *s = arg;

	if (add(s->look, s->relation, true, name))
		climb(s->look, name, s->relation);
	return 0;
}

static void climb_backing(struct look *l, const struct node_id *backing, enum relation relation)
{
	for (size_t i = 0; i < l->tables->stack_count; i++)
		if (node_same(&l->tables->stacks[i].backing, backing) &&
		    add(l, relation, true, l->tables->stacks[i].name))
			climb(l, l->tables->stacks[i].name, relation);
}

/* Everything that stands on name: holders, loop devices, and for stacked devices their
 * partitions. */
static void climb(struct look *l, const char *name, enum relation relation)
{
	struct step s = {.look = l, .relation = relation};
	struct node_id id = {.rdev = sysfs_rdev(l->host, name)};
	const struct member *m = topology_find(l, id.rdev);
	char folder[96];

	if (!id.rdev)
		return;
	if (m && m->stacked) {
		size_t first = l->member_count;

		add_partitions(l, name, 0, UINT64_MAX, relation);
		for (size_t i = first, end = l->member_count; i < end; i++) {
			char part[NODE_NAME];

			memcpy(part, l->members[i].name, sizeof(part));
			climb(l, part, relation);
		}
	}
	snprintf(folder, sizeof(folder), "class/block/%s/holders", name);
	sysfs_each(l->host, folder, add_holder, &s);
	climb_backing(l, &id, relation);
}

/* Climbs from all members of one relation as they are now. */
static void climb_all(struct look *l, enum relation from, enum relation relation)
{
	for (size_t i = 0, end = l->member_count; i < end; i++) {
		char name[NODE_NAME];

		if (l->members[i].relation != from)
			continue;
		memcpy(name, l->members[i].name, sizeof(name));
		climb(l, name, relation);
	}
}

/* The other paths to the LUN of which name is the whole or a partition. */
static void add_paths(struct look *l, const char *name)
{
	uint64_t start = 0, length = UINT64_MAX;
	const struct path_row *rows = l->tables->paths;
	const char *wwid = NULL;
	char disk[NODE_NAME];

	sysfs_disk(l->host, name, disk);
	if (strcmp(disk, name) != 0)
		sysfs_extent(l->host, name, &start, &length);
	for (size_t i = 0; i < l->tables->path_count; i++)
		if (strcmp(rows[i].name, disk) == 0)
			wwid = rows[i].wwid;
	for (size_t i = 0; wwid && i < l->tables->path_count; i++)
		if (strcmp(rows[i].wwid, wwid) == 0 && add(l, REL_PATH, false, rows[i].name))
			add_partitions(l, rows[i].name, start, length, REL_PATH);
}

static int add_slave(const char *name, void *arg)
{
	struct step *s = arg;
	char disk[NODE_NAME];

	if (add(s->look, REL_LOWER, false, name)) {
		sysfs_disk(s->look->host, name, disk);
		add(s->look, REL_LOWER, false, disk);
	}
	return 0;
}

/* Other devices over what a loop device stands on share its bytes. */
static void add_backing(struct look *l, const struct stack_row *row)
{
	char name[NODE_NAME], disk[NODE_NAME];
	uint64_t start = 0, length = UINT64_MAX;

	if (!row->backing.rdev) {
		if (row->backing.ino && l->file_count < sizeof(l->files) / sizeof(l->files[0]))
			l->files[l->file_count++] = row->backing;
		else if (row->backing.ino)
			l->out_of_memory = true;
		climb_backing(l, &row->backing, REL_ALIAS);
		return;
	}
	if (!sysfs_name(l->host, row->backing.rdev, name) || !add(l, REL_LOWER, false, name))
		return;
	sysfs_disk(l->host, name, disk);
	if (strcmp(disk, name) != 0)
		sysfs_extent(l->host, name, &start, &length);
	add(l, REL_LOWER, false, disk);
	add_partitions(l, disk, start, length, REL_ALIAS);
	climb(l, name, REL_ALIAS);
	climb(l, disk, REL_ALIAS);
	climb_all(l, REL_ALIAS, REL_ALIAS);
	descend(l, name);
}

static void descend(struct look *l, const char *name)
{
	struct step s = {.look = l};
	char folder[96], disk[NODE_NAME];
	size_t first = l->member_count;

	/* All of them before anything is said about one: the paths below a multipath map are its
	 * slaves, not strangers. */
	snprintf(folder, sizeof(folder), "class/block/%s/slaves", name);
	sysfs_each(l->host, folder, add_slave, &s);
	for (size_t i = first, end = l->member_count; i < end; i++) {
		char lower[NODE_NAME];

		memcpy(lower, l->members[i].name, sizeof(lower));
		descend(l, lower);
	}
	add_paths(l, name);
	sysfs_disk(l->host, name, disk);
	for (size_t i = 0; i < l->tables->stack_count; i++)
		if (strcmp(l->tables->stacks[i].name, disk) == 0)
			add_backing(l, &l->tables->stacks[i]);
}

int topology_build(struct look *l)
{
	uint64_t start = 0, length = UINT64_MAX;

	if (!l->name[0]) {
		climb_backing(l, &l->files[0], REL_UPPER);
		return l->out_of_memory ? -ENOMEM : 0;
	}
	add(l, REL_SELF, false, l->name);
	if (strcmp(l->name, l->disk) != 0) {
		add(l, REL_DISK, false, l->disk);
		sysfs_extent(l->host, l->name, &start, &length);
	}
	add_partitions(l, l->disk, start, length, REL_PART);
	climb_all(l, REL_SELF, REL_UPPER);
	climb_all(l, REL_PART, REL_UPPER);
	climb_all(l, REL_DISK, REL_UPPER);
	descend(l, l->name);
	climb_all(l, REL_PATH, REL_PATH);
	climb_all(l, REL_SIBLING, REL_SIBLING);
	return l->out_of_memory ? -ENOMEM : 0;
}

char *topology_words(const struct look *l, const struct member *m, char *out, size_t n)
{
	static const struct {
		const char *before, *after;
	} words[] = {
		[REL_SELF] = {"", ""},
		[REL_PART] = {"partition ", ""},
		[REL_DISK] = {"the whole disk ", ""},
		[REL_UPPER] = {"", ", which stands on it,"},
		[REL_ALIAS] = {"", ", which shares its storage,"},
		[REL_PATH] = {"", ", another path to the same disk,"},
		[REL_LOWER] = {"", ", which it stands on,"},
		[REL_SIBLING] = {"the neighbour ", ""},
	};
	char name[168];

	sysfs_words(l->host, m->name, name, sizeof(name));
	snprintf(out, n, "%s/dev/%s%s", words[m->relation].before, name, words[m->relation].after);
	for (char *c = out; *c; c++)
		if (*c == '!')
			*c = '/';
	return out;
}

void look_free(struct look *l)
{
	free(l->members);
	l->members = NULL;
	l->member_count = 0;
}
