/* failover.c - what the loss of a path costs, once: a run over four paths to the tests' mock target, which
 * takes 2 ms for each IO, so that it is the IOs in flight that make the IOPS, and not the CPU.
 *
 *     failover least|round-robin
 *
 * Path 2 is reset, then falls silent, then all portals close for two seconds. Prints a name and a figure in
 * each line; failover.sh has the medians of several.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "run.h"
#include "tests/mocktgt.h"
#include "units.h"

#define PATHS    4
#define LOST     2 /* the path, from 1 on */
#define DEPTH    64
#define BASE_NS  (2 * NS_PER_SEC)
#define LIMIT_NS (60 * NS_PER_SEC)

static struct mock *m;
static struct target target;
static struct run *run;

static void die(const char *what)
{
	fprintf(stderr, "failover: %s\n", what);
	exit(2);
}

static void sleep_ms(unsigned ms)
{
	nanosleep(&(struct timespec){ms / 1000, ms % 1000 * (long)NS_PER_MS}, NULL);
}

static void begin(enum paths_policy policy)
{
	struct target_options how = {.paths = {.policy = policy, .hold_ns = PATHS_HOLD_NS}};
	struct run_config c = {.workload = workload_default(), .no_store = true, .command = ""};
	struct error e = {""};
	char url[400] = "iscsi://";

	c.status = "headless";
	c.workload.workers = 1;
	c.workload.outstanding = DEPTH;
	c.workload.block_size = 4096;
	m = mock_start(&(struct mock_options){.portals = PATHS});
	for (unsigned i = 1; i <= PATHS; i++)
		units_append(url, sizeof(url), "%s%s:%d", i > 1 ? "," : "", mock_address(m, i),
			     mock_port(m));
	units_append(url, sizeof(url), "/%s/0", MOCK_IQN);
	mock_inject(m,
		    &(struct mock_injection){.fault = MOCK_DELAY, .ms = 2, .count = MOCK_ALWAYS});
	if (target_open(&target, url, &how, &e))
		die(e.text);
	if (run_create(&run, &target, &c, &e))
		die(e.text);
}

static struct backend_session look(unsigned path)
{
	struct backend_session s[PATHS];
	unsigned n = target.backend->sessions(target.handle, s, PATHS);

	if (path > n)
		die("a path has no session");
	return s[path - 1];
}

static bool all_up(void)
{
	for (unsigned i = 1; i <= PATHS; i++)
		if (look(i).state != SESSION_UP)
			return false;
	return true;
}

/* Of the next loss of the path, once all that it took with it is done. */
static struct backend_loss wait_for_loss(uint64_t after_ns)
{
	uint64_t end = clock_ns() + LIMIT_NS;
	struct backend_loss l;

	do {
		sleep_ms(2);
		l = look(LOST).loss;
	} while ((l.noticed_ns < after_ns || !l.moved_ns) && clock_ns() < end);
	if (l.noticed_ns < after_ns || !l.moved_ns)
		die("the path is not lost");
	return l;
}

static void settle(void)
{
	uint64_t end = clock_ns() + LIMIT_NS;

	while (!all_up() && clock_ns() < end)
		sleep_ms(10);
	if (!all_up())
		die("the paths do not come back");
	sleep_ms((unsigned)(BASE_NS / NS_PER_MS) + 500);
}

static double iops(uint64_t from_ns, uint64_t until_ns)
{
	struct sample s;

	timeline_sum(run_timeline(run), from_ns, until_ns, &s);
	return s.dt_ns ? (double)s.op[IO_READ].ios * 1e9 / (double)s.dt_ns : 0;
}

static double mean_ms(uint64_t from_ns, uint64_t until_ns)
{
	struct sample s;

	timeline_sum(run_timeline(run), from_ns, until_ns, &s);
	return s.op[IO_READ].ios ? (double)s.op[IO_READ].lat_sum / (double)s.op[IO_READ].ios / 1e6
				 : 0;
}

static double ms(uint64_t ns)
{
	return (double)ns / 1e6;
}

static void reset_one(void)
{
	uint64_t before = clock_ns();

	mock_cut(m, LOST);
	struct backend_loss l = wait_for_loss(before);
	printf("reset-added-ms %.1f\n", ms(l.longest_ns) - mean_ms(before - BASE_NS, before));
}

static void silence_one(void)
{
	static const enum mock_of all[] = {MOCK_COMMANDS, MOCK_PINGS, MOCK_LOGINS};
	uint64_t before = clock_ns();

	mock_heal(m);
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		mock_inject(m, &(struct mock_injection){.fault = MOCK_STUCK,
							.of = all[i],
							.portal = LOST,
							.count = MOCK_ALWAYS});
	mock_inject(m,
		    &(struct mock_injection){.fault = MOCK_DELAY, .ms = 2, .count = MOCK_ALWAYS});
	struct backend_loss l = wait_for_loss(before);
	double base = iops(before - BASE_NS, before);
	/* The ticks between: neither the one that it fell silent in nor the one that it was told in. */
	double kept = iops(l.silent_ns + 100 * NS_PER_MS, l.noticed_ns - 100 * NS_PER_MS);
	printf("silence-noticed-ms %.0f\n", ms(l.noticed_ns - l.silent_ns));
	printf("silence-added-ms %.0f\n", ms(l.longest_ns) - mean_ms(before - BASE_NS, before));
	printf("silence-all-percent %.1f\n", 100 * kept / base);
	printf("silence-others-percent %.1f\n", 100 * kept / (base * (PATHS - 1) / PATHS));
	mock_heal(m);
	mock_release(m);
	mock_inject(m,
		    &(struct mock_injection){.fault = MOCK_DELAY, .ms = 2, .count = MOCK_ALWAYS});
}

static unsigned long reads(void)
{
	struct mock_seen s;

	mock_look(m, &s);
	return s.reads;
}

static void restart_all(void)
{
	for (unsigned i = 1; i <= PATHS; i++)
		mock_portal(m, i, false);
	sleep_ms(2000);
	unsigned long before = reads();
	for (unsigned i = 1; i <= PATHS; i++)
		mock_portal(m, i, true);
	uint64_t up = clock_ns();
	while (reads() == before && clock_ns() < up + LIMIT_NS)
		sleep_ms(1);
	printf("restart-ms %.0f\n", ms(clock_ns() - up));
}

int main(int argc, char **argv)
{
	struct summary s;

	if (argc != 2 || (strcmp(argv[1], "least") && strcmp(argv[1], "round-robin")))
		die("failover least|round-robin");
	begin(strcmp(argv[1], "least") ? PATHS_ROUND_ROBIN : PATHS_LEAST);
	settle();
	reset_one();
	settle();
	silence_one();
	settle();
	restart_all();
	settle();
	uint64_t lost = run_stop(run, "done", &s);
	printf("ios-lost %llu\n",
	       (unsigned long long)(lost + s.unaccounted + s.op[SUM_TOTAL].errors));
	run_destroy(run);
	target_close(&target);
	mock_stop(m);
	return 0;
}
