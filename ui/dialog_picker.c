/* dialog_picker.c - which target? The disks of this host with what speaks against writing to
 * them, a file, or null:. Picking one starts reads and nothing else.
 *
 * The list is made twice on a thread of its own: first from sysfs, which is quick and touches no
 * disk, then with the signatures, which can take as long as the slowest disk.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "devices.h"
#include "dialogs.h"
#include "job.h"
#include "key.h"
#include "pane_util.h"
#include "prose.h"
#include "secret.h"
#include "units.h"

#define PICKER_COLUMNS 96

/* The rows behind the devices. */
enum { ROW_PORTALS, ROW_FILE, ROW_NULL, EXTRA_ROWS };

/* One look at the host, on the other thread. */
struct listing {
	bool partitions, probe;
	struct device *list;
	int count;
	struct error error;
};

struct picker {
	bool first;
	bool partitions;
	struct job *job;
	bool probed;
	uint64_t start_ns; /* of the looks at the host */
	struct device *list;
	int count;
	char trouble[PATH_MAX + 128]; /* why the last choice failed, or why there is no list */
	int at, top, page;
	bool moved; /* the operator has chosen a row */
	/* The file entry, when it is open. */
	bool typing;
	int on_size;
	struct field path, size;
	/* The answer. */
	char spec[PATH_MAX];
	uint64_t create_size;
	struct backend_login login;
	bool portals;
};

static void look(void *data)
{
	struct listing *l = data;

	l->count = devices_list(&guard_host, l->partitions, l->probe, &l->list, &l->error);
}

static void listing_free(void *data)
{
	struct listing *l = data;

	free(l->list);
	free(l);
}

static void start_look(struct picker *d, bool probe)
{
	struct listing *l = calloc(1, sizeof(*l));

	job_release(d->job);
	d->job = NULL;
	d->probed = false;
	if (!l)
		return;
	l->partitions = d->partitions;
	l->probe = probe;
	if (!probe)
		d->start_ns = clock_ns();
	d->job = job_start(look, listing_free, l);
}

/* Keeps the choice on the same device when the list changes under it. */
static void take_list(struct picker *d, struct listing *l)
{
	char chosen[sizeof(l->list->path)] = "";
	int extra = d->at - d->count;

	if (d->at < d->count)
		memcpy(chosen, d->list[d->at].path, sizeof(chosen));
	free(d->list);
	d->list = l->list;
	d->count = l->count > 0 ? l->count : 0;
	l->list = NULL;
	if (extra >= 0 && d->moved) {
		d->at = d->count + extra;
		return;
	}
	d->at = 0;
	for (int i = 0; i < d->count; i++)
		if (chosen[0] && strcmp(d->list[i].path, chosen) == 0)
			d->at = i;
}

static void update(struct picker *d)
{
	struct listing *l = job_result(d->job);

	if (!l)
		return;
	bool over = l->probe || l->count < 0;
	if (l->count < 0)
		snprintf(d->trouble, sizeof(d->trouble), "%s", l->error.text);
	else
		take_list(d, l);
	job_release(d->job);
	d->job = NULL;
	if (over)
		d->probed = true;
	else
		start_look(d, true);
}

/* --- Drawing --- */

static void draw_device(struct canvas *c, struct rect r, int row, const struct device *dev,
			enum style s, const struct glyphs *g)
{
	char size[32];
	bool roomy = r.cols >= 70;

	canvas_text(c, r, row, 2, dev->name, s);
	int right = roomy ? 24 : 20;
	canvas_text_right(c, r, row, right, units_size(size, sizeof(size), dev->size), s);
	int col = right + 2;
	if (roomy) {
		canvas_text(c, (struct rect){r.row + row, r.col + col, 1, 7}, 0, 0, dev->transport,
			    s);
		col += 8;
		canvas_text(c, (struct rect){r.row + row, r.col + col, 1, 22}, 0, 0, dev->model, s);
		col += 23;
	}
	if (col < r.cols)
		text_draw(c, r, row, col, r.cols - col, dev->against[0] ? dev->against : "-", g, s);
}

static void draw_row(struct canvas *c, struct rect r, int row, const struct picker *d, int item,
		     const struct view *v)
{
	enum style s = item == d->at ? ST_SELECTED : ST_DIALOG;

	canvas_fill(c, (struct rect){r.row + row, r.col, 1, r.cols}, ' ', s);
	hot_choice(c, (struct rect){r.row + row, r.col, 1, r.cols}, HOT_ROW, item - d->at, 0);
	if (item == d->at) {
		canvas_put(c, r, row, 0, v->g->cursor, s);
		c->cursor_row = r.row + row;
		c->cursor_col = r.col;
	}
	if (item < d->count)
		draw_device(c, r, row, &d->list[item], s, v->g);
	else if (item == d->count + ROW_PORTALS)
		canvas_printf(
			c, r, row, 2, s,
			"iSCSI portal%s  its targets and LUNs, without the kernel's initiator",
			v->g->dots);
	else if (item == d->count + ROW_FILE)
		canvas_printf(c, r, row, 2, s,
			      "file%s  a path typed by hand, made if you give a size", v->g->dots);
	else
		canvas_text(c, r, row, 2, "null:  no disk at all, completes at once", s);
}

static void draw_list(struct canvas *c, struct rect r, struct picker *d, const struct view *v)
{
	int items = d->count + EXTRA_ROWS;

	d->page = r.rows > 0 ? r.rows : 1;
	if (d->at < d->top)
		d->top = d->at;
	if (d->at >= d->top + d->page)
		d->top = d->at - d->page + 1;
	if (d->top > 0 && d->top + d->page > items)
		d->top = items > d->page ? items - d->page : 0;
	for (int i = 0; i < r.rows && d->top + i < items; i++)
		draw_row(c, r, i, d, d->top + i, v);
}

static void draw_heading(struct canvas *c, struct rect r)
{
	bool roomy = r.cols >= 70;

	canvas_text(c, r, 0, 2, "Device", ST_DIALOG);
	canvas_text_right(c, r, 0, roomy ? 24 : 20, "Size", ST_DIALOG);
	if (roomy) {
		canvas_text(c, r, 0, 26, "Via", ST_DIALOG);
		canvas_text(c, r, 0, 34, "Model", ST_DIALOG);
	}
	int col = roomy ? 57 : 22;
	canvas_text(c, (struct rect){r.row, r.col + col, 1, r.cols - col}, 0, 0, "Against writing",
		    ST_DIALOG);
}

/* What there is to say below the list: trouble, or the chosen device in full. */
static void add_words(struct prose *t, int cols, const struct picker *d)
{
	if (d->trouble[0]) {
		prose_add(t, cols, 2, ST_BAD, "! %s", d->trouble);
		return;
	}
	if (d->at >= d->count) {
		prose_add(t, cols, 0, ST_DIALOG, "Nothing is written unless you allow it later.");
		return;
	}
	const struct device *dev = &d->list[d->at];
	prose_add(t, cols, 2, ST_DIALOG, "%s%s%s%s%s%s", dev->path, dev->model[0] ? "  " : "",
		  dev->model, dev->read_only ? ", read only" : "",
		  dev->against[0] ? ". Against writing: " : "", dev->against);
}

static void draw_typing(struct canvas *c, struct rect full, struct picker *d, const struct view *v)
{
	struct prose t = {0};
	int cols = dialog_columns(full, 70), top = 0;

	if (d->trouble[0])
		prose_add(&t, cols, 2, ST_BAD, "! %s", d->trouble);
	else
		prose_add(&t, cols, 0, ST_DIALOG,
			  "Leave the size empty for a file or device that exists.");
	struct rect in = dialog_box(c, full, v, 4 + t.count, cols, "Target: a path");
	canvas_text(c, in, 0, 0, "Path", ST_DIALOG);
	canvas_text(c, in, 2, 0, "Make it with this size, as 1G, if it is not there", ST_DIALOG);
	/* The field in use is drawn last: it gets the cursor. Short boxes show that one only. */
	struct field path = d->path, *fields[] = {&path, &d->size};
	secret_mask(path.text, false);
	int here = d->on_size ? 3 : 1;
	if (here >= in.rows)
		here = in.rows - 1;
	if (in.rows > 3) {
		int other = d->on_size ? 1 : 3;
		field_draw(c, in, other, 0, in.cols, fields[!d->on_size]);
		hot_choice(c, (struct rect){in.row + other, in.col, 1, in.cols}, HOT_FIELD, 1, 0);
	}
	field_draw(c, in, here, 0, in.cols, fields[d->on_size]);
	struct rect below = {in.row + 4, in.col, in.rows - 4, in.cols};
	if (below.rows > 0)
		prose_draw(c, below, &t, &top, v->g);
	explicit_bzero(&path, sizeof(path));
	dialog_hint(c, in, "Enter starts reading  Tab other field  Esc back");
	prose_free(&t);
}

static void draw(void *state, struct canvas *c, struct rect full, const struct view *v)
{
	struct picker *d = state;
	struct prose words = {0};
	int cols = dialog_columns(full, PICKER_COLUMNS), top = 0;

	update(d);
	if (d->typing) {
		draw_typing(c, full, d, v);
		return;
	}
	add_words(&words, cols, d);
	/* Room for two lines of words always, so that the box doesn't jump about. */
	int said = words.count < 2 ? 2 : words.count;
	char looking[64] = "", title[128], so_far[48];
	if (!d->probed)
		snprintf(looking, sizeof(looking), " (looking%s%s)", v->g->dots,
			 dialog_so_far(so_far, sizeof(so_far), " ", d->start_ns));
	snprintf(title, sizeof(title), "Target%s%s", d->partitions ? ": disks and partitions" : "",
		 looking);
	struct rect in = dialog_box(c, full, v, 1 + d->count + EXTRA_ROWS + 1 + said, cols, title);
	int rows = in.rows - 2 - said;
	if (rows < 1) {
		rows = in.rows - 1 > 0 ? in.rows - 1 : in.rows;
		said = 0;
	}
	bool heading = in.rows > 1;
	if (heading)
		draw_heading(c, in);
	draw_list(c, (struct rect){in.row + heading, in.col, rows, in.cols}, d, v);
	if (said)
		prose_draw(c, (struct rect){in.row + in.rows - said, in.col, said, in.cols}, &words,
			   &top, v->g);
	dialog_hint(c, in,
		    d->first ? "Enter starts reading  i iSCSI portal  p partitions  Esc quits"
			     : "Enter starts reading  i iSCSI portal  p partitions  Esc back");
	prose_free(&words);
}

/* --- Keys --- */

/* A secret in a URL is nobody's business but the one's who logs in: it leaves the field too. */
static enum dialog_result take_path(struct picker *d)
{
	struct error e;
	int rc;

	explicit_bzero(&d->login, sizeof(d->login));
	snprintf(d->spec, sizeof(d->spec), "%.*s", PATH_MAX - 1, d->path.text);
	rc = secret_take(d->spec, &d->login, &e);
	field_wipe(&d->path);
	field_set(&d->path, d->spec);
	if (rc == 0)
		return DIALOG_DONE;
	snprintf(d->trouble, sizeof(d->trouble), "%s", e.text);
	return DIALOG_OPEN;
}

static enum dialog_result accept_path(struct picker *d)
{
	struct error e;

	d->create_size = 0;
	if (d->path.length == 0) {
		snprintf(d->trouble, sizeof(d->trouble),
			 "type the path of a file or device, or a LUN as iscsi://HOST/TARGET/LUN");
		d->on_size = 0;
		return DIALOG_OPEN;
	}
	if (d->size.length && units_parse_size(d->size.text, &d->create_size, &e)) {
		snprintf(d->trouble, sizeof(d->trouble), "%s", e.text);
		d->on_size = 1;
		return DIALOG_OPEN;
	}
	return take_path(d);
}

static enum dialog_result typing_key(struct picker *d, int key)
{
	switch (key) {
	case K_ESC:
		d->typing = false;
		d->trouble[0] = '\0';
		return DIALOG_OPEN;
	case K_TAB:
	case K_BACKTAB:
	case K_UP:
	case K_DOWN: d->on_size = !d->on_size; return DIALOG_OPEN;
	case K_ENTER: return accept_path(d);
	}
	if (field_key(d->on_size ? &d->size : &d->path, key))
		d->trouble[0] = '\0';
	return DIALOG_OPEN;
}

static enum dialog_result choose(struct picker *d)
{
	d->trouble[0] = '\0';
	d->create_size = 0;
	if (d->at == d->count + ROW_PORTALS) {
		d->portals = true;
		return DIALOG_DONE;
	}
	if (d->at == d->count + ROW_FILE) {
		d->typing = true;
		d->on_size = 0;
		return DIALOG_OPEN;
	}
	snprintf(d->spec, sizeof(d->spec), "%s", d->at < d->count ? d->list[d->at].path : "null:");
	return DIALOG_DONE;
}

static enum dialog_result key(void *state, int key)
{
	struct picker *d = state;
	int last;

	update(d);
	if (d->typing)
		return typing_key(d, key);
	last = d->count + EXTRA_ROWS - 1;
	switch (key) {
	case K_ESC:
	case 'q': return DIALOG_CANCELLED;
	case K_ENTER: return choose(d);
	case 'i': d->portals = true; return DIALOG_DONE;
	case 'p':
		d->partitions = !d->partitions;
		start_look(d, false);
		break;
	case K_UP: d->at--; break;
	case K_DOWN: d->at++; break;
	case K_PGUP: d->at -= d->page; break;
	case K_PGDN: d->at += d->page; break;
	case K_HOME: d->at = 0; break;
	case K_END: d->at = last; break;
	default: return DIALOG_OPEN;
	}
	d->trouble[0] = '\0';
	d->moved = true;
	d->at = d->at < 0 ? 0 : d->at > last ? last : d->at;
	return DIALOG_OPEN;
}

static void picker_free(void *state)
{
	struct picker *d = state;

	job_release(d->job);
	free(d->list);
	explicit_bzero(d, sizeof(*d));
	free(d);
}

static bool types(const void *state)
{
	const struct picker *d = state;

	return d->typing;
}

static struct dialog made(struct picker *d)
{
	return (struct dialog){.state = d,
			       .draw = draw,
			       .key = key,
			       .free = picker_free,
			       .about = ABOUT_PICKER,
			       .types = types};
}

struct dialog dialog_picker(bool first)
{
	struct picker *d = calloc(1, sizeof(*d));

	if (d) {
		d->first = first;
		start_look(d, false);
	}
	return made(d);
}

/* What the core says of a missing path is advice for the command line; here there is a field for the
 * size. */
static void say_missing(struct picker *d)
{
	bool device = strncmp(d->spec, "/dev/", 5) == 0;

	snprintf(d->trouble, sizeof(d->trouble), "%s does not exist: %s", d->spec,
		 device ? "correct the path, or choose from the list"
			: "give a size to make it, or correct the path");
	d->on_size = !device;
}

static struct picker *copy_of(const struct picker *before)
{
	struct picker *d = malloc(sizeof(*d));

	if (!d)
		return NULL;
	*d = *before;
	d->job = NULL;
	d->list = before->count > 0 ? calloc((size_t)before->count, sizeof(*d->list)) : NULL;
	if (d->list) {
		memcpy(d->list, before->list, (size_t)before->count * sizeof(*d->list));
	} else {
		d->at = d->at > d->count ? d->at - d->count : 0;
		d->count = 0;
	}
	d->moved = true;
	d->probed = false;
	d->portals = false;
	d->trouble[0] = '\0';
	explicit_bzero(&d->login, sizeof(d->login));
	return d;
}

struct dialog dialog_picker_kept(const void *state)
{
	return made(copy_of(state));
}

struct dialog dialog_picker_again(const void *state, int rc, const struct error *e)
{
	struct picker *d = copy_of(state);

	if (!d)
		return made(NULL);
	if (d->typing && rc == -ENOENT && d->create_size == 0 && !secret_is_url(d->spec))
		say_missing(d);
	else if (rc)
		snprintf(d->trouble, sizeof(d->trouble), "%s", e->text);
	start_look(d, false);
	return made(d);
}

const char *picker_spec(const void *state)
{
	return ((const struct picker *)state)->spec;
}

uint64_t picker_create_size(const void *state)
{
	return ((const struct picker *)state)->create_size;
}

const struct backend_login *picker_login(const void *state)
{
	return &((const struct picker *)state)->login;
}

bool picker_wants_portals(const void *state)
{
	return ((const struct picker *)state)->portals;
}
