/* icf_lines.h - the lines of an .icf file, one after the other, and the words and numbers in them. */
#ifndef LUNSCOPE_IOMETER_ICF_LINES_H
#define LUNSCOPE_IOMETER_ICF_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "error.h"
#include "iometer/setup.h"
#include "iometer/warnings.h"

#define ICF_LINE 4096

/* What is too much to be meant, and would only eat memory. */
#define ICF_SPECS_MOST    1000u
#define ICF_MANAGERS_MOST 1024u
#define ICF_WORKERS_MOST  4096u
#define ICF_TARGETS_MOST  16384u
#define ICF_ASSIGNED_MOST 16384u

/* Versions as numbers that can be compared: 19980521; a 1.1.0 is above all of them. */
#define ICF_NAMED_SPECS  19980521ull /* before: lines of six numbers, no names */
#define ICF_SECTION_ENDS 19990217ull /* before: 'TEST SETUP may have no end */

struct icf {
	struct iometer_setup *s;
	struct iometer_warnings *w;
	struct error *e;
	const char *name;     /* of the file, in messages */
	const char *at, *end; /* what is to be read yet */
	unsigned number;      /* of the line that is in hand, from 1 */
	bool key;             /* it begins with an apostrophe */
	bool remark;          /* a key that only heads columns: a blank behind the apostrophe */
	char line[ICF_LINE];  /* without the apostrophe, without blanks around it */
	const char *back;     /* where it began */
	uint64_t version;
	unsigned workers, targets, assigned; /* so many until now */
};

/* Takes the next line in hand; false at the end. */
bool icf_next(struct icf *f);
/* It will be the next line once more. */
void icf_hold(struct icf *f);
/* Whether the line in hand is this key; begins with it. Case does not count. */
bool icf_is(const struct icf *f, const char *key);
bool icf_begins(const struct icf *f, const char *key);

/* Which section the line in hand heads, in the order below; ICF_SECTIONS if none. */
#define ICF_SECTIONS 4u
unsigned icf_section_at(const struct icf *f);

/* The value of the key in hand: its next line, over column headings; "" where another key or the end comes
 * first. It is in f->line, but for "". */
char *icf_value(struct icf *f);
/* The lines of data that follow are left out. */
void icf_skip_data(struct icf *f);
/* A key that nobody knows: warns, and leaves out what belongs to it. */
void icf_unknown(struct icf *f);

/* Sets the error, with file and line in front. -EINVAL. */
int icf_fail(struct icf *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void icf_warn(struct icf *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The file ends within what. */
int icf_cut_off(struct icf *f, const char *what);

/* The next word of *p, behind blanks and commas; "" at the end. It is ended in place. */
char *icf_word(char **p);
/* The next word as a whole number from min to max. what names it in the message. */
int icf_number(struct icf *f, char **p, const char *what, uint64_t min, uint64_t max, uint64_t *v);
int icf_number32(struct icf *f, char **p, const char *what, uint32_t min, uint32_t max,
		 uint32_t *v);
/* The next word as one of n, or, as in old files, its number from 0. */
int icf_choice(struct icf *f, char **p, const char *what, const char *const *word, unsigned n,
	       unsigned *v);
/* Into a field of a set-up; warns where it has no room for all of it. */
void icf_copy(struct icf *f, char *out, size_t n, const char *text, const char *what);

/* The parts of a file; each begins behind the line that heads its section. */
int icf_read_setup(struct icf *f);
int icf_read_display(struct icf *f);
int icf_read_specs(struct icf *f);
int icf_read_managers(struct icf *f);

#endif
