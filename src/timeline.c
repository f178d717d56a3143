/* timeline.c - samples and marks on one line of time.
 *
 * One mutex guards everything; a holder only copies or adds, so that the sampler is never kept
 * waiting by a reader that draws or writes to disk. Long copies are made in pieces and the lock is
 * given up in between. Open segments have full histograms; once closed, only the range of buckets
 * that was touched is kept (a few KiB), so that a run with thousands of knob changes stays small.
 */
#include "timeline_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TICKS_KEPT   6000u  /* ten minutes */
#define SECONDS_KEPT 86400u /* a day */
#define COPY_PIECE   256u   /* samples copied under one lock */

static uint64_t percentile(const struct hist *h, double q)
{
	return h->count ? (uint64_t)llround(hist_percentile(h, q)) : 0;
}

/* From the histogram of all IOs, and from that of their latencies from when they were due. */
static void sample_percentiles(struct sample *s, const struct hist *h, const struct hist *due)
{
	s->p50 = percentile(h, 0.50);
	s->p95 = percentile(h, 0.95);
	s->p99 = percentile(h, 0.99);
	s->p999 = percentile(h, 0.999);
	s->due.p50 = percentile(due, 0.50);
	s->due.p99 = percentile(due, 0.99);
}

/* --- Rings. --- */

static uint64_t ring_oldest(const struct ring *r)
{
	return r->count > r->cap ? r->count - r->cap : 0;
}

struct sample *ring_at(const struct ring *r, uint64_t seq)
{
	return &r->item[seq % r->cap];
}

/* Where memory is short, the ring stays as large as it is and forgets its oldest earlier. */
static void ring_append(struct ring *r, const struct sample *s)
{
	if (r->count == r->cap && r->cap < r->max) {
		size_t cap = r->cap * 2 < r->max ? r->cap * 2 : r->max;
		struct sample *item = realloc(r->item, cap * sizeof(*item));
		if (item) {
			r->item = item;
			r->cap = cap;
		} else {
			r->max = r->cap;
		}
	}
	r->item[r->count++ % r->cap] = *s;
}

uint64_t ring_after(const struct ring *r, uint64_t after)
{
	uint64_t low = ring_oldest(r), high = r->count;

	while (low < high) {
		uint64_t middle = low + (high - low) / 2;
		if (ring_at(r, middle)->t_ns > after)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static bool ring_init(struct ring *r, size_t cap, size_t max)
{
	r->item = malloc(cap * sizeof(*r->item));
	r->cap = cap;
	r->max = max;
	return r->item != NULL;
}

/* Copies in pieces; what the sampler overwrote between two of them is left out. */
static size_t ring_copy(struct timeline *t, const struct ring *r, uint64_t after,
			struct sample *out, size_t max)
{
	size_t n = 0;
	pthread_mutex_lock(&t->lock);
	uint64_t seq = ring_after(r, after), end = r->count;

	if (end - seq > max)
		seq = end - max;
	for (;;) {
		if (seq < ring_oldest(r))
			seq = ring_oldest(r);
		for (unsigned i = 0; i < COPY_PIECE && seq < end; i++)
			out[n++] = *ring_at(r, seq++);
		if (seq >= end)
			break;
		pthread_mutex_unlock(&t->lock);
		pthread_mutex_lock(&t->lock);
	}
	pthread_mutex_unlock(&t->lock);
	return n;
}

/* --- Life. --- */

static void recent_clear(struct timeline *t)
{
	for (unsigned i = 0; i < HIST_WINDOW_S; i++) {
		t->recent[i].ns = 0;
		for (int k = 0; k < HISTS; k++)
			hist_clear(&t->recent[i].hist[k]);
	}
	t->filling = 0;
}

struct timeline *timeline_create(void)
{
	struct timeline *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	pthread_mutex_init(&t->lock, NULL);
	for (int k = 0; k < HISTS; k++)
		hist_clear(&t->open[k]);
	hist_clear(&t->second);
	hist_clear(&t->second_due);
	hist_clear(&t->before);
	hist_clear(&t->before_due);
	recent_clear(t);
	if (!ring_init(&t->ticks, TICKS_KEPT, TICKS_KEPT) ||
	    !ring_init(&t->seconds, 1024, SECONDS_KEPT)) {
		timeline_destroy(t);
		return NULL;
	}
	return t;
}

void timeline_destroy(struct timeline *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->segments; i++)
		for (int k = 0; k < HISTS; k++)
			packed_free(&t->segment[i].packed[k]);
	free(t->segment);
	free(t->mark);
	free(t->ticks.item);
	free(t->seconds.item);
	heat_free(&t->heat);
	gaps_free(&t->gaps);
	tail_free(&t->tail);
	pthread_mutex_destroy(&t->lock);
	free(t);
}

/* --- The sampler's side. --- */

/* The segment that the larger part of the tick lies in; the borders that lay inside the tick move
 * to the nearer end of it. */
static size_t tick_segment(struct timeline *t, const struct sample *s)
{
	uint64_t start = s->t_ns - s->dt_ns, middle = start + s->dt_ns / 2;
	size_t i = t->segments - 1;

	while (i > 0 && t->segment[i].start_ns > middle) {
		t->segment[i].start_ns = t->segment[i].end_ns = s->t_ns;
		i--;
	}
	if (i > 0 && t->segment[i].start_ns > start)
		t->segment[i].start_ns = start;
	return i;
}

static void recent_add(struct timeline *t, uint64_t dt_ns, const struct hist delta[HISTS])
{
	struct slot *s = &t->recent[t->filling];

	if (s->ns + dt_ns / 2 >= NS_PER_SEC) {
		t->filling = (t->filling + 1) % HIST_WINDOW_S;
		s = &t->recent[t->filling];
		s->ns = 0;
		for (int k = 0; k < HISTS; k++)
			hist_clear(&s->hist[k]);
	}
	s->ns += dt_ns;
	for (int k = 0; delta && k < HISTS; k++)
		hist_merge(&s->hist[k], &delta[k]);
}

static void segment_tick(struct timeline *t, const struct sample *s, const struct hist delta[HISTS])
{
	size_t i = tick_segment(t, s);

	timeline_take(t, s, i, delta);
	t->segment[i].end_ns = s->t_ns;
	if (i + 1 == t->segments)
		recent_add(t, s->dt_ns, delta);
}

void timeline_tick(struct timeline *t, const struct sample *s, const struct hist delta[HISTS])
{
	struct sample own = *s;

	own.requested_ns = sample_requested_ns(s);
	pthread_mutex_lock(&t->lock);
	own.p50 = t->last_second.p50;
	own.p95 = t->last_second.p95;
	own.p99 = t->last_second.p99;
	own.p999 = t->last_second.p999;
	own.due.p50 = t->last_second.due.p50;
	own.due.p99 = t->last_second.due.p99;
	own.gap_ns = gaps_cover(&t->gaps, s->t_ns - s->dt_ns, s->t_ns) ? s->dt_ns : 0;
	ring_append(&t->ticks, &own);
	if (t->segments)
		segment_tick(t, &own, delta);
	for (int k = 0; delta && k < HISTS; k++) {
		hist_merge(k == HIST_DUE ? &t->second_due : &t->second, &delta[k]);
		t->second_known = true;
	}
	pthread_mutex_unlock(&t->lock);
}

/* A rest has the percentiles of the second before it and its own together: there it is added to. */
static void second_percentiles(struct timeline *t, struct sample *s)
{
	if (s->dt_ns < SECOND_REST) {
		hist_merge(&t->second, &t->before);
		hist_merge(&t->second_due, &t->before_due);
	}
	sample_percentiles(s, &t->second, &t->second_due);
	t->before = t->second;
	t->before_due = t->second_due;
	hist_clear(&t->second);
	hist_clear(&t->second_due);
}

void timeline_second(struct timeline *t, const struct sample *s)
{
	struct sample own = *s;

	own.requested_ns = sample_requested_ns(s);
	pthread_mutex_lock(&t->lock);
	heat_append(&t->heat, s->t_ns, s->dt_ns, &t->second);
	if (t->second_known) {
		second_percentiles(t, &own);
		t->second_known = false;
	}
	own.gap_ns = timeline_gap_ns(t, &own);
	t->last_second = own;
	ring_append(&t->seconds, &own);
	timeline_segment_second(t, &own);
	pthread_mutex_unlock(&t->lock);
}

/* Makes room for one more in an array; false without memory. */
static bool grow(void **array, size_t *cap, size_t used, size_t size)
{
	if (used < *cap)
		return true;
	size_t n = *cap ? *cap * 2 : 64;
	void *more = realloc(*array, n * size);
	if (!more)
		return false;
	*array = more;
	*cap = n;
	return true;
}

static bool segment_open(struct timeline *t, uint32_t mark, uint64_t t_ns, uint32_t generation,
			 const struct workload *w)
{
	void *array = t->segment;

	if (!grow(&array, &t->segments_cap, t->segments, sizeof(*t->segment)))
		return false;
	t->segment = array;
	struct kept_segment *before = t->segments ? &t->segment[t->segments - 1] : NULL;
	for (int k = 0; before && k < HISTS; k++)
		if (!packed_set(&before->packed[k], &t->open[k]))
			return false;

	struct kept_segment *g = &t->segment[t->segments++];
	memset(g, 0, sizeof(*g));
	g->mark = mark;
	g->generation = generation;
	g->start_ns = before && before->end_ns > t_ns ? before->end_ns : t_ns;
	g->end_ns = g->start_ns;
	if (w)
		g->workload = *w;
	else if (before)
		g->workload = before->workload;
	sample_clear(&g->ticks);
	sample_clear(&g->gap);
	sample_clear(&g->seconds);
	for (int k = 0; k < HISTS; k++)
		hist_clear(&t->open[k]);
	recent_clear(t);
	return true;
}

static char next_letter(struct timeline *t, enum mark_kind kind)
{
	if (kind == MARK_START || kind == MARK_EVENT || kind == MARK_END)
		return 0;
	return (char)('a' + t->letters++ % 26);
}

/* Cut at a whole character: no byte of the form 10xxxxxx may begin the rest. */
static void set_text(struct mark *m, const char *text)
{
	size_t n = strlen(text);

	if (n >= MARK_TEXT)
		for (n = MARK_TEXT - 1; n && ((unsigned char)text[n] & 0xc0) == 0x80;)
			n--;
	memcpy(m->text, text, n);
	m->text[n] = 0;
}

void timeline_note(struct timeline *t, uint32_t id, const char *text)
{
	pthread_mutex_lock(&t->lock);

	if (id >= 1 && id <= t->marks) {
		set_text(&t->mark[id - 1], text);
		t->notes++;
	}
	pthread_mutex_unlock(&t->lock);
}

void timeline_pass(struct timeline *t, uint32_t id)
{
	pthread_mutex_lock(&t->lock);

	if (id >= 1 && id <= t->marks) {
		struct mark *m = &t->mark[id - 1];
		if (m->letter && m->letter == (char)('a' + (t->letters - 1) % 26))
			t->letters--;
		m->kind = MARK_PASSED;
		m->letter = 0;
		t->notes++;
	}
	pthread_mutex_unlock(&t->lock);
}

uint32_t timeline_notes(struct timeline *t)
{
	pthread_mutex_lock(&t->lock);
	uint32_t n = t->notes;
	pthread_mutex_unlock(&t->lock);

	return n;
}

uint32_t timeline_mark(struct timeline *t, enum mark_kind kind, uint64_t t_ns, uint32_t generation,
		       const struct workload *w, const char *text)
{
	struct mark m = {.kind = kind, .t_ns = t_ns};
	uint64_t now = clock_ns(), wall = wall_ns();

	m.wall = wall - (now - t_ns);
	if (text)
		set_text(&m, text);

	pthread_mutex_lock(&t->lock);
	void *array = t->mark;
	bool done = grow(&array, &t->marks_cap, t->marks, sizeof(*t->mark));
	t->mark = array;
	m.id = (uint32_t)t->marks + 1;
	if (done && kind != MARK_EVENT && kind != MARK_END)
		done = segment_open(t, m.id, t_ns, generation, w);
	if (kind == MARK_RESET) {
		hist_clear(&t->before);
		hist_clear(&t->before_due);
	}
	if (done) {
		m.letter = next_letter(t, kind);
		t->mark[t->marks++] = m;
	}
	pthread_mutex_unlock(&t->lock);
	return done ? m.id : 0;
}

/* --- The readers' side. --- */

size_t timeline_ticks(struct timeline *t, uint64_t after, struct sample *out, size_t max)
{
	return ring_copy(t, &t->ticks, after, out, max);
}

size_t timeline_seconds(struct timeline *t, uint64_t after, struct sample *out, size_t max)
{
	return ring_copy(t, &t->seconds, after, out, max);
}

uint64_t timeline_ticks_since(struct timeline *t)
{
	uint64_t since = 0;

	pthread_mutex_lock(&t->lock);
	uint64_t oldest = ring_oldest(&t->ticks);
	if (oldest) {
		const struct sample *s = ring_at(&t->ticks, oldest);
		since = s->t_ns - s->dt_ns;
	}
	pthread_mutex_unlock(&t->lock);
	return since;
}

size_t timeline_heat(struct timeline *t, uint64_t after, uint64_t until, struct heat_slice *out,
		     size_t max)
{
	pthread_mutex_lock(&t->lock);
	size_t n = heat_read(&t->heat, after, until, out, max);
	pthread_mutex_unlock(&t->lock);

	return n;
}

size_t timeline_sum(struct timeline *t, uint64_t from, uint64_t to, struct sample *out)
{
	size_t n = 0;

	sample_clear(out);
	pthread_mutex_lock(&t->lock);
	const struct ring *r = &t->ticks;
	for (uint64_t seq = ring_after(r, from); seq < r->count && ring_at(r, seq)->t_ns <= to;
	     seq++, n++)
		sample_add(out, ring_at(r, seq));
	pthread_mutex_unlock(&t->lock);
	return n;
}

size_t timeline_marks(struct timeline *t, uint32_t after, struct mark *out, size_t max)
{
	pthread_mutex_lock(&t->lock);
	size_t from = after < t->marks ? after : t->marks; /* id = place + 1 */
	if (t->marks - from > max)
		from = t->marks - max;
	size_t n = t->marks - from;

	if (n)
		memcpy(out, t->mark + from, n * sizeof(*out));
	pthread_mutex_unlock(&t->lock);
	return n;
}

struct sample *timeline_all_seconds(struct timeline *t, uint64_t after, size_t *n)
{
	for (size_t room = 1024;; room *= 4) {
		struct sample *list = malloc(room * sizeof(*list));
		if (!list)
			return NULL;
		*n = timeline_seconds(t, after, list, room);
		/* Fewer than there was room for: it is all of them. */
		if (*n < room)
			return list;
		free(list);
	}
}

struct mark *timeline_all_marks(struct timeline *t, uint32_t after, size_t *n)
{
	for (size_t room = 256;; room *= 4) {
		struct mark *list = malloc(room * sizeof(*list));
		if (!list)
			return NULL;
		*n = timeline_marks(t, after, list, room);
		if (*n < room)
			return list;
		free(list);
	}
}

uint32_t timeline_newest_mark(struct timeline *t)
{
	pthread_mutex_lock(&t->lock);
	size_t n = t->marks;

	while (n && t->mark[n - 1].kind == MARK_EVENT)
		n--;
	pthread_mutex_unlock(&t->lock);
	return (uint32_t)n;
}

bool timeline_mark_at(struct timeline *t, uint32_t id, struct mark *out)
{
	pthread_mutex_lock(&t->lock);
	bool found = id >= 1 && id <= t->marks;

	if (found)
		*out = t->mark[id - 1];
	pthread_mutex_unlock(&t->lock);
	return found;
}

void timeline_recent_hist(struct timeline *t, struct hist out[HISTS])
{
	for (int k = 0; k < HISTS; k++)
		hist_clear(&out[k]);
	pthread_mutex_lock(&t->lock);
	for (unsigned i = 0; i < HIST_WINDOW_S; i++)
		for (int k = 0; k < HISTS; k++)
			if (t->recent[i].hist[k].count)
				hist_merge(&out[k], &t->recent[i].hist[k]);
	pthread_mutex_unlock(&t->lock);
}

uint32_t timeline_segments(struct timeline *t)
{
	pthread_mutex_lock(&t->lock);
	uint32_t n = (uint32_t)t->segments;
	pthread_mutex_unlock(&t->lock);

	return n;
}

bool timeline_segment(struct timeline *t, uint32_t n, struct segment *out)
{
	pthread_mutex_lock(&t->lock);
	bool found = n >= 1 && n <= t->segments;

	if (found) {
		const struct kept_segment *g = &t->segment[n - 1];
		out->number = n;
		out->mark = g->mark;
		out->letter = t->mark[g->mark - 1].letter;
		out->generation = g->generation;
		out->start_ns = g->start_ns;
		out->end_ns = g->end_ns;
		out->workload = g->workload;
		out->total = g->ticks;
		out->gap = g->gap;
		for (int k = 0; k < HISTS; k++) {
			if (n == t->segments) {
				out->hist[k] = t->open[k];
				continue;
			}
			hist_clear(&out->hist[k]);
			packed_merge(&out->hist[k], &g->packed[k]);
		}
		timeline_add_tail(t, n - 1, out);
		out->total.cpu = g->seconds.cpu;
		out->total.cpu.dt_ns = sample_cpu_dt(&g->seconds);
		out->total.net = g->seconds.net;
		out->total.device_depth = g->seconds.device_depth;
	}
	pthread_mutex_unlock(&t->lock);
	if (found) {
		struct hist both = out->hist[IO_READ];
		hist_merge(&both, &out->hist[IO_WRITE]);
		sample_percentiles(&out->total, &both, &out->hist[HIST_DUE]);
	}
	return found;
}

/* The seconds that begin at or after start_ns, without those that a gap reaches into. */
static void seconds_total(struct timeline *t, uint64_t start_ns, struct sample *out)
{
	sample_clear(out);
	pthread_mutex_lock(&t->lock);
	const struct ring *r = &t->seconds;
	for (uint64_t seq = ring_after(r, start_ns); seq < r->count; seq++) {
		const struct sample *s = ring_at(r, seq);
		if (s->t_ns - s->dt_ns >= start_ns && !s->gap_ns)
			sample_add(out, s);
	}
	pthread_mutex_unlock(&t->lock);
}

void timeline_total(struct timeline *t, uint32_t n, struct sample *total, struct sample *gap,
		    struct hist hist[HISTS])
{
	struct segment g;
	struct sample seconds;
	uint64_t start_ns = UINT64_MAX;

	sample_clear(total);
	sample_clear(gap);
	for (int k = 0; k < HISTS; k++)
		hist_clear(&hist[k]);
	for (; timeline_segment(t, n, &g); n++) {
		if (g.start_ns < start_ns)
			start_ns = g.start_ns;
		sample_add(total, &g.total);
		sample_add(gap, &g.gap);
		for (int k = 0; k < HISTS; k++)
			hist_merge(&hist[k], &g.hist[k]);
	}
	struct hist both = hist[IO_READ];
	hist_merge(&both, &hist[IO_WRITE]);
	sample_percentiles(total, &both, &hist[HIST_DUE]);
	seconds_total(t, start_ns, &seconds);
	total->cpu = seconds.cpu;
	total->cpu.dt_ns = sample_cpu_dt(&seconds);
	total->net = seconds.net;
	total->device_depth = seconds.device_depth;
}
