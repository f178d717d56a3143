/* holders.c - gates 5 and 6: what stands on the target, and other ways to the same storage.
 *
 * A write below device mapper, md, bcache or a loop device changes data behind the back of whoever
 * uses these. A write to one path of a multipath LUN does the same to those who use the others.
 */
#include "guard/gates.h"

#include <string.h>

static bool is_multipath(const struct look *l, const struct member *m)
{
	char uuid[160];

	return sysfs_read(l->host, uuid, sizeof(uuid), "class/block/%s/dm/uuid", m->name) &&
	       strncmp(uuid, "mpath-", 6) == 0;
}

/* What a stacked device is for, "" when it isn't known. */
static const char *purpose(const struct look *l, const struct member *m)
{
	static const struct {
		const char *prefix, *words;
	} kinds[] = {
		{"LVM-", " (LVM)"},
		{"CRYPT-", " (encryption)"},
		{"mpath-", " (multipath)"},
		{"DMRAID-", " (raid)"},
	};
	char uuid[160];

	if (strncmp(m->name, "md", 2) == 0)
		return " (raid)";
	if (!sysfs_read(l->host, uuid, sizeof(uuid), "class/block/%s/dm/uuid", m->name))
		return "";
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strncmp(uuid, kinds[i].prefix, strlen(kinds[i].prefix)) == 0)
			return kinds[i].words;
	return "";
}

void gate_holders(struct look *l)
{
	char words[168];

	for (size_t i = 0; i < l->member_count; i++) {
		const struct member *m = &l->members[i];

		sysfs_words(l->host, m->name, words, sizeof(words));
		if (m->relation == REL_LOWER)
			report_add(l->r, GATE_HOLDERS, GUARD_NOTE, "it stands on %s", words);
		else if (!m->stacked)
			continue;
		else if (m->relation == REL_UPPER)
			report_add(l->r, GATE_HOLDERS, GUARD_REFUSE,
				   "it is held by %s%s, which stands on it", words, purpose(l, m));
		else if (m->relation == REL_ALIAS)
			report_add(l->r, GATE_HOLDERS, GUARD_REFUSE,
				   "%s shares its storage with it", words);
		else if (m->relation == REL_PATH)
			report_add(l->r, GATE_HOLDERS, GUARD_REFUSE,
				   "%s%s stands on another path to it", words, purpose(l, m));
		else if (m->relation == REL_SIBLING)
			report_add(l->r, GATE_HOLDERS, GUARD_NOTE,
				   "%s%s stands on other partitions of the disk", words,
				   purpose(l, m));
	}
}

void gate_multipath(struct look *l)
{
	const struct member *map = NULL;
	char words[168];

	for (size_t i = 0; !map && i < l->member_count; i++)
		if (l->members[i].relation == REL_UPPER && is_multipath(l, &l->members[i]))
			map = &l->members[i];
	if (map) {
		if (!sysfs_read(l->host, words, sizeof(words), "class/block/%s/dm/name", map->name))
			strcpy(words, map->name);
		report_add(l->r, GATE_MULTIPATH, GUARD_WARN,
			   "it is one path of a multipath map: test /dev/mapper/%s instead", words);
		return;
	}
	for (size_t i = 0; i < l->member_count; i++) {
		const struct member *m = &l->members[i];

		if (m->relation == REL_PATH && !m->stacked && !sysfs_is_partition(l->host, m->name))
			report_add(l->r, GATE_MULTIPATH, GUARD_WARN,
				   "/dev/%s has the same worldwide name %s: another path to the "
				   "same storage, without a multipath map",
				   m->name, l->r->wwid);
	}
}
