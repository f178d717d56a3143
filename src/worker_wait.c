/* worker_wait.c - what a worker does when it has nothing in hand: spin for a moment, sleep, be woken. */
#include "worker_internal.h"

#include <poll.h>
#include <unistd.h>

#include "units.h"

/* A worker that nothing wakes still looks up this often while IOs are in flight, so that the depth
 * integral and a stop never lag. */
#define LOOK_UP_NS (50 * NS_PER_MS)
/* How long a worker looks for completions before it sleeps, up to which depth it does so by itself, and how
 * many sleeps it leaves out at most between tries that found nothing. */
#define SPIN_NS       20000u
#define SPIN_DEPTH    8u
#define SPIN_SKIP_MAX 64u

/* Spinning saves the sleep and the wake-up where an IO takes little longer than those: at small depths. It
 * must leave a CPU to whoever completes the IO. */
uint64_t worker_spin_time(const struct worker *w, const struct workload *load)
{
	if (load->spin_us)
		return load->spin_us > 0 ? (uint64_t)load->spin_us * 1000 : 0;
	bool spare = load->workers * 2 <= (uint32_t)CPU_COUNT(&w->home);
	return spare && load->outstanding <= SPIN_DEPTH ? SPIN_NS : 0;
}

static void drain_wake(struct worker *w)
{
	uint64_t v;

	if (read(w->wake_fd, &v, sizeof(v)) < 0) {
		/* EAGAIN: nothing was there. */
	}
}

void worker_sleep(struct worker *w, int64_t ns)
{
	struct timespec t = {ns / (int64_t)NS_PER_SEC, ns % (int64_t)NS_PER_SEC};
	struct pollfd p = {.fd = w->wake_fd, .events = POLLIN};

	ppoll(&p, 1, ns < 0 ? NULL : &t, NULL);
	drain_wake(w);
}

/* How long there is nothing to do unless something completes; -1 = until woken. */
static int64_t idle_time(const struct worker *w, uint64_t now)
{
	int64_t wait = w->total_inflight ? (int64_t)LOOK_UP_NS : -1;

	if (!has_work(w, w->gen) || atomic_load_explicit(&w->shared->stopping, relaxed))
		return wait;
	/* The next IO may start when neither a pause after errors nor its pace holds it. */
	uint64_t next = w->hold_until_ns;
	bool room = w->total_inflight + (w->lane ? w->lane->ready : 0) < w->load->outstanding;
	if (room && pace_next(&w->pace) > next)
		next = pace_next(&w->pace);
	if (wait < 0)
		wait = LOOK_UP_NS;
	/* Up to last_ns it was looked at; what came due since then must not be slept over. */
	if (next > looked_at(w)) {
		int64_t left = next > now ? (int64_t)(next - now) : 0;
		if (left < wait)
			wait = left;
	}
	return wait;
}

/* By itself, it gives up on a device that keeps it waiting: after a spin for nothing it sleeps twice as
 * often in between. */
static void learn(struct worker *w, bool found)
{
	if (found)
		w->spin_skip = 0;
	else if (w->load->spin_us == 0)
		w->spin_skip = w->spin_skip ? w->spin_skip * 2 : 1;
	if (w->spin_skip > SPIN_SKIP_MAX)
		w->spin_skip = SPIN_SKIP_MAX;
}

/* Looks for completions until end. */
static unsigned spin(struct worker *w, struct lane *lane, uint64_t end)
{
	unsigned n = 0;

	if (w->spin_skipped < w->spin_skip) {
		w->spin_skipped++;
		return 0;
	}
	w->spin_skipped = 0;
	while (!n && looked_at(w) < end) {
		n = worker_reap(w, lane, LOOK_SPIN, 0);
		if (!n)
			integrate_depth(w, clock_ns());
	}
	learn(w, n > 0);
	return n;
}

/* Waits in the lane, spinning first where that pays. Whether something came. */
static bool wait_in_lane(struct worker *w, struct lane *lane, int64_t wait)
{
	uint64_t end = looked_at(w) + (uint64_t)wait;

	if (w->spin_ns) {
		uint64_t last = looked_at(w) + w->spin_ns;
		if (spin(w, lane, last < end ? last : end))
			return true;
		/* What spinning took is not slept once more: an IO may fall due then. */
		wait = (int64_t)(end - looked_at(w));
		if (wait <= 0)
			return false;
	}
	return worker_reap(w, lane, LOOK_SLEEP, wait) > 0;
}

void worker_idle(struct worker *w)
{
	uint64_t now = clock_ns();
	int64_t wait = idle_time(w, now);

	integrate_depth(w, now);
	/* Lanes that were left have queues of their own: look at them every millisecond. */
	if (w->draining && (wait < 0 || wait > (int64_t)NS_PER_MS))
		wait = NS_PER_MS;
	if (wait == 0)
		return;
	if (w->lane && w->lane->inflight) {
		if (wait_in_lane(w, w->lane, wait))
			return;
		drain_wake(w);
	} else if (w->lane && w->lane->backend->caps & BACKEND_REMOTE) {
		/* Its sessions are kept alive, and do what the operator wants of them, without IOs too. */
		worker_reap(w, w->lane, LOOK_SLEEP, wait);
		drain_wake(w);
	} else {
		worker_sleep(w, wait);
	}
	integrate_depth(w, clock_ns());
}
