/* screen.c - what the live screen costs: CPU time of its thread at 4 frames a second, and bytes sent.
 *
 * The goals are at most 1 % of one core and 3 KB a frame at 80x24. The thread's time is the kernel's
 * (/proc/PID/task/PID/schedstat, nanoseconds), the bytes are what arrives at the terminal. Not a test:
 * it prints and judges nothing. On null: always, on a loop device where there are any.
 *
 *     make tests/bench/screen && tests/bench/screen [SECONDS]
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include "tests/e2e.h"
#include "tests/proc.h"

#define FRAMES_PER_SECOND 4.0

static double seconds = 10;

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

static void measure(const char *what, const char *target, int rows, int cols, const char *glyphs)
{
	struct vt_options o = {.rows = rows, .cols = cols};
	struct vt *v = LIVE(&o, target, "--no-store", "--glyphs", glyphs, "--read",
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
	printf("%-6s %3dx%-3d %-8s  %5.2f %%  %7.0f B  %7zu B\n", what, cols, rows, glyphs,
	       share * 100, (double)bytes / (spent * FRAMES_PER_SECOND), first);
	fflush(stdout);
	e2e_free(v);
}

static void measure_all(const char *what, const char *target)
{
	measure(what, target, 24, 80, "braille");
	measure(what, target, 24, 80, "ascii");
	measure(what, target, 43, 132, "braille");
}

int main(int argc, char **argv)
{
	struct loopdev l;

	if (argc > 1)
		seconds = atof(argv[1]);
	printf("target size   glyphs    one CPU  a frame    the start\n");
	measure_all("null:", "null:200us");
	if (!e2e_loop(&l, 64 << 20))
		return 0;
	measure_all("loop", l.node);
	loopdev_free(&l);
	return 0;
}
