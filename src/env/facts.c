/* facts.c - see facts.h. */
#include "env/facts.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "export.h"

void facts_clear(struct facts *f)
{
	f->count = 0;
	f->short_of_memory = false;
}

void facts_free(struct facts *f)
{
	free(f->fact);
	memset(f, 0, sizeof(*f));
}

/* Where it is, or would stand. */
static size_t place(const struct facts *f, const char *words, bool *there)
{
	size_t low = 0, high = f->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = strcmp(f->fact[middle].words, words);
		if (order == 0) {
			*there = true;
			return middle;
		}
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	*there = false;
	return low;
}

static bool make_room(struct facts *f)
{
	if (f->count < f->room)
		return true;
	size_t room = f->room ? 2 * f->room : 64;
	struct fact *more = realloc(f->fact, room * sizeof(*more));
	if (!more) {
		f->short_of_memory = true;
		return false;
	}
	f->fact = more;
	f->room = room;
	return true;
}

static void tidy(char *out, size_t n, const char *text)
{
	size_t used = 0;

	for (; *text && used + 1 < n; text++) {
		bool blank = isspace((unsigned char)*text);
		if (blank && (used == 0 || out[used - 1] == ' '))
			continue;
		out[used++] = blank ? ' ' : *text;
	}
	if (used && out[used - 1] == ' ')
		used--;
	out[used] = 0;
}

void facts_set(struct facts *f, const char *words, const char *value)
{
	char key[FACT_WORDS];
	bool there;

	snprintf(key, sizeof(key), "%s", words);
	error_tame(key);
	size_t at = place(f, key, &there);
	if (!there) {
		if (!make_room(f))
			return;
		memmove(&f->fact[at + 1], &f->fact[at], (f->count - at) * sizeof(*f->fact));
		f->count++;
		memcpy(f->fact[at].words, key, sizeof(key));
	}
	tidy(f->fact[at].value, sizeof(f->fact[at].value), value);
	error_tame(f->fact[at].value);
}

void facts_setf(struct facts *f, const char *words, const char *format, ...)
{
	char value[FACT_VALUE];
	va_list args;

	va_start(args, format);
	vsnprintf(value, sizeof(value), format, args);
	va_end(args);
	facts_set(f, words, value);
}

void facts_set_of(struct facts *f, const char *who, const char *what, const char *value)
{
	char words[FACT_WORDS];

	snprintf(words, sizeof(words), "%s %s", who, what);
	facts_set(f, words, value);
}

const char *fact_split(const char *words, char *who, size_t n)
{
	size_t length = strcspn(words, " ");

	who[0] = 0;
	if (length == 0 || length >= n || !words[length])
		return NULL;
	memcpy(who, words, length);
	who[length] = 0;
	return words + length + 1;
}

void facts_remove(struct facts *f, const char *words)
{
	char key[FACT_WORDS];
	bool there;

	snprintf(key, sizeof(key), "%s", words);
	size_t at = place(f, error_tame(key), &there);
	if (!there)
		return;
	f->count--;
	memmove(&f->fact[at], &f->fact[at + 1], (f->count - at) * sizeof(*f->fact));
}

const char *facts_get(const struct facts *f, const char *words)
{
	char key[FACT_WORDS];
	bool there;

	snprintf(key, sizeof(key), "%s", words);
	size_t at = place(f, error_tame(key), &there);
	return there ? f->fact[at].value : NULL;
}

void facts_copy(struct facts *to, const struct facts *from)
{
	facts_clear(to);
	for (size_t i = 0; i < from->count; i++)
		facts_set(to, from->fact[i].words, from->fact[i].value);
}

unsigned facts_compare(const struct facts *before, const struct facts *now,
		       facts_changed_fn *changed, void *arg)
{
	size_t i = 0, k = 0;
	unsigned n = 0;

	while (i < before->count || k < now->count) {
		const struct fact *b = i < before->count ? &before->fact[i] : NULL;
		const struct fact *a = k < now->count ? &now->fact[k] : NULL;
		int order = !b ? 1 : !a ? -1 : strcmp(b->words, a->words);
		const char *from = order <= 0 ? b->value : NULL;
		const char *to = order >= 0 ? a->value : NULL;
		i += order <= 0;
		k += order >= 0;
		if (from && to && strcmp(from, to) == 0)
			continue;
		n++;
		if (changed)
			changed(order <= 0 ? b->words : a->words, from, to, arg);
	}
	return n;
}

char *facts_change_words(char *out, size_t n, const char *words, const char *from, const char *to)
{
	if (from && to)
		snprintf(out, n, "%s %s > %s", words, from, to);
	else if (to)
		snprintf(out, n, "%s is there: %s", words, to);
	else
		snprintf(out, n, "%s is gone (was %s)", words, from ? from : "not known");
	return out;
}

void fact_json(json_t *object, const struct fact *f)
{
	json_t *words = export_text(f->words);

	json_object_set_new(object, json_string_value(words), export_text(f->value));
	json_decref(words);
}

json_t *facts_json(const struct facts *f)
{
	json_t *o = json_object();

	for (size_t i = 0; o && i < f->count; i++)
		fact_json(o, &f->fact[i]);
	return o;
}

void facts_scan(struct facts *f, const json_t *object)
{
	const char *words;
	json_t *value;

	facts_clear(f);
	json_object_foreach((json_t *)object, words, value)
	{
		if (json_is_string(value))
			facts_set(f, words, json_string_value(value));
	}
}
