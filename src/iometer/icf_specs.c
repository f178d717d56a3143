/* icf_specs.c - the access specifications of an .icf file: named ones, and before 1998.05.21 lines of six
 * numbers, of which a specification is as many as add up to 100 %.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "iometer/icf_lines.h"
#include "units.h"

#define DELAY_MOST (THINK_MAX_NS / NS_PER_MS)

static const char *const assign_words[] = {"NONE", "ALL", "DISK", "NET"};

/* --- A line --- */

/* What the engine can't do as Iometer does. */
static void warn_of_line(struct icf *f, const struct iometer_line *l)
{
	char size[32];

	if (l->line.size > BLOCK_MAX)
		icf_warn(f, "requests of %s: lunscope's are up to %s",
			 units_size(size, sizeof(size), l->line.size), "64 MiB");
	if (l->reply)
		icf_warn(f, "replies of %s are left out: lunscope has no transactions",
			 units_size(size, sizeof(size), l->reply));
}

/* size, share, reads, random, delay, burst, and in named ones align and reply. */
static int read_numbers(struct icf *f, char *p, bool named, struct iometer_line *l)
{
	uint32_t share = 0, reads = 0, random = 0;
	int rc = icf_number32(f, &p, "the size", 1, IOMETER_SIZE_MAX, &l->line.size);

	if (rc == 0)
		rc = icf_number32(f, &p, "% of size", 0, 100, &share);
	if (rc == 0)
		rc = icf_number32(f, &p, "% reads", 0, 100, &reads);
	if (rc == 0)
		rc = icf_number32(f, &p, "% random", 0, 100, &random);
	if (rc == 0)
		rc = icf_number32(f, &p, "the delay (ms)", 0, DELAY_MOST, &l->line.delay_ms);
	if (rc == 0)
		rc = icf_number32(f, &p, "the burst", 0, BURST_MAX, &l->line.burst);
	p += strspn(p, " ,");
	if (rc == 0 && named && *p)
		rc = icf_number32(f, &p, "the alignment", 0, ALIGN_MAX, &l->line.align);
	p += strspn(p, " ,");
	if (rc == 0 && named && *p)
		rc = icf_number32(f, &p, "the reply", 0, IOMETER_SIZE_MAX, &l->reply);
	p += strspn(p, " ,");
	if (rc == 0 && *p)
		rc = icf_fail(f, "'%.40s' is one number too many: a line has %s", p,
			      named ? "size, % of size, % reads, % random, delay, burst, align, "
				      "reply"
				    : "size, % of size, % reads, % random, delay, burst");
	l->line.share = (uint8_t)share;
	l->line.read_pct = (uint8_t)reads;
	l->line.random_pct = (uint8_t)random;
	if (!l->line.burst)
		l->line.burst = 1;
	return rc;
}

/* "'Database': the shares (% of size) add up to 90 %: ..." */
static int fail_shares(struct icf *f, const struct iometer_spec *spec, unsigned sum,
		       const char *where)
{
	char name[IOMETER_NAME + 4] = "";

	if (spec->name[0])
		snprintf(name, sizeof(name), "'%s': ", spec->name);
	return icf_fail(f,
			"%sthe shares (%% of size) add up to %u %%%s: they have to be 100 %% "
			"together",
			name, sum, where);
}

/* One more line of spec; sum is of the shares. */
static int read_line(struct icf *f, struct iometer_spec *spec, bool named, unsigned *sum)
{
	struct iometer_line l = {0};
	int rc = read_numbers(f, f->line, named, &l);

	if (rc)
		return rc;
	*sum += l.line.share;
	if (*sum > 100)
		return fail_shares(f, spec, *sum, " here");
	if (!l.line.share) {
		icf_warn(f, "a line with 0 %% of the IOs is left out: it is never run");
		return 0;
	}
	if (spec->count == ACCESS_LINES_MAX)
		return icf_fail(f, "'%.80s': a specification has up to %u lines", spec->name,
				ACCESS_LINES_MAX);
	warn_of_line(f, &l);
	spec->line[spec->count++] = l;
	return 0;
}

static struct iometer_spec *add_spec(struct icf *f, unsigned at, int *rc)
{
	struct iometer_spec *spec = NULL;

	if (f->s->specs >= ICF_SPECS_MOST)
		*rc = icf_fail(f, "more than %u specifications", ICF_SPECS_MOST);
	else if (!(spec = iometer_add_spec(f->s)))
		*rc = error_set(f->e, ENOMEM, "%.200s: out of memory", f->name);
	else
		spec->at = at;
	return spec;
}

/* --- With names --- */

/* Where spec goes to: in place of one of its name, as Iometer does, or behind the others. */
static struct iometer_spec *place_of(struct icf *f, const char *name, unsigned at, int *rc)
{
	struct iometer_spec *same = (struct iometer_spec *)iometer_find_spec(f->s, name);

	if (!same)
		return add_spec(f, at, rc);
	icf_warn(f, "'%.80s' stands in line %u already: this one counts, as in Iometer", name,
		 same->at);
	*same = (struct iometer_spec){.at = at};
	return same;
}

/* "name,assignment"; a name ends at the first comma. */
static int read_head(struct icf *f, struct iometer_spec **spec)
{
	unsigned at = f->number;
	char *value = icf_value(f);
	char *p = strchr(value, ','), name[IOMETER_NAME];
	unsigned assign = 0;
	int rc = 0;

	if (p)
		*p++ = '\0';
	char *end = value + strlen(value);
	while (end > value && end[-1] == ' ')
		*--end = '\0';
	if (!*value)
		return icf_fail(f, "a specification without a name: write NAME,NONE");
	icf_copy(f, name, sizeof(name), value, "the specification's name");
	p = p ? p + strspn(p, " ") : value + strlen(value);
	if (*p)
		rc = icf_choice(f, &p, "default assignment", assign_words, 4, &assign);
	if (rc)
		return rc;
	*spec = place_of(f, name, at, &rc);
	if (rc)
		return rc;
	strcpy((*spec)->name, name);
	(*spec)->assign = (enum iometer_assign)assign;
	return 0;
}

static int read_named(struct icf *f)
{
	struct iometer_spec *spec = NULL;
	unsigned sum = 0;
	int rc = read_head(f, &spec);

	while (rc == 0 && icf_next(f)) {
		if (!f->key && f->line[0])
			rc = read_line(f, spec, true, &sum);
		else if (f->key && !icf_begins(f, "size") && !f->remark) {
			icf_hold(f);
			break;
		}
	}
	if (rc == 0 && sum != 100)
		rc = fail_shares(f, spec, sum, "");
	return rc;
}

static int read_all_named(struct icf *f)
{
	int rc = 0;

	while (rc == 0) {
		if (!icf_next(f))
			return icf_cut_off(f, "'ACCESS SPECIFICATIONS");
		if (icf_is(f, "END access specifications"))
			return 0;
		if (icf_section_at(f) < ICF_SECTIONS || icf_begins(f, "Version")) {
			icf_warn(f, "'ACCESS SPECIFICATIONS has no end");
			icf_hold(f);
			return 0;
		}
		if (icf_begins(f, "Access specification name"))
			rc = read_named(f);
		else if (f->key && !f->remark)
			icf_unknown(f);
		else if (f->line[0] && !f->remark)
			icf_warn(f, "a line of no specification is left out");
	}
	return rc;
}

/* --- Without --- */

/* "32 KiB, 50% random, 67% reads"; of several lines: "Untitled 2". */
static void name_spec(struct icf *f, struct iometer_spec *spec)
{
	const struct access_line *l = &spec->line[0].line;
	char base[80], size[32], random[24] = "sequential", reads[24] = "reads";
	unsigned n = 1;

	if (l->random_pct)
		snprintf(random, sizeof(random), l->random_pct == 100 ? "random" : "%u%% random",
			 l->random_pct);
	if (l->read_pct < 100)
		snprintf(reads, sizeof(reads), l->read_pct ? "%u%% reads" : "writes", l->read_pct);
	if (spec->count == 1)
		snprintf(base, sizeof(base), "%s %s %s", units_size(size, sizeof(size), l->size),
			 random, reads);
	else
		snprintf(base, sizeof(base), "Untitled %u", n++);
	char name[IOMETER_NAME];
	strcpy(name, base);
	while (iometer_find_spec(f->s, name)) {
		if (spec->count == 1)
			snprintf(name, sizeof(name), "%s %u", base, ++n);
		else
			snprintf(name, sizeof(name), "Untitled %u", n++);
	}
	strcpy(spec->name, name);
}

/* Old files may lack the end of a section, and the version at theirs may lack its apostrophe. */
static bool ends_unnamed(const struct icf *f)
{
	return f->key ? icf_section_at(f) < ICF_SECTIONS || icf_begins(f, "Version") ||
				icf_begins(f, "End")
		      : strncasecmp(f->line, "Version", 7) == 0;
}

static int read_unnamed(struct icf *f)
{
	struct iometer_spec *spec = NULL;
	bool ended = false;
	unsigned sum = 0;
	int rc = 0;

	while (rc == 0 && icf_next(f)) {
		ended = ends_unnamed(f);
		if (ended)
			break;
		if (f->key || !f->line[0])
			continue;
		if (!spec)
			spec = add_spec(f, f->number, &rc);
		if (rc == 0)
			rc = read_line(f, spec, false, &sum);
		if (rc == 0 && !spec->count) { /* it began with a line that was left out */
			f->s->specs--;
			spec = NULL;
		}
		if (rc == 0 && sum == 100) {
			spec->assign = IOMETER_ASSIGN_ALL;
			name_spec(f, spec);
			spec = NULL;
			sum = 0;
		}
	}
	if (rc == 0 && spec)
		rc = fail_shares(f, spec, sum, " at the end");
	if (ended && !icf_is(f, "END access specifications"))
		icf_hold(f);
	return rc;
}

int icf_read_specs(struct icf *f)
{
	return f->version >= ICF_NAMED_SPECS ? read_all_named(f) : read_unnamed(f);
}
