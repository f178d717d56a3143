/* cmd_load.c - `lunscope find` and `lunscope curve`: a run whose knob a pilot turns. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "headless.h"
#include "pilot.h"

struct load_task {
	bool curving;
	struct search_config search;
	struct curve_config curve;
	struct pilot *pilot;
};

/* --- Settings. --- */

static int check_curve(struct load_task *l, const struct options *o, const struct target *t,
		       const struct workload *w, struct error *e)
{
	struct curve_config *c = &l->curve;

	curve_defaults(c, o->given[OPT_BY] ? o->by : KNOB_RATE);
	c->of = o->given[OPT_OF] ? o->goal.of : SUM_TOTAL;
	c->most = target_most_outstanding(t);
	if (o->given[OPT_POINTS])
		c->points = (unsigned)o->points;
	if (o->given[OPT_STEP_TIME])
		c->step_ns = o->step_ns;
	return curve_check(c, w, e);
}

static int check_find(struct load_task *l, const struct options *o, const struct target *t,
		      const struct workload *w, struct error *e)
{
	struct search_config *c = &l->search;
	uint64_t most = target_most_outstanding(t);

	if (!o->given[OPT_GOAL])
		return error_set(e, EINVAL, "find needs a goal: add --goal 'p99<5ms', for example");
	search_defaults(c);
	c->goal = o->goal;
	if (!o->given[OPT_OF])
		c->goal.of = workload_reads(w) ? SUM_READ : SUM_WRITE;
	c->by = o->given[OPT_BY] ? o->by : KNOB_OUTSTANDING;
	if (o->given[OPT_FROM])
		c->from = o->from;
	c->to = o->to;
	c->start = w->outstanding;
	if (c->by == KNOB_OUTSTANDING) {
		if (c->to > most || c->from > most)
			return error_set(e, EINVAL, "outstanding goes up to %llu with backend %s",
					 (unsigned long long)most, t->backend->name);
		if (c->to == 0)
			c->to = most;
	}
	if (o->given[OPT_STEP_TIME])
		c->step_ns = o->step_ns;
	return search_check(c, w, e);
}

static int check(struct headless *h, const struct workload *w, struct error *e)
{
	struct load_task *l = h->ctx;

	if (l->curving)
		return check_curve(l, h->options, h->target, w, e);
	return check_find(l, h->options, h->target, w, e);
}

static void command(const struct headless *h, const struct workload *w, char *out, size_t n)
{
	const struct load_task *l = h->ctx;

	options_command_load(out, n, h->options, w, h->target, l->curving ? "curve" : "find");
}

/* --- Measuring. --- */

/* The log as it grows, where somebody looks. */
static void tell(const struct load_task *l, unsigned *told, enum rate_unit unit)
{
	const struct load_log *log = pilot_log(l->pilot);
	char text[256];

	/* One that is done once more is told again. */
	if (*told > log->steps)
		*told = log->steps;
	for (; *told < log->steps; ++*told) {
		if (*told == 0)
			fprintf(stderr, "\r\033[K%s\n",
				load_head(text, sizeof(text), pilot_by(l->pilot), unit));
		fprintf(stderr, "\r\033[K%s\n",
			load_row(text, sizeof(text), &log->step[*told], pilot_of(l->pilot), unit,
				 units_ascii()));
	}
	fprintf(stderr, "\r%s\033[K", pilot_progress(text, sizeof(text), l->pilot));
	fflush(stderr);
}

static void drain(int fd)
{
	uint64_t n;

	if (read(fd, &n, sizeof(n)) < 0) {
		/* EAGAIN: it was only time that has passed. */
	}
}

static int steer(struct headless *h)
{
	struct load_task *l = h->ctx;
	int signal_number = 0, fd = run_event_fd(h->run);
	unsigned told = 0;
	uint64_t told_ns = 0;

	while (!signal_number && !pilot_over(l->pilot)) {
		signal_number = headless_wait(h, fd, HEADLESS_LOOK_NS);
		drain(fd);
		pilot_tick(l->pilot);
		uint64_t now = clock_ns();
		if (h->tell && now - told_ns >= HEADLESS_TELL_NS) {
			tell(l, &told, h->options->unit);
			told_ns = now;
		}
	}
	if (h->tell)
		fputs("\r\033[K", stderr);
	if (signal_number)
		pilot_cancel(l->pilot, "interrupted");
	return signal_number;
}

static int measure(struct headless *h, struct error *e)
{
	struct load_task *l = h->ctx;
	const char *engine = h->target->backend->name;
	int rc = l->curving ? pilot_curve(&l->pilot, h->run, &l->curve, engine, e)
			    : pilot_search(&l->pilot, h->run, &l->search, engine, e);

	return rc ? rc : steer(h);
}

/* --- Results. --- */

static void document(const struct headless *h, json_t *document)
{
	const struct load_task *l = h->ctx;

	if (!l->pilot)
		return;
	if (l->curving)
		json_object_set_new(document, "curve", curve_json(&l->pilot->curve));
	else
		json_object_set_new(document, "find", search_json(&l->pilot->search));
}

static void answer(const struct headless *h, FILE *out)
{
	const struct load_task *l = h->ctx;
	const struct pilot *p = l->pilot;
	char text[MARK_TEXT];
	bool ascii = units_ascii();

	if (!p)
		return;
	if (p->state != PILOT_DONE)
		fprintf(out, "%s\n", p->words);
	else if (p->curving)
		fprintf(out, "%s\n", curve_words(text, sizeof(text), &p->curve, ascii));
	else
		fprintf(out, "%s\n", search_words(text, sizeof(text), &p->search, ascii));
}

/* What the notes in the last column mean, those that occur, and why there is no figure of the
 * CPU. */
static void print_legend(const struct load_log *log, FILE *out)
{
	static const char *const legend[][2] = {
		{"lags", "the offered rate was not sustained"},
		{"few", "fewer IOs than the percentile needs"},
		{"errs", "IO errors"},
		{"n/a", "refused by the engine"},
		{"none", "none came back"},
	};

	for (size_t i = 0; i < sizeof(legend) / sizeof(*legend); i++)
		for (unsigned s = 0; s < log->steps; s++)
			if (strcmp(log->step[s].note, legend[i][0]) == 0) {
				fprintf(out, "%s: %s\n", legend[i][0], legend[i][1]);
				break;
			}
	for (unsigned s = 0; s < log->steps; s++)
		if (!log->step[s].refused && !log->step[s].sum.cpu_valid) {
			fprintf(out, "CPU -: no whole second lies in the step\n");
			break;
		}
}

static void print(const struct headless *h, FILE *out)
{
	const struct load_task *l = h->ctx;
	char text[256];

	if (!l->pilot)
		return;
	const struct load_log *log = pilot_log(l->pilot);
	int knee = l->curving ? curve_knee(&l->pilot->curve) : -1;
	if (log->steps)
		fprintf(out, "%s\n",
			load_head(text, sizeof(text), pilot_by(l->pilot), h->options->unit));
	for (unsigned i = 0; i < log->steps; i++) {
		load_row(text, sizeof(text), &log->step[i], pilot_of(l->pilot), h->options->unit,
			 units_ascii());
		fprintf(out, "%s%s\n", text, (int)i == knee ? " knee" : "");
	}
	print_legend(log, out);
}

static int status(const struct headless *h)
{
	const struct load_task *l = h->ctx;
	bool found = l->pilot && l->pilot->state == PILOT_DONE;

	if (!l->curving && found)
		found = l->pilot->search.result == SEARCH_FOUND ||
			l->pilot->search.result == SEARCH_ALL;
	return found ? EXIT_FINE : EXIT_IO_ERRORS;
}

static int run(const struct options *o, bool curving)
{
	struct load_task l = {.curving = curving};
	const struct headless_task task = {
		.command = command,
		.check = check,
		.measure = measure,
		.document = document,
		.print = print,
		.answer = answer,
		.status = status,
		.ctx = &l,
	};
	int rc = headless_main(o, &task);

	pilot_free(l.pilot);
	return rc;
}

int cmd_find(const struct options *o)
{
	return run(o, false);
}

int cmd_curve(const struct options *o)
{
	return run(o, true);
}
