/* run-fixture.c - see run-fixture.h. */
#include <setjmp.h>
#include <stdarg.h>
#include "tests/run-fixture.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>
#include "tests/scratch.h"
#include "units.h"

static struct target target;
static bool stopped;
struct run *run;
struct summary summary;
struct mark mark[RUN_MARKS];
size_t marks;

void wait_ms(uint64_t ms)
{
	nanosleep(&(struct timespec){(time_t)(ms / 1000), (long)(ms % 1000 * NS_PER_MS)}, NULL);
}

static void start_on(const char *spec, uint64_t create, const struct backend *b,
		     struct run_config *c)
{
	struct target_options how = {.create_size = create};
	struct error e;
	stopped = false;
	c->no_store = !c->store_path;
	c->status = "headless";
	if (target_open(&target, spec, &how, &e))
		fail_msg("%s", e.text);
	if (b)
		target.backend = b;
	if (run_create(&run, &target, c, &e))
		fail_msg("%s", e.text);
}

static void start(const char *spec, uint64_t create, struct run_config *c)
{
	start_on(spec, create, NULL, c);
}

void start_null(const char *store)
{
	struct run_config c = {.workload = workload_default(), .store_path = store};
	start("null:1ms", 0, &c);
}

void start_backend(const struct backend *b)
{
	struct run_config c = {.workload = workload_default()};
	start_on("null:", 0, b, &c);
}

/* On a file of our own, made anew. */
const char *start_file(bool stop_on_error)
{
	struct run_config c = {.workload = workload_default(), .stop_on_error = stop_on_error};
	const char *path = scratch_path("target");
	unlink(path);
	start(path, RUN_FILE_SIZE, &c);
	return path;
}

void stop(void)
{
	stopped = true;
	assert_int_equal(run_stop(run, "done", &summary), 0);
}

int finish(void **state)
{
	(void)state;
	if (run) {
		if (!stopped)
			run_stop(run, "done", &summary);
		run_destroy(run);
		target_close(&target);
	}
	run = NULL;
	return 0;
}

void apply_outstanding(uint32_t n)
{
	struct workload w = run_workload(run);
	struct error e;
	w.outstanding = n;
	if (run_apply(run, &w, &e))
		fail_msg("%s", e.text);
}

void pause_it(bool paused)
{
	struct error e;
	if (run_pause(run, paused, &e))
		fail_msg("%s", e.text);
}

void read_marks(void)
{
	marks = timeline_marks(run_timeline(run), 0, mark, RUN_MARKS);
}

size_t count_marks(enum mark_kind kind)
{
	size_t n = 0;
	read_marks();
	for (size_t i = 0; i < marks; i++)
		n += mark[i].kind == kind;
	return n;
}

void check_mark(size_t i, enum mark_kind kind, char letter, const char *text)
{
	if (i >= marks)
		fail_msg("there are only %zu marks", marks);
	if (mark[i].kind != kind || mark[i].letter != letter ||
	    (text && strcmp(mark[i].text, text) != 0))
		fail_msg("mark %zu is %s '%c' '%s'", i + 1, mark_kind_name(mark[i].kind),
			 mark[i].letter ? mark[i].letter : '-', mark[i].text);
}
