/* icf_managers.c - the manager list of an .icf file: which hosts, their workers, and what each of these is to
 * do to which targets.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "iometer/icf_lines.h"

/* Sectors of 512 bytes, so that bytes fit 64 bits. */
#define SECTORS_MOST (UINT64_MAX / 512)

static const char *const switch_words[] = {"DISABLED", "ENABLED"};

static int no_memory(struct icf *f)
{
	return error_set(f->e, ENOMEM, "%.200s: out of memory", f->name);
}

/* Where the words are cut off. */
static int next_or_cut(struct icf *f, const char *what)
{
	return icf_next(f) ? 0 : icf_cut_off(f, what);
}

/* "DISK", "NETWORK,TCP", "NETWORK,VI" */
static int read_kind(struct icf *f, char *value, const char *what, enum iometer_kind *kind)
{
	static const char *const kinds[] = {"DISK", "NETWORK"}, *const nets[] = {"TCP", "VI"};
	unsigned net = 0, v = 0;
	int rc = icf_choice(f, &value, what, kinds, 2, &net);

	if (rc == 0 && net == 1)
		rc = icf_choice(f, &value, "the kind of network", nets, 2, &v);
	*kind = !net ? IOMETER_DISK : !v ? IOMETER_TCP : IOMETER_VI;
	return rc;
}

/* --- A worker's settings --- */

static int read_outstanding(struct icf *f, char *p, struct iometer_worker *w)
{
	unsigned on = 0, fixed = 0;
	int rc = icf_number32(f, &p, "outstanding IOs", 1, 1u << 20, &w->outstanding);

	if (rc == 0)
		rc = icf_choice(f, &p, "test connection rate", switch_words, 2, &on);
	if (rc == 0)
		rc = icf_number32(f, &p, "transactions per connection", 0, UINT32_MAX - 1,
				  &w->transactions);
	p += strspn(p, " ,");
	if (rc == 0 && *p)
		rc = icf_choice(f, &p, "use fixed seed", switch_words, 2, &fixed);
	p += strspn(p, " ,");
	if (rc == 0 && *p)
		rc = icf_number(f, &p, "the seed", 0, UINT64_MAX, &w->seed);
	if (rc)
		return rc;
	w->test_connections = on == 1;
	w->fixed_seed = fixed == 1;
	if (w->outstanding > OUTSTANDING_MAX)
		icf_warn(f, "%u outstanding IOs: lunscope's most are %u", w->outstanding,
			 OUTSTANDING_MAX);
	if (w->test_connections)
		icf_warn(f, "the test connection rate is left out: lunscope opens a target once");
	return 0;
}

static int read_range(struct icf *f, char *p, struct iometer_worker *w)
{
	int rc = icf_number(f, &p, "disk maximum size", 0, SECTORS_MOST, &w->max_sectors);

	if (rc == 0)
		rc = icf_number(f, &p, "starting sector", 0, SECTORS_MOST, &w->start_sector);
	p += strspn(p, " ,");
	if (rc == 0 && *p)
		rc = icf_number32(f, &p, "data pattern", 0, 2, &w->pattern);
	return rc;
}

static int read_settings(struct icf *f, struct iometer_worker *w)
{
	int rc = 0;

	while (rc == 0) {
		rc = next_or_cut(f, "a worker's settings");
		if (rc || icf_is(f, "End default target settings for worker"))
			break;
		if (icf_begins(f, "Number of outstanding IOs")) {
			rc = read_outstanding(f, icf_value(f), w);
		} else if (icf_begins(f, "Disk maximum size")) {
			rc = read_range(f, icf_value(f), w);
		} else if (icf_is(f, "Local network interface")) {
			icf_copy(f, w->interface, sizeof(w->interface), icf_value(f),
				 "the network interface");
		} else if (icf_is(f, "VI outstanding IOs")) {
			char *p = icf_value(f);
			rc = icf_number32(f, &p, "VI outstanding IOs", 0, 1u << 20,
					  &w->vi_outstanding);
		} else if (icf_begins(f, "End")) {
			rc = icf_fail(f,
				      "'%.80s within a worker's settings: end them with 'End "
				      "default target settings for worker",
				      f->line);
		} else if (f->key && !f->remark) {
			icf_unknown(f);
		}
	}
	return rc;
}

static int read_assigned(struct icf *f, struct iometer_worker *w)
{
	for (;;) {
		char name[IOMETER_NAME];
		int rc = next_or_cut(f, "a worker's access specs");
		if (rc || icf_is(f, "End assigned access specs"))
			return rc;
		if (f->key)
			return icf_fail(f,
					"'%.80s among a worker's access specs: end them with "
					"'End assigned access specs",
					f->line);
		if (!f->line[0])
			continue;
		if (f->assigned++ >= ICF_ASSIGNED_MOST)
			return icf_fail(f, "more than %u assigned specifications",
					ICF_ASSIGNED_MOST);
		icf_copy(f, name, sizeof(name), f->line, "the specification's name");
		if (iometer_add_spec_name(w, name))
			return no_memory(f);
	}
}

/* --- Targets --- */

static int read_target(struct icf *f, struct iometer_worker *w)
{
	if (f->targets++ >= ICF_TARGETS_MOST)
		return icf_fail(f, "more than %u targets", ICF_TARGETS_MOST);
	struct iometer_target *t = iometer_add_target(w);
	if (!t)
		return no_memory(f);
	t->at = f->number;
	t->kind = w->kind;
	const char *name = icf_value(f);
	if (!*name)
		return icf_fail(f, "a target without a name: write it in the line below 'Target");
	icf_copy(f, t->name, sizeof(t->name), name, "the target's name");
	for (;;) {
		int rc = next_or_cut(f, "a target");
		if (rc || icf_is(f, "End target"))
			return rc;
		if (icf_is(f, "Target type")) {
			rc = read_kind(f, icf_value(f), "target type", &t->kind);
		} else if (icf_is(f, "Target manager ID, manager name")) {
			char *p = icf_value(f);
			rc = icf_number32(f, &p, "the manager's ID", 0, UINT32_MAX - 1,
					  &t->manager_id);
			if (rc == 0)
				icf_copy(f, t->manager, sizeof(t->manager), p + strspn(p, " "),
					 "the manager's name");
		} else if (icf_begins(f, "End") || icf_is(f, "Target")) {
			rc = icf_fail(f, "'%.80s within a target: end it with 'End target",
				      f->line);
		} else if (f->key && !f->remark) {
			icf_unknown(f);
		}
		if (rc)
			return rc;
	}
}

static int read_targets(struct icf *f, struct iometer_worker *w)
{
	int rc = 0;

	while (rc == 0) {
		rc = next_or_cut(f, "a worker's targets");
		if (rc || icf_is(f, "End target assignments"))
			break;
		if (icf_is(f, "Target"))
			rc = read_target(f, w);
		else if (icf_begins(f, "End"))
			rc = icf_fail(f,
				      "'%.80s among a worker's targets: end them with 'End "
				      "target assignments",
				      f->line);
		else if (f->key && !f->remark)
			icf_unknown(f);
	}
	return rc;
}

/* --- Workers and managers --- */

static void warn_of_worker(struct icf *f, const struct iometer_worker *w)
{
	if (w->kind != IOMETER_DISK)
		iometer_warn(f->w, w->at,
			     "worker '%.80s' tests a network and is not run: lunscope has disk "
			     "workers only",
			     w->name);
	else if (!w->targets)
		iometer_warn(f->w, w->at, "worker '%.80s' has no targets", w->name);
}

static int read_worker(struct icf *f, struct iometer_manager *m)
{
	int rc = 0;

	if (f->workers++ >= ICF_WORKERS_MOST)
		return icf_fail(f, "more than %u workers", ICF_WORKERS_MOST);
	struct iometer_worker *w = iometer_add_worker(m);
	if (!w)
		return no_memory(f);
	w->at = f->number;
	icf_copy(f, w->name, sizeof(w->name), icf_value(f), "the worker's name");
	while (rc == 0) {
		rc = next_or_cut(f, "a worker");
		if (rc || icf_is(f, "End worker"))
			break;
		if (icf_is(f, "Worker type"))
			rc = read_kind(f, icf_value(f), "worker type", &w->kind);
		else if (icf_is(f, "Default target settings for worker"))
			rc = read_settings(f, w);
		else if (icf_is(f, "Assigned access specs"))
			rc = read_assigned(f, w);
		else if (icf_is(f, "Target assignments"))
			rc = read_targets(f, w);
		else if (icf_begins(f, "End") || icf_is(f, "Worker"))
			rc = icf_fail(f, "'%.80s within worker '%.80s': end it with 'End worker",
				      f->line, w->name);
		else if (f->key && !f->remark)
			icf_unknown(f);
	}
	if (rc == 0)
		warn_of_worker(f, w);
	return rc;
}

static int read_manager(struct icf *f)
{
	if (f->s->managers >= ICF_MANAGERS_MOST)
		return icf_fail(f, "more than %u managers", ICF_MANAGERS_MOST);
	struct iometer_manager *m = iometer_add_manager(f->s);
	if (!m)
		return no_memory(f);
	m->at = f->number;
	char *p = icf_value(f);
	int rc = icf_number32(f, &p, "the manager's ID", 0, UINT32_MAX - 1, &m->id);
	if (rc == 0)
		icf_copy(f, m->name, sizeof(m->name), p + strspn(p, " "), "the manager's name");
	while (rc == 0) {
		rc = next_or_cut(f, "a manager");
		if (rc || icf_is(f, "End manager"))
			break;
		if (icf_is(f, "Manager network address"))
			icf_copy(f, m->address, sizeof(m->address), icf_value(f),
				 "the manager's address");
		else if (icf_is(f, "Worker"))
			rc = read_worker(f, m);
		else if (icf_begins(f, "End") || icf_begins(f, "Manager ID"))
			rc = icf_fail(f, "'%.80s within a manager: end it with 'End manager",
				      f->line);
		else if (f->key && !f->remark)
			icf_unknown(f);
	}
	return rc;
}

int icf_read_managers(struct icf *f)
{
	int rc = 0;

	while (rc == 0) {
		rc = next_or_cut(f, "'MANAGER LIST");
		if (rc || icf_is(f, "END manager list"))
			break;
		if (icf_section_at(f) < ICF_SECTIONS || icf_begins(f, "Version")) {
			icf_warn(f, "'MANAGER LIST has no end");
			icf_hold(f);
			break;
		}
		if (icf_begins(f, "Manager ID"))
			rc = read_manager(f);
		else if (f->key && !f->remark)
			icf_unknown(f);
	}
	return rc;
}
