/* setup.c - Iometer's set-ups: defaults, growing, looking up. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "iometer/setup.h"

static const char *const test_words[IOMETER_TESTS] = {
	[IOMETER_NORMAL] = "NORMAL",
	[IOMETER_CYCLE_TARGETS] = "CYCLE_TARGETS",
	[IOMETER_CYCLE_WORKERS] = "CYCLE_WORKERS",
	[IOMETER_INCREMENT_TARGETS_PARALLEL] = "INCREMENT_TARGETS_PARALLEL",
	[IOMETER_INCREMENT_TARGETS_SERIAL] = "INCREMENT_TARGETS_SERIAL",
	[IOMETER_CYCLE_WORKERS_AND_TARGETS] = "CYCLE_WORKERS_AND_TARGETS",
	[IOMETER_CYCLE_OUTSTANDING] = "CYCLE_OUTSTANDING_IOS",
	[IOMETER_CYCLE_OUTSTANDING_AND_TARGETS] = "CYCLE_OUTSTANDING_IOS_AND_TARGETS",
};

void iometer_setup_init(struct iometer_setup *s)
{
	memset(s, 0, sizeof(*s));
	snprintf(s->version, sizeof(s->version), "1.1.0");
	s->disk_workers = IOMETER_PER_CPU;
	s->worker_step = (struct iometer_step){.start = 1, .step = 1};
	s->target_step = (struct iometer_step){.start = 1, .step = 1};
	s->depth_step =
		(struct iometer_step){.start = 1, .step = 2, .end = 32, .exponential = true};
	s->whole_test = true;
}

static void free_worker(struct iometer_worker *w)
{
	free(w->spec);
	free(w->target);
}

void iometer_setup_free(struct iometer_setup *s)
{
	for (size_t m = 0; m < s->managers; m++) {
		for (size_t w = 0; w < s->manager[m].workers; w++)
			free_worker(&s->manager[m].worker[w]);
		free(s->manager[m].worker);
	}
	free(s->manager);
	free(s->spec);
	memset(s, 0, sizeof(*s));
}

/* One more of size bytes behind the n that there are, zeroed; NULL without memory. Room is for a power of two:
 * one that is full is doubled, so that many cost no more than few. */
static void *grow(void **array, size_t *n, size_t size)
{
	if ((*n & (*n - 1)) == 0) {
		void *more = reallocarray(*array, *n ? *n * 2 : 1, size);
		if (!more)
			return NULL;
		*array = more;
	}
	void *last = (char *)*array + *n * size;
	memset(last, 0, size);
	++*n;
	return last;
}

struct iometer_spec *iometer_add_spec(struct iometer_setup *s)
{
	void *array = s->spec;
	void *last = grow(&array, &s->specs, sizeof(*s->spec));

	s->spec = array;
	return last;
}

struct iometer_manager *iometer_add_manager(struct iometer_setup *s)
{
	void *array = s->manager;
	void *last = grow(&array, &s->managers, sizeof(*s->manager));

	s->manager = array;
	return last;
}

struct iometer_worker *iometer_add_worker(struct iometer_manager *m)
{
	void *array = m->worker;
	struct iometer_worker *w = grow(&array, &m->workers, sizeof(*m->worker));

	m->worker = array;
	if (w) {
		w->outstanding = 1;
		w->transactions = 1;
	}
	return w;
}

struct iometer_target *iometer_add_target(struct iometer_worker *w)
{
	void *array = w->target;
	void *last = grow(&array, &w->targets, sizeof(*w->target));

	w->target = array;
	return last;
}

int iometer_add_spec_name(struct iometer_worker *w, const char *name)
{
	void *array = w->spec;
	char *last = grow(&array, &w->specs, sizeof(*w->spec));

	w->spec = array;
	if (!last)
		return -ENOMEM;
	snprintf(last, sizeof(*w->spec), "%s", name);
	return 0;
}

const struct iometer_spec *iometer_find_spec(const struct iometer_setup *s, const char *name)
{
	for (size_t i = 0; i < s->specs; i++) {
		if (strcasecmp(s->spec[i].name, name) == 0)
			return &s->spec[i];
	}
	return NULL;
}

const char *iometer_test_word(enum iometer_test test)
{
	return test_words[test];
}

int iometer_test_of(const char *word)
{
	for (int i = 0; i < IOMETER_TESTS; i++) {
		if (strcasecmp(word, test_words[i]) == 0)
			return i;
	}
	return -1;
}
