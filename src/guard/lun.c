/* lun.c - the gates for a LUN that this process reaches by itself: no node, no mount table and no claim
 * of this host's knows of it.
 *
 * What can be asked is asked of the LUN: its name, write protection, who has registered or reserved it,
 * and what is on it. Other initiators that simply use it can't be seen from here; that is said, and
 * counts as in use: it takes DESTROY to write all the same.
 */
#include "guard/gates.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Copied of each range that is looked at for signatures: where all of them live. */
#define MIRROR_EDGE (1u << 20)
#define MIRROR_PART (64u << 10)

static int copy_part(const struct medium *m, uint8_t *part, uint64_t at, uint32_t n)
{
	struct error e;
	int rc = m->lun->backend->read_at(m->lun->handle, part, n, at, &e);

	if (rc == 0 && pwrite(m->fd, part, n, (off_t)at) != (ssize_t)n)
		rc = -EIO;
	return rc;
}

static int copy_range(const struct medium *m, uint64_t from, uint64_t to)
{
	uint8_t *part = malloc(MIRROR_PART);
	int rc = part ? 0 : -ENOMEM;

	from -= from % m->block;
	to = (to + m->block - 1) / m->block * m->block;
	if (to > m->size)
		to = m->size;
	for (uint64_t at = from; rc == 0 && at < to; at += MIRROR_PART)
		rc = copy_part(m, part, at,
			       to - at < MIRROR_PART ? (uint32_t)(to - at) : MIRROR_PART);
	free(part);
	return rc;
}

int medium_fetch(const struct medium *m, uint64_t offset, uint64_t length)
{
	if (!m->lun)
		return 0;
	if (length <= 2 * MIRROR_EDGE)
		return copy_range(m, offset, offset + length);
	int rc = copy_range(m, offset, offset + MIRROR_EDGE);
	return rc ? rc : copy_range(m, offset + length - MIRROR_EDGE, offset + length);
}

/* This host's own disks over the same LUN: the kernel caches and uses what would be written behind its
 * back. */
static void gate_own_paths(const struct look *l)
{
	const struct tables *t = l->tables;
	struct guard_report *r = l->r;

	if (!r->wwid[0]) {
		report_add(
			r, GATE_USERS, GUARD_WARN,
			"it has no worldwide name: whether this host has it as a disk too can't be "
			"seen");
		return;
	}
	for (size_t i = 0; i < t->path_count; i++)
		if (strcasecmp(t->paths[i].wwid, r->wwid) == 0)
			report_add(r, GATE_MULTIPATH, GUARD_REFUSE,
				   "this host has it as /dev/%s too: log that session out, or test "
				   "the disk",
				   t->paths[i].name);
}

static void gate_facts(struct guard_report *r, const struct backend_facts *f)
{
	if (f->reserved[0])
		report_add(r, GATE_CLAIM, GUARD_REFUSE, "%.190s", f->reserved);
	if (f->write_protected)
		report_add(r, GATE_READONLY, GUARD_REFUSE, "the LUN is write protected");
	report_add(r, GATE_USERS, GUARD_WARN,
		   "it is reached over the network: whether other hosts use it can't be seen from "
		   "here");
}

static void take_facts(struct look *l, const struct backend_facts *f)
{
	struct guard_report *r = l->r;

	r->kind = GUARD_LUN;
	r->size = f->size;
	r->logical_block = f->logical_block;
	identity_lun(l, f);
}

/* An image of the LUN that takes room only where it was copied. */
static int open_mirror(const struct guard_report *r, struct error *e)
{
	int fd = memfd_create("lunscope-lun", MFD_CLOEXEC);

	if (fd < 0)
		return error_errno(e, errno, "%s: no memory to look at it", r->spec);
	if (ftruncate(fd, (off_t)r->size) < 0) {
		int err = errno;
		close(fd);
		return error_errno(e, err, "%s: no memory to look at it", r->spec);
	}
	return fd;
}

static int pass_gates(struct look *l, const struct backend_facts *f, struct error *e)
{
	struct tables tables;
	int rc = tables_read(l->host, TABLES_PATHS, &tables, e);

	if (rc)
		return rc;
	l->tables = &tables;
	gate_own_paths(l);
	gate_facts(l->r, f);
	tables_free(&tables);
	l->fd = open_mirror(l->r, e);
	if (l->fd < 0)
		return l->fd;
	gate_signature(l);
	close(l->fd);
	return sight_take(e);
}

int guard_inspect_lun(const struct guard_lun *lun, const struct guard_host *host,
		      const struct guard_window *window, struct guard_report *r, struct error *e)
{
	struct look l = {.host = host, .r = r, .lun = lun, .fd = -1};
	struct backend_facts f;
	int rc = lun->backend->facts(lun->handle, true, &f, e);

	if (rc)
		return rc;
	sight_clear();
	memset(r, 0, sizeof(*r));
	strncpy(r->spec, lun->spec, sizeof(r->spec) - 1);
	strcpy(r->path, r->spec);
	take_facts(&l, &f);
	rc = window_set(r, window, e);
	return rc ? rc : pass_gates(&l, &f, e);
}

/* Nothing may have come up, and it must be the same LUN, of the same size. */
static int compare(const struct guard_report *r, const struct guard_report *now, struct error *e)
{
	if (strcmp(now->id, r->id) != 0)
		return error_set(e, ESTALE, "%s: it is '%.200s' now: not written", r->spec,
				 now->id);
	if (now->size != r->size || now->logical_block != r->logical_block)
		return error_set(e, ESTALE,
				 "%s: its size has changed since it was looked at: not written",
				 r->spec);
	for (unsigned i = 0; i < now->count; i++)
		if (now->finding[i].level == GUARD_REFUSE ||
		    (now->finding[i].level == GUARD_WARN &&
		     !guard_has_finding(r, &now->finding[i])))
			return error_set(e, EPERM, "%s: not written, since now %s", r->spec,
					 now->finding[i].text);
	return 0;
}

int guard_open_lun(const struct guard_report *r, const struct guard_lun *lun,
		   const struct guard_host *host, bool consent, struct error *e)
{
	struct guard_window window = {
		.whole = true, .given = true, .start = r->window_start, .length = r->window_length};
	int rc = guard_check_open(r, consent, e);

	if (rc)
		return rc;
	struct guard_report *now = malloc(sizeof(*now));
	if (!now)
		return error_set(e, ENOMEM, "%s: no memory to look at it", r->spec);
	rc = guard_inspect_lun(lun, host, &window, now, e);
	if (rc == 0)
		rc = compare(r, now, e);
	free(now);
	return rc;
}

int lun_check_change(const struct guard_report *r, const struct guard_lun *lun,
		     const struct guard_host *host, bool look, struct error *e)
{
	struct backend_facts f;
	struct tables tables;
	const char *what = NULL;
	struct guard_report seen = {.logical_block = 0};
	struct look l = {.host = host, .r = &seen, .lun = lun, .fd = -1, .tables = &tables};
	int rc = lun->backend->facts(lun->handle, false, &f, e);

	if (rc)
		return rc;
	take_facts(&l, &f);
	if (strcmp(seen.id, r->id) != 0)
		what = "another LUN has taken its place";
	else if (f.size != r->size || f.logical_block != r->logical_block)
		what = "its size has changed";
	else if (f.write_protected)
		what = "it was set write protected";
	else if (f.reserved[0])
		what = f.reserved;
	if (!what && look && (rc = tables_read(host, TABLES_PATHS, &tables, e)) == 0) {
		gate_own_paths(&l);
		tables_free(&tables);
		for (unsigned i = 0; i < seen.count && !what; i++)
			if (seen.finding[i].level == GUARD_REFUSE)
				what = seen.finding[i].text;
	}
	if (what)
		return error_set(e, EPERM, "%s: writing has to stop: %s", r->spec, what);
	return rc;
}
