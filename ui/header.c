/* header.c - the top line: what this is, whether IO is going on, on what, since when, and
 * whether anything can be written over. */
#include "figures.h"
#include "pane_util.h"

struct state {
	const char *word; /* as wide as the others, so that nothing beside it moves */
	enum style style;
	bool lit;
};

/* IOs are in flight, and none has come back for a second. */
static bool stands_still(const struct snapshot *s)
{
	const struct sample *last = &s->second;

	return last->dt_ns >= NS_PER_SEC - NS_PER_SEC / 10 && s->oldest_ns >= NS_PER_SEC &&
	       !last->op[IO_READ].ios && !last->op[IO_WRITE].ios;
}

/* What the operator sees is old before all else; then whether there is IO. */
static struct state state_of(const struct view *v)
{
	if (v->frozen && v->triggered)
		return (struct state){"TRIGGERED", ST_WARN, false};
	if (v->frozen)
		return (struct state){"FROZEN", ST_WARN, false};
	if (v->snap.ended)
		return (struct state){"ENDED ", ST_BAD, false};
	if (!v->snap.running)
		return (struct state){"STOP  ", ST_WARN, false};
	if (stands_still(&v->snap))
		return (struct state){"STALL ", ST_BAD, true};
	return (struct state){"RUN   ", ST_GOOD, true};
}

/* Hours, minutes and seconds since the run began: the same width from the first second on. */
static void run_time(char *out, size_t n, const struct snapshot *s)
{
	uint64_t sec = s->t_ns > s->start_ns ? (s->t_ns - s->start_ns) / NS_PER_SEC : 0;

	snprintf(out, n, "%02llu:%02llu:%02llu", (unsigned long long)sec / 3600,
		 (unsigned long long)sec / 60 % 60, (unsigned long long)sec % 60);
}

static void describe_errors(char *out, size_t n, uint64_t errors)
{
	char count[16];

	out[0] = '\0';
	if (errors)
		snprintf(out, n, " ! %s IO error%s ",
			 units_count(count, sizeof(count), (double)errors), errors == 1 ? "" : "s");
}

void header_draw(struct canvas *c, struct rect r, const struct view *v)
{
	struct state st = state_of(v);
	const char *armed = "";
	char lamp[16], time[32], clock[16], size[32] = "", name[80], errors[40], utf8[5];
	const char *kind = "", *target = "";
	int at;

	if (r.rows < 1)
		return;
	snprintf(lamp, sizeof(lamp), "%s %s",
		 utf8_of(utf8, st.lit ? v->g->lamp_on : v->g->lamp_off), st.word);
	run_time(time, sizeof(time), &v->snap);
	clock_text(clock, sizeof(clock), v->snap.wall);
	if (v->target) {
		target = text_for_level(name, sizeof(name), v->target->name, v->g);
		kind = v->target->kind == TARGET_NULL ? "" : target_kind_name(v->target->kind);
		if (target_has_size(v->target))
			units_size(size, sizeof(size), v->target->size);
		armed = target_armed(v->target) ? "WRITES" : "";
	}
	describe_errors(errors, sizeof(errors), figures_errors(&v->snap));

	/* the clock has its place at the right end while the state leaves room for it */
	at = r.cols >= 40 ? r.cols - 9 : r.cols;
	if (at < r.cols)
		canvas_text(c, r, 0, at, clock, ST_DIM);
	const struct piece p[] = {
		{"lunscope", ST_TITLE, 0, 4},
		{v->version ? v->version : "", ST_DIM, 1, 8},
		{lamp, st.style, 3, 0},
		{time, ST_VALUE, 1, 3},
		{v->armed ? "  armed" : "", ST_MARK, 0, 7},
		{errors, ST_BAD, 2, 1},
		{v->host, ST_NORMAL, r.cols >= 100 ? 5 : 3, 7},
		{target, ST_TITLE, 3, 5},
		{armed, ST_WARN, 2, 2},
		{size, ST_NORMAL, 2, 6},
		{kind, ST_DIM, 2, 9},
	};

	pieces_draw(c, r, 0, 1, at - 2, p, sizeof(p) / sizeof(p[0]));
}
