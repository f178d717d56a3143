/* rate.c - how exactly a rate is kept: the mean over the whole time, and each window of 100 ms.
 *
 *     rate [SECONDS]
 *
 * IOs are counted as they complete, on null:100us and on a loop device where there are any; a window is as
 * long as the time between two readings of the counters, which carry their own times. Prints a Markdown
 * table; the goals are a mean within 0.5 % and windows within 10 %.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "engine.h"
#include "target.h"
#include "tests/loopdev.h"
#include "tests/scratch.h"
#include "units.h"

#define WINDOW_NS (100 * NS_PER_MS)
/* The first windows are the start's. */
#define SKIPPED 5

static unsigned windows = 100;

static void sleep_until(uint64_t t_ns)
{
	struct timespec t = {(time_t)(t_ns / NS_PER_SEC), (long)(t_ns % NS_PER_SEC)};

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL))
		;
}

static uint64_t ios(const struct engine_counters *c)
{
	return c->op[IO_READ].ios;
}

/* The rate between two readings, as its deviation from the one asked for. */
static double deviation(const struct engine_counters *a, const struct engine_counters *b,
			uint64_t rate)
{
	double seconds = (double)(b->t_ns - a->t_ns) / (double)NS_PER_SEC;

	return (double)(ios(b) - ios(a)) / seconds / (double)rate - 1;
}

static void watch(struct engine *engine, const char *what, uint32_t workers, uint64_t rate)
{
	static struct engine_counters first, before, now;
	double worst = 0;
	unsigned good = 0;

	for (unsigned i = 0; i <= windows + SKIPPED; i++) {
		/* Whoever wakes late has a longer window, and no short one behind it. */
		sleep_until(clock_ns() + WINDOW_NS);
		engine_collect(engine, &now);
		engine_tick(engine);
		if (i == SKIPPED) {
			first = now;
		} else if (i > SKIPPED) {
			double d = deviation(&before, &now, rate);
			good += fabs(d) <= 0.10;
			if (fabs(d) > fabs(worst))
				worst = d;
		}
		before = now;
	}
	printf("| %s, %u worker%s, %" PRIu64 "/s | **%+.3f %%** | %u of %u | %+.1f %% |\n", what,
	       workers, workers > 1 ? "s" : "", rate, 100 * deviation(&first, &now, rate), good,
	       windows, 100 * worst);
	fflush(stdout);
}

static void measure(const char *what, const char *spec, uint32_t workers, uint64_t rate)
{
	struct workload w = workload_default();
	struct target_options how = {0};
	struct engine *engine;
	struct target t;
	struct error e;

	w.workers = workers;
	w.outstanding = 64;
	w.rate_iops = rate;
	if (target_open(&t, spec, &how, &e)) {
		fprintf(stderr, "rate: %s\n", e.text);
		return;
	}
	if (engine_create(&engine, &t, &w, &e)) {
		fprintf(stderr, "rate: %s\n", e.text);
	} else {
		watch(engine, what, workers, rate);
		engine_stop(engine, 10 * NS_PER_SEC);
		engine_destroy(engine);
	}
	target_close(&t);
}

int main(int argc, char **argv)
{
	struct loopdev_options how = {.direct = true};
	struct loopdev l;

	if (argc > 1)
		windows = (unsigned)(atof(argv[1]) * 10);
	printf("| rate | mean off by | windows of 100 ms within 10 %% | the worst window |\n"
	       "| --- | ---: | ---: | ---: |\n");
	measure("null:100us", "null:100us", 1, 1000);
	measure("null:100us", "null:100us", 1, 20000);
	if (loopdev_missing() || loopdev_make(&l, "rate", 64 * MIB, &how))
		return 0;
	measure("loop", l.node, 1, 1000);
	measure("loop", l.node, 2, 20000);
	loopdev_free(&l);
	return 0;
}
