/* access.c - reading and writing access lines; see access.h. */
#include "access.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "setting.h"
#include "units.h"

#define FILE_MAX     (1u << 20)
#define DELAY_MAX_MS (THINK_MAX_NS / NS_PER_MS)

/* --- One line. --- */

/* The line that is being read: its number, and what is left of it. */
struct reader {
	unsigned number;
	char *rest;
	unsigned seen; /* bit i: field i has its value */
	struct error *e;
};

static int wrong(const struct reader *r, const char *what, const char *word)
{
	return error_set(r->e, EINVAL, "access line %u: %s '%s'", r->number, what, word);
}

/* The next word, with a unit or a % that stands apart from its number: "4 KiB", "80 %". "" at the end. */
static char *next_word(struct reader *r)
{
	char *word = r->rest + strspn(r->rest, " \t\r,");
	char *end = word + strcspn(word, " \t\r,");
	char *more = end + strspn(end, " \t\r");
	size_t unit = strcspn(more, " \t\r,");
	bool number = isdigit((unsigned char)*word) && isdigit((unsigned char)end[-1]);
	static const char *const units[] = {"%",   "B",  "k",  "M",  "G",  "KiB", "MiB",
					    "GiB", "kB", "MB", "GB", "ms", "us",  "s"};

	for (size_t i = 0; number && unit && i < sizeof(units) / sizeof(*units); i++)
		if (strlen(units[i]) == unit && strncasecmp(more, units[i], unit) == 0) {
			memmove(end, more, unit);
			memset(end + unit, ' ', (size_t)(more - end));
			end += unit;
			break;
		}
	r->rest = *end ? end + 1 : end;
	*end = '\0';
	return word;
}

static int parse_percent(struct reader *r, const char *word, uint32_t least, uint8_t *out)
{
	uint32_t v;

	if (units_parse_percent(word, "", &v, NULL) || v < least)
		return wrong(r,
			     least ? "a share is from 1 to 100 %, not"
				   : "shares of reads and random IOs are from 0 to 100 %, not",
			     word);
	*out = (uint8_t)v;
	return 0;
}

static int parse_size(struct reader *r, const char *word, uint32_t most, uint32_t *out)
{
	uint64_t v;

	if (units_parse_size(word, &v, NULL) || v < 1)
		return wrong(r, "this is no size:", word);
	if (v > most)
		return wrong(r,
			     most == BLOCK_MAX ? "up to 64 MiB are possible, not"
					       : "up to 1 GiB is possible, not",
			     word);
	*out = (uint32_t)v;
	return 0;
}

/* Whole milliseconds; a bare number is so many of them. */
static int parse_delay(struct reader *r, const char *word, uint32_t *ms)
{
	bool bare = word[0] && word[strspn(word, "0123456789")] == '\0';
	uint64_t v;
	int rc = bare ? units_parse_uint(word, "", 0, DELAY_MAX_MS, &v, NULL)
		      : units_parse_duration(word, &v, NULL);

	if (rc == 0 && !bare) {
		rc = v % NS_PER_MS ? -EINVAL : 0;
		v /= NS_PER_MS;
	}
	if (rc || v > DELAY_MAX_MS)
		return wrong(r, "a delay is whole milliseconds, up to an hour, as 10 or 10ms, not",
			     word);
	*ms = (uint32_t)v;
	return 0;
}

static int parse_burst(struct reader *r, const char *word, uint32_t *burst)
{
	uint64_t v;

	if (units_parse_uint(word, "", 1, BURST_MAX, &v, NULL))
		return wrong(r, "a burst is from 1 to 1000000 IOs, not", word);
	*burst = (uint32_t)v;
	return 0;
}

/* True when the line has that field already. */
static bool take(struct reader *r, int field)
{
	bool twice = r->seen >> field & 1;

	r->seen |= 1u << field;
	return twice;
}

static int parse_field(struct reader *r, char *word, struct access_line *line)
{
	enum { READ, RANDOM, ALIGN, DELAY, BURST, SHARE, FIELDS };
	static const char *const name[FIELDS] = {"read",  "random", "align",
						 "delay", "burst",  "share"};
	int field = 0;

	if (word[strlen(word) - 1] == '%')
		return take(r, SHARE) ? wrong(r,
					      "its share is there already; names come before their "
					      "values, as read 70, so what is",
					      word)
				      : parse_percent(r, word, 1, &line->share);
	while (field < FIELDS && strcasecmp(word, name[field]) != 0)
		field++;
	if (field == FIELDS)
		return wrong(
			r, "the fields are SIZE, SHARE%, read, random, align, delay and burst, not",
			word);
	if (take(r, field))
		return wrong(r, "this is there twice:", word);
	char *value = next_word(r);
	if (!*value)
		return wrong(r, "a value is missing behind (as read 70)", word);
	switch (field) {
	case READ: return parse_percent(r, value, 0, &line->read_pct);
	case RANDOM: return parse_percent(r, value, 0, &line->random_pct);
	case ALIGN: return parse_size(r, value, ALIGN_MAX, &line->align);
	case DELAY: return parse_delay(r, value, &line->delay_ms);
	case BURST: return parse_burst(r, value, &line->burst);
	default: return parse_percent(r, value, 1, &line->share);
	}
}

static int parse_line(struct reader *r, char *word, struct access_line *line)
{
	*line = (struct access_line){.burst = 1, .read_pct = 100, .random_pct = 100};
	int rc = parse_size(r, word, BLOCK_MAX, &line->size);

	while (rc == 0 && *(word = next_word(r)))
		rc = parse_field(r, word, line);
	return rc;
}

/* --- All of them. --- */

/* Shares add up to 100 %, as Iometer wants it: nothing is scaled silently. */
int access_check(const struct access *a, struct error *e)
{
	unsigned sum = 0;

	for (uint32_t i = 0; i < a->count && i < ACCESS_LINES_MAX; i++) {
		const struct access_line *line = &a->line[i];
		if (!line->share)
			return error_set(e, EINVAL,
					 "access line %u has no share: write for example 4k 50%%",
					 i + 1);
		if (!line->size || line->size > BLOCK_MAX || line->align > ALIGN_MAX ||
		    line->read_pct > 100 || line->random_pct > 100 || line->burst > BURST_MAX ||
		    line->delay_ms > DELAY_MAX_MS)
			return error_set(e, EINVAL, "access line %u is out of bounds", i + 1);
		sum += line->share;
	}
	if (a->count > ACCESS_LINES_MAX)
		return error_set(e, EINVAL, "up to %u access lines are possible", ACCESS_LINES_MAX);
	if (a->count && sum != 100)
		return error_set(e, EINVAL,
				 "the shares of the access lines add up to %u %%, not to 100 %%",
				 sum);
	return 0;
}

static int parse_lines(struct access *out, char *text, struct error *e)
{
	struct access a = {0};

	for (char *at = text, *next; at; at = next) {
		next = strpbrk(at, ";\n");
		if (next)
			*next++ = '\0';
		struct reader r = {a.count + 1, at, 0, e};
		char *word = next_word(&r);
		if (!*word)
			continue;
		if (a.count == ACCESS_LINES_MAX)
			return error_set(e, EINVAL, "up to %u access lines are possible",
					 ACCESS_LINES_MAX);
		int rc = parse_line(&r, word, &a.line[a.count]);
		if (rc)
			return rc;
		a.count++;
	}
	if (a.count == 1 && a.line[0].share == 0)
		a.line[0].share = 100;
	int rc = access_check(&a, e);
	if (rc == 0)
		*out = a;
	return rc;
}

/* To the end of its line; a ; within it separates nothing. */
static void blank_comments(char *text)
{
	bool comment = false;

	for (; *text; text++) {
		comment = *text != '\n' && (comment || *text == '#');
		if (comment)
			*text = ' ';
	}
}

static bool names_none(const char *text)
{
	return setting_is_word(text, "none");
}

static int parse_text(struct access *a, const char *text, struct error *e)
{
	char *copy = strdup(text);

	if (!copy)
		return error_set(e, ENOMEM, "out of memory for the access lines");
	blank_comments(copy);
	int rc = parse_lines(a, copy, e);
	free(copy);
	return rc;
}

/* --- From a file. --- */

static int read_all(int fd, const char *path, char **text, struct error *e)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return error_errno(e, errno, "%s", path);
	if (!S_ISREG(st.st_mode) || st.st_size > FILE_MAX)
		return error_set(e, EINVAL, "%s: %s", path,
				 S_ISREG(st.st_mode) ? "too large for access lines"
						     : "not a regular file");
	*text = calloc(1, (size_t)st.st_size + 1);
	if (!*text)
		return error_set(e, ENOMEM, "out of memory for the access lines");
	ssize_t n = read(fd, *text, (size_t)st.st_size);
	if (n < 0 || memchr(*text, '\0', (size_t)n)) {
		int err = errno;
		free(*text);
		return n < 0 ? error_errno(e, err, "%s", path)
			     : error_set(e, EINVAL, "%s: not a text file", path);
	}
	return 0;
}

#define BYTE_ORDER_MARK "\xef\xbb\xbf"

static int parse_file(struct access *a, const char *path, struct error *e)
{
	char *text = NULL;
	struct error why = {""};
	/* Whatever it is, opening it must not wait. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd < 0)
		return error_errno(e, errno, "access lines: %s", path);
	int rc = read_all(fd, path, &text, e);
	close(fd);
	if (rc)
		return rc;
	/* Editors on other systems begin a text with a byte order mark. */
	rc = parse_text(a, strncmp(text, BYTE_ORDER_MARK, 3) == 0 ? text + 3 : text, &why);
	free(text);
	if (rc)
		error_set(e, -rc, "%s: %.400s", path, why.text);
	else if (a->count == 0)
		rc = error_set(e, EINVAL, "%s: there is no access line in it", path);
	return rc;
}

int access_parse(struct access *a, const char *text, struct error *e)
{
	if (names_none(text)) {
		*a = (struct access){0};
		return 0;
	}
	struct access then;
	int rc = parse_text(&then, text, e);
	if (rc == 0 && then.count == 0)
		rc = error_set(e, EINVAL,
			       "lines '%s': write lines as 4k 100%% read 70 random 100, or none",
			       text);
	if (rc == 0)
		*a = then;
	return rc;
}

int access_parse_typed(struct access *a, const char *text, struct error *e)
{
	text += strspn(text, " \t\n");
	return *text == '@' ? parse_file(a, text + 1, e) : access_parse(a, text, e);
}

/* --- As text. --- */

static void append_size(char *out, size_t n, const char *before, uint32_t bytes)
{
	char size[16];
	size_t used = strlen(out);

	snprintf(out + used, n - used, "%s%s", before, units_size_tight(size, sizeof(size), bytes));
}

char *access_format(char *out, size_t n, const struct access *a)
{
	snprintf(out, n, "%s", a->count ? "" : "none");
	for (uint32_t i = 0; i < a->count; i++) {
		const struct access_line *l = &a->line[i];
		append_size(out, n, i ? "; " : "", l->size);
		size_t used = strlen(out);
		snprintf(out + used, n - used, " %u%% read %u random %u", l->share, l->read_pct,
			 l->random_pct);
		if (l->align)
			append_size(out, n, " align ", l->align);
		used = strlen(out);
		if (l->delay_ms)
			snprintf(out + used, n - used, " delay %u", l->delay_ms);
		used = strlen(out);
		if (l->burst > 1)
			snprintf(out + used, n - used, " burst %u", l->burst);
	}
	return out;
}

char *access_brief(char *out, size_t n, const struct access *a)
{
	if (a->count)
		snprintf(out, n, "%u line%s", a->count, a->count == 1 ? "" : "s");
	else
		snprintf(out, n, "none");
	return out;
}
