/* journal_read.c - makes entries of a journal's lines; see journal.h.
 *
 * A line can be anything: what is not understood is left out, with a word about it.
 */
#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "env/files.h"
#include "flip/flip_internal.h"

static const char *text_of(const json_t *o, const char *key)
{
	return json_string_value(json_object_get(o, key));
}

/* A value that a setting can have had: something that can be printed and fits. */
static bool take_value(const json_t *o, const char *key, char out[FACT_VALUE])
{
	const char *text = text_of(o, key);

	if (!text || !text[0] || strlen(text) >= FACT_VALUE)
		return false;
	for (const char *c = text; *c; c++)
		if (!isprint((unsigned char)*c))
			return false;
	snprintf(out, FACT_VALUE, "%s", text);
	return true;
}

static void take_beside(const json_t *o, struct flip_beside out[FLIP_BESIDE])
{
	const json_t *list = json_object_get(o, "beside");
	char value[FACT_VALUE];
	unsigned n = 0;

	for (unsigned i = 0; env_queue_attribute(i) && n < FLIP_BESIDE; i++) {
		if (!take_value(list, env_queue_attribute(i), value) ||
		    strlen(value) >= sizeof(out->value))
			continue;
		snprintf(out[n].what, sizeof(out->what), "%s", env_queue_attribute(i));
		memcpy(out[n++].value, value, strlen(value) + 1);
	}
}

static bool take_number(const json_t *o, const char *key, json_int_t *v)
{
	const json_t *n = json_object_get(o, key);

	*v = json_integer_value(n);
	return json_is_integer(n) && *v > 0;
}

long journal_find(const struct journal *j, uint64_t id)
{
	for (size_t i = 0; i < j->count; i++)
		if (j->entry[i].id == id)
			return (long)i;
	return -1;
}

struct flip_entry *journal_add(struct journal *j)
{
	if (j->count == j->room) {
		size_t room = j->room ? 2 * j->room : 16;
		struct flip_entry *more = realloc(j->entry, room * sizeof(*more));
		if (!more)
			return NULL;
		j->entry = more;
		j->room = room;
	}
	struct flip_entry *n = &j->entry[j->count++];
	memset(n, 0, sizeof(*n));
	return n;
}

static void take_host(const json_t *o, struct flip_entry *n)
{
	const char *name = text_of(o, "host");

	for (size_t i = 0; name && name[i] && i + 1 < sizeof(n->host); i++)
		n->host[i] = isgraph((unsigned char)name[i]) ? name[i] : '?';
}

/* The cookie tells, where the kernel has one. The inode says less than it seems: a later namespace may get it,
 * and without /proc it is not known (0). */
static bool same_namespace(const struct journal *j, const json_t *o, uint64_t netns)
{
	json_int_t cookie;

	if (take_number(o, "netns_cookie", &cookie) && j->cookie)
		return (uint64_t)cookie == j->cookie;
	return netns == j->netns;
}

/* A queue is the host's, NICs and sysctls are a network namespace's. Whatever machine it calls itself: of
 * this boot is of this kernel. Where /proc/sys can't be read the boot is "", and may be any. */
static void judge(const struct journal *j, const json_t *o, struct flip_entry *n)
{
	const char *machine = text_of(o, "machine"), *boot = text_of(o, "boot");
	bool known = boot[0] && j->boot[0], booted = strcmp(boot, j->boot) != 0;

	take_host(o, n);
	n->elsewhere = (booted || !known) && machine && strcmp(machine, j->machine) != 0;
	n->rebooted = booted && known && !n->elsewhere;
	n->stale = n->elsewhere || n->rebooted ||
		   (flip_kind(n->words) != FLIP_QUEUE && !same_namespace(j, o, n->netns));
}

static int take_make(struct journal *j, const json_t *o)
{
	struct flip_entry n = {0};
	json_int_t id, wall, pid;
	const char *words = text_of(o, "setting");

	if (!take_number(o, "id", &id) || !take_number(o, "wall", &wall) ||
	    !take_number(o, "pid", &pid) || !words || !text_of(o, "boot") ||
	    strlen(words) >= FACT_WORDS || !flip_possible(words) || pid > INT_MAX ||
	    !take_value(o, "from", n.from) || !take_value(o, "to", n.to) ||
	    journal_find(j, (uint64_t)id) >= 0)
		return -EINVAL;
	n.id = (uint64_t)id;
	n.wall = (uint64_t)wall;
	n.pid = (pid_t)pid;
	snprintf(n.words, sizeof(n.words), "%s", words);
	n.netns = (uint64_t)json_integer_value(json_object_get(o, "netns"));
	take_beside(o, n.before);
	judge(j, o, &n);
	if (n.id >= j->next_id)
		j->next_id = n.id + 1;
	struct flip_entry *kept = journal_add(j);
	if (!kept)
		return -ENOMEM;
	*kept = n;
	return 0;
}

/* What follows an entry's first line. */
static int take_step(struct journal *j, const json_t *o, const char *step)
{
	json_int_t id;
	long at = take_number(o, "id", &id) ? journal_find(j, (uint64_t)id) : -1;

	if (at < 0)
		return -EINVAL;
	if (strcmp(step, "made") == 0) {
		j->entry[at].made = take_value(o, "to", j->entry[at].to);
		take_beside(o, j->entry[at].after);
		return j->entry[at].made ? 0 : -EINVAL;
	}
	if (strcmp(step, "undo") == 0)
		return 0;
	if (strcmp(step, "undone") != 0)
		return -EINVAL;
	memmove(&j->entry[at], &j->entry[at + 1], (j->count - (size_t)at - 1) * sizeof(*j->entry));
	j->count--;
	return 0;
}

static int take_line(struct journal *j, const char *line, size_t n)
{
	json_t *o = json_loadb(line, n, JSON_REJECT_DUPLICATES, NULL);
	const char *step = text_of(o, "step");
	int rc = -EINVAL;

	if (step)
		rc = strcmp(step, "make") == 0 ? take_make(j, o) : take_step(j, o, step);
	json_decref(o);
	return rc;
}

int journal_parse(struct journal *j, const char *text, size_t n)
{
	unsigned number = 0, first = 0;
	const char *at = text, *end = text + n, *stop;

	for (; (stop = memchr(at, '\n', (size_t)(end - at))); at = stop + 1) {
		number++;
		int rc = take_line(j, at, (size_t)(stop - at));
		if (rc == -ENOMEM)
			return rc;
		if (rc && j->bad++ == 0)
			first = number;
	}
	j->end = at - text;
	if (j->bad)
		snprintf(j->remark, sizeof(j->remark),
			 "line %u%s can't be understood and %s left out", first,
			 j->bad > 1 ? " and others" : "", j->bad > 1 ? "are" : "is");
	else if (at < end)
		snprintf(j->remark, sizeof(j->remark), "the last line is cut off and left out");
	return 0;
}
