/* stall.c - see stall.h. */
#include "stall.h"

#include "units.h"

/* A line may be half as fast as it says and still be at work. */
#define SLACK 2

static uint64_t carrying_ns(double bytes_s, long bytes)
{
	return bytes_s > 0 ? (uint64_t)(SLACK * (double)bytes / bytes_s * 1e9) : 0;
}

static uint64_t beyond(uint64_t from_ns, uint64_t until_ns)
{
	return until_ns > from_ns ? until_ns - from_ns : 0;
}

uint64_t stall_note(struct stall *s, double bytes_s, uint64_t began_ns, uint64_t now_ns, long bytes)
{
	uint64_t since = s->since_ns ? s->since_ns : began_ns;

	if (bytes < 0) {
		s->since_ns = since;
		return 0;
	}
	uint64_t own = carrying_ns(bytes_s, bytes);
	/* While there was no room for the frame, and then while it was written. */
	uint64_t free_ns = since > s->carried_ns ? since : s->carried_ns;
	uint64_t lost = beyond(free_ns, began_ns) + beyond(began_ns + own, now_ns);

	s->since_ns = 0;
	s->carried_ns = (began_ns > s->carried_ns ? began_ns : s->carried_ns) + own;
	return lost;
}
