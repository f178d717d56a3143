/* devices.c - the block devices of this host, read from sysfs, with what speaks against writing to
 * them.
 *
 * The words come from the same tables and topology as the write guard's findings, so that the list
 * never shows a device as free that the guard would refuse.
 */
#include "devices.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "guard/gates.h"

struct listing {
	const struct guard_host *host;
	struct tables tables;
	bool partitions, probe;
	struct device *devices;
	size_t count;
};

static void transport(const struct guard_host *h, const char *disk, char *out, size_t n)
{
	static const struct {
		const char *part, *name;
	} by_path[] = {
		{"/usb", "usb"},  {"/session", "iscsi"}, {"/rport-", "fc"}, {"/end_device-", "sas"},
		{"/ata", "sata"}, {"/virtio", "virtio"}, {"/nvme", "nvme"}, {"/mmc", "mmc"},
	};
	static const struct {
		const char *prefix, *name;
	} by_name[] = {
		{"loop", "loop"}, {"dm-", "dm"},  {"md", "md"},     {"zram", "zram"},
		{"nvme", "nvme"}, {"nbd", "nbd"}, {"drbd", "drbd"}, {"bcache", "bcache"},
	};
	char path[PATH_MAX], *real = NULL;

	out[0] = '\0';
	for (size_t i = 0; i < sizeof(by_name) / sizeof(by_name[0]); i++)
		if (strncmp(disk, by_name[i].prefix, strlen(by_name[i].prefix)) == 0) {
			snprintf(out, n, "%s", by_name[i].name);
			return;
		}
	if (snprintf(path, sizeof(path), "%s/class/block/%s", h->sys, disk) < (int)sizeof(path))
		real = realpath(path, NULL);
	/* The path through the bus says it: .../host3/session1/target3:0:0/... */
	for (size_t i = 0; real && !out[0] && i < sizeof(by_path) / sizeof(by_path[0]); i++)
		if (strstr(real, by_path[i].part))
			snprintf(out, n, "%s", by_path[i].name);
	free(real);
}

static void describe(const struct listing *list, const char *disk, char *out, size_t n)
{
	const struct guard_host *h = list->host;
	char vendor[32], model[64];

	for (size_t i = 0; i < list->tables.stack_count; i++)
		if (strcmp(list->tables.stacks[i].name, disk) == 0) {
			snprintf(out, n, "%s", list->tables.stacks[i].path);
			report_clean(out);
			return;
		}
	if (!sysfs_read(h, vendor, sizeof(vendor), "class/block/%s/device/vendor", disk) ||
	    strncmp(vendor, "0x", 2) == 0)
		vendor[0] = '\0';
	if (!sysfs_read(h, model, sizeof(model), "class/block/%s/device/model", disk) &&
	    !sysfs_read(h, model, sizeof(model), "class/block/%s/device/name", disk))
		sysfs_read(h, model, sizeof(model), "class/block/%s/dm/name", disk);
	snprintf(out, n, "%s%s%s", vendor, vendor[0] && model[0] ? " " : "", model);
	report_clean(out);
}

static bool listed(const char *list, const char *words)
{
	size_t n = strlen(words);

	for (const char *at = list; (at = strstr(at, words)); at++)
		if ((at == list || at[-1] == ' ') && (at[n] == '\0' || at[n] == ','))
			return true;
	return false;
}

/* Adds words to a list unless they are in it; "..." stands for what doesn't fit. */
static void append(char *out, size_t n, const char *words)
{
	size_t used = strlen(out), length = strlen(words);

	if (listed(out, words) || listed(out, "..."))
		return;
	if (used + length + 2 + 5 < n)
		snprintf(out + used, n - used, "%s%s", used ? ", " : "", words);
	else if (used + 5 < n)
		snprintf(out + used, n - used, ", ...");
}

static void against_mounts(const struct look *l, char *out, size_t n)
{
	for (size_t i = 0; i < l->tables->mount_count; i++) {
		const struct mount_row *row = &l->tables->mounts[i];
		const struct member *m = topology_find(l, row->device.rdev);
		char words[120];

		if ((!m || m->relation == REL_SIBLING) &&
		    !(row->device.ino && topology_is_file(l, &row->device)))
			continue;
		snprintf(words, sizeof(words), "mounted %.100s", row->target);
		append(out, n, words);
	}
}

static void against_swap(const struct look *l, char *out, size_t n)
{
	for (size_t i = 0; i < l->tables->swap_count; i++) {
		const struct member *m = topology_find(l, l->tables->swaps[i].area.rdev);

		if ((m && m->relation != REL_SIBLING) ||
		    topology_is_file(l, &l->tables->swaps[i].area))
			append(out, n, "swap");
	}
}

static void against_members(const struct look *l, char *out, size_t n)
{
	for (size_t i = 0; i < l->member_count; i++) {
		const struct member *m = &l->members[i];
		char name[168], words[200];

		if (m->relation == REL_PATH && !m->stacked &&
		    !sysfs_is_partition(l->host, m->name)) {
			snprintf(words, sizeof(words), "same LUN as %s", m->name);
			append(out, n, words);
		} else if (m->stacked && m->relation != REL_SIBLING) {
			sysfs_words(l->host, m->name, name, sizeof(name));
			snprintf(words, sizeof(words), "held by %s", name);
			append(out, n, words);
		}
	}
}

/* Opens the device, so only when asked for. */
static void against_signatures(const struct guard_host *h, const struct device *d, char *out,
			       size_t n)
{
	char node[PATH_MAX], types[160];
	struct stat st;
	int fd = open(sysfs_node(h, d->name, node, sizeof(node)),
		      O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY);

	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0 && S_ISBLK(st.st_mode) && st.st_rdev == d->rdev) {
		signature_list(fd, types, sizeof(types));
		if (types[0])
			append(out, n, types);
	}
	close(fd);
}

static int against(struct listing *list, struct device *d, const char *disk)
{
	struct look l = {.host = list->host, .tables = &list->tables, .fd = -1};

	snprintf(l.name, sizeof(l.name), "%s", d->name);
	snprintf(l.disk, sizeof(l.disk), "%s", disk);
	if (topology_build(&l) < 0) {
		look_free(&l);
		return -ENOMEM;
	}
	against_mounts(&l, d->against, sizeof(d->against));
	against_swap(&l, d->against, sizeof(d->against));
	against_members(&l, d->against, sizeof(d->against));
	if (d->read_only)
		append(d->against, sizeof(d->against), "read-only");
	if (list->probe)
		against_signatures(list->host, d, d->against, sizeof(d->against));
	report_clean(d->against);
	look_free(&l);
	return 0;
}

static int add_device(const char *name, void *arg)
{
	struct listing *list = arg;
	const struct guard_host *h = list->host;
	bool partition = sysfs_is_partition(h, name);
	struct device *d, *devices;
	char disk[NODE_NAME];
	uint64_t start, size, value;

	sysfs_extent(h, name, &start, &size);
	if (size == 0 || (partition && !list->partitions) ||
	    sysfs_rdev(h, name) == 0) /* the hidden paths of native NVMe multipath have no node */
		return 0;
	sysfs_disk(h, name, disk);
	if (strncmp(disk, "loop", 4) == 0 &&
	    !sysfs_exists(h, "class/block/%s/loop/backing_file", disk))
		return 0;
	devices = realloc(list->devices, (list->count + 1) * sizeof(*devices));
	if (!devices)
		return -ENOMEM;
	list->devices = devices;
	d = &devices[list->count++];
	memset(d, 0, sizeof(*d));
	snprintf(d->name, sizeof(d->name), "%s", name);
	sysfs_node(h, name, d->path, sizeof(d->path));
	describe(list, disk, d->model, sizeof(d->model));
	transport(h, disk, d->transport, sizeof(d->transport));
	d->size = size;
	d->partition = partition;
	d->rdev = sysfs_rdev(h, name);
	d->logical_block = sysfs_u64(h, &value, "class/block/%s/queue/logical_block_size", disk)
				   ? (uint32_t)value
				   : 512;
	d->rotational = sysfs_u64(h, &value, "class/block/%s/queue/rotational", disk) && value;
	d->read_only = sysfs_u64(h, &value, "class/block/%s/ro", name) && value;
	return against(list, d, disk);
}

/* sd2 before sd10, sdz before sdaa (the shorter name of the same letters first). */
static int natural_order(const void *x, const void *y)
{
	const char *a = ((const struct device *)x)->name, *b = ((const struct device *)y)->name;
	size_t letters_a, letters_b;

	while (*a && *b) {
		if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
			unsigned long long m = strtoull(a, (char **)&a, 10);
			unsigned long long n = strtoull(b, (char **)&b, 10);

			if (m != n)
				return m < n ? -1 : 1;
			continue;
		}
		letters_a = strcspn(a, "0123456789");
		letters_b = strcspn(b, "0123456789");
		if (strncmp(a, "sd", 2) == 0 && strncmp(b, "sd", 2) == 0 && letters_a != letters_b)
			return letters_a < letters_b ? -1 : 1;
		if (*a != *b)
			return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
		a++;
		b++;
	}
	return *a ? 1 : *b ? -1 : 0;
}

int devices_list(const struct guard_host *host, bool partitions, bool probe, struct device **list,
		 struct error *e)
{
	struct listing l = {.host = host, .partitions = partitions, .probe = probe};
	int err = tables_read(host, TABLES_NAMESPACES | TABLES_PATHS, &l.tables, e);

	*list = NULL;
	if (err)
		return err;
	if (sysfs_each(host, "class/block", add_device, &l) < 0)
		err = error_set(e, ENOMEM, "no memory for the list of block devices");
	tables_free(&l.tables);
	if (err) {
		free(l.devices);
		return err;
	}
	if (l.count)
		qsort(l.devices, l.count, sizeof(*l.devices), natural_order);
	*list = l.devices;
	return (int)l.count;
}
