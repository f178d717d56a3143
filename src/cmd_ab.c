/* cmd_ab.c - `lunscope ab`: one setting against another, in turn, and what the difference is. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "ab.h"
#include "cmd.h"
#include "env/nic_settings.h"
#include "headless.h"

struct ab_task {
	struct ab_config config;
	struct flips *flips; /* NULL: none are made */
	struct ab ab;
	bool tried, started;
	bool refused; /* the kernel's no to the first change */
	struct ab_result result;
};

/* --- Settings. --- */

static int configure(struct ab_task *t, const struct options *o, struct error *e)
{
	struct ab_config *c = &t->config;

	c->pairs = (unsigned)o->pairs;
	c->segment_ns = o->segment_ns;
	c->settle_ns = o->settle_ns;
	c->flips = o->flips;
	memcpy(c->flip, o->flip, sizeof(c->flip));
	for (int side = 0; side < 2; side++)
		snprintf(c->name[side], sizeof(c->name[side]), "%s",
			 o->side[side] ? o->side[side] : "");
	ab_name_sides(c);
	if (c->flips)
		return 0;
	if (!o->side[AB_A] || !o->side[AB_B])
		return error_set(e, EINVAL,
				 "ab needs what is compared: --flip 'eth2 mtu 1500 9000', which "
				 "lunscope sets by itself, or --name-a and --name-b, what you "
				 "are asked to set");
	if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO))
		return error_set(e, ENOTTY,
				 "without --flip, ab has to ask somebody to set A and B, and this "
				 "is no terminal: give --flip what lunscope can set by itself");
	return 0;
}

static void command(const struct headless *h, const struct workload *w, char *out, size_t n)
{
	options_command_ab(out, n, h->options, w, h->target);
}

/* --- Putting back. --- */

static void told(const char *words, const char *from, const char *to, const char *trouble,
		 void *arg)
{
	(void)arg;
	if (trouble)
		fprintf(stderr, "lunscope: %s\n", trouble);
	else
		fprintf(stderr, "put back: %s %s > %s\n", words, from ? from : "?", to);
}

/* Returns how many settings could not be. */
static unsigned put_back(struct ab_task *t)
{
	return t->tried || t->started ? ab_put_back(&t->ab, told, NULL) : 0;
}

/* --- Measuring. --- */

/* Until Enter is pressed, a signal has come (returned), or the run has ended. */
static int ask(struct headless *h, struct ab *ab)
{
	int signal_number = 0;
	char answer[256], left[32];

	/* What was typed before the question is no answer to it. */
	tcflush(STDIN_FILENO, TCIFLUSH);
	fprintf(stderr,
		"\r\033[KSegment %u of %u, about %s to go beside the time to set it; IO goes on.\n"
		"Now set %c: %s, and press Enter. ",
		ab->at + 1, 2 * ab->config.pairs,
		units_span(left, sizeof(left), ab_left_ns(ab) / NS_PER_SEC * NS_PER_SEC),
		'A' + ab_side(ab->at), ab->config.name[ab_side(ab->at)]);
	fflush(stderr);
	while (!signal_number && !ab_tick(ab)) {
		struct pollfd p = {STDIN_FILENO, POLLIN, 0};
		signal_number = headless_wait(h, STDIN_FILENO, HEADLESS_LOOK_NS);
		if (signal_number || poll(&p, 1, 0) <= 0)
			continue;
		/* A terminal that has gone away is as good as a signal. */
		if (read(STDIN_FILENO, answer, sizeof(answer)) <= 0)
			return SIGHUP;
		ab_is_set(ab);
		break;
	}
	if (signal_number)
		fputc('\n', stderr);
	return signal_number;
}

/* The rows as they come, and what goes on, where somebody looks. */
static void tell(const struct ab *ab, unsigned *rows, enum rate_unit unit)
{
	char text[256], left[32];

	for (; *rows <= ab->at && *rows < 2 * ab->config.pairs; ++*rows) {
		const struct ab_stage *s = &ab->stage[*rows];
		if (*rows == ab->at && !s->complete && !s->why[0])
			break;
		if (*rows == 0)
			fprintf(stderr, "\r\033[K%s\n", ab_head(text, sizeof(text)));
		if (ab_row(text, sizeof(text), ab, *rows, unit, units_ascii()))
			fprintf(stderr, "\r\033[K%s\n", text);
	}
	fprintf(stderr, "\r%s", ab_progress(text, sizeof(text), ab));
	fprintf(stderr, ", about %s left\033[K",
		units_span(left, sizeof(left), ab_left_ns(ab) / NS_PER_SEC * NS_PER_SEC));
	fflush(stderr);
}

static int steer(struct headless *h, struct ab *ab)
{
	int signal_number = 0;
	uint64_t told_ns = 0;
	unsigned rows = 0;

	while (!signal_number && !ab_tick(ab)) {
		if (h->tell && (ab->state == AB_ASKING || ab->state == AB_CHANGING))
			tell(ab, &rows, h->options->unit);
		if (ab->state == AB_ASKING) {
			signal_number = ask(h, ab);
			continue;
		}
		if (ab->state == AB_CHANGING) {
			ab_change(ab);
			continue;
		}
		signal_number = headless_wait(h, -1, HEADLESS_LOOK_NS);
		uint64_t now = clock_ns();
		if (h->tell && now - told_ns >= HEADLESS_TELL_NS) {
			tell(ab, &rows, h->options->unit);
			told_ns = now;
		}
	}
	if (h->tell)
		fputs("\r\033[K", stderr);
	return signal_number;
}

static int prepare(struct headless *h, struct error *e)
{
	struct ab_task *t = h->ctx;
	int rc = ab_try(&t->ab, t->flips, &t->config, e);

	t->tried = rc == 0;
	return rc;
}

static int measure(struct headless *h, struct error *e)
{
	struct ab_task *t = h->ctx;
	struct ab *ab = &t->ab;
	int rc = ab_start(ab, h->run, h->target, t->flips, &t->config);

	t->started = true;
	if (ab->state == AB_CHANGING)
		rc = ab_change(ab);
	t->refused = rc != 0;
	int signal_number = rc ? 0 : steer(h, ab);
	/* IOs of sessions that don't know of the change yet may not come back with it. Those that do would not
	 * without it: else it is put back when the run is over. */
	if (signal_number && ab->state == AB_TURNING && ab->relogin)
		put_back(t);
	ab_stop(ab);
	if (ab_result(&t->result, ab))
		return error_set(e, ENOMEM, "out of memory for a comparison");
	if (rc)
		*e = ab->error;
	return rc ? rc : signal_number;
}

/* --- Results. --- */

static void document(const struct headless *h, json_t *document)
{
	const struct ab_task *t = h->ctx;

	if (t->started)
		json_object_set_new(document, "ab", ab_json(&t->ab, &t->result));
}

static void print(const struct headless *h, FILE *out)
{
	const struct ab_task *t = h->ctx;
	bool any = false;
	char text[256], head[128];

	for (unsigned i = 0; t->started && i < 2 * t->config.pairs; i++) {
		if (!ab_row(text, sizeof(text), &t->ab, i, h->options->unit, units_ascii()))
			continue;
		if (!any)
			fprintf(out, "%s\n", ab_head(head, sizeof(head)));
		fprintf(out, "%s\n", text);
		any = true;
	}
	if (any)
		fputc('\n', out);
}

/* Before the figures, which it is about. */
static void print_also(FILE *out, const json_t *also)
{
	size_t i;
	json_t *line;

	json_array_foreach((json_t *)also, i, line)
		fprintf(out, "%s%s\n", i ? "  " : "Also changed during the run:\n  ",
			json_string_value(line));
	if (json_array_size(also))
		fputc('\n', out);
}

/* A segment that does not count takes its pair with it. */
static void print_left_out(FILE *out, const struct ab *ab)
{
	bool any = false;

	for (unsigned i = 0; i < 2 * ab->config.pairs; i++) {
		const struct ab_stage *s = &ab->stage[i];
		if (!s->why[0])
			continue;
		fprintf(out, "%s%s during %c %u\n", any ? "  " : "Pairs that don't count:\n  ",
			s->why, 'A' + s->side, s->number);
		any = true;
	}
	if (any)
		fputc('\n', out);
}

static void answer(const struct headless *h, FILE *out)
{
	const struct ab_task *t = h->ctx;
	const struct ab *ab = &t->ab;

	if (!t->started || t->refused)
		return;
	if (ab->state == AB_FAILED)
		fprintf(stderr, "lunscope: %s\n", ab->error.text);
	if (!t->result.pairs) {
		print_left_out(out, ab);
		fprintf(out, "No pair of segments is complete: there is nothing to compare.\n");
		return;
	}
	if (ab->state == AB_DONE && t->result.pairs < ab->config.pairs)
		fprintf(out, "%u of %u pairs count.\n", t->result.pairs, ab->config.pairs);
	if (ab->state != AB_DONE)
		fprintf(out, "Ended early: %u of %u pairs are complete.\n", t->result.pairs,
			ab->config.pairs);
	print_left_out(out, ab);
	print_also(out, t->result.also);
	compare_print(out, &t->result.comparison, &t->result.total[AB_A], &t->result.total[AB_B],
		      h->options->unit, units_ascii());
}

static int status(const struct headless *h)
{
	const struct ab_task *t = h->ctx;

	return t->ab.state == AB_DONE && t->result.pairs > 1 ? EXIT_FINE : EXIT_IO_ERRORS;
}

/* Wherever the flipped NICs lie, their marks come by themselves. */
static struct env_scope scope(const struct ab_config *c)
{
	struct env_scope s = {.device = ""};

	for (unsigned i = 0; i < c->flips; i++) {
		char name[16];
		size_t n = strcspn(c->flip[i].words, " ");
		if (!nic_settings_possible(c->flip[i].words) || n >= sizeof(name))
			continue;
		snprintf(name, sizeof(name), "%.*s", (int)n, c->flip[i].words);
		env_scope_add(&s, name);
	}
	return s;
}

int cmd_ab(const struct options *o)
{
	static struct ab_task t;
	struct error e;
	struct headless_task task = {
		.command = command,
		.prepare = prepare,
		.measure = measure,
		.document = document,
		.print = print,
		.answer = answer,
		.status = status,
		.ctx = &t,
	};
	int rc = configure(&t, o, &e);

	if (rc == 0 && t.config.flips)
		rc = flips_open(&t.flips, NULL, &e);
	if (rc == 0)
		rc = ab_check(&t.config, t.flips, &e);
	if (rc) {
		flips_close(t.flips);
		return cmd_fail(EXIT_USAGE, &e);
	}
	task.watch = scope(&t.config);
	int status = headless_main(o, &task);
	ab_result_free(&t.result);
	if (put_back(&t) && status == EXIT_FINE)
		status = EXIT_IO_ERRORS;
	flips_close(t.flips);
	return status;
}
