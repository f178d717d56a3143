/* icf_lines.c - see icf_lines.h. */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "iometer/icf_lines.h"

#define SEPARATORS " \t,"

static bool blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/* In place, blanks around it taken off. A control character within is none that a name has. */
static void tidy(char *text)
{
	char *from = text, *end = text + strlen(text);

	while (blank(*from))
		from++;
	while (end > from && blank(end[-1]))
		end--;
	*end = '\0';
	memmove(text, from, (size_t)(end - from) + 1);
	for (char *p = text; *p; p++)
		if (*p == '\t')
			*p = ' ';
	error_tame(text);
}

/* Not within a character of UTF-8. */
static size_t cut(const char *text, size_t most)
{
	size_t n = most;

	while (n && ((unsigned char)text[n] & 0xc0) == 0x80)
		n--;
	return n;
}

bool icf_next(struct icf *f)
{
	if (f->at == f->end)
		return false;
	const char *newline = memchr(f->at, '\n', (size_t)(f->end - f->at));
	const char *end = newline ? newline : f->end;
	size_t n = (size_t)(end - f->at);

	f->back = f->at;
	f->number++;
	f->key = *f->at == '\'';
	f->remark = f->key && n > 1 && blank(f->at[1]);
	const char *from = f->at + f->key;
	n -= f->key;
	if (n >= sizeof(f->line)) {
		n = cut(from, sizeof(f->line) - 1);
		icf_warn(f, "a line of more than %u bytes: the rest is left out", ICF_LINE - 1);
	}
	memcpy(f->line, from, n);
	f->line[n] = '\0';
	tidy(f->line);
	f->at = newline ? newline + 1 : f->end;
	return true;
}

void icf_hold(struct icf *f)
{
	f->at = f->back;
	f->number--;
}

bool icf_is(const struct icf *f, const char *key)
{
	return f->key && strcasecmp(f->line, key) == 0;
}

bool icf_begins(const struct icf *f, const char *key)
{
	return f->key && strncasecmp(f->line, key, strlen(key)) == 0;
}

char *icf_value(struct icf *f)
{
	while (icf_next(f)) {
		if (!f->key)
			return f->line;
		if (f->remark)
			continue;
		icf_hold(f);
		break;
	}
	f->line[0] = '\0';
	return f->line;
}

void icf_skip_data(struct icf *f)
{
	while (icf_next(f)) {
		if (!f->key || f->remark)
			continue;
		icf_hold(f);
		break;
	}
}

void icf_unknown(struct icf *f)
{
	icf_warn(f, "'%.100s is not known here, and left out with its values", f->line);
	icf_skip_data(f);
}

int icf_fail(struct icf *f, const char *fmt, ...)
{
	char words[sizeof(f->e->text)];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(words, sizeof(words), fmt, ap);
	va_end(ap);
	return error_set(f->e, EINVAL, "%.200s:%u: %.300s", f->name, f->number ? f->number : 1,
			 words);
}

void icf_warn(struct icf *f, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	iometer_vwarn(f->w, f->number, fmt, ap);
	va_end(ap);
}

int icf_cut_off(struct icf *f, const char *what)
{
	return icf_fail(f, "the file ends within %s: it is cut off, save or copy it again", what);
}

char *icf_word(char **p)
{
	char *word = *p + strspn(*p, SEPARATORS);
	char *end = word + strcspn(word, SEPARATORS);

	*p = end + (*end != '\0');
	*end = '\0';
	return word;
}

int icf_number(struct icf *f, char **p, const char *what, uint64_t min, uint64_t max, uint64_t *v)
{
	const char *word = icf_word(p);
	char *end;

	errno = 0;
	unsigned long long n = strtoull(word, &end, 10);
	if (isdigit((unsigned char)*word) && !*end && !errno && n >= min && n <= max) {
		*v = n;
		return 0;
	}
	if (!*word)
		return icf_fail(f, "%s is missing: write a whole number from %llu to %llu", what,
				(unsigned long long)min, (unsigned long long)max);
	return icf_fail(f, "%s '%.60s': write a whole number from %llu to %llu", what, word,
			(unsigned long long)min, (unsigned long long)max);
}

int icf_number32(struct icf *f, char **p, const char *what, uint32_t min, uint32_t max, uint32_t *v)
{
	uint64_t n = 0;
	int rc = icf_number(f, p, what, min, max, &n);

	if (rc == 0)
		*v = (uint32_t)n;
	return rc;
}

int icf_choice(struct icf *f, char **p, const char *what, const char *const *word, unsigned n,
	       unsigned *v)
{
	const char *given = icf_word(p);
	char list[256] = "", *end;

	for (unsigned i = 0; i < n; i++) {
		if (strcasecmp(given, word[i]) == 0) {
			*v = i;
			return 0;
		}
		size_t used = strlen(list);
		snprintf(list + used, sizeof(list) - used, "%s%s", i ? ", " : "", word[i]);
	}
	unsigned long number = strtoul(given, &end, 10);
	if (isdigit((unsigned char)*given) && !*end && number < n) {
		*v = (unsigned)number;
		return 0;
	}
	return icf_fail(f, "%s '%.60s': write one of %s", what, given, list);
}

void icf_copy(struct icf *f, char *out, size_t n, const char *text, const char *what)
{
	size_t length = strlen(text);

	if (length >= n) {
		length = cut(text, n - 1);
		icf_warn(f, "%s is longer than %zu bytes and cut", what, n - 1);
	}
	memcpy(out, text, length);
	out[length] = '\0';
	/* Cut behind a blank it would not be the same when it is read again. */
	while (length && out[length - 1] == ' ')
		out[--length] = '\0';
}
