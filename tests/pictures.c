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
#include "tests/tgtd.h"

static const struct terminal {
	const char *name;
	struct vt_options o;
} terminals[] = {
	{"console", {.term = "linux", .rows = 24, .cols = 80}},
	{"emulator", {.term = "xterm-256color", .rows = 43, .cols = 132}},
};

/* On the folder of the test, which gets a short name, and with no other processes in sight. first: what lunscope
 * does before, or NULL. */
static struct vt *show(const struct terminal *t, const char *first, const char *arguments)
{
	struct vt_options o = t->o;
	char line[4096];

	o.dir = scratch_dir();
	snprintf(line, sizeof line, "mount --bind . /mnt && cd /mnt && %s%s%s exec %s %s",
		 first ? lunscope_path() : "", first ? first : "", first ? " >/dev/null;" : "",
		 lunscope_path(), arguments);
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
	struct vt *v = show(
		t, NULL, "scratch.img --create 256M --read 70 --workers 2 --rate 3000 --no-store");

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
	visit(v, t, "S", "frames/s", "setup");
	visit(v, t, "I", "Iometer's tests", "iometer");
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
	struct vt *v = show(t, NULL, "data.img --rate 500 --no-store");

	ANSWER(v, shows_reads);
	visit(v, t, "!", "To allow it, type", "permission");
	e2e_quit(v);
}

/* A run before is drawn behind; two cursors; and a trigger, which a smaller rate sets off. */
static void record_scope(const struct terminal *t)
{
	unlink(scratch_path("runs.db"));
	unlink(scratch_path("scope.img"));
	struct vt *v =
		show(t, " run scope.img --create 256M --rate 2600 --for 15s --store runs.db",
		     "scope.img --rate 3000 --store runs.db --baseline 1 --trigger 'iops < 1k'");

	ANSWER(v, shows_reads);
	vt_pump(v, 13);
	vt_type(v, "z");
	record(v, t, "baseline");
	vt_type(v, "z1j");
	for (int i = 0; i < 8; i++)
		vt_key(v, "left");
	vt_type(v, "j");
	vt_key(v, "right");
	vt_pump(v, 0.6);
	record(v, t, "cursors");
	vt_key(v, "esc");
	vt_pump(v, 1);
	vt_key(v, "esc");
	vt_pump(v, 1);
	vt_type(v, "tt");
	VT_TEXT(v, "Triggered:");
	vt_pump(v, 0.6);
	record(v, t, "trigger");
	e2e_quit(v);
}

/* Two portals of a target on this host. */
static void record_paths(const struct terminal *t)
{
	const struct tgtd_options o = {.portals = 2};
	struct tgtd_lun l = {.id = "00000000c0ffee03",
			     .file = scratch_file("lun", 256 << 20, false)};
	static struct tgtd target;
	char line[512];

	if (tgtd_missing()) {
		print_message("%s: no picture of paths\n", tgtd_missing());
		return;
	}
	assert_int_equal(tgtd_start(&target, &o), 0);
	assert_int_equal(tgtd_target(&target, "paths"), 1);
	assert_int_equal(tgtd_lun(&target, 1, 1, &l), 0);
	snprintf(line, sizeof line,
		 "iscsi://127.0.0.1:%d,127.0.0.2:%d/%s/1 --rate 1000 --workers 2 --outstanding 4 "
		 "--watch eth0 --no-store",
		 target.port, target.port, tgtd_iqn("paths"));
	struct vt *v = show(t, NULL, line);
	ANSWER(v, shows_reads);
	vt_pump(v, 14);
	record(v, t, "sessions");
	visit(v, t, "P", "IOs take the path by policy", "paths");
	vt_type(v, "8");
	vt_pump(v, 0.6);
	record(v, t, "nics");
	vt_key(v, "esc");
	e2e_quit(v);
	tgtd_free(&target);
}

static void each_screen(void **state)
{
	record_run(*state);
	record_scope(*state);
	record_paths(*state);
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
