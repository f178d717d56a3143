/* pictures.c - records each screen of the running program for the pictures of the documentation, on a console
 * of 80x24 and on a terminal emulator of 132x43. No test: `make pictures` runs it, with LUNSCOPE_SHOTS set,
 * and doc/pictures.py makes the pictures.
 *
 * The IO is real, on a file made for it, at a rate that any disk bears.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tests/e2e.h"
#include "tests/proc.h"
#include "tests/scratch.h"

static const struct terminal {
	const char *name;
	struct vt_options o;
} terminals[] = {
	{"console", {.term = "linux", .rows = 24, .cols = 80}},
	{"emulator", {.term = "xterm-256color", .rows = 43, .cols = 132}},
};

/* On the folder of the test, which gets a short name, and with no other processes in sight. */
static struct vt *show(const struct terminal *t, const char *arguments)
{
	struct vt_options o = t->o;
	char line[4096];

	o.dir = scratch_dir();
	snprintf(line, sizeof line, "mount --bind . /mnt && cd /mnt && exec %s %s", lunscope_path(),
		 arguments);
	return e2e_start(&o, (const char *const[]){"unshare", "-m", "-p", "-f", "--mount-proc",
						   "sh", "-c", line, NULL});
}

static void record(struct vt *v, const struct terminal *t, const char *screen)
{
	char name[64];

	snprintf(name, sizeof name, "%s-%s", t->name, screen);
	vt_settle(v, 0.05);
	vt_shot(v, name);
}

/* Opens something, records it, and goes back. */
static void visit(struct vt *v, const struct terminal *t, const char *key, const char *there,
		  const char *screen)
{
	vt_type(v, key);
	VT_TEXT(v, there);
	vt_pump(v, 0.6);
	record(v, t, screen);
	vt_key(v, "esc");
	VT_GONE(v, there);
}

static void record_run(const struct terminal *t)
{
	/* The one made for the other terminal would be a stranger's. */
	unlink(scratch_path("scratch.img"));
	struct vt *v =
		show(t, "scratch.img --create 256M --read 70 --workers 2 --rate 3000 --no-store");

	ANSWER(v, shows_writes);
	vt_pump(v, 26);
	vt_type(v, "B");
	KNOB(v, "Block", "8K");
	vt_pump(v, 27);
	record(v, t, "dashboard");
	visit(v, t, "v", "lunscope: compare", "compare");
	/* With a pane over the whole screen. */
	vt_type(v, "3");
	vt_key(v, "F6");
	VT_GONE(v, "Throughput");
	vt_pump(v, 0.6);
	record(v, t, "latency");
	vt_type(v, "9");
	VT_TEXT(v, "[Heat map]");
	vt_pump(v, 0.6);
	record(v, t, "heat");
	vt_key(v, "F6");
	vt_key(v, "esc");
	visit(v, t, "?", ": help", "help");
	visit(v, t, "a", "Alignment", "workload");
	visit(v, t, "f", "Find the most load", "find");
	visit(v, t, "A", "A against B, in turn", "abba");
	visit(v, t, "k", "Bench knobs", "bench");
	vt_type(v, "d");
	VT_TEXT(v, "Against writing");
	VT_GONE(v, "(looking");
	record(v, t, "targets");
	vt_key(v, "esc");
	VT_GONE(v, "Against writing");
	visit(v, t, "q", "Go on", "quit");
	/* Some steps of the curve. */
	vt_type(v, "c");
	VT_TEXT(v, "Load-latency curve");
	vt_key(v, "enter");
	VT_TEXT(v, "Enter anew by rate");
	record(v, t, "curve");
	vt_key(v, "esc");
	VT_GONE(v, "Enter anew by rate");
	e2e_quit(v);
}

static void record_permission(const struct terminal *t)
{
	/* Not made by lunscope, so that it asks. */
	scratch_file("data.img", 64 << 20, false);
	struct vt *v = show(t, "data.img --rate 500 --no-store");

	ANSWER(v, shows_reads);
	visit(v, t, "!", "To allow it, type", "permission");
	e2e_quit(v);
}

static void each_screen(void **state)
{
	record_run(*state);
	record_permission(*state);
}

int main(void)
{
	const struct CMUnitTest screens[] = {
		{"console", each_screen, NULL, e2e_free_all, (void *)&terminals[0]},
		{"emulator", each_screen, NULL, e2e_free_all, (void *)&terminals[1]},
	};

	if (!getenv("LUNSCOPE_SHOTS")) {
		fputs("pictures: LUNSCOPE_SHOTS is the folder to record into; see make pictures\n",
		      stderr);
		return 2;
	}
	return cmocka_run_group_tests(screens, NULL, NULL);
}
