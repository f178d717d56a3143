/* meters.c - feeds the meters from the timeline's seconds. When statistics begin anew, an update becomes
 * another time, or a gap is found behind, all seconds since the start are read once more, so that least and
 * most are of the same figures as the newest.
 */
#include "meters.h"

#include <stdlib.h>
#include <string.h>

/* So many seconds are read at once, of a day at most. */
#define READ_NS (3600 * NS_PER_SEC)

void meters_clear(struct meters *m)
{
	memset(m, 0, sizeof(*m));
}

static void begin(struct meters *m, uint64_t start_ns, unsigned every_s)
{
	meter_board_clear(&m->board, every_s);
	m->start_ns = start_ns;
	m->seen_ns = start_ns;
}

/* A second that lies before the start as well is none of these. */
static bool counts(const struct meters *m, const struct sample *s)
{
	return s->t_ns - s->dt_ns + TICK_NS / 2 >= m->start_ns;
}

static void read_on(struct meters *m, struct timeline *t, uint64_t until_ns)
{
	while (m->seen_ns < until_ns) {
		uint64_t to = until_ns - m->seen_ns > READ_NS ? m->seen_ns + READ_NS : until_ns;
		size_t n;
		struct sample *s = timeline_seconds_between(t, m->seen_ns, to, &n);

		if (!s)
			return;
		for (size_t i = 0; i < n; i++)
			if (counts(m, &s[i]))
				meter_board_add(&m->board, &s[i]);
		m->seen_ns = n ? s[n - 1].t_ns : m->seen_ns;
		free(s);
		/* A second that is not over yet comes later. */
		if (to == until_ns)
			return;
		m->seen_ns = to;
	}
}

void meters_update(struct meters *m, struct view *v, struct timeline *t)
{
	unsigned every_s = v->meter_setup ? v->meter_setup->every_s : 1;
	uint64_t from;
	uint32_t gaps = timeline_gaps_changed(t, m->gaps, &from);

	if (m->start_ns != v->snap.start_ns || m->board.every_ns != every_s * NS_PER_SEC ||
	    from < m->seen_ns)
		begin(m, v->snap.start_ns, every_s);
	m->gaps = gaps;
	read_on(m, t, v->snap.t_ns);
	v->meters = &m->board;
}
