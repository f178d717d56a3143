/* bench_words.c - see bench_words.h. */
#include "bench_words.h"

#include <string.h>
#include "env/files.h"
#include "flip/flip.h"

/* Commands that are shown before everything is put back. */
#define COMMANDS 8

const struct flip_entry *bench_newest(const struct bench_view *b, const char *words)
{
	for (unsigned i = b->count; i-- > 0;)
		if (!b->changed[i].stale && strcmp(b->changed[i].words, words) == 0)
			return &b->changed[i];
	return NULL;
}

static void add_sawing(struct prose *t, int cols, const char *nic)
{
	prose_add(t, cols, 2, ST_BAD,
		  "! Your own ssh session comes by %s: it may hang or end. y makes the change all "
		  "the same.",
		  nic);
}

static void add_reach(struct prose *t, int cols, const char *at, const char *sawing)
{
	const char *what = strchr(at, ' ');
	int nic = (int)strcspn(at, " ");

	if (sawing[0])
		add_sawing(t, cols, sawing);
	else if (env_is_sysctl(at))
		prose_add(t, cols, 2, ST_DIALOG,
			  "For all of this network namespace; connections take it up when they are "
			  "opened anew.");
	else if (env_is_queue(at))
		prose_add(t, cols, 2, ST_DIALOG, "For everybody who uses %.*s.", nic, at);
	else if (what && strcmp(what, " mtu") == 0)
		prose_add(
			t, cols, 2, ST_DIALOG,
			"For all that goes by %.*s. A driver may drop the link for seconds; larger "
			"frames need sessions that log in anew (P, R), and the other end.",
			nic, at);
	else
		prose_add(t, cols, 2, ST_DIALOG,
			  "For all that goes by %.*s; a driver may drop the link for seconds.", nic,
			  at);
}

void bench_words_change(struct prose *t, int cols, const struct bench_view *b, const char *at,
			const char *value, const char *sawing)
{
	const char *now = facts_get(&b->facts, at);
	char command[512];

	prose_add(t, cols, 2, ST_DIALOG, "%s %s > %s, as is done by", at, now ? now : "?", value);
	prose_add(t, cols, 2, ST_DIALOG, "%s", flip_command(command, sizeof(command), at, value));
	add_reach(t, cols, at, sawing);
}

/* The first change of its setting, which all of it goes back to. */
static bool is_first(const struct bench_view *b, unsigned at)
{
	for (unsigned i = 0; i < at; i++)
		if (!b->changed[i].stale && strcmp(b->changed[i].words, b->changed[at].words) == 0)
			return false;
	return !b->changed[at].stale;
}

static void add_all_back(struct prose *t, int cols, const struct bench_view *b)
{
	char command[512];
	unsigned n = 0;

	prose_add(t, cols, 2, ST_DIALOG, "All goes back to what it was, as is done by");
	for (unsigned i = b->count; i-- > 0;)
		if (is_first(b, i) && n++ < COMMANDS)
			prose_add(t, cols, 2, ST_DIALOG, "%s",
				  flip_command(command, sizeof(command), b->changed[i].words,
					       b->changed[i].from));
	if (n > COMMANDS)
		prose_add(t, cols, 2, ST_DIALOG, "and %u more", n - COMMANDS);
}

void bench_words_back(struct prose *t, int cols, const struct bench_view *b, const char *at,
		      bool forced, const char *sawing)
{
	const struct flip_entry *f = at ? bench_newest(b, at) : NULL;
	const char *now = at ? facts_get(&b->facts, at) : NULL;
	char command[512];

	if (!at) {
		add_all_back(t, cols, b);
	} else if (f) {
		prose_add(t, cols, 2, ST_DIALOG, "%s %s > %s%s, as is done by", at, now ? now : "?",
			  f->from, forced ? ", whoever has set it since" : "");
		prose_add(t, cols, 2, ST_DIALOG, "%s",
			  flip_command(command, sizeof(command), at, f->from));
	}
	if (sawing[0])
		add_sawing(t, cols, sawing);
}
