/* screen.c - what the live screen costs: CPU time of its thread, bytes sent, and IOs not done.
 *
 *     screen [SECONDS] [PAIRS]
 *
 * The goals are at most 1 % of one core at 10 frames a second, 3 KB a frame at 80x24, and 0.99 (0.98) of
 * the IOPS without a screen at 4 (10) frames a second on /dev/zero. The thread's time is the kernel's
 * (/proc/PID/task/PID/schedstat, nanoseconds), the bytes are what arrives at the terminal, and IOPS are
 * compared between runs that follow each other, in alternating order. The terminal emulator that reads
 * the screen here takes CPU time too, as any does. Not a test: it prints and judges nothing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include "tests/bench/kept.h"
#include "tests/e2e.h"
#include "tests/proc.h"
#include "tests/scratch.h"

#define PAIRS_MAX 100

static double seconds = 3;
static unsigned pairs = 5;
static const char *store;

/* ns on a CPU of the thread that draws, which is the first one. */
static double thread_time(pid_t pid)
{
	char path[64];
	double ns = 0;

	snprintf(path, sizeof path, "/proc/%d/task/%d/schedstat", (int)pid, (int)pid);
	FILE *f = fopen(path, "re");
	if (!f || fscanf(f, "%lf", &ns) != 1)
		printf("%s: no figure\n", path);
	if (f)
		fclose(f);
	return ns;
}

/* --- What drawing takes. --- */

static void measure(const char *what, const char *target, int rows, int cols, const char *glyphs,
		    const char *fps)
{
	struct vt_options o = {.rows = rows, .cols = cols};
	struct vt *v = LIVE(&o, target, "--no-store", "--glyphs", glyphs, "--fps", fps, "--read",
			    target[0] == '/' ? "100" : "70");
	size_t first, bytes;

	vt_settle(v, 0.1);
	vt_raw(v, &first);
	/* The first seconds fill panes that are empty at the start. */
	vt_pump(v, 2);
	vt_forget(v);
	double cpu = thread_time(vt_pid(v)), began = proc_now();
	vt_pump(v, seconds);
	double spent = proc_now() - began, share = (thread_time(vt_pid(v)) - cpu) / 1e9 / spent;
	vt_raw(v, &bytes);
	printf("| %s, %dx%d, %s, %s Hz | **%.2f %%** | %.0f B | %zu B |\n", what, cols, rows,
	       glyphs, fps, share * 100, (double)bytes / (spent * atof(fps)), first);
	fflush(stdout);
	e2e_free(v);
}

static void measure_all(const char *what, const char *target)
{
	measure(what, target, 24, 80, "braille", "4");
	measure(what, target, 24, 80, "braille", "10");
	measure(what, target, 24, 80, "ascii", "4");
	measure(what, target, 43, 132, "braille", "4");
	measure(what, target, 43, 132, "braille", "10");
}

/* --- What IO loses. --- */

static double newest_iops(void)
{
	json_t *summary = kept_summary(store);
	double iops = kept_number(summary, "total.iops");

	json_decref(summary);
	return iops;
}

/* fps NULL: without a screen. */
static double iops(const char *target, const char *fps)
{
	struct vt_options o = {.rows = 24, .cols = 80};
	struct proc p;
	char time[32];

	if (fps) {
		struct vt *v = LIVE(&o, target, "--store", store, "--range", "0:1g",
				    "--outstanding", "32", "--fps", fps);
		vt_pump(v, seconds);
		e2e_quit(v);
	} else {
		snprintf(time, sizeof time, "%.1fs", seconds);
		PROC(&p, lunscope_path(), "run", target, "--store", store, "--range", "0:1g",
		     "--outstanding", "32", "--for", time);
		proc_free(&p);
	}
	return newest_iops();
}

static void compare(const char *what, const char *target)
{
	static const char *const fps[] = {NULL, "4", "10"};
	double v[3], at_4[PAIRS_MAX], at_10[PAIRS_MAX];

	for (unsigned i = 0; i < pairs; i++) {
		for (int k = 0; k < 3; k++) {
			int which = i % 2 ? 2 - k : k;
			v[which] = iops(target, fps[which]);
		}
		at_4[i] = v[1] / v[0];
		at_10[i] = v[2] / v[0];
	}
	printf("| %s | **%.3f** (%.2f-%.2f) | **%.3f** (%.2f-%.2f) |\n", what,
	       quantile(at_4, pairs, 0.5), quantile(at_4, pairs, 0.25), quantile(at_4, pairs, 0.75),
	       quantile(at_10, pairs, 0.5), quantile(at_10, pairs, 0.25),
	       quantile(at_10, pairs, 0.75));
	fflush(stdout);
}

int main(int argc, char **argv)
{
	struct loopdev l;

	if (argc > 1)
		seconds = atof(argv[1]);
	if (argc > 2)
		pairs = (unsigned)atoi(argv[2]);
	if (pairs < 1 || pairs > PAIRS_MAX)
		pairs = PAIRS_MAX;
	store = scratch_path("runs.db");
	printf("| IOPS with the screen / without (quartiles) | 4 Hz | 10 Hz |\n"
	       "| --- | ---: | ---: |\n");
	compare("floor, depth 32", "/dev/zero");
	compare("null:, depth 32", "null:");
	printf("\n| the thread that draws | of one CPU | a frame | the start |\n"
	       "| --- | ---: | ---: | ---: |\n");
	measure_all("null:200us", "null:200us");
	if (!e2e_loop(&l, 64 << 20))
		return 0;
	measure("loop", l.node, 24, 80, "braille", "10");
	loopdev_free(&l);
	return 0;
}
