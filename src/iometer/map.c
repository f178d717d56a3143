/* map.c - see map.h. */
#include "iometer/map.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "target.h"
#include "units.h"

int iometer_map_add(struct iometer_map *m, const char *text, struct error *e)
{
	const char *equals = strchr(text, '=');
	size_t length = equals ? (size_t)(equals - text) : 0;
	char name[IOMETER_NAME];

	if (!length || !equals[1])
		return error_set(
			e, EINVAL,
			"--map '%.100s': write OLDNAME=TARGET, as 'PHYSICALDRIVE:1=/dev/sdb'",
			text);
	if (length >= sizeof(name))
		return error_set(e, EINVAL, "--map '%.100s...': no target has so long a name",
				 text);
	memcpy(name, text, length);
	name[length] = '\0';
	const char *before = iometer_map_find(m, name);
	if (before && !target_is_null(name))
		return error_set(e, EINVAL,
				 "--map '%.100s': '%s' is mapped to %.100s already: leave one out",
				 text, name, before);
	if (m->count == IOMETER_MAP_MOST)
		return error_set(e, EINVAL, "--map: up to %d are possible", IOMETER_MAP_MOST);
	struct iometer_map_entry *entry = &m->entry[m->count++];
	strcpy(entry->name, name);
	entry->target = equals + 1;
	return 0;
}

const char *iometer_map_find(const struct iometer_map *m, const char *name)
{
	for (size_t i = 0; i < m->count; i++)
		if (strcasecmp(m->entry[i].name, name) == 0)
			return m->entry[i].target;
	return target_is_null(name) ? name : NULL;
}

/* --- Over all targets of disk workers --- */

/* Calls visit for each, until one says to stop. */
static bool each_target(const struct iometer_setup *s,
			bool (*visit)(const struct iometer_target *t, void *user), void *user)
{
	for (size_t i = 0; i < s->managers; i++)
		for (size_t k = 0; k < s->manager[i].workers; k++) {
			const struct iometer_worker *w = &s->manager[i].worker[k];
			for (size_t t = 0; w->kind == IOMETER_DISK && t < w->targets; t++)
				if (w->target[t].kind == IOMETER_DISK && visit(&w->target[t], user))
					return true;
		}
	return false;
}

struct missing {
	const struct iometer_map *map;
	const struct iometer_target **list;
	size_t n;
	bool no_memory;
};

static bool collect(const struct iometer_target *t, void *user)
{
	struct missing *m = user;

	if (iometer_map_find(m->map, t->name))
		return false;
	if ((m->n & (m->n - 1)) == 0) { /* doubles at each power of two */
		size_t room = m->n ? m->n * 2 : 1;
		const struct iometer_target **more = reallocarray(m->list, room, sizeof(*more));
		m->no_memory = !more;
		if (!more)
			return true;
		m->list = more;
	}
	m->list[m->n++] = t;
	return false;
}

/* Where they stand says which of two is the first: a set-up that was not read from a file has it by address. */
static int by_place(const void *pa, const void *pb)
{
	const struct iometer_target *a = *(const struct iometer_target *const *)pa;
	const struct iometer_target *b = *(const struct iometer_target *const *)pb;

	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	return (a > b) - (a < b);
}

static int by_name(const void *pa, const void *pb)
{
	const struct iometer_target *a = *(const struct iometer_target *const *)pa;
	const struct iometer_target *b = *(const struct iometer_target *const *)pb;
	int order = strcasecmp(a->name, b->name);

	return order ? order : by_place(pa, pb);
}

int iometer_map_missing(const struct iometer_map *m, const struct iometer_setup *s,
			const struct iometer_target ***list, size_t *n)
{
	struct missing found = {.map = m};

	each_target(s, collect, &found);
	*list = NULL;
	*n = 0;
	if (found.no_memory) {
		free(found.list);
		return -ENOMEM;
	}
	if (!found.n)
		return 0;
	qsort(found.list, found.n, sizeof(*found.list), by_name);
	for (size_t i = 0; i < found.n; i++)
		if (i == 0 || strcasecmp(found.list[i]->name, found.list[*n - 1]->name) != 0)
			found.list[(*n)++] = found.list[i];
	qsort(found.list, *n, sizeof(*found.list), by_place);
	*list = found.list;
	return 0;
}

static bool has_name(const struct iometer_target *t, void *user)
{
	return strcasecmp(t->name, user) == 0;
}

/* "'sdb', 'sdc'": the targets there are, as many as fit. */
static void name_targets(char *out, size_t n, const struct iometer_setup *s)
{
	const struct iometer_map none = {0};
	const struct iometer_target **list;
	size_t count;

	out[0] = '\0';
	if (iometer_map_missing(&none, s, &list, &count))
		return;
	for (size_t i = 0; i < count && strlen(out) < n / 2; i++)
		units_append(out, n, "%s'%.60s'", i ? ", " : "", list[i]->name);
	free(list);
}

int iometer_map_check(const struct iometer_map *m, const struct iometer_setup *s, struct error *e)
{
	char list[256], name[IOMETER_NAME];

	for (size_t i = 0; i < m->count; i++) {
		strcpy(name, m->entry[i].name);
		if (each_target(s, has_name, name))
			continue;
		name_targets(list, sizeof(list), s);
		return error_set(e, EINVAL,
				 "--map '%s=...': the set-up has no target of that name, %s%s",
				 name, list[0] ? "but " : "and no other", list);
	}
	return 0;
}

/* --- What to give --- */

/* Linux names a disk in a set-up without its folder, and a file system by where it is mounted and its kind. */
static bool device_of(char *path, size_t n, const char *name)
{
	struct stat st;

	if (strchr(name, '/') || strlen(name) + sizeof("/dev/") > n)
		return false;
	snprintf(path, n, "/dev/%s", name);
	return stat(path, &st) == 0 && S_ISBLK(st.st_mode);
}

char *iometer_map_offer(char *out, size_t n, const char *name)
{
	char path[IOMETER_NAME + 8];

	out[0] = '\0';
	units_append(out, n, "--map '");
	for (const char *p = name; *p; p++)
		units_append(out, n, *p == '\'' ? "'\\''" : "%c", *p);
	units_append(out, n, "=%s'", device_of(path, sizeof(path), name) ? path : "TARGET");
	return out;
}

int iometer_map_require(const struct iometer_map *m, const struct iometer_setup *s, struct error *e)
{
	char offer[4 * IOMETER_NAME + 32], list[352] = "";
	const struct iometer_target **missing;
	size_t n, told = 0;

	if (iometer_map_missing(m, s, &missing, &n))
		return error_set(e, ENOMEM, "out of memory for the targets");
	for (; told < n; told++) {
		iometer_map_offer(offer, sizeof(offer), missing[told]->name);
		if (strlen(list) + strlen(offer) + sizeof(" and 16384 more ") > sizeof(list))
			break;
		units_append(list, sizeof(list), " %s", offer);
	}
	if (n && !told) /* a name of quotes */
		units_append(list, sizeof(list), " a --map for '%.80s'", missing[told++]->name);
	free(missing);
	if (!n)
		return 0;
	if (told < n)
		units_append(list, sizeof(list), " and %zu more", n - told);
	return error_set(e, EINVAL,
			 "targets of the set-up are mapped to none of this machine: add%s", list);
}
