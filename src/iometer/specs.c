/* specs.c - the specifications that lunscope brings along, and looking for one.
 *
 * Iometer's own: its manual and releases; those before 2010 had the sizes 512 B, 4K, 16K and 32K with five
 * shares of reads and "All in one", 1.1.0 added the aligned 4 KiB, 64 KiB and 256 KiB. File server,
 * workstation, database and web server are those that Intel's releases came with and reviewers went on with;
 * the four of the VMware community and the set of 2009 are as their authors published them.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "iometer/specs.h"
#include "iometer/specs_own.h"

static const struct {
	const char *name, *words;
} sets[SPECS_SETS] = {
	[SPECS_IOMETER] = {"iometer", "Iometer's standard ones"},
	[SPECS_MIXES] = {"mixes", "servers and streams"},
	[SPECS_VMWARE] = {"vmware", "the VMware community's four"},
	[SPECS_MD3000I] = {"md3000i", "the MD3000i test of 2009"},
	[SPECS_OWN] = {"own", "your own"},
};

/* --- What there is --- */

#define K 1024u

struct ready_line {
	uint32_t size;
	uint8_t share;
};

/* All lines of one have the same shares of reads and random offsets. */
struct ready {
	enum specs_from from;
	const char *name;
	uint8_t read_pct, random_pct;
	struct ready_line line[12];
};

/* clang-format off */
static const struct ready ready[] = {
	{SPECS_MIXES, "Database", 67, 100, {{8 * K, 100}}},
	{SPECS_MIXES, "File server", 80, 100,
	 {{512, 10}, {K, 5}, {2 * K, 5}, {4 * K, 60}, {8 * K, 2}, {16 * K, 4}, {32 * K, 4},
	  {64 * K, 10}}},
	{SPECS_MIXES, "Web server", 100, 100,
	 {{512, 22}, {K, 15}, {2 * K, 8}, {4 * K, 23}, {8 * K, 15}, {16 * K, 2}, {32 * K, 6},
	  {64 * K, 7}, {128 * K, 1}, {512 * K, 1}}},
	{SPECS_MIXES, "Workstation", 80, 80, {{8 * K, 100}}},
	{SPECS_MIXES, "Streaming reads", 100, 0, {{64 * K, 34}, {128 * K, 33}, {256 * K, 33}}},
	{SPECS_MIXES, "Streaming writes", 0, 0, {{64 * K, 34}, {128 * K, 33}, {256 * K, 33}}},
	{SPECS_VMWARE, "Max Throughput-100%Read", 100, 0, {{32 * K, 100}}},
	{SPECS_VMWARE, "RealLife-60%Rand-65%Read", 65, 60, {{8 * K, 100}}},
	{SPECS_VMWARE, "Max Throughput-50%Read", 50, 0, {{32 * K, 100}}},
	{SPECS_VMWARE, "Random-8k-70%Read", 70, 100, {{8 * K, 100}}},
	{SPECS_MD3000I, "Max read", 100, 0, {{32 * K, 100}}},
	{SPECS_MD3000I, "Max write", 0, 0, {{32 * K, 100}}},
	{SPECS_MD3000I, "Stream read", 100, 0, {{64 * K, 34}, {128 * K, 33}, {256 * K, 33}}},
	{SPECS_MD3000I, "Stream write", 0, 0, {{64 * K, 34}, {128 * K, 33}, {256 * K, 33}}},
	{SPECS_MD3000I, "Random 8k 70% read", 70, 100, {{8 * K, 100}}},
	{SPECS_MD3000I, "Real life", 65, 60, {{8 * K, 100}}},
};
/* clang-format on */

#define READY (sizeof(ready) / sizeof(ready[0]))

static void add_line(struct iometer_spec *spec, uint32_t size, unsigned share, unsigned reads,
		     unsigned random, uint32_t align)
{
	spec->line[spec->count++].line = (struct access_line){
		.size = size,
		.share = (uint8_t)share,
		.read_pct = (uint8_t)reads,
		.random_pct = (uint8_t)random,
		.burst = 1,
		.align = align,
	};
}

static struct iometer_spec *add(struct specs *l, enum specs_from from, const char *name)
{
	struct specs_row *row = &l->row[l->count++];

	*row = (struct specs_row){.from = from};
	snprintf(row->spec.name, sizeof(row->spec.name), "%s", name);
	return &row->spec;
}

/* "4 KiB aligned; 50% Read; 100% random" */
static void add_simple(struct specs *l, uint32_t size, unsigned reads, unsigned random,
		       uint32_t align)
{
	char name[64];

	if (size < K)
		snprintf(name, sizeof(name), "%u B", size);
	else
		snprintf(name, sizeof(name), "%u KiB", size / K);
	size_t n = strlen(name);
	snprintf(name + n, sizeof(name) - n, "%s; %u%% Read; %u%% random", align ? " aligned" : "",
		 reads, random);
	add_line(add(l, SPECS_IOMETER, name), size, 100, reads, random, align);
}

static void add_iometer(struct specs *l)
{
	static const uint32_t size[] = {512, 4 * K, 16 * K, 32 * K}, large[] = {64 * K, 256 * K};
	static const unsigned reads[] = {100, 75, 50, 25, 0}, fewer[] = {100, 50, 0};

	add(l, SPECS_IOMETER, "Idle");
	add_line(add(l, SPECS_IOMETER, "Default"), 2 * K, 100, 67, 100, 0);
	for (unsigned i = 0; i < 4; i++)
		for (unsigned r = 0; r < 5; r++)
			add_simple(l, size[i], reads[r], 0, 0);
	struct iometer_spec *all = add(l, SPECS_IOMETER, "All in one");
	for (unsigned i = 0; i < 4; i++)
		for (unsigned r = 0; r < 5; r++)
			add_line(all, size[i], 5, reads[r], 0, 0);
	for (unsigned r = 0; r < 3; r++)
		add_simple(l, 4 * K, fewer[r], 100, 4 * K);
	for (unsigned i = 0; i < 2; i++)
		for (unsigned r = 0; r < 3; r++)
			add_simple(l, large[i], fewer[r], 0, 0);
}

/* Idle, Default, 20, all of them, 3 aligned and 6 large ones. */
#define OF_IOMETER 32

static void add_ready(struct specs *l, const struct ready *r)
{
	struct iometer_spec *spec = add(l, r->from, r->name);

	for (const struct ready_line *line = r->line; line->size; line++)
		add_line(spec, line->size, line->share, r->read_pct, r->random_pct, 0);
}

int specs_load(struct specs *l, struct error *e)
{
	struct iometer_setup own;

	memset(l, 0, sizeof(*l));
	int rc = specs_own_read(&own, l->path, &l->warnings, e);
	/* Those that are ready are there even where the user's own can't be read. */
	if (rc)
		own = (struct iometer_setup){0};
	l->row = calloc(OF_IOMETER + READY + own.specs, sizeof(*l->row));
	if (l->row) {
		add_iometer(l);
		for (size_t i = 0; i < READY; i++)
			add_ready(l, &ready[i]);
		for (size_t i = 0; i < own.specs; i++)
			l->row[l->count++] = (struct specs_row){own.spec[i], SPECS_OWN};
	} else {
		rc = error_set(e, ENOMEM, "out of memory for the specifications");
	}
	iometer_setup_free(&own);
	return rc;
}

void specs_free(struct specs *l)
{
	free(l->row);
	iometer_warnings_free(&l->warnings);
	memset(l, 0, sizeof(*l));
}

/* --- Looking for one --- */

const char *specs_set_name(enum specs_from from)
{
	return sets[from].name;
}

const char *specs_set_words(enum specs_from from)
{
	return sets[from].words;
}

enum specs_from specs_set_of(const char *name)
{
	unsigned i = 0;

	while (i < SPECS_SETS && strcasecmp(name, sets[i].name) != 0)
		i++;
	return (enum specs_from)i;
}

/* "4 KiB; 50% Read" and "4K; 50% Read" become "4k;50%read". */
static void fold(char *out, const char *name)
{
	for (; *name; name++) {
		if (isspace((unsigned char)*name))
			continue;
		*out++ = (char)tolower((unsigned char)*name);
		if (out[-1] == 'k' && strncasecmp(name + 1, "ib", 2) == 0)
			name += 2;
	}
	*out = '\0';
}

static const struct specs_row *find(const struct specs *l, const char *folded, bool own)
{
	for (size_t i = 0; i < l->count; i++) {
		char name[IOMETER_NAME];
		fold(name, l->row[i].spec.name);
		if ((l->row[i].from == SPECS_OWN) == own && strcmp(name, folded) == 0)
			return &l->row[i];
	}
	return NULL;
}

const struct specs_row *specs_find(const struct specs *l, const char *name)
{
	char folded[IOMETER_NAME];

	if (strlen(name) >= sizeof(folded))
		return NULL;
	fold(folded, name);
	const struct specs_row *row = find(l, folded, true);
	return row ? row : find(l, folded, false);
}

/* --- One's own --- */

/* What Iometer takes for part of a name; the rest, | and what is no ASCII, ends one. */
static bool fits_name(const char *name)
{
	for (const char *p = name; *p; p++)
		if (*p < ' ' || *p > '~' || *p == ',' || *p == '|')
			return false;
	return *name && *name != ' ' && name[strlen(name) - 1] != ' ';
}

int specs_check(const struct iometer_spec *spec, struct error *e)
{
	unsigned sum = 0;

	if (!fits_name(spec->name) || strlen(spec->name) > SPECS_NAME_MOST)
		return error_set(
			e, EINVAL,
			"specification '%s': a name is 1 to %u letters, digits and signs of "
			"ASCII, without , and |",
			spec->name, SPECS_NAME_MOST);
	if (spec->count > ACCESS_LINES_MAX)
		return error_set(e, EINVAL, "'%s': up to %u lines are possible", spec->name,
				 ACCESS_LINES_MAX);
	for (uint32_t i = 0; i < spec->count; i++) {
		const struct access_line *l = &spec->line[i].line;
		if (!l->size || l->size > IOMETER_SIZE_MAX || !l->share || l->read_pct > 100 ||
		    l->random_pct > 100 || l->align > ALIGN_MAX || l->burst > BURST_MAX ||
		    l->delay_ms > THINK_MAX_NS / 1000000)
			return error_set(e, EINVAL, "'%s': line %u is out of bounds", spec->name,
					 i + 1);
		sum += l->share;
	}
	if (spec->count && sum != 100)
		return error_set(e, EINVAL,
				 "'%s': the shares of its lines add up to %u %%, not to 100 %%",
				 spec->name, sum);
	return 0;
}
