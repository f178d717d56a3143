/* instructions.c - the real engine and worker over a number of IOs that is known exactly, for counting
 * instructions with callgrind, which gives the same count each time, however busy the machine is.
 *
 *     instructions TARGET DEPTH IOS
 *
 * Between the first and the second call of instructions_mark() at least IOS of them are submitted; how
 * many is printed. So `valgrind --tool=callgrind --dump-before=instructions_mark` writes them in its
 * second dump (the first is the start, with its page faults of caches and lanes). The main thread sleeps
 * meanwhile. What counted_submit() takes is told apart by its source file, this one (callgrind.sh).
 * Ends with 77 when the compiler was not asked to optimise: such a count says nothing.
 */
#include <inttypes.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

#include "backends/backend.h"
#include "engine.h"
#include "target.h"
#include "units.h"

static struct backend counted; /* the target's, with counted_submit() */
static const struct backend *real;
static uint64_t submitted, next_mark, first_mark, length, done;
static unsigned marks;
static sem_t finished;

__attribute__((noinline, noclone)) static void instructions_mark(void)
{
	__asm__ volatile("" ::: "memory");
}

static void mark(void)
{
	instructions_mark();
	if (++marks == 1) {
		first_mark = submitted;
		next_mark = submitted + length;
	} else {
		done = submitted - first_mark;
		next_mark = UINT64_MAX;
		sem_post(&finished);
	}
}

static int counted_submit(void *queue, struct io **ios, unsigned n)
{
	int taken = real->submit(queue, ios, n);

	if (taken > 0)
		submitted += (uint64_t)taken;
	if (submitted >= next_mark)
		mark();
	return taken;
}

static int count_instructions(struct target *t, uint32_t depth, struct error *e)
{
	struct workload w = workload_default();
	struct engine *engine;

	real = t->backend;
	counted = *real;
	counted.submit = counted_submit;
	t->backend = &counted;
	w.outstanding = depth;
	w.range_length = 1ull << 30;
	next_mark = length / 2;
	sem_init(&finished, 0, 0);
	int rc = engine_create(&engine, t, &w, e);
	if (rc)
		return rc;
	while (sem_wait(&finished))
		;
	engine_stop(engine, 10 * NS_PER_SEC);
	engine_destroy(engine);
	printf("%" PRIu64 "\n", done);
	return 0;
}

int main(int argc, char **argv)
{
	struct target_options how = {0};
	struct target t;
	struct error e;

#ifndef __OPTIMIZE__
	fprintf(stderr, "instructions: built without optimisation\n");
	return 77;
#endif
	if (argc != 4) {
		fprintf(stderr, "usage: instructions TARGET DEPTH IOS\n");
		return 2;
	}
	length = strtoull(argv[3], NULL, 10);
	int rc = target_open(&t, argv[1], &how, &e);
	if (rc == 0) {
		rc = count_instructions(&t, (uint32_t)strtoul(argv[2], NULL, 10), &e);
		target_close(&t);
	}
	if (rc)
		fprintf(stderr, "instructions: %s\n", e.text);
	return rc ? 1 : 0;
}
