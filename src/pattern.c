/* pattern.c - taking a workload up, and everything that is not plain; see pattern.h. */
#include "pattern.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A table has no more ranks than there are places and this part of them. */
#define TABLE_EXCESS 8
/* From one draw of a rank to the next for the same IO; far from all other draws. */
#define PATTERN_REDRAW 0xaef17502108ef2d9ull

void pattern_init(struct pattern *p)
{
	*p = (struct pattern){0};
}

/* --- Tables. --- */

static uint64_t places_of_worker(const struct workload *w, const struct workload_limits *l,
				 const struct access_line *line, uint32_t i)
{
	struct places places;
	uint64_t first;

	places_of(w, l, i, &places);
	return places_count(&places.rest, line, &first);
}

/* For how many places the tables of a line are: that of all workers but the last, and that of the
 * last. A table for a few more than there are is good too (see pick_popular()). */
static void table_places(const struct workload *w, const struct workload_limits *l,
			 const struct access_line *line, uint64_t places[2])
{
	uint64_t most = places_of_worker(w, l, line, 0);
	uint64_t last = places_of_worker(w, l, line, w->workers - 1);

	/* Parts of the same length that do not begin at the line's alignment differ by one. */
	if (w->workers > 1 && !w->share_range && workload_align(w) % line->align)
		most++;
	if (last < most)
		last = most;
	else if (last - most <= most / TABLE_EXCESS)
		most = last;
	places[0] = most;
	places[1] = last;
}

static struct spread_table *share_or_make(const struct pattern_tables *before,
					  const struct spread *s, uint64_t places)
{
	for (uint32_t i = 0; before && i < before->count; i++)
		if (spread_table_is(before->table[i], s, places)) {
			before->table[i]->users++;
			return before->table[i];
		}
	return spread_table_create(s, places);
}

/* Its number in t, or -ENOMEM. */
static int table_for(struct pattern_tables *t, const struct pattern_tables *before,
		     const struct spread *s, uint64_t places)
{
	for (uint32_t i = 0; i < t->count; i++)
		if (t->table[i]->places == places)
			return (int)i;
	struct spread_table *table = share_or_make(before, s, places);
	if (!table)
		return -ENOMEM;
	t->table[t->count] = table;
	return (int)t->count++;
}

static int fill_tables(struct pattern_tables *t, const struct pattern_tables *before,
		       const struct workload *w, const struct workload_limits *l)
{
	for (uint32_t k = 0; k < workload_lines(w); k++) {
		struct access_line line = workload_line(w, k);
		uint64_t places[2];
		if (!line.random_pct)
			continue;
		table_places(w, l, &line, places);
		for (int last = 0; last < 2; last++) {
			int number = table_for(t, before, &w->spread, places[last]);
			if (number < 0)
				return number;
			t->of_line[last][k] = (uint8_t)number;
		}
	}
	return 0;
}

int pattern_tables_create(struct pattern_tables **out, const struct pattern_tables *before,
			  const struct workload *w, const struct workload_limits *l)
{
	*out = NULL;
	if (!spread_has_table(&w->spread))
		return 0;
	struct pattern_tables *t = calloc(1, sizeof(*t));
	int rc = t ? fill_tables(t, before, w, l) : -ENOMEM;
	if (rc)
		pattern_tables_free(t);
	else
		*out = t;
	return rc;
}

void pattern_tables_free(struct pattern_tables *t)
{
	if (!t)
		return;
	for (uint32_t i = 0; i < t->count; i++)
		spread_table_leave(t->table[i]);
	free(t);
}

/* --- Taking up. --- */

static uint64_t align_up(uint64_t v, uint32_t align)
{
	if ((align & (align - 1)) == 0)
		return (v + align - 1) & ~(uint64_t)(align - 1);
	return (v + align - 1) / align * align;
}

static uint64_t coin_below(uint32_t percent)
{
	return ((uint64_t)percent << 32) / 100;
}

static void take_lines(struct pattern *p, const struct workload *w,
		       const struct pattern_tables *tables, bool last)
{
	uint32_t percent = 0;

	for (uint32_t k = 0; k < workload_lines(w); k++) {
		const struct access_line a = workload_line(w, k);
		struct pattern_line *line = &p->line[k];
		*line = (struct pattern_line){
			.size = a.size,
			.align = a.align,
			.step = (a.size + a.align - 1ull) / a.align * a.align,
			.read_below = coin_below(a.read_pct),
			.random_below = coin_below(a.random_pct),
			.table = tables && a.random_pct ? tables->table[tables->of_line[last][k]]
							: NULL,
		};
		line->places = places_count(&p->rest, &a, &line->first);
		/* Rounded up: the hot spot is never empty. */
		line->hot = line->places / 100 * w->spread.range +
			    (line->places % 100 * w->spread.range + 99) / 100;
		for (uint32_t i = 0; i < a.share; i++)
			p->line_of[percent++] = (uint8_t)k;
	}
}

static void take_log(struct pattern *p, const struct workload *w)
{
	uint32_t align = w->align ? w->align : w->block_size;

	p->append = (struct pattern_line){
		.size = w->block_size,
		.align = align,
		.step = (w->block_size + align - 1ull) / align * align,
	};
}

/* What the inline case needs, from the only line. */
static void take_plain(struct pattern *p)
{
	const struct pattern_line *line = &p->line[0];

	p->start = line->first;
	p->last = p->rest.end - line->size;
	p->places = line->places;
	p->read_below = line->read_below;
	p->random_below = line->random_below;
	p->align = line->align;
	p->size = line->size;
	p->step = (uint32_t)line->step;
	p->coins = (p->read_below > 0 && p->read_below >> 32 == 0) ||
		   (p->random_below > 0 && p->random_below >> 32 == 0);
}

/* Where IOs in sequence begin: half-way in the warm-up, so that what is measured afterwards has not just been
 * read. */
static uint64_t first_place(const struct area *area, const struct workload *w, uint32_t align)
{
	return w->warming ? align_up(area->start + (area->end - area->start) / 2, align)
			  : area->start;
}

static void begin(struct pattern *p, const struct workload *w, uint32_t i)
{
	uint64_t seed = w->warming ? ~w->seed : w->seed;

	p->at = random_mix(random_mix(seed + PATTERN_COINS) + i * PATTERN_KIND);
	p->next = first_place(&p->rest, w, p->align);
	p->log_next = first_place(&p->log, w, p->append.align);
	p->turn = 0;
	for (uint32_t k = 0; k < p->streams; k++)
		p->stream[k].next = first_place(&p->stream[k].area, w, p->align);
	p->begun = true;
}

/* A position that lies outside now begins anew. */
static uint64_t keep_within(uint64_t at, const struct area *area)
{
	return at < area->start || at > area->end ? area->start : at;
}

static void go_on(struct pattern *p, uint32_t streams_before)
{
	p->next = align_up(keep_within(p->next, &p->rest), p->align);
	p->log_next = keep_within(p->log_next, &p->log);
	for (uint32_t k = 0; k < p->streams; k++) {
		struct pattern_stream *s = &p->stream[k];
		s->next = k < streams_before ? keep_within(s->next, &s->area) : s->area.start;
	}
	if (p->turn >= p->streams)
		p->turn = 0;
}

void pattern_take_up(struct pattern *p, const struct workload *w, const struct workload_limits *l,
		     const struct pattern_tables *tables, uint32_t i)
{
	struct places places;
	uint32_t streams_before = p->streams;

	places_of(w, l, i, &places);
	p->log = places.log;
	p->rest = places.rest;
	p->streams = w->streams > 1 ? w->streams : 0;
	for (uint32_t k = 0; k < p->streams; k++)
		p->stream[k].area = places_stream(w, &places, k);
	p->spread = w->spread.kind;
	p->spot_below = coin_below(w->spread.ios);
	/* Workers that share the range share its popular places. */
	p->scatter = random_mix(w->seed + PATTERN_SPOT);
	p->log_below = coin_below(w->log_pct);
	take_log(p, w);
	take_lines(p, w, tables, i + 1 >= w->workers);
	take_plain(p);
	p->special =
		w->access.count || w->log_pct || p->streams || w->spread.kind != SPREAD_UNIFORM;
	if (w->sequence_on && p->begun)
		go_on(p, streams_before);
	else
		begin(p, w, i);
}

/* --- The special case. --- */

/* The IO at *next, or at the start of its area where it would not fit any more; *next is then behind it. */
static uint64_t go_on_at(uint64_t *next, const struct area *area, const struct pattern_line *line)
{
	uint64_t offset = align_up(*next, line->align);

	if (offset + line->size > area->end)
		offset = align_up(area->start, line->align);
	*next = offset + line->step;
	return offset;
}

/* The table can have a few ranks more than there are places: these are drawn again. Popular places are
 * those of the law on fewer places, cut off at the end. */
static uint64_t pick_popular(const struct pattern *p, const struct pattern_line *line)
{
	uint64_t at = p->at, rank;

	do {
		rank = spread_rank(line->table, random_at(at), random_at(at + PATTERN_SPOT));
		at += PATTERN_REDRAW;
	} while (rank >= line->places);
	return spread_scatter(rank, line->places, p->scatter);
}

static uint64_t pick_hot(const struct pattern *p, const struct pattern_line *line)
{
	uint64_t place = random_at(p->at), cold = line->places - line->hot;

	if ((random_at(p->at + PATTERN_SPOT) & 0xffffffff) < p->spot_below || cold == 0)
		return random_scale(place, line->hot);
	return line->hot + random_scale(place, cold);
}

static uint64_t pick_random(const struct pattern *p, const struct pattern_line *line)
{
	uint64_t place;

	if (line->table)
		place = pick_popular(p, line);
	else if (p->spread == SPREAD_HOT)
		place = pick_hot(p, line);
	else
		place = random_scale(random_at(p->at), line->places);
	return line->first + place * line->align;
}

static uint64_t pick_sequential(struct pattern *p, const struct pattern_line *line)
{
	if (!p->streams)
		return go_on_at(&p->next, &p->rest, line);
	struct pattern_stream *stream = &p->stream[p->turn];
	p->turn = p->turn + 1 < p->streams ? p->turn + 1 : 0;
	return go_on_at(&stream->next, &stream->area, line);
}

void pattern_next_special(struct pattern *p, struct io *io)
{
	uint64_t kind = random_at(p->at + PATTERN_KIND);
	uint64_t coins = random_at(p->at + PATTERN_COINS);
	const struct pattern_line *line;

	if ((kind & 0xffffffff) < p->log_below) {
		line = &p->append;
		io->op = IO_WRITE;
		io->offset = go_on_at(&p->log_next, &p->log, line);
	} else {
		p->line_now = p->burst_line ? (uint8_t)(p->burst_line - 1)
					    : p->line_of[(kind >> 32) * 100 >> 32];
		line = &p->line[p->line_now];
		io->op = (coins >> 32) < line->read_below ? IO_READ : IO_WRITE;
		if ((coins & 0xffffffff) < line->random_below) {
			io->offset = pick_random(p, line);
			p->next = io->offset + line->step;
		} else {
			io->offset = pick_sequential(p, line);
		}
	}
	io->size = line->size;
	p->at += RANDOM_STEP;
}
