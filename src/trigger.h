/* trigger.h - what an operator waits for, as on an oscilloscope: "p99 > 20ms for 3s", "iops < 5k", "errors",
 * "path". Looked at once for each second; it fires when that has held for as many seconds in a row as were asked for,
 * and again only after it did not hold for as long.
 */
#ifndef LUNSCOPE_TRIGGER_H
#define LUNSCOPE_TRIGGER_H

#include <stdbool.h>
#include <stdint.h>
#include "error.h"
#include "timeline.h"

/* id, as it is typed and shown */
#define TRIGGER_TABLE(X)          \
	X(TRIGGER_IOPS, "iops")   \
	X(TRIGGER_RATE, "rate")   \
	X(TRIGGER_MEAN, "mean")   \
	X(TRIGGER_P50, "p50")     \
	X(TRIGGER_P95, "p95")     \
	X(TRIGGER_P99, "p99")     \
	X(TRIGGER_P999, "p99.9")  \
	X(TRIGGER_MAX, "max")     \
	X(TRIGGER_CPU, "cpu")     \
	X(TRIGGER_ERRORS, "errors") \
	X(TRIGGER_PATH, "path")

enum trigger_figure {
#define X(id, ...) id,
	TRIGGER_TABLE(X)
#undef X
		TRIGGER_FIGURES
};

struct trigger {
	enum trigger_figure figure;
	bool above;	  /* it fires above the limit, else below */
	double limit;	  /* IO/s, bytes/s, ns, per cent of all CPUs; of errors and paths 0 */
	unsigned seconds; /* in a row, at least 1 */
	unsigned held;	  /* so far: seconds for which it holds, or, once it has fired, no more */
	bool fired;	  /* and has not let go yet */
};

/* "p99 > 20ms", "iops<5k for 3s", "rate < 100MiB", "cpu > 90%", "errors", "path" (one is lost). -EINVAL with words.
 */
int trigger_parse(struct trigger *t, const char *text, struct error *e);
/* "p99 > 20.0 ms for 3 s"; ascii: "us" for the micro sign. Returns out. */
char *trigger_describe(char *out, unsigned long n, const struct trigger *t, bool ascii);

/* The next second, and how many paths are lost just now. True when it fires. value: what its figure was, NaN without
 * any. */
bool trigger_second(struct trigger *t, const struct sample *second, unsigned lost, double *value);
/* "p99 23.1 ms > 20.0 ms". Returns out. */
char *trigger_words(char *out, unsigned long n, const struct trigger *t, double value, bool ascii);

#endif
