/* lamps.c - the checks that run all the time: depth reached, Little's law, rate sustained, IOPS steady. */
#include "run_internal.h"

#include <math.h>
#include <stdio.h>
#include <time.h>
#include "units.h"

/* A stretch shorter than this says nothing. */
#define JUDGE_NS (300 * NS_PER_MS)

/* Of the IOs in flight at least this share should have reached the device. Below it they queue in
 * front of it, one after the other, and the depth is one of waiting. Fast devices stay well above:
 * what the engine needs between two IOs is small against any latency. */
#define DEVICE_SHARE     0.25
#define DEVICE_DEPTH_MIN 4
#define DEPTH_RIPPLE     1.05
/* An IO that takes longer than this hangs, as far as an operator is concerned. */
#define STUCK_NS (5 * NS_PER_SEC)

/* A backlog up to this is only the ripple of arrivals and of the host: what fits into the depth, or came
 * due in the last 100 ms. */
static uint64_t backlog_allowed(const struct sample *s, const struct workload *w)
{
	uint64_t rate = w->rate_iops / 10;

	return rate > s->depth_requested ? rate : s->depth_requested;
}

/* How good a depth is, and in few words why it is not what was asked for ("" when it is). */
static enum lamp_level judge_depth(char *why, size_t n, double achieved, const struct sample *s,
				   const struct workload *w, const struct backend *b,
				   double device_depth)
{
	double share = achieved / s->depth_requested;
	uint64_t failed = s->op[IO_READ].errors + s->op[IO_WRITE].errors;
	uint64_t done = s->op[IO_READ].ios + s->op[IO_WRITE].ios;

	why[0] = 0;
	if (s->oldest_ns > STUCK_NS) {
		snprintf(why, n, "an IO is stuck for %.0f s", (double)s->oldest_ns / 1e9);
		return LAMP_BAD;
	}
	if (failed > done) {
		snprintf(why, n, "most IOs fail");
		return LAMP_BAD;
	}
	/* Unless IOs that are due wait for room: then it is not the rate that keeps the depth down. */
	if (share < 0.9 && w->rate_iops && s->due.backlog <= backlog_allowed(s, w)) {
		snprintf(why, n, "held by the rate");
		return LAMP_GOOD;
	}
	if (share < 0.9 && workload_thinks(w)) {
		snprintf(why, n, "held by the think time");
		return LAMP_GOOD;
	}
	if (share < 0.9) {
		snprintf(why, n, "%s", b->depth_reason ? b->depth_reason : "engine too slow");
		return share >= 0.5 ? LAMP_WARN : LAMP_BAD;
	}
	if (device_depth >= 0 && s->depth_requested >= DEVICE_DEPTH_MIN &&
	    device_depth < DEVICE_SHARE * achieved) {
		snprintf(why, n, "only %.1f in the device", device_depth);
		return LAMP_WARN;
	}
	return LAMP_GOOD;
}

void lamp_depth(struct lamp *l, const struct sample *s, const struct workload *w,
		const struct backend *b, double device_depth)
{
	char why[80];

	l->level = LAMP_OFF;
	l->text[0] = 0;
	if (w->paused || !s->depth_requested) {
		snprintf(l->text, sizeof(l->text), "IO is stopped");
		return;
	}
	if (s->dt_ns < JUDGE_NS)
		return;
	double achieved = (double)s->depth_ns / (double)s->dt_ns;
	/* The workers' integrals and the clock are not read at quite the same time: more than was asked for is
	 * the whole of it. Right after it was turned down there is more in flight, and that is told. */
	if (achieved > s->depth_requested && achieved < DEPTH_RIPPLE * s->depth_requested)
		achieved = s->depth_requested;
	l->level = judge_depth(why, sizeof(why), achieved, s, w, b, device_depth);
	snprintf(l->text, sizeof(l->text), "depth %.*f of %u%s%s", achieved < 99.95 ? 1 : 0,
		 achieved, s->depth_requested, *why ? ": " : "", why);
}

/* Little 1961: the mean number in flight equals the completion rate times the mean latency. Both
 * sides are measured apart: depth_ns by the clock, lat_sum IO by IO. They may differ by what is in
 * flight across the stretch's two ends, at most the depth times the longest latency. */
void lamp_little(struct lamp *l, const struct sample *s)
{
	l->level = LAMP_OFF;
	l->text[0] = 0;
	double left = (double)s->op[IO_READ].lat_sum + (double)s->op[IO_WRITE].lat_sum;
	double right = (double)(s->depth_ns + s->drain_ns);
	uint64_t failed = s->op[IO_READ].errors + s->op[IO_WRITE].errors;
	/* Failed IOs are in flight too, but have no latency on record. */
	if (s->dt_ns < JUDGE_NS || right <= 0 || failed)
		return;
	uint64_t longest = s->oldest_ns;
	for (int op = 0; op < IO_OPS; op++)
		if (s->op[op].lat_max > longest)
			longest = s->op[op].lat_max;
	double edge = (double)longest * s->depth_requested;
	double off = fabs(left - right);
	bool good = off <= 0.05 * right || off <= edge;
	l->level = good ? LAMP_GOOD : LAMP_BAD;
	snprintf(l->text, sizeof(l->text), "IOPS x latency = %.2f of depth", left / right);
}

/* Not sustained: at the end of the stretch (the last second) more IOs are due than backlog_allowed(),
 * and during it more fell due than were started (those that fell due while a worker hung with them), so
 * that the backlog grew. While it shrinks again the lamp says so. */
void lamp_rate(struct lamp *l, const struct sample *s, const struct workload *w)
{
	char offered[16], done[16], backlog[16];
	const char *verdict = "rate";

	l->level = LAMP_OFF;
	l->text[0] = 0;
	if (!w->rate_iops || w->paused || s->dt_ns < JUDGE_NS)
		return;
	double dt = (double)s->dt_ns / 1e9;
	bool late = s->due.backlog > backlog_allowed(s, w);
	l->level = LAMP_GOOD;
	if (late) {
		bool grows = s->due.offered > s->due.started;
		l->level = grows ? LAMP_BAD : LAMP_WARN;
		verdict = grows ? "rate not sustained:" : "rate catching up:";
	}
	int used = snprintf(l->text, sizeof(l->text), "%s %s done of %s offered", verdict,
			    units_count(done, sizeof(done), (double)s->due.ios / dt),
			    units_count(offered, sizeof(offered), (double)s->due.offered / dt));
	if (late)
		snprintf(l->text + used, sizeof(l->text) - (size_t)used, ", backlog %s",
			 units_count(backlog, sizeof(backlog), (double)s->due.backlog));
}

/* "IOPS range over 34 %", "IOPS fall by 12 % in 50 s" */
static void unsteady_words(char *out, size_t n, const struct steady *s)
{
	double slope = 100 * s->window.slope;

	if (isnan(s->window.range))
		snprintf(out, n, "no IO in some of it");
	else if (s->state == STEADY_RANGE)
		snprintf(out, n, "IOPS %s by %.0f %% in %d s", slope > 0 ? "rise" : "fall",
			 fabs(slope), STEADY_ROUNDS * STEADY_ROUND_S);
	else
		snprintf(out, n, "IOPS range over %.0f %%", 100 * s->window.range);
}

void lamp_steady(struct lamp *l, const struct steady *s, const struct workload *w,
		 int64_t wall_offset)
{
	const size_t needed = STEADY_ROUNDS * STEADY_ROUND_S;
	char why[60], clock[16];
	struct tm tm;

	l->level = LAMP_OFF;
	l->text[0] = 0;
	if (w->paused) {
		snprintf(l->text, sizeof(l->text), "IO is stopped");
		return;
	}
	unsteady_words(why, sizeof(why), s);
	if (s->state == STEADY_SHORT) {
		snprintf(l->text, sizeof(l->text), "steady not known: %zu of %zu s", s->seconds,
			 needed);
	} else if (s->state == STEADY_YES) {
		l->level = LAMP_GOOD;
		snprintf(l->text, sizeof(l->text), "steady: IOPS within %.1f %% for %zu s",
			 100 * s->window.range, needed);
	} else if (s->left_ns) {
		time_t left = (time_t)((int64_t)s->left_ns + wall_offset) / (time_t)NS_PER_SEC;
		strftime(clock, sizeof(clock), "%H:%M:%S", localtime_r(&left, &tm));
		l->level = LAMP_BAD;
		snprintf(l->text, sizeof(l->text), "steady no more: left about %s, %s", clock, why);
	} else {
		l->level = LAMP_WARN;
		snprintf(l->text, sizeof(l->text), "steady not yet: %s", why);
	}
}
