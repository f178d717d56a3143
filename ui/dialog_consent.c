/* dialog_consent.c - the permission to write, given by a person who has seen what is at stake.
 *
 * Shows which target it is, everything the write guard found, and the exact bytes that will go;
 * then asks for words that can't be typed from habit. What the guard refuses stays refused: then
 * there is no field to type into. This dialog decides nothing: whoever opens the target for
 * writing has the guard check the same words again.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "dialogs.h"
#include "job.h"
#include "key.h"
#include "prose.h"
#include "units.h"

#define CONSENT_COLUMNS 74

/* What the guard is asked on the other thread, and its answer. */
struct inspection {
	char spec[PATH_MAX];
	struct guard_window window;
	int rc;
	struct guard_report report;
	struct error error;
};

struct consent {
	uint64_t start_ns; /* the job's */
	struct job *job;   /* NULL once the answer is here */
	bool ready;        /* report is filled in */
	struct guard_report report;
	struct error error; /* why there is no report, or what is wrong with the words */
	struct field field;
	int top, page;
};

static void inspect(void *data)
{
	struct inspection *i = data;

	i->rc = guard_inspect(i->spec, &guard_host, &i->window, &i->report, &i->error);
}

/* Takes the answer over when it has come. */
static void update(struct consent *d)
{
	struct inspection *i = job_result(d->job);

	if (!i)
		return;
	d->ready = i->rc == 0;
	d->report = i->report;
	d->error = i->error;
	job_release(d->job);
	d->job = NULL;
}

static bool may_agree(const struct consent *d)
{
	return d->ready && guard_worst(&d->report) < GUARD_REFUSE;
}

/* 1048576 -> "1,048,576" */
static char *grouped(char out[32], uint64_t n)
{
	char digits[24];
	int len = snprintf(digits, sizeof(digits), "%" PRIu64, n), at = 0;

	for (int i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			out[at++] = ',';
		out[at++] = digits[i];
	}
	out[at] = '\0';
	return out;
}

static void add_identity(struct prose *t, int cols, const struct guard_report *r)
{
	static const char *const kind_name[] = {"Device", "File", "LUN"};
	char size[32], bytes[32], line[320];

	prose_add_row(t, cols, 10, ST_DIALOG, kind_name[r->kind], r->path);
	if (strcmp(r->spec, r->path) != 0)
		prose_add_row(t, cols, 10, ST_DIALOG, "Named as", r->spec);
	if (r->vendor[0] || r->model[0]) {
		snprintf(line, sizeof(line), "%s%s%s", r->vendor, r->vendor[0] ? " " : "",
			 r->model);
		prose_add_row(t, cols, 10, ST_DIALOG, "Model", line);
	}
	if (r->serial[0])
		prose_add_row(t, cols, 10, ST_DIALOG, "Serial", r->serial);
	prose_add_row(t, cols, 10, ST_DIALOG, "Id", r->id);
	snprintf(line, sizeof(line), "%s, %s bytes", units_size(size, sizeof(size), r->size),
		 grouped(bytes, r->size));
	prose_add_row(t, cols, 10, ST_DIALOG, "Size", line);
	prose_add(t, cols, 0, ST_DIALOG, "%s", "");
}

static const char *level_name(enum guard_level level)
{
	switch (level) {
	case GUARD_NOTE: return "note";
	case GUARD_WARN: return "WARNING";
	case GUARD_REFUSE: return "REFUSED";
	}
	return "";
}

static void add_findings(struct prose *t, int cols, const struct guard_report *r)
{
	char line[256];

	if (r->count == 0)
		prose_add(t, cols, 0, ST_DIALOG, "Nothing was found that speaks against it.");
	for (int level = GUARD_REFUSE; level >= GUARD_NOTE; level--) {
		for (unsigned i = 0; i < r->count; i++) {
			const struct guard_finding *f = &r->finding[i];
			if ((int)f->level != level)
				continue;
			snprintf(line, sizeof(line), "%s: %s", guard_gate_name(f->gate), f->text);
			prose_add_row(t, cols, 10,
				      level == GUARD_REFUSE ? ST_BAD
				      : level == GUARD_WARN ? ST_WARN
							    : ST_DIALOG,
				      level_name(f->level), line);
		}
	}
	if (r->truncated)
		prose_add(t, cols, 0, ST_DIALOG, "There is more than can be listed here.");
}

static void add_question(struct prose *t, int cols, const struct consent *d)
{
	const struct guard_report *r = &d->report;
	char size[32], from[32], to[32];

	if (!may_agree(d)) {
		prose_add(t, cols, 0, ST_BAD,
			  "This target will not be written. Remove what is in the way (unmount, "
			  "swapoff, take it out of its group), or take another target.");
		return;
	}
	prose_add(t, cols, 0, ST_DIALOG, "%s from byte %s to byte %s will be overwritten.",
		  units_size(size, sizeof(size), r->window_length), grouped(from, r->window_start),
		  grouped(to, r->window_start + (r->window_length ? r->window_length - 1 : 0)));
	prose_add(t, cols, 0, ST_DIALOG_TITLE, "To allow it, type: %s%s", r->confirm,
		  r->needs_destroy ? " DESTROY" : "");
}

/* The part that must be seen before one agrees: below the findings, always on the screen. */
static void draw_question(struct canvas *c, struct rect r, const struct consent *d,
			  const struct prose *t, const struct view *v)
{
	bool agree = may_agree(d);
	int top = 0, row = t->count;
	struct rect words = {r.row, r.col, agree ? r.rows - 1 : r.rows, r.cols};

	if (row > words.rows)
		row = words.rows > 0 ? words.rows : 0;
	if (words.rows > 0)
		prose_draw(c, words, t, &top, v->g);
	if (!agree)
		return;
	field_draw(c, r, row, 0, r.cols, &d->field);
	if (d->error.text[0])
		canvas_printf(c, r, row + 1, 0, ST_BAD, "! %s", d->error.text);
}

static void draw_report(struct consent *d, struct canvas *c, struct rect full, const struct view *v)
{
	struct prose facts = {0}, question = {0};
	int cols = dialog_columns(full, CONSENT_COLUMNS);

	add_identity(&facts, cols - 2, &d->report);
	add_findings(&facts, cols - 2, &d->report);
	add_question(&question, cols, d);
	/* A blank row between, and the field with its error line below. */
	int below = question.count + (may_agree(d) ? 2 : 0);
	struct rect in =
		dialog_box(c, full, v, facts.count + 1 + below, cols, "Permission to write");
	int above = in.rows - below - 1;
	if (above < 1)
		above = in.rows > below ? 1 : 0;
	d->page = above;
	struct rect upper = {in.row, in.col, above, in.cols};
	int first = above + (in.rows - above > below ? 1 : 0);
	struct rect lower = {in.row + first, in.col, in.rows - first, in.cols};
	hot_add(c, upper, HOT_BODY, 3);
	if (above > 0)
		prose_draw(c, upper, &facts, &d->top, v->g);
	draw_question(c, lower, d, &question, v);
	dialog_hint(c, in,
		    may_agree(d) ? "Enter allows writing  Up Down scroll  Esc back" : "Esc back");
	prose_free(&facts);
	prose_free(&question);
}

static void draw(void *state, struct canvas *c, struct rect full, const struct view *v)
{
	struct consent *d = state;
	struct prose t = {0};
	char so_far[48];
	int top = 0;

	update(d);
	if (d->ready) {
		draw_report(d, c, full, v);
		return;
	}
	int cols = dialog_columns(full, 60);
	if (d->job)
		prose_add(&t, cols, 0, ST_DIALOG, "Looking at the target%s%s", v->g->dots,
			  dialog_so_far(so_far, sizeof(so_far), " ", d->start_ns));
	else
		prose_add(&t, cols, 2, ST_BAD, "! %s", d->error.text);
	struct rect in = dialog_box(c, full, v, t.count, cols, "Permission to write");
	prose_draw(c, in, &t, &top, v->g);
	dialog_hint(c, in, "Esc back");
	prose_free(&t);
}

static enum dialog_result key(void *state, int key)
{
	struct consent *d = state;

	update(d);
	if (key == K_ESC)
		return DIALOG_CANCELLED;
	if (key != ' ' && key != K_HOME && key != K_END && prose_key(&d->top, key, d->page))
		return DIALOG_OPEN;
	if (!may_agree(d))
		return DIALOG_OPEN;
	if (key == K_ENTER)
		return guard_check_typed(&d->report, d->field.text, &d->error) ? DIALOG_OPEN
									       : DIALOG_DONE;
	if (field_key(&d->field, key))
		d->error.text[0] = '\0';
	return DIALOG_OPEN;
}

static void consent_free(void *state)
{
	struct consent *d = state;

	job_release(d->job);
	free(d);
}

static bool types(const void *state)
{
	const struct consent *d = state;

	return may_agree(d);
}

static struct dialog make(struct consent *d)
{
	return (struct dialog){.state = d,
			       .draw = draw,
			       .key = key,
			       .free = consent_free,
			       .about = ABOUT_CONSENT,
			       .types = types,
			       .typed = true};
}

struct dialog dialog_consent(const char *spec, const struct guard_window *window)
{
	struct consent *d = calloc(1, sizeof(*d));
	struct inspection *i = calloc(1, sizeof(*i));

	if (!d || !i) {
		free(d);
		free(i);
		return (struct dialog){0};
	}
	snprintf(i->spec, sizeof(i->spec), "%s", spec);
	i->window = *window;
	d->start_ns = clock_ns();
	d->job = job_start(inspect, free, i);
	if (!d->job)
		error_set(&d->error, ENOMEM, "no memory or thread left to look at %s", spec);
	return make(d);
}

struct dialog dialog_consent_report(const struct guard_report *r)
{
	struct consent *d = calloc(1, sizeof(*d));

	if (d) {
		d->ready = true;
		d->report = *r;
	}
	return make(d);
}

const struct guard_report *consent_report(const void *state)
{
	return &((const struct consent *)state)->report;
}

const char *consent_typed(const void *state)
{
	return ((const struct consent *)state)->field.text;
}
