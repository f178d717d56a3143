/* signature.c - gate 7: what is on the target: file systems, raid and volume manager labels,
 * partition tables; where none is known, whether there are any data at all.
 *
 * libblkid's low-level probe reads the target itself, not a cache. Partitions are probed by their
 * place in the table, so that they count on kernels that don't know the table, and in image files.
 */
#include "guard/gates.h"

#include <blkid/blkid.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PLACES       64
#define PLACE_BYTES  4096
#define ASM_OFFSET   32 /* Oracle ASM's disk header has its tag here */
#define ASM_TAG      "ORCLDISK"
#define TYPES_LISTED 8

/* Called for each signature found; part is 0 for the target itself. */
typedef void found_fn(int part, const char *usage, const char *type, const char *label, void *arg);

static const char *value_of(blkid_probe pr, const char *name)
{
	const char *value = NULL;

	return blkid_probe_lookup_value(pr, name, &value, NULL) == 0 ? value : NULL;
}

static blkid_probe probe_new(int fd, uint64_t offset, uint64_t length)
{
	blkid_probe pr = blkid_new_probe();

	if (!pr)
		return NULL;
	if (blkid_probe_set_device(pr, fd, (blkid_loff_t)offset, (blkid_loff_t)length) != 0) {
		blkid_free_probe(pr);
		return NULL;
	}
	blkid_probe_enable_superblocks(pr, 1);
	blkid_probe_set_superblocks_flags(pr, BLKID_SUBLKS_TYPE | BLKID_SUBLKS_LABEL |
						      BLKID_SUBLKS_USAGE | BLKID_SUBLKS_MAGIC |
						      BLKID_SUBLKS_BADCSUM);
	blkid_probe_enable_partitions(pr, 1);
	blkid_probe_set_partitions_flags(pr, BLKID_PARTS_FORCE_GPT | BLKID_PARTS_MAGIC);
	return pr;
}

/* All signatures in a range, not only the first: an old one may still be what somebody needs. A
 * negative value when the range could not be read. */
static int probe_range(const struct medium *m, uint64_t offset, uint64_t length, int part,
		       found_fn *found, void *arg)
{
	uint64_t whole = length ? length : m->size - offset;
	blkid_probe pr;
	int err;

	if (medium_fetch(m, offset, whole) < 0)
		return -EIO;
	pr = probe_new(m->fd, offset, length);
	if (!pr)
		return -EIO;
	while ((err = blkid_do_probe(pr)) == 0) {
		const char *type = value_of(pr, "TYPE");
		const char *table = value_of(pr, "PTTYPE");

		if (type)
			found(part, value_of(pr, "USAGE"), type, value_of(pr, "LABEL"), arg);
		else if (table)
			found(part, "table", table, NULL, arg);
	}
	blkid_free_probe(pr);
	return err < 0 ? -EIO : 0;
}

static int probe_asm(const struct medium *m, uint64_t offset, int part, found_fn *found, void *arg)
{
	char tag[sizeof(ASM_TAG) - 1];
	ssize_t n = pread(m->fd, tag, sizeof(tag), (off_t)(offset + ASM_OFFSET));

	if (n == (ssize_t)sizeof(tag) && memcmp(tag, ASM_TAG, sizeof(tag)) == 0)
		found(part, "asm", "Oracle ASM", NULL, arg);
	return n < 0 ? -EIO : 0;
}

/* Sizes in partition tables count in units of 512 bytes in libblkid. */
static int probe_partitions(const struct medium *m, found_fn *found, void *arg)
{
	blkid_probe pr = probe_new(m->fd, 0, 0);
	blkid_partlist list;
	int err = 0;

	if (!pr)
		return -EIO;
	list = blkid_probe_get_partitions(pr);
	for (int i = 0; list && i < blkid_partlist_numof_partitions(list); i++) {
		blkid_partition part = blkid_partlist_get_partition(list, i);
		uint64_t start = (uint64_t)blkid_partition_get_start(part) * 512;
		uint64_t length = (uint64_t)blkid_partition_get_size(part) * 512;
		int number = blkid_partition_get_partno(part);

		if (start == 0 || start >= m->size || length == 0 ||
		    blkid_partition_is_extended(part))
			continue;
		if (length > m->size - start)
			length = m->size - start;
		if (probe_range(m, start, length, number, found, arg) < 0 ||
		    probe_asm(m, start, number, found, arg) < 0)
			err = -EIO;
	}
	blkid_free_probe(pr);
	return err;
}

static int probe_all(const struct medium *m, found_fn *found, void *arg)
{
	int err = probe_range(m, 0, 0, 0, found, arg);
	int more = probe_asm(m, 0, 0, found, arg);

	if (!err)
		err = more;
	more = probe_partitions(m, found, arg);
	return err ? err : more;
}

static struct medium medium_of(const struct look *l)
{
	return (struct medium){l->fd, l->lun, l->r->size, l->r->logical_block};
}

struct report_arg {
	struct look *look;
	unsigned count;
};

static const char *usage_words(const char *usage)
{
	static const struct {
		const char *usage, *words;
	} table[] = {
		{"filesystem", "file system"},
		{"raid", "member of a raid or volume group"},
		{"crypto", "encrypted volume"},
		{"table", "partition table"},
		{"asm", "disk"},
	};

	for (size_t i = 0; usage && i < sizeof(table) / sizeof(table[0]); i++)
		if (strcmp(usage, table[i].usage) == 0)
			return table[i].words;
	return "signature";
}

static void report_found(int part, const char *usage, const char *type, const char *label,
			 void *arg)
{
	struct report_arg *a = arg;
	char where[32] = "it";

	if (part)
		snprintf(where, sizeof(where), "its partition %d", part);
	if (label && *label)
		report_add(a->look->r, GATE_SIGNATURE, GUARD_WARN,
			   "%s holds: %s %s, labelled '%.40s'", where, type, usage_words(usage),
			   label);
	else
		report_add(a->look->r, GATE_SIGNATURE, GUARD_WARN, "%s holds: %s %s", where, type,
			   usage_words(usage));
	a->count++;
}

static bool is_zero(const unsigned char *bytes, size_t n)
{
	return n == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, n - 1) == 0);
}

/* The first place at or after at that can hold data, or end: file systems know their holes. */
static uint64_t skip_hole(const struct look *l, uint64_t at, uint64_t end)
{
	off_t data;

	if (l->r->kind != GUARD_FILE)
		return at;
	data = lseek(l->fd, (off_t)at, SEEK_DATA);
	if (data < 0)
		return errno == ENXIO ? end : at;
	return (uint64_t)data;
}

enum sample { SAMPLE_ZERO, SAMPLE_DATA, SAMPLE_UNREADABLE };

/* Looks at places spread evenly over a range, the first and the last block of it among them; in a
 * file each place moves on to the next data, so that a sparse file hides none. */
static enum sample sample_range(const struct look *l, uint64_t start, uint64_t length,
				uint64_t *where)
{
	unsigned char bytes[PLACE_BYTES];
	struct medium m = medium_of(l);
	uint64_t step = length / PLACES, end = start + length;
	uint64_t last = length > PLACE_BYTES ? end - PLACE_BYTES : start;

	for (unsigned i = 0; i <= PLACES; i++) {
		uint64_t at = i < PLACES ? start + i * step : last;
		uint64_t limit = i < PLACES - 1 ? at + step : end;
		size_t want;

		at = skip_hole(l, at, limit);
		if (at >= limit)
			continue;
		want = sizeof(bytes) < end - at ? sizeof(bytes) : end - at;
		*where = at;
		if (medium_fetch(&m, at, want) < 0 ||
		    pread(l->fd, bytes, want, (off_t)at) != (ssize_t)want)
			return SAMPLE_UNREADABLE;
		if (!is_zero(bytes, want))
			return SAMPLE_DATA;
	}
	return SAMPLE_ZERO;
}

static void report_data(struct look *l)
{
	struct guard_report *r = l->r;
	uint64_t where = 0;
	enum sample s = sample_range(l, 0, r->size, &where);

	if (s == SAMPLE_ZERO && r->window_length > 0 && r->window_length < r->size)
		s = sample_range(l, r->window_start, r->window_length, &where);
	if (s == SAMPLE_DATA)
		report_add(r, GATE_SIGNATURE, GUARD_WARN,
			   "it holds data without a known signature (the first seen at byte %llu)",
			   (unsigned long long)where);
	else if (s == SAMPLE_UNREADABLE)
		report_add(r, GATE_SIGNATURE, GUARD_WARN,
			   "it can't be read at byte %llu: what it holds is not known",
			   (unsigned long long)where);
	else
		report_add(r, GATE_SIGNATURE, GUARD_NOTE,
			   "no signature found, and only zeros in %u places looked at", PLACES);
}

void gate_signature(struct look *l)
{
	struct report_arg arg = {.look = l};
	struct medium m = medium_of(l);

	if (l->r->size == 0)
		return;
	if (probe_all(&m, report_found, &arg) < 0)
		report_add(l->r, GATE_SIGNATURE, GUARD_WARN,
			   "it can't be read everywhere: there may be more on it");
	if (arg.count == 0)
		report_data(l);
}

struct list_arg {
	char *out;
	size_t size;
	char seen[TYPES_LISTED][40];
	unsigned count;
};

static void list_found(int part, const char *usage, const char *type, const char *label, void *arg)
{
	struct list_arg *a = arg;
	size_t n = strlen(a->out);

	(void)part;
	(void)usage;
	(void)label;
	for (unsigned i = 0; i < a->count; i++)
		if (strcmp(a->seen[i], type) == 0)
			return;
	if (a->count == TYPES_LISTED)
		return;
	snprintf(a->seen[a->count++], sizeof(a->seen[0]), "%s", type);
	snprintf(a->out + n, a->size - n, "%s%s", n ? ", " : "", type);
}

void signature_list(int fd, char *out, size_t n)
{
	struct list_arg arg = {.out = out, .size = n};
	off_t size = lseek(fd, 0, SEEK_END);
	struct medium m = {.fd = fd, .size = size > 0 ? (uint64_t)size : 0};

	out[0] = '\0';
	if (size > 0)
		probe_all(&m, list_found, &arg);
	report_clean(out);
}
