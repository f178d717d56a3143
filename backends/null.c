/* null.c - a backend with no device behind it.
 *
 * "null:" completes every IO at once, so it shows what the engine itself costs; "null:200us" completes
 * each after that latency, in the order of submission, with any number in flight, so it shows what a
 * device with that service time and no limit would. Nothing is read or written.
 */
#include "backends/backend.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The slow paths stay out of the short ones. */
#define NOINLINE __attribute__((noinline))

struct null_target {
	uint64_t latency_ns;
};

/* A ring of what is in flight: due times never decrease, since the latency is the same for all. Without a
 * latency it is a stack of what was submitted, in order, that the next reap empties. */
struct null_queue {
	uint64_t latency_ns;
	int wake_fd;
	uint32_t depth, head, used;
	uint64_t *due_ns;
	struct io *io[];
};

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* "null:" or "null:TIME" with TIME in ns, us, ms or s. */
static int parse_latency(const char *spec, uint64_t *ns, struct error *e)
{
	static const struct {
		const char *unit;
		double factor;
	} units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};

	*ns = 0;
	const char *text = strchr(spec, ':');
	if (!text || !text[1])
		return 0;
	char *end;
	double v = strtod(++text, &end);
	for (unsigned i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (end != text && v >= 0 && v * units[i].factor < 1e13 &&
		    strcmp(end, units[i].unit) == 0) {
			*ns = (uint64_t)(v * units[i].factor);
			return 0;
		}
	return error_set(e, EINVAL, "'%s': '%s' is not a latency: write for example null:200us",
			 spec, text);
}

static enum backend_fit null_fit(const struct backend_open *how, char *why, size_t n)
{
	(void)why;
	(void)n;
	return how && how->fd < 0 ? FIT_BEST : FIT_NONE;
}

static int null_open(const struct backend_open *how, void **target, struct error *e)
{
	struct null_target *t = malloc(sizeof(*t));

	if (!t)
		return error_set(e, ENOMEM, "null: out of memory");
	int rc = parse_latency(how->spec, &t->latency_ns, e);
	if (rc) {
		free(t);
		return rc;
	}
	*target = t;
	return 0;
}

static void null_close(void *target)
{
	free(target);
}

static void null_queue_close(void *queue)
{
	struct null_queue *q = queue;

	free(q->due_ns);
	free(q);
}

static int null_queue_open(void *target, const struct backend_queue *how, void **queue,
			   struct error *e)
{
	const struct null_target *t = target;
	struct null_queue *q = calloc(1, sizeof(*q) + how->depth * sizeof(q->io[0]));

	if (q)
		q->due_ns = calloc(how->depth, sizeof(*q->due_ns));
	if (!q || !q->due_ns) {
		free(q);
		return error_set(e, ENOMEM, "null: out of memory for %u outstanding", how->asked);
	}
	q->latency_ns = t->latency_ns;
	q->wake_fd = how->wake_fd;
	q->depth = how->depth;
	*queue = q;
	return 0;
}

static int submit_at_once(struct null_queue *q, struct io **ios, unsigned n)
{
	struct io **at = q->io + q->used;

	if (n > q->depth - q->used)
		n = q->depth - q->used;
	for (unsigned i = 0; i < n; i++) {
		ios[i]->result = (int32_t)ios[i]->size;
		at[i] = ios[i];
	}
	q->used += n;
	return (int)n;
}

static NOINLINE int submit_due(struct null_queue *q, struct io **ios, unsigned n)
{
	uint64_t due = now_ns() + q->latency_ns;
	unsigned taken = 0;

	for (; taken < n && q->used < q->depth; taken++, q->used++) {
		uint32_t at = q->head + q->used;
		if (at >= q->depth)
			at -= q->depth;
		ios[taken]->result = (int32_t)ios[taken]->size;
		q->io[at] = ios[taken];
		q->due_ns[at] = due;
	}
	return (int)taken;
}

static int null_submit(void *queue, struct io **ios, unsigned n)
{
	struct null_queue *q = queue;

	return q->latency_ns ? submit_due(q, ios, n) : submit_at_once(q, ios, n);
}

/* n of them were taken. */
static NOINLINE unsigned keep_rest(struct null_queue *q, unsigned n)
{
	memmove(q->io, q->io + n, q->used * sizeof(q->io[0]));
	return n;
}

static inline unsigned take_at_once(struct null_queue *q, struct io **done, unsigned max)
{
	unsigned n = q->used < max ? q->used : max;

	for (unsigned i = 0; i < n; i++)
		done[i] = q->io[i];
	q->used -= n;
	return q->used ? keep_rest(q, n) : n;
}

static unsigned take_due(struct null_queue *q, struct io **done, unsigned max)
{
	uint64_t now = q->used ? now_ns() : 0;
	unsigned n = 0;

	while (n < max && q->used && q->due_ns[q->head] <= now) {
		done[n++] = q->io[q->head];
		if (++q->head == q->depth)
			q->head = 0;
		q->used--;
	}
	return n;
}

/* Sleeps until the first IO is due, at most wait_ns (-1: no limit), or until the wake fd is
 * readable. */
static void null_wait(const struct null_queue *q, int64_t wait_ns)
{
	if (q->used && q->latency_ns) {
		uint64_t now = now_ns(), due = q->due_ns[q->head];
		int64_t left = due > now ? (int64_t)(due - now) : 0;
		if (wait_ns < 0 || left < wait_ns)
			wait_ns = left;
	}
	struct timespec t = {wait_ns / 1000000000, wait_ns % 1000000000};
	struct pollfd p = {.fd = q->wake_fd, .events = POLLIN};
	ppoll(&p, 1, wait_ns < 0 ? NULL : &t, NULL);
}

static NOINLINE int reap_waiting(struct null_queue *q, struct io **done, unsigned max,
				 int64_t wait_ns)
{
	unsigned n = q->latency_ns ? take_due(q, done, max) : 0;

	if (n || wait_ns == 0)
		return (int)n;
	null_wait(q, wait_ns);
	return (int)(q->latency_ns ? take_due(q, done, max) : take_at_once(q, done, max));
}

/* Short, so that what is shown without a latency is the engine's cost and not this file's. */
static int null_reap(void *queue, struct io **done, unsigned max, int64_t wait_ns)
{
	struct null_queue *q = queue;

	if (q->used && !q->latency_ns)
		return (int)take_at_once(q, done, max);
	return reap_waiting(q, done, max, wait_ns);
}

const struct backend backend_null = {
	.name = "null",
	.summary = "completes at once, or after a set latency (null:200us); for overhead and tests",
	.fit = null_fit,
	.open = null_open,
	.close = null_close,
	.queue_open = null_queue_open,
	.queue_close = null_queue_close,
	.submit = null_submit,
	.reap = null_reap,
};
