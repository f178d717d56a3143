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

void iometer_target_name(char name[IOMETER_NAME], char *const *spec, unsigned i)
{
	const char *slash = strrchr(spec[i], '/');
	const char *word = spec[i][0] == '/' && slash[1] ? slash + 1 : spec[i];
	bool fits = strlen(word) < IOMETER_NAME && !strpbrk(word, "=,'\n\r\t") && word[0] != ' ';

	for (unsigned k = 0; k < i && fits; k++) {
		const char *other = strrchr(spec[k], '/');
		fits = strcmp(other ? other + 1 : spec[k], word) != 0 && strcmp(spec[k], word) != 0;
	}
	if (fits)
		snprintf(name, IOMETER_NAME, "%s", word);
	else
		snprintf(name, IOMETER_NAME, "target %u", i + 1);
}

/* Worker w has the targets w, w + workers, ...; where there are fewer targets than workers, they share them. */
static int take_targets(struct iometer_worker *w, unsigned i, unsigned workers, char *const *spec,
			unsigned targets)
{
	for (unsigned t = i % targets; t < targets; t += workers) {
		struct iometer_target *to = iometer_add_target(w);
		if (!to)
			return -ENOMEM;
		iometer_target_name(to->name, spec, t);
	}
	return 0;
}

static int spawn(struct iometer_setup *s, uint32_t workers, char *const *spec, unsigned targets,
		 struct error *e)
{
	cpu_set_t cpus = cpus_allowed();
	struct iometer_manager *m = iometer_add_manager(s);
	int rc = m ? 0 : -ENOMEM;

	if (!workers || workers == IOMETER_PER_CPU)
		workers = (uint32_t)CPU_COUNT(&cpus);
	if (workers > WORKERS_MAX)
		return error_set(e, EINVAL, "workers %u: from 1 to %u are possible", workers,
				 WORKERS_MAX);
	if (m) {
		m->id = 1;
		gethostname(m->name, sizeof(m->name) - 1);
	}
	for (unsigned i = 0; i < workers && rc == 0; i++) {
		struct iometer_worker *w = iometer_add_worker(m);
		if (!w)
			rc = -ENOMEM;
		if (!w)
			break;
		snprintf(w->name, sizeof(w->name), "Worker %u", i + 1);
		w->pattern = 2;
		rc = take_targets(w, i, workers, spec, targets);
	}
	return rc ? error_set(e, ENOMEM, "out of memory for the workers") : 0;
}

/* Everything, where nothing is chosen. */
static void assign_all(struct iometer_setup *s)
{
	for (size_t i = 0; i < s->specs; i++) {
		if (s->spec[i].assign == IOMETER_ASSIGN_ALL ||
		    s->spec[i].assign == IOMETER_ASSIGN_DISK)
			return;
	}
	for (size_t i = 0; i < s->specs; i++)
		s->spec[i].assign = IOMETER_ASSIGN_DISK;
}

int iometer_man(struct iometer_setup *s, const char *name, uint32_t workers, char *const *spec,
		unsigned targets, struct error *e)
{
	if (!targets)
		return error_set(
			e, EINVAL,
			"%s: on which target? Name it behind: lunscope iometer '%s' TARGET", name,
			name);
	assign_all(s);
	return spawn(s, workers ? workers : s->disk_workers, spec, targets, e);
}

int iometer_ready(struct iometer_setup *s, const char *name, struct error *e)
{
	struct specs all;
	int rc = specs_load(&all, e);

	iometer_setup_init(s);
	snprintf(s->description, sizeof(s->description), "%s", name);
	if (rc == 0)
		rc = take_specs(s, &all, name, e);
	specs_free(&all);
	return rc;
}

void iometer_set_outstanding(struct iometer_setup *s, uint32_t outstanding)
{
	for (size_t m = 0; m < s->managers; m++) {
		for (size_t w = 0; w < s->manager[m].workers; w++)
			s->manager[m].worker[w].outstanding = outstanding;
	}
}
