/* knob.c - how long a knob takes: from the key that is pressed to the first IO of the new values, and to
 * the moment when every worker is on them and the last IO of the old ones is back.
 *
 *     knob [CHANGES]
 *
 * Keys are typed into the live screen's terminal at random times, half of them for the outstanding IOs,
 * half for the block size, up and down in turn. The moment of the key is taken just before it is written
 * to the terminal; the rest is the engine's own record, from the run store. On a loop device over memory,
 * and on a device that takes 5 s for each IO, where more outstanding IOs must start all the same.
 * Prints a Markdown table; the goals are 1 ms (p50) and 20 ms (p99), and 50 ms on the stalled device.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include "tests/bench/kept.h"
#include "tests/e2e.h"
#include "tests/proc.h"
#include "tests/scratch.h"

#define CHANGES_MAX 10000

/* Longer than the 100 ms between two of the engine's looks at what has settled. */
#define APART_S  0.12
#define JITTER_S 0.05

static double pressed_ns[CHANGES_MAX]; /* since 1970 */

static double wall_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Types keys[i % 4]; fills pressed_ns. */
static void turn(struct vt *v, const char *keys, unsigned changes)
{
	/* The start is over, and the store's first second written. */
	vt_pump(v, 1.5);
	for (unsigned i = 0; i < changes; i++) {
		pressed_ns[i] = wall_ns();
		vt_send(v, &keys[i % 4], 1);
		vt_pump(v, APART_S + JITTER_S * drand48());
	}
}

/* IOs may be in flight for long: then the status is not 0. */
static void quit(struct vt *v)
{
	vt_type(v, "q");
	VT_TEXT(v, "Go on");
	vt_type(v, "k");
	VT_EXPECT(v, vt_wait_exit(v));
	e2e_free(v);
}

static void print_row(const char *what, double *ms, size_t n, size_t changes)
{
	if (!n) {
		printf("| %s | - | - | - | 0 of %zu |\n", what, changes);
		return;
	}
	double p50 = quantile(ms, n, 0.5), p99 = quantile(ms, n, 0.99);
	printf("| %s | **%.2f ms** | **%.2f ms** | %.2f ms | %zu of %zu |\n", what, p50, p99,
	       ms[n - 1], n, changes);
}

/* The ms from each key to that moment of its generation, as far as it came to it; returns how many. */
static size_t delays(const json_t *generations, unsigned changes, const char *moment, double *ms)
{
	size_t n = 0;

	for (unsigned i = 0; i < changes; i++) {
		/* The first is the start's. Times since 1970 in ns are beyond a double's 53 bits
		 * by a factor of 200: 0.2 us. */
		const json_t *g = json_array_get(generations, i + 1);
		double after = kept_number(g, moment);
		if (!isnan(after))
			ms[n++] = (kept_number(g, "time_ns") + after - pressed_ns[i]) / 1e6;
	}
	return n;
}

static void report(const char *what, const char *store, unsigned changes, bool settles)
{
	static double ms[CHANGES_MAX];
	char title[80];
	json_t *summary = kept_summary(store);
	json_t *generations = json_object_get(summary, "generations");

	if (json_array_size(generations) != changes + 1) {
		fprintf(stderr, "knob: %u keys made %zu changes\n", changes,
			json_array_size(generations) - 1);
		exit(2);
	}
	snprintf(title, sizeof(title), "%s: key to the first IO of the new values", what);
	print_row(title, ms, delays(generations, changes, "first_io_ns", ms), changes);
	if (settles) {
		snprintf(title, sizeof(title), "%s: key to the last IO of the old values", what);
		print_row(title, ms, delays(generations, changes, "settled_ns", ms), changes);
	}
	fflush(stdout);
	json_decref(summary);
}

int main(int argc, char **argv)
{
	unsigned changes = argc > 1 ? (unsigned)atoi(argv[1]) : 200;
	struct vt_options o = {.rows = 24, .cols = 80};
	const char *store = scratch_path("runs.db");
	struct loopdev l;

	if (changes > CHANGES_MAX)
		changes = CHANGES_MAX;
	srand48(getpid());
	printf("| a knob is turned | p50 | p99 | longest | changes |\n"
	       "| --- | ---: | ---: | ---: | ---: |\n");
	if (e2e_loop(&l, 64 << 20)) {
		struct vt *v = LIVE(&o, l.node, "--store", store, "--outstanding", "16");
		turn(v, "OoBb", changes);
		e2e_quit(v);
		report("loop", store, changes, true);
		loopdev_free(&l);
	}
	struct vt *v = LIVE(&o, "null:5s", "--store", store, "--outstanding", "1");
	turn(v, "OOOO", 10);
	quit(v);
	report("stalled device", store, 10, false);
	return 0;
}
