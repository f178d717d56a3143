/* state_history.c - what the browser over stored runs has the store do: read, changed, deleted from, compared. It may be
 * large, or on a slow disk: that is done on a thread of its own.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "compare/compare.h"
#include "dialogs.h"
#include "report/pair.h"
#include "state.h"

enum deed { DEED_LIST, DEED_WORDS, DEED_DELETE, DEED_SHOW, DEED_COMPARE };

/* What is asked of the store, and its answer. */
struct deed_data {
	enum deed deed;
	const char *store;
	int64_t run[HISTORY_CHOSEN];
	size_t runs;
	char name[STORE_NAME + 1], tags[STORE_TAGS + 1], note[STORE_NOTE + 1];
	struct store_words words;
	enum rate_unit unit;
	struct create_progress progress; /* for Esc, where nothing is changed */
	struct store_entry *list;
	size_t count;
	char *text;
	int rc;
	struct error error,
		trouble; /* trouble: of the change, where the list could be read after all */
};

static int open_read(struct store **s, const char *path, struct error *e)
{
	char usual[PATH_MAX];

	if (!path) {
		int rc = store_default_path(usual, sizeof(usual), e);
		return rc ? rc : store_open_read(s, usual, e);
	}
	return store_open_read(s, path, e);
}

static int print(struct deed_data *a, struct store *s, struct error *e)
{
	size_t n;
	FILE *f = open_memstream(&a->text, &n);

	if (!f)
		return error_set(e, ENOMEM, "no memory for the run");
	int rc = a->deed == DEED_SHOW ? store_show(s, a->run[0], f, e)
				      : report_pair_print(f, s, a->run, SIDE_SETTLE_NS, a->unit,
							  units_ascii(), e);
	if (fclose(f) && rc == 0)
		rc = error_set(e, ENOMEM, "no memory for the run");
	return rc;
}

static int change(struct deed_data *a, struct error *e)
{
	struct store *s;
	int rc = store_open_words(&s, a->store, e);

	if (rc)
		return rc;
	rc = a->deed == DEED_DELETE ? store_delete(s, a->run, a->runs, e)
				    : store_set_words(s, a->run[0], &a->words, e);
	store_close(s);
	return rc;
}

static void work(void *data)
{
	struct deed_data *a = data;
	struct store *s;

	if (a->deed == DEED_WORDS || a->deed == DEED_DELETE)
		change(a, &a->trouble);
	a->rc = open_read(&s, a->store, &a->error);
	if (a->rc)
		return;
	a->rc = a->deed == DEED_SHOW || a->deed == DEED_COMPARE
			? print(a, s, &a->error)
			: store_entries(s, &a->list, &a->count, &a->error);
	store_close(s);
}

static void free_deed(void *data)
{
	struct deed_data *a = data;

	free(a->list);
	free(a->text);
	free(a);
}

/* The browser, which may have closed meanwhile; NULL. */
static void *browser(const struct ui_state *s)
{
	for (int i = 0; i < s->dialogs.depth; i++)
		if (s->dialogs.d[i].about == ABOUT_HISTORY)
			return s->dialogs.d[i].state;
	return NULL;
}

static void tell(struct ui_state *s, const struct error *e)
{
	void *d = browser(s);

	if (d)
		history_reload(d, NULL, 0, e);
	else
		state_say(s, true, "%s", e->text);
}

static void cancelled(struct ui_state *s)
{
	state_say(s, false, "The run store is left as it is.");
}

static struct deed_data *new_deed(struct ui_state *s, enum deed deed)
{
	struct deed_data *a = calloc(1, sizeof(*a));
	struct error e;

	if (!a) {
		error_set(&e, ENOMEM, "No memory to look into the run store.");
		tell(s, &e);
		return NULL;
	}
	a->deed = deed;
	a->store = s->store;
	a->unit = s->gather.view.unit;
	return a;
}

static void start(struct ui_state *s, struct deed_data *a, const char *words,
		  void (*done)(struct ui_state *s, void *data))
{
	bool changes = a->deed == DEED_WORDS || a->deed == DEED_DELETE;
	struct error e;
	struct state_job j = {
		.title = "Run store",
		.words = words,
		.progress = changes ? NULL : &a->progress,
		.work = work,
		.free_data = free_deed,
		.data = a,
		.done = done,
		.cancelled = cancelled,
	};

	if (state_job_start(s, &j))
		return;
	error_set(&e, EAGAIN, "No thread to look into the run store.");
	tell(s, &e);
}

/* --- The dialog asks for these. --- */

static void changed(struct ui_state *s, void *data)
{
	struct deed_data *a = data;
	void *d = browser(s);

	if (!d)
		return;
	history_reload(d, a->list, a->count,
		       a->trouble.text[0] ? &a->trouble
		       : a->rc            ? &a->error
					  : NULL);
	a->list = NULL;
}

static void copy(const char *from, char *to, size_t n, const char **word)
{
	if (!from)
		return;
	/* There is room for a byte too many, which the store refuses in words. */
	snprintf(to, n, "%s", from);
	*word = to;
}

static void desk_change(void *ctx, int64_t run, const struct store_words *w)
{
	struct ui_state *s = ctx;
	struct deed_data *a = new_deed(s, DEED_WORDS);

	if (!a)
		return;
	a->run[0] = run;
	a->runs = 1;
	copy(w->name, a->name, sizeof(a->name), &a->words.name);
	copy(w->tags, a->tags, sizeof(a->tags), &a->words.tags);
	copy(w->note, a->note, sizeof(a->note), &a->words.note);
	start(s, a, "Writing it down", changed);
}

static void desk_delete(void *ctx, const int64_t *run, size_t n)
{
	struct ui_state *s = ctx;
	struct deed_data *a = new_deed(s, DEED_DELETE);

	if (!a)
		return;
	memcpy(a->run, run, n * sizeof(*run));
	a->runs = n;
	start(s, a, n > 1 ? "Deleting the runs" : "Deleting the run", changed);
}

static void printed(struct ui_state *s, void *data)
{
	struct deed_data *a = data;
	char title[80];

	if (a->rc) {
		tell(s, &a->error);
		return;
	}
	if (a->deed == DEED_SHOW)
		snprintf(title, sizeof(title), "Run %lld", (long long)a->run[0]);
	else
		snprintf(title, sizeof(title), "Run %lld against run %lld", (long long)a->run[1],
			 (long long)a->run[0]);
	dialog_push(&s->dialogs, dialog_page(title, a->text));
}

static void desk_show(void *ctx, int64_t run)
{
	struct ui_state *s = ctx;
	struct deed_data *a = new_deed(s, DEED_SHOW);

	if (!a)
		return;
	a->run[0] = run;
	start(s, a, "Reading the run", printed);
}

static void desk_compare(void *ctx, int64_t first, int64_t second)
{
	struct ui_state *s = ctx;
	struct deed_data *a = new_deed(s, DEED_COMPARE);

	if (!a)
		return;
	a->run[0] = first;
	a->run[1] = second;
	start(s, a, "Comparing the runs", printed);
}

static void closed(void *state, enum dialog_result r, void *user)
{
	if (r == DIALOG_DONE)
		state_baseline_take(user, history_answer(state));
}

static void listed(struct ui_state *s, void *data)
{
	struct deed_data *a = data;
	const struct history_desk desk = {.change = desk_change,
					  .delete = desk_delete,
					  .show = desk_show,
					  .compare = desk_compare,
					  .ctx = s};

	if (a->rc) {
		state_say(s, true, "%s", a->error.text);
		return;
	}
	struct dialog d = dialog_history(a->list, a->count, &desk);
	a->list = NULL;
	d.closed = closed;
	d.user = s;
	dialog_push(&s->dialogs, d);
}

void state_history(struct ui_state *s)
{
	struct deed_data *a = new_deed(s, DEED_LIST);

	if (a)
		start(s, a, "Looking which runs there are", listed);
}
