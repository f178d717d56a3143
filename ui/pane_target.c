/* pane_target.c - what is tested and how, what writing is allowed, and the lamps that say whether
 * the figures can be believed.
 *
 * Every line has a rank; trouble raises it, and so does permission to write. Where there is no room
 * for all lines, the calm ones go. Trouble that is wider than the pane goes on in the next row.
 */
#include <math.h>
#include <string.h>
#include "figures.h"
#include "io_error.h"
#include "path_table.h"

#define NAME_COLS 8
#define PART_COLS 60 /* wide panes put their lines into columns of at least this */
#define LINES_MAX 32

struct line {
	const char *name;
	char text[320];
	enum style style;
	uint32_t lamp; /* 0 = none */
	bool follows;  /* the line before goes on here */
	bool ends;     /* both ends tell: what has no room goes from its middle */
	int rank;      /* what has no room goes by it, the highest first; trouble is below 0 */
};

struct lines {
	struct line line[LINES_MAX];
	int n;
};

static struct line *lines_add(struct lines *l, const char *name, int rank, enum style style)
{
	struct line *line = &l->line[l->n < LINES_MAX ? l->n++ : LINES_MAX - 1];

	*line = (struct line){.name = name, .rank = rank, .style = style};
	return line;
}

/* --- What and how --- */

/* One that has shrunk says so for as long as the run lasts. */
static void add_size(struct lines *l, const struct target *t, const struct snapshot *s)
{
	bool shrunk = s->size_trouble[0];
	struct line *line = lines_add(l, "size", shrunk ? -1 : 6, shrunk ? ST_WARN : ST_NORMAL);
	char size[32], block[32], physical[32];

	units_size(size, sizeof(size), t->size);
	units_size(block, sizeof(block), t->logical_block);
	units_size(physical, sizeof(physical), t->physical_block);
	line->lamp = shrunk ? '!' : 0;
	if (shrunk)
		snprintf(line->text, sizeof(line->text), "%s", s->size_trouble);
	else if (t->physical_block && t->physical_block != t->logical_block)
		snprintf(line->text, sizeof(line->text), "%s, %s blocks on %s", size, block,
			 physical);
	else
		snprintf(line->text, sizeof(line->text), "%s, %s blocks", size, block);
}

static void add_identity(struct lines *l, const struct target *t, const struct snapshot *s)
{
	struct line *line = lines_add(l, t->kind == TARGET_NULL ? "null" : "path", 1, ST_VALUE);

	line->ends = true;
	snprintf(line->text, sizeof(line->text), "%.300s", t->path[0] ? t->path : t->spec);
	if (t->model[0]) {
		line = lines_add(l, "model", 8, ST_NORMAL);
		snprintf(line->text, sizeof(line->text), "%s", t->model);
	}
	if (target_has_size(t))
		add_size(l, t, s);
}

static void add_engine(struct lines *l, const struct target *t, const struct snapshot *s,
		       const struct glyphs *g)
{
	struct line *line = lines_add(l, "engine", 5, ST_NORMAL);
	const char *name = t->backend ? t->backend->name : "none";

	if (t->kind == TARGET_NULL)
		snprintf(line->text, sizeof(line->text), "%s", name);
	else
		snprintf(line->text, sizeof(line->text), "%s%s, %s", name,
			 t->backend_why[0] ? " (auto)" : "",
			 t->direct ? "direct" : "buffered: the page cache answers too");
	if (t->backend_why[0] && t->kind != TARGET_NULL) {
		line = lines_add(l, "auto", 9, ST_DIM);
		snprintf(line->text, sizeof(line->text), "%s", t->backend_why);
	}
	if (s->engine_remark[0]) {
		line = lines_add(l, "note", 8, ST_NORMAL);
		snprintf(line->text, sizeof(line->text), "%s", s->engine_remark);
	}
	if (looks_total(&s->looks)) {
		line = lines_add(l, "reaped", 9, ST_NORMAL);
		looks_describe(line->text, sizeof(line->text), &s->looks, !g->utf8);
	}
}

/* Which part is in use and where IOs may begin, unless that is the whole and every block. */
static void add_range(struct lines *l, const struct workload *w, const struct target *t)
{
	bool part = w->range_start || w->range_length;
	bool shared = w->share_range && w->workers > 1;
	char from[32], length[32], align[32];

	if (!part && !shared && !w->align)
		return;
	struct line *line = lines_add(l, "range", 5, ST_NORMAL);
	uint64_t bytes = w->range_length ? w->range_length : t->size - w->range_start;

	units_size_exact(from, sizeof(from), w->range_start);
	units_size(length, sizeof(length), bytes);
	int used;

	if (!part)
		used = snprintf(line->text, sizeof(line->text), "all of it");
	else if (w->range_start == 0)
		used = snprintf(line->text, sizeof(line->text), "the first %s", length);
	else
		used = snprintf(line->text, sizeof(line->text), "%s from %s on", length, from);
	if (shared)
		used += snprintf(line->text + used, sizeof(line->text) - (size_t)used,
				 ", shared by all workers");
	if (w->align)
		snprintf(line->text + used, sizeof(line->text) - (size_t)used,
			 ", offsets multiples of %s",
			 units_size_exact(align, sizeof(align), w->align));
}

static void add_writes(struct lines *l, const struct target *t)
{
	bool armed = target_armed(t);
	struct line *line = lines_add(l, armed ? "WRITES" : "writes", armed ? -1 : 4,
				      armed ? ST_WARN : ST_NORMAL);
	char from[32], length[32];

	if (!armed) {
		snprintf(line->text, sizeof(line->text), "%s",
			 t->may_write ? "allowed, they go nowhere" : "not allowed, reads only");
		return;
	}
	line->lamp = '!';
	units_size(from, sizeof(from), t->write_start);
	units_size(length, sizeof(length), t->write_length);
	if (t->write_start == 0 && t->write_length == t->size)
		snprintf(line->text, sizeof(line->text), "allowed everywhere%s",
			 t->created ? ", own file" : "");
	else
		snprintf(line->text, sizeof(line->text), "allowed: %s at %s", length,
			 t->write_start ? from : "the start");
}

/* --- Paths: the pane of sessions has all of it --- */

static const struct path_view *first_down(const struct sessions *s)
{
	for (unsigned i = 0; i < s->paths; i++)
		if (!s->path[i].out && s->path[i].up < s->path[i].sessions)
			return &s->path[i];
	return NULL;
}

static void add_paths(struct lines *l, const struct sessions *s)
{
	const struct path_view *down = first_down(s);
	unsigned up = 0, inflight = 0, held = 0;

	if (!s->paths)
		return;
	for (unsigned i = 0; i < s->paths; i++) {
		up += !s->path[i].out && s->path[i].up > 0;
		inflight += s->path[i].all.inflight;
		held += s->path[i].all.held;
	}
	struct line *line =
		lines_add(l, "paths", down || held ? -1 : 3, down || held ? ST_WARN : ST_NORMAL);
	size_t n = sizeof(line->text);
	line->lamp = down || held ? '!' : 0;
	units_append(line->text, n, "%u of %u up, %u in flight", up, s->paths, inflight);
	if (held)
		units_append(line->text, n, ", %u waiting", held);
	if (!up && down)
		units_append(line->text, n, ", IO stands still");
	else if (down && down->up)
		units_append(line->text, n, ", path %u has %u of %u sessions", down->number,
			     down->up, down->sessions);
	else if (down)
		units_append(line->text, n, ", path %u %s", down->number,
			     session_state_name(down->all.state));
}

/* --- Lamps --- */

static void add_lamp_from(struct lines *l, const char *name, int rank, const struct lamp *lamp,
			  enum lamp_level trouble, const struct glyphs *g)
{
	static const enum style style[] = {ST_DIM, ST_GOOD, ST_WARN, ST_BAD};
	bool bad = lamp->level >= trouble;
	struct line *line = lines_add(l, name, bad ? -1 : rank, style[lamp->level]);

	line->lamp = lamp->level >= LAMP_WARN   ? '!'
		     : lamp->level == LAMP_GOOD ? g->lamp_on
						: g->lamp_off;
	const char *text = lamp->text[0] ? lamp->text : "not known yet";
	size_t word = strlen(name);

	/* the line's name says it already */
	if (strncmp(text, name, word) == 0 && (text[word] == ' ' || text[word] == ':'))
		text += word + 1 + (text[word] == ':');
	snprintf(line->text, sizeof(line->text), "%s", text);
}

static void add_lamp(struct lines *l, const char *name, int rank, const struct lamp *lamp,
		     const struct glyphs *g)
{
	add_lamp_from(l, name, rank, lamp, LAMP_WARN, g);
}

/* Not to be steady yet is no trouble; to be it no more is. As long as nothing can be said, anything else says
 * more. */
static void add_steady(struct lines *l, const struct lamp *lamp, const struct glyphs *g)
{
	add_lamp_from(l, "steady", lamp->level == LAMP_OFF ? 9 : 2, lamp, LAMP_BAD, g);
}

/* Requests are not IOs: the kernel merges and splits them on their way. */
static void add_device(struct lines *l, const struct snapshot *s)
{
	if (s->device_depth < 0)
		return;
	struct line *line = lines_add(l, "device", 7, ST_NORMAL);

	snprintf(line->text, sizeof(line->text), "%.*f requests in flight",
		 s->device_depth < 99.95 ? 1 : 0, s->device_depth);
}

static void add_oldest(struct lines *l, const struct snapshot *s, const struct glyphs *g)
{
	/* a second is a long time for an IO: this line is how a hanging device shows */
	bool old = s->oldest_ns >= NS_PER_SEC;
	struct line *line = lines_add(l, "oldest", old ? -1 : 3, old ? ST_WARN : ST_NORMAL);
	char age[32];

	line->lamp = old ? '!' : 0;
	if (!s->oldest_ns)
		snprintf(line->text, sizeof(line->text), "no IO in flight");
	else
		snprintf(line->text, sizeof(line->text), "%s in flight",
			 units_latency(age, sizeof(age), (double)s->oldest_ns, !g->utf8));
}

/* --- Errors --- */

/* "EIO 12, ENOSPC 3": whole entries only, and how many kinds were left out. */
static void add_errors(struct lines *l, const struct snapshot *s, int width)
{
	uint64_t sum = figures_errors(s);
	struct line *line = lines_add(l, "errors", sum ? -2 : 2, sum ? ST_BAD : ST_NORMAL);
	size_t used = 0, limit = width > 12 ? (size_t)width : 12;
	int left_out = 0;

	if (!sum) {
		snprintf(line->text, sizeof(line->text), "none");
		return;
	}
	if (limit > sizeof(line->text))
		limit = sizeof(line->text);
	for (int e = 0; e < ERRNO_SLOTS; e++) {
		char entry[64], count[16];

		if (!s->errors[e])
			continue;
		snprintf(entry, sizeof(entry), "%s%s %s", used ? ", " : "", io_error_name(e),
			 units_count(count, sizeof(count), (double)s->errors[e]));
		/* room for ", +99 more" unless this is the first */
		if (used && used + strlen(entry) + 10 > limit) {
			left_out++;
			continue;
		}
		used += (size_t)snprintf(line->text + used, sizeof(line->text) - used, "%s", entry);
	}
	if (left_out)
		snprintf(line->text + used, sizeof(line->text) - used, ", +%d more", left_out);
}

/* Where there is room: every kind of error with its meaning. Returns the rows used. */
static int draw_error_list(struct canvas *c, struct rect r, const struct view *v)
{
	int row = 0;

	for (int e = 0; e < ERRNO_SLOTS && row < r.rows; e++) {
		char count[16];

		if (!v->snap.errors[e])
			continue;
		canvas_text(c, r, row, 0, io_error_name(e), ST_BAD);
		canvas_text_right(c, r, row, 24,
				  units_count(count, sizeof(count), (double)v->snap.errors[e]),
				  ST_VALUE);
		text_draw(c, r, row, 26, r.cols - 26, io_error_words(e), v->g, ST_DIM);
		row++;
	}
	return row;
}

/* --- The record --- */

static void add_store(struct lines *l, const struct snapshot *s)
{
	bool trouble = s->store_trouble[0];
	struct line *line = lines_add(l, "record", trouble ? -1 : 9, trouble ? ST_WARN : ST_NORMAL);

	line->lamp = trouble ? '!' : 0;
	if (trouble)
		snprintf(line->text, sizeof(line->text), "%s", s->store_trouble);
	else if (!s->run_id)
		snprintf(line->text, sizeof(line->text), "not kept");
	else
		snprintf(line->text, sizeof(line->text), "run %lld in %.280s", (long long)s->run_id,
			 s->store_path);
}

/* --- All of it --- */

/* Where a line's text begins: that of one that goes on has more room than others. */
static int text_col(const struct line *line)
{
	return line->follows ? 2 : NAME_COLS + (line->lamp ? 2 : 0);
}

static void draw_line(struct canvas *c, struct rect r, int row, const struct line *line,
		      const struct view *v)
{
	int at = text_col(line);
	char text[sizeof(line->text) + 8];

	canvas_text(c, r, row, 0, line->name, ST_LABEL);
	if (line->lamp)
		canvas_put(c, r, row, NAME_COLS, line->lamp, line->style);
	if (line->ends)
		text_both_ends(text, sizeof(text), line->text, r.cols - at, v->g);
	else
		snprintf(text, sizeof(text), "%s", line->text);
	text_draw(c, r, row, at, r.cols - at, text, v->g,
		  line->lamp && line->style == ST_GOOD ? ST_NORMAL : line->style);
}

/* Where a text of at most width columns breaks best: behind a colon or a comma if that fills half of it,
 * else between words; 0 where it can't. */
static size_t break_at(const char *text, int width)
{
	size_t word = 0, clause = 0;
	char part[sizeof(((struct line *)0)->text)];

	for (size_t i = 1; text[i]; i++) {
		if (text[i] != ' ')
			continue;
		snprintf(part, i + 1 < sizeof(part) ? i + 1 : sizeof(part), "%s", text);
		if (canvas_width(part) > width)
			break;
		word = i;
		if (text[i - 1] == ':' || text[i - 1] == ',')
			clause = i;
	}
	return clause > word / 3 ? clause : word;
}

/* Trouble is told whole: what is too wide for its row goes on in others. */
static void wrap_trouble(struct lines *l, int width)
{
	for (int i = 0; i < l->n && l->n < LINES_MAX; i++) {
		struct line *line = &l->line[i];
		int room = width - text_col(line);

		if (line->rank >= 0 || room < 1 || canvas_width(line->text) <= room)
			continue;
		size_t at = break_at(line->text, room);

		if (!at)
			continue;
		const struct line whole = *line;
		memmove(line + 2, line + 1, (size_t)(l->n - i - 1) * sizeof(*line));
		l->n++;
		line[1] = (struct line){
			.name = "", .follows = true, .style = line->style, .rank = line->rank};
		snprintf(line[1].text, sizeof(line[1].text), "%s", whole.text + at + 1);
		line->text[at] = '\0';
	}
}

/* Gives a text back to the line that it went on from, where it will end with dots. */
static void join(struct line *line)
{
	const struct line rest = *line;
	size_t used = strlen(line[-1].text);

	snprintf(line[-1].text + used, sizeof(line->text) - used, " %s", rest.text);
}

/* Leaves out the lines that matter least until room are left. */
static void keep(struct lines *l, int room)
{
	while (l->n > room && l->n > 0) {
		int worst = 0;

		for (int i = 1; i < l->n; i++)
			if (l->line[i].rank >= l->line[worst].rank)
				worst = i;
		if (l->line[worst].follows)
			join(&l->line[worst]);
		memmove(&l->line[worst], &l->line[worst + 1],
			(size_t)(l->n - worst - 1) * sizeof(l->line[0]));
		l->n--;
	}
}

static const char *title_right(const struct view *v)
{
	if (v->snap.ended)
		return "ended";
	if (!v->snap.settled && v->snap.running)
		return "settling";
	return "";
}

void pane_target_draw(struct canvas *c, struct rect r, const struct view *v)
{
	struct rect body = pane_inset(pane_title(c, r, v, PANE_TARGET, title_right(v)));
	struct lines l = {.n = 0};
	int columns = body.cols / PART_COLS;

	if (columns < 1)
		columns = 1;
	int width = body.cols / columns - (columns > 1 ? 2 : 0);

	if (v->snap.ended && v->snap.end_reason[0]) {
		struct line *line = lines_add(&l, "ended", -3, ST_BAD);

		line->lamp = '!';
		snprintf(line->text, sizeof(line->text), "%s", v->snap.end_reason);
	}
	if (v->target) {
		add_identity(&l, v->target, &v->snap);
		add_engine(&l, v->target, &v->snap, v->g);
		add_range(&l, &v->snap.workload, v->target);
		add_writes(&l, v->target);
		add_paths(&l, &v->snap.sessions);
	}
	add_lamp(&l, "depth", 0, &v->snap.depth, v->g);
	add_steady(&l, &v->snap.steady, v->g);
	if (v->snap.rate.level != LAMP_OFF)
		add_lamp(&l, "rate", 0, &v->snap.rate, v->g);
	add_device(&l, &v->snap);
	add_lamp(&l, "Little", 7, &v->snap.little, v->g);
	add_oldest(&l, &v->snap, v->g);
	add_errors(&l, &v->snap, width - NAME_COLS);
	add_store(&l, &v->snap);
	wrap_trouble(&l, width);
	if (l.n <= body.rows)
		columns = 1;
	keep(&l, body.rows * columns);

	int rows = (l.n + columns - 1) / columns;

	if (columns == 1)
		width = body.cols;
	for (int i = 0; i < l.n; i++)
		draw_line(c,
			  (struct rect){body.row, body.col + i / rows * (width + 2), body.rows,
					width},
			  i % rows, &l.line[i], v);
	if (figures_errors(&v->snap) && body.rows - rows >= 3)
		draw_error_list(c,
				(struct rect){body.row + rows + 1, body.col + NAME_COLS,
					      body.rows - rows - 1, body.cols - NAME_COLS},
				v);
}
