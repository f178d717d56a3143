/* icf_read.c - an .icf file as a whole: its bytes, its version, its sections.
 *
 * The grammar is that of what Iometer 1998 to 1.1.0 writes and reads. A file with bytes that are no UTF-8 was
 * written on a Windows of its time: it is taken for its code page 1252.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "iometer/icf.h"
#include "iometer/icf_lines.h"

static const char *const sections[] = {"TEST SETUP", "RESULTS DISPLAY", "ACCESS SPECIFICATIONS",
				       "MANAGER LIST"};

unsigned icf_section_at(const struct icf *f)
{
	unsigned i = 0;

	while (i < ICF_SECTIONS && !icf_begins(f, sections[i]))
		i++;
	return i;
}

static uint64_t version_number(const char *p)
{
	uint64_t part[3] = {0};

	for (unsigned i = 0; i < 3; i++) {
		p += strcspn(p, "0123456789");
		if (!*p)
			return 0;
		for (; isdigit((unsigned char)*p) && part[i] < 100000; p++)
			part[i] = part[i] * 10 + (uint64_t)(*p - '0');
	}
	/* "3.26.97": a file that came with 1998.01.05. */
	if (part[0] == 3 && part[1] == 26 && part[2] == 97)
		return 19980105;
	return part[0] > 1900 ? part[0] * 10000 + part[1] * 100 + part[2] : 10000000000ull;
}

static int read_version(struct icf *f)
{
	do {
		if (!icf_next(f))
			return icf_fail(f, "the file is empty: a set-up begins with Version 1.1.0");
	} while (!f->line[0] && !f->key);
	if (icf_begins(f, "Test Type"))
		return icf_fail(f, "these are results of Iometer, no set-up: give its .icf file");
	if (strncasecmp(f->line, "Version", 7) != 0)
		return icf_fail(f, "no set-up of Iometer, which begins with Version 1.1.0");
	const char *text = f->line + 7 + strspn(f->line + 7, " ");
	f->version = version_number(text);
	if (!f->version)
		return icf_fail(f, "version '%.40s': write it as 1.1.0 or 2006.07.27", text);
	icf_copy(f, f->s->version, sizeof(f->s->version), text, "the version");
	if (f->version < 19980105)
		icf_warn(f, "a version before 1998.01.05, the first with such files");
	return 0;
}

/* Leaves out a section that was there before: Iometer looks for the first one only. */
static int skip_section(struct icf *f, unsigned section)
{
	icf_warn(f, "a second '%s is left out, as Iometer does", sections[section]);
	while (icf_next(f)) {
		if (icf_section_at(f) == ICF_SECTIONS && !icf_begins(f, "Version"))
			continue;
		icf_hold(f);
		break;
	}
	return 0;
}

static int read_sections(struct icf *f)
{
	static int (*const read[])(struct icf *) = {icf_read_setup, icf_read_display,
						    icf_read_specs, icf_read_managers};
	bool before[ICF_SECTIONS] = {false};
	int rc = 0;

	while (rc == 0 && icf_next(f)) {
		unsigned i = icf_section_at(f);
		if (i < ICF_SECTIONS) {
			rc = before[i] ? skip_section(f, i) : read[i](f);
			before[i] = true;
		} else if (f->key && !f->remark && !icf_begins(f, "Version")) {
			icf_unknown(f);
		} else if (!f->key && f->line[0] && strncasecmp(f->line, "Version", 7) != 0) {
			icf_warn(f, "this belongs to no section and is left out");
		}
	}
	if (rc == 0 && !before[0] && !before[1] && !before[2] && !before[3])
		rc = icf_fail(f, "no section of a set-up: expected 'TEST SETUP, 'ACCESS "
				 "SPECIFICATIONS or 'MANAGER LIST");
	return rc;
}

/* Names of specifications, workers -> what is there: the sections stand in any order. */
static int check_assigned(struct icf *f, const struct iometer_worker *w)
{
	for (size_t i = 0; i < w->specs; i++) {
		if (iometer_find_spec(f->s, w->spec[i]))
			continue;
		f->number = w->at;
		if (strcasecmp(w->spec[i], "Idle") != 0)
			return icf_fail(f,
					"worker '%.60s' is to run '%.80s', which the file does not "
					"have: add that specification, or take it from the worker",
					w->name, w->spec[i]);
		struct iometer_spec *idle = iometer_add_spec(f->s);
		if (!idle)
			return error_set(f->e, ENOMEM, "%.200s: out of memory", f->name);
		strcpy(idle->name, "Idle");
	}
	return 0;
}

static int check_workers(struct icf *f)
{
	for (size_t m = 0; m < f->s->managers; m++)
		for (size_t w = 0; w < f->s->manager[m].workers; w++) {
			int rc = check_assigned(f, &f->s->manager[m].worker[w]);
			if (rc)
				return rc;
		}
	return 0;
}

/* What a Windows had at 0x80 to 0x9f; 0 = nothing. */
static const uint16_t cp1252[32] = {
	0x20ac, 0,      0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
	0x2039, 0x0152, 0,      0x017d, 0,      0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
	0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0,      0x017e, 0x0178,
};

static bool is_utf8(const unsigned char *p, const unsigned char *end)
{
	while (p < end) {
		unsigned n = *p < 0x80   ? 1
			     : *p < 0xc2 ? 0
			     : *p < 0xe0 ? 2
			     : *p < 0xf0 ? 3
			     : *p < 0xf5 ? 4
					 : 0;
		if (!n || (size_t)(end - p) < n)
			return false;
		for (unsigned i = 1; i < n; i++)
			if ((p[i] & 0xc0) != 0x80)
				return false;
		p += n;
	}
	return true;
}

/* Every byte becomes a character. NULL without memory. */
static char *from_cp1252(const char *text, size_t *length)
{
	char *out = malloc(*length * 3 + 1), *p = out;

	for (size_t i = 0; out && i < *length; i++) {
		unsigned c = (unsigned char)text[i];
		if (c >= 0x80 && c < 0xa0)
			c = cp1252[c - 0x80] ? cp1252[c - 0x80] : '?';
		if (c < 0x80) {
			*p++ = (char)c;
		} else if (c < 0x800) {
			*p++ = (char)(0xc0 | c >> 6);
			*p++ = (char)(0x80 | (c & 0x3f));
		} else {
			*p++ = (char)(0xe0 | c >> 12);
			*p++ = (char)(0x80 | (c >> 6 & 0x3f));
			*p++ = (char)(0x80 | (c & 0x3f));
		}
	}
	if (out)
		*length = (size_t)(p - out);
	return out;
}

static int refuse_zeroes(const char *name, const char *text, size_t length, struct error *e)
{
	const char *zero = memchr(text, '\0', length);
	unsigned line = 1;

	if (!zero)
		return 0;
	for (const char *p = text; p < zero; p++)
		line += *p == '\n';
	return error_set(e, EINVAL,
			 "%.200s:%u: a NUL byte, which no set-up has: if an editor saved it as "
			 "UTF-16, save it as plain text",
			 name, line);
}

/* The text as UTF-8. */
static int read_lines(struct icf *f, const char *text, size_t length)
{
	if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
		text += 3;
		length -= 3;
	}
	if (length && text[length - 1] == '\x1a') /* how DOS ended a text */
		length--;
	f->at = text;
	f->end = text + length;
	int rc = read_version(f);
	if (rc == 0)
		rc = read_sections(f);
	return rc ? rc : check_workers(f);
}

int iometer_read_text(struct iometer_setup *s, const char *name, const char *text, size_t length,
		      struct iometer_warnings *w, struct error *e)
{
	struct icf f = {.s = s, .w = w, .e = e, .name = name};
	const unsigned char *bytes = (const unsigned char *)text;
	char *own = NULL;

	iometer_setup_init(s);
	if (length > IOMETER_FILE_MOST)
		return error_set(e, EFBIG, "%.200s:1: larger than 16 MiB, which no set-up is",
				 name);
	int rc = length ? refuse_zeroes(name, text, length, e) : 0;
	if (rc == 0 && !is_utf8(bytes, bytes + length)) {
		own = from_cp1252(text, &length);
		if (!own)
			return error_set(e, ENOMEM, "%.200s: out of memory", name);
		text = own;
	}
	if (rc == 0)
		rc = read_lines(&f, text, length);
	if (w)
		iometer_warnings_sort(w);
	free(own);
	if (rc) {
		iometer_setup_free(s);
		iometer_setup_init(s);
	}
	return rc;
}

/* All there is, but no more than a set-up and a byte may have. */
static int read_all(int fd, char **text, size_t *length)
{
	size_t room = 0, n = 0;

	for (*text = NULL; n <= IOMETER_FILE_MOST;) {
		if (n == room) {
			room = room ? room * 2 : 65536;
			char *more = realloc(*text, room);
			if (!more)
				return -ENOMEM;
			*text = more;
		}
		ssize_t got = read(fd, *text + n, room - n);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (got == 0)
			break;
		n += (size_t)got;
	}
	*length = n;
	return 0;
}

int iometer_read(struct iometer_setup *s, const char *path, struct iometer_warnings *w,
		 struct error *e)
{
	struct stat st;
	char *text = NULL;
	size_t length = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	iometer_setup_init(s);
	if (fd < 0)
		return error_errno(e, errno, "%.200s", path);
	int rc = fstat(fd, &st) ? -errno : 0;
	if (rc == 0 && !S_ISREG(st.st_mode)) {
		close(fd);
		return error_set(e, EINVAL, "%.200s is no regular file: give an .icf file", path);
	}
	if (rc == 0)
		rc = read_all(fd, &text, &length);
	close(fd);
	if (rc)
		error_errno(e, -rc, "%.200s", path);
	else
		rc = iometer_read_text(s, path, text, length, w, e);
	free(text);
	return rc;
}
