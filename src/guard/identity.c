/* identity.c - gate 1: which device or file this is, in words the operator can check against the
 * label of the disk or the array's console.
 *
 * The worldwide name comes first, since it is the same over all paths and after a reboot; then the
 * serial; then major:minor with what is behind it.
 */
#include "guard/gates.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>

#define CONFIRM_LENGTH 6
#define CONFIRM_LEAST  4 /* fewer are no proof that the operator looked */

/* An id is typed into a shell: a run of blanks within it becomes one underscore
 * ("t10.ATA_ST4000_Z302"), and those at its ends go. */
static void join_blanks(char *text)
{
	char *to = text;
	bool blank = false;

	for (const char *from = text; *from; from++) {
		if (isspace((unsigned char)*from)) {
			blank = true;
			continue;
		}
		if (blank && to > text)
			*to++ = '_';
		blank = false;
		*to++ = *from;
	}
	*to = '\0';
}

/* A SCSI name in dm's notation: one digit for the designator type, then the name. 3 is NAA, 2 EUI
 * (scsi_id(8)). */
static void wwid_of_map(const char *uuid, char *out, size_t n)
{
	const char *name = uuid + strlen("mpath-");

	if (name[0] == '3')
		snprintf(out, n, "naa.%s", name + 1);
	else if (name[0] == '2')
		snprintf(out, n, "eui.%s", name + 1);
	else
		snprintf(out, n, "%s", name);
}

void identity_wwid(const struct guard_host *h, const char *disk, char *out, size_t n)
{
	char uuid[160];

	if (!sysfs_read(h, out, n, "class/block/%s/device/wwid", disk) &&
	    !sysfs_read(h, out, n, "class/block/%s/wwid", disk) &&
	    sysfs_read(h, uuid, sizeof(uuid), "class/block/%s/dm/uuid", disk) &&
	    strncmp(uuid, "mpath-", 6) == 0)
		wwid_of_map(uuid, out, n);
	join_blanks(out);
	report_clean(out);
}

/* The unit serial number page: 4 bytes of header, then ASCII (SPC-4, 7.8.15). */
static void serial_of_page(const struct guard_host *h, const char *disk, char *out, size_t n)
{
	char path[PATH_MAX];
	unsigned char page[256];
	size_t got, length;
	FILE *f;

	if (snprintf(path, sizeof(path), "%s/class/block/%s/device/vpd_pg80", h->sys, disk) >=
	    (int)sizeof(path))
		return;
	f = fopen(path, "re");
	if (!f)
		return;
	got = fread(page, 1, sizeof(page), f);
	fclose(f);
	if (got <= 4 || page[1] != 0x80)
		return;
	length = (size_t)page[2] << 8 | page[3];
	if (length > got - 4)
		length = got - 4;
	snprintf(out, n, "%.*s", (int)length, (const char *)page + 4);
	join_blanks(out);
}

static void read_names(const struct guard_host *h, const char *disk, struct guard_report *r)
{
	sysfs_read(h, r->vendor, sizeof(r->vendor), "class/block/%s/device/vendor", disk);
	/* virtio and mmc give a number here. */
	if (strncmp(r->vendor, "0x", 2) == 0)
		r->vendor[0] = '\0';
	if (!sysfs_read(h, r->model, sizeof(r->model), "class/block/%s/device/model", disk) &&
	    !sysfs_read(h, r->model, sizeof(r->model), "class/block/%s/device/name", disk))
		sysfs_read(h, r->model, sizeof(r->model), "class/block/%s/dm/name", disk);
	if (!sysfs_read(h, r->serial, sizeof(r->serial), "class/block/%s/device/serial", disk) &&
	    !sysfs_read(h, r->serial, sizeof(r->serial), "class/block/%s/serial", disk))
		serial_of_page(h, disk, r->serial, sizeof(r->serial));
	identity_wwid(h, disk, r->wwid, sizeof(r->wwid));
	report_clean(r->vendor);
	report_clean(r->model);
	report_clean(r->serial);
}

/* The last letters and digits of the id; when there are hardly any (a name in another script), the
 * number of the node stands in. */
static void set_confirm(struct guard_report *r)
{
	char last[CONFIRM_LENGTH + 1] = "";
	size_t n = 0;

	for (const char *c = r->id + strlen(r->id); c > r->id && n < CONFIRM_LENGTH; c--)
		if (isascii((unsigned char)c[-1]) && isalnum((unsigned char)c[-1]))
			last[CONFIRM_LENGTH - ++n] = c[-1];
	if (n >= CONFIRM_LEAST)
		snprintf(r->confirm, sizeof(r->confirm), "%s", last + CONFIRM_LENGTH - n);
	else
		snprintf(r->confirm, sizeof(r->confirm), "%06llu",
			 (unsigned long long)r->ino % 1000000);
}

static const char *backing_of(const struct look *l)
{
	for (size_t i = 0; i < l->tables->stack_count; i++)
		if (strcmp(l->tables->stacks[i].name, l->disk) == 0 && l->tables->stacks[i].path[0])
			return l->tables->stacks[i].path;
	return NULL;
}

void identity_device(struct look *l)
{
	struct guard_report *r = l->r;
	dev_t disk = sysfs_rdev(l->host, l->disk);
	const char *backing = backing_of(l);
	char mapped[96];
	uint64_t part;
	size_t n;

	read_names(l->host, l->disk, r);
	if (r->wwid[0])
		snprintf(r->id, sizeof(r->id), "%s", r->wwid);
	else if (r->serial[0])
		snprintf(r->id, sizeof(r->id), "%s", r->serial);
	else if (backing)
		snprintf(r->id, sizeof(r->id), "%u:%u@%s", major(disk), minor(disk), backing);
	else if (sysfs_read(l->host, mapped, sizeof(mapped), "class/block/%s/dm/name", l->disk))
		snprintf(r->id, sizeof(r->id), "dm.%s", mapped);
	else
		snprintf(r->id, sizeof(r->id), "%u:%u@%s", major(disk), minor(disk), l->disk);
	join_blanks(r->id);
	n = strlen(r->id);
	if (sysfs_u64(l->host, &part, "class/block/%s/partition", l->name) && n < sizeof(r->id))
		snprintf(r->id + n, sizeof(r->id) - n, ":p%llu", (unsigned long long)part);
	report_clean(r->id);
	set_confirm(r);
}

/* What has no name of its own is named by the way to it. */
void identity_lun(struct look *l, const struct backend_facts *f)
{
	struct guard_report *r = l->r;

	snprintf(r->vendor, sizeof(r->vendor), "%s", f->vendor);
	snprintf(r->model, sizeof(r->model), "%s", f->model);
	snprintf(r->serial, sizeof(r->serial), "%s", f->serial);
	snprintf(r->wwid, sizeof(r->wwid), "%s", f->id);
	join_blanks(r->wwid);
	snprintf(r->id, sizeof(r->id), "%s", r->wwid[0] ? r->wwid : l->lun->spec);
	report_clean(r->id);
	set_confirm(r);
}

void identity_file(struct look *l)
{
	snprintf(l->r->id, sizeof(l->r->id), "%s", l->r->path);
	set_confirm(l->r);
}
