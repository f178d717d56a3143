/* beside.c - what the kernel changes of a block queue beside what is asked for; see flip_internal.h.
 *
 * Another scheduler brings another nr_requests; max_sectors_kb and write_cache make the kernel work out
 * read_ahead_kb anew (block/blk-settings.c), whatever an administrator has set there. That is what the command
 * does, too, and each such change has its mark. But putting back means that all is as it was before: so the
 * queue's other settings are written down with a change, and put back with it.
 */
#include <stdio.h>
#include <string.h>

#include "env/files.h"
#include "flip/flip_internal.h"

void beside_read(const char *words, struct flip_beside now[FLIP_BESIDE])
{
	char name[64], other[FACT_WORDS], value[FACT_VALUE];
	const char *what = flip_split(words, name), *attribute;
	unsigned n = 0;

	memset(now, 0, FLIP_BESIDE * sizeof(*now));
	if (flip_kind(words) != FLIP_QUEUE)
		return;
	for (unsigned i = 0; (attribute = env_queue_attribute(i)) && n < FLIP_BESIDE; i++) {
		snprintf(other, sizeof(other), "%.40s %s", name, attribute);
		if (strcmp(attribute, what) == 0 || flip_read(other, value, sizeof(value), NULL) ||
		    strlen(value) >= sizeof(now->value))
			continue;
		snprintf(now[n].what, sizeof(now->what), "%s", attribute);
		memcpy(now[n++].value, value, strlen(value) + 1);
	}
}

static const char *value_of(const struct flip_beside list[FLIP_BESIDE], const char *what)
{
	for (unsigned i = 0; i < FLIP_BESIDE && list[i].what[0]; i++)
		if (strcmp(list[i].what, what) == 0)
			return list[i].value;
	return NULL;
}

int beside_mend(const char *words, const struct flip_entry *first, const struct flip_entry *last,
		const struct flip_beside then[FLIP_BESIDE], struct error *e)
{
	struct flip_beside now[FLIP_BESIDE];
	char name[64], other[FACT_WORDS];
	int rc = 0;

	flip_split(words, name);
	beside_read(words, now);
	for (unsigned i = 0; i < FLIP_BESIDE && now[i].what[0] && rc == 0; i++) {
		const char *before = value_of(first->before, now[i].what);
		const char *made = value_of(last->after, now[i].what);
		const char *was = value_of(then, now[i].what);
		/* What nobody has touched since our change goes back with it; what somebody has stays. */
		const char *wish = was && made && strcmp(was, made) == 0 ? before : was;
		snprintf(other, sizeof(other), "%.40s %s", name, now[i].what);
		if (wish && strcmp(wish, now[i].value) != 0)
			rc = flip_write(other, wish, e);
	}
	return rc;
}
