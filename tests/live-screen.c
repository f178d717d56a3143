/* live-screen.c - see live-screen.h. */
#include "live-screen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

void live_screen_begin(struct live_screen *f, const char *spec, uint64_t rate_iops)
{
	struct workload w = workload_default();
	struct target_options o = {0};
	struct run_config rc = {.no_store = true, .command = "", .status = "live"};
	struct error e = {""};

	w.rate_iops = rate_iops;
	rc.workload = w;
	if (target_open(&f->target, spec, &o, &e) || run_create(&f->run, &f->target, &rc, &e))
		fail_msg("%s", e.text);
	struct ui_config c = {.host = &f->host,
			      .run = f->run,
			      .target = &f->target,
			      .workload = w,
			      .version = "1.0"};
	assert_int_equal(state_init(&f->s, &c, &e), 0);
	assert_int_equal(canvas_resize(&f->c, 24, 80), 0);
}

void live_screen_end(struct live_screen *f)
{
	struct summary s;

	state_free(&f->s);
	canvas_free(&f->c);
	if (!f->run)
		return;
	run_stop(f->run, "done", &s);
	run_destroy(f->run);
	target_close(&f->target);
}
