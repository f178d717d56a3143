/* action.c - finds the action of a key. The table itself is in action.h; nothing else in the screen
 * knows which key does what.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "action.h"

const struct action_info actions[ACT_COUNT] = {[ACT_NONE] = {0, "", "", ""},
#define X(id, fkey, letters, label, help) [id] = {fkey, letters, label, help},
					       ACTION_TABLE(X)
#undef X
};

static const char *const ids[ACT_COUNT] = {[ACT_NONE] = "ACT_NONE",
#define X(id, ...) [id] = #id,
					   ACTION_TABLE(X)
#undef X
};

/* The screen has one keyboard, and one thread that asks. */
static struct key_map bound;
static bool is_bound;

struct key_map action_map_usual(void)
{
	struct key_map m = {0};

	for (int a = ACT_NONE + 1; a < ACT_COUNT; a++) {
		int n = 0;
		if (actions[a].fkey)
			m.key[a][n++] = ACTION_FKEY(actions[a].fkey);
		for (const char *p = actions[a].letters; *p && n < ACTION_KEYS - 1; p++)
			m.key[a][n++] = *p;
	}
	return m;
}

void action_bind(const struct key_map *m)
{
	bound = *m;
	is_bound = true;
}

const int *action_keys(enum action a)
{
	if (!is_bound) {
		const struct key_map usual = action_map_usual();
		action_bind(&usual);
	}
	return bound.key[a];
}

int action_first_key(enum action a, bool fkey)
{
	for (const int *k = action_keys(a); *k; k++)
		if ((*k >= ACTION_FKEY(0)) == fkey)
			return *k;
	return 0;
}

/* Letters first: each keyboard and line has them. */
const char *action_key(enum action a)
{
	static char name[ACT_COUNT][8];
	int key = action_first_key(a, false);

	if (!key)
		key = action_first_key(a, true);
	return key ? action_key_name(key, name[a]) : "(no key)";
}

/* The action that text begins with, in braces, and how long that is. */
static enum action in_braces(const char *text, size_t *length)
{
	char name[32];
	size_t n = strcspn(text, "}");

	if (text[0] != '{' || !text[n] || n > sizeof(name))
		return ACT_NONE;
	snprintf(name, sizeof(name), "%.*s", (int)(n - 1), text + 1);
	*length = n + 1;
	return action_named(name);
}

char *action_text(const char *text)
{
	char *out = NULL;
	size_t size = 0, length;
	FILE *f = open_memstream(&out, &size);

	if (!f)
		return NULL;
	while (*text) {
		enum action a = in_braces(text, &length);
		if (a != ACT_NONE) {
			fputs(action_key(a), f);
			text += length;
		} else {
			fputc(*text++, f);
		}
	}
	if (fclose(f)) {
		free(out);
		return NULL;
	}
	return out;
}

enum action action_named(const char *word)
{
	char name[32];

	for (int a = ACT_NONE + 1; a < ACT_COUNT; a++)
		if (strcmp(word, action_name((enum action)a, name)) == 0)
			return (enum action)a;
	return ACT_NONE;
}

char *action_name(enum action a, char out[32])
{
	int n = 0;

	for (const char *p = ids[a] + strlen("ACT_"); *p && n < 31; p++)
		out[n++] = (char)(*p == '_' ? '-' : tolower((unsigned char)*p));
	out[n] = '\0';
	return out;
}

char *action_key_name(int key, char out[8])
{
	if (key >= ACTION_FKEY(1))
		snprintf(out, 8, "F%d", (key - ACTION_FKEY(0)) % 100);
	else if (key == ' ')
		strcpy(out, "Space");
	else
		snprintf(out, 8, "%c", (char)key);
	return out;
}

int action_key_of_name(const char *name)
{
	char again[8];

	for (int n = 1; n <= 20; n++)
		if (strcasecmp(name, action_key_name(ACTION_FKEY(n), again)) == 0)
			return ACTION_FKEY(n);
	if (strcasecmp(name, "Space") == 0)
		return ' ';
	/* A ; would begin a comment. */
	return name[0] > ' ' && name[0] < 127 && name[0] != ';' && !name[1] ? name[0] : -1;
}

enum action action_of_key(int key)
{
	for (int a = ACT_NONE + 1; a < ACT_COUNT && key > 0; a++)
		for (const int *k = action_keys((enum action)a); *k; k++)
			if (*k == key)
				return (enum action)a;
	return ACT_NONE;
}
