/* live-screen.h - the live screen over a real run, without a terminal: keys go to its state, and a test reads the
 * canvas. Not stored, and the host's calls are the test's.
 */
#ifndef LUNSCOPE_TEST_LIVE_SCREEN_H
#define LUNSCOPE_TEST_LIVE_SCREEN_H

#include "run.h"
#include "target.h"
#include "ui/state.h"

struct live_screen {
	struct ui_host host; /* set it before live_screen_begin() */
	struct run *run;
	struct target target;
	struct ui_state s;
	struct canvas c;
};

/* 24 rows of 80 over a run on spec; rate 0 is none. Fails the test where that can't be. */
void live_screen_begin(struct live_screen *f, const char *spec, uint64_t rate_iops);
/* Ends the run, if there still is one. */
void live_screen_end(struct live_screen *f);

#endif
