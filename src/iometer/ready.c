/* ready.c - see ready.h. */
#include "iometer/ready.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cpus.h"
#include "iometer/specs.h"

static int take_spec(struct iometer_setup *s, const struct iometer_spec *spec)
{
	struct iometer_spec *to = iometer_add_spec(s);

	if (!to)
		return -ENOMEM;
	*to = *spec;
	/* Whatever it is by default: here everybody runs it. */
	to->assign = IOMETER_ASSIGN_ALL;
	return 0;
}

/* A set goes before a specification of the same name. */
static int take_specs(struct iometer_setup *s, const struct specs *all, const char *name,
		      struct error *e)
{
	enum specs_from set = specs_set_of(name);
	const struct specs_row *one = set == SPECS_SETS ? specs_find(all, name) : NULL;
	int rc = 0;

	if (set == SPECS_SETS && !one)
		return error_set(
			e, ENOENT,
			"%s: no file, and no access specification or set of them has that name: "
			"lunscope specs lists them",
			name);
	if (one)
		rc = take_spec(s, &one->spec);
	for (size_t i = 0; !one && i < all->count && rc == 0; i++) {
		if (all->row[i].from == set && all->row[i].spec.count)
			rc = take_spec(s, &all->row[i].spec);
	}
	return rc ? error_set(e, ENOMEM, "out of memory for the specifications") : 0;
}

/* Worker w has the targets w, w + workers, ...; where there are fewer targets than workers, they share them. */
static int take_targets(struct iometer_worker *w, unsigned i, unsigned workers, unsigned targets)
{
	for (unsigned t = i % targets; t < targets; t += workers) {
		struct iometer_target *to = iometer_add_target(w);
		if (!to)
			return -ENOMEM;
		snprintf(to->name, sizeof(to->name), "target %u", t + 1);
	}
	return 0;
}

static int take_workers(struct iometer_setup *s, unsigned workers, unsigned targets)
{
	struct iometer_manager *m = iometer_add_manager(s);
	int rc = m ? 0 : -ENOMEM;

	if (m) {
		m->id = 1;
		gethostname(m->name, sizeof(m->name) - 1);
	}
	for (unsigned i = 0; i < workers && rc == 0; i++) {
		struct iometer_worker *w = iometer_add_worker(m);
		if (!w)
			return -ENOMEM;
		snprintf(w->name, sizeof(w->name), "Worker %u", i + 1);
		w->pattern = 2;
		rc = take_targets(w, i, workers, targets);
	}
	return rc;
}

int iometer_ready(struct iometer_setup *s, const char *name, uint32_t workers, unsigned targets,
		  struct error *e)
{
	struct specs all;
	cpu_set_t cpus = cpus_allowed();
	int rc = specs_load(&all, e);

	iometer_setup_init(s);
	snprintf(s->description, sizeof(s->description), "%s", name);
	if (!workers)
		workers = (uint32_t)CPU_COUNT(&cpus);
	if (rc == 0)
		rc = take_specs(s, &all, name, e);
	specs_free(&all);
	if (rc)
		return rc;
	if (!targets)
		return error_set(e, EINVAL,
				 "%s: on which target? Name it behind: lunscope iometer %s TARGET",
				 name, name);
	if (take_workers(s, workers, targets))
		return error_set(e, ENOMEM, "out of memory for the workers");
	return 0;
}

void iometer_set_outstanding(struct iometer_setup *s, uint32_t outstanding)
{
	for (size_t m = 0; m < s->managers; m++) {
		for (size_t w = 0; w < s->manager[m].workers; w++)
			s->manager[m].worker[w].outstanding = outstanding;
	}
}
