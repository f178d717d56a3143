/* icf_keys.c - the two sections of an .icf file that are plain lists of keys with their values: the test's
 * set-up, and what the result display shows.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "iometer/icf_lines.h"

/* An hour count that no test has, and far from any overflow. */
#define TIME_MOST 1000000u
#define STEP_MOST 1000000u

struct icf_key {
	const char *word;
	bool prefix;
	int (*read)(struct icf *f, char *value);
};

static const char *const enabled_words[] = {"DISABLED", "ENABLED"};
static const char *const record_words[] = {"ALL", "NO_TARGETS", "NO_WORKERS", "NO_MANAGERS",
					   "NONE"};
static const char *const step_words[] = {"LINEAR", "EXPONENTIAL"};
static const char *const update_words[] = {"WHOLE_TEST", "LAST_UPDATE"};

static int read_description(struct icf *f, char *value)
{
	icf_copy(f, f->s->description, sizeof(f->s->description), value, "the description");
	return 0;
}

static int read_run_time(struct icf *f, char *value)
{
	static const char *const what[] = {"hours of run time", "minutes of run time",
					   "seconds of run time"};
	uint64_t part[3] = {0};

	for (unsigned i = 0; i < 3; i++) {
		int rc = icf_number(f, &value, what[i], 0, TIME_MOST, &part[i]);
		if (rc)
			return rc;
	}
	f->s->run_s = part[0] * 3600 + part[1] * 60 + part[2];
	return 0;
}

static int read_ramp(struct icf *f, char *value)
{
	return icf_number(f, &value, "ramp up time", 0, TIME_MOST, &f->s->ramp_s);
}

static int read_spawn(struct icf *f, char *value, const char *what, uint32_t *v)
{
	char word[32];

	snprintf(word, sizeof(word), "%s", value);
	if (strcasecmp(word, "NUMBER_OF_CPUS") == 0) {
		*v = IOMETER_PER_CPU;
		return 0;
	}
	return icf_number32(f, &value, what, 0, ICF_WORKERS_MOST, v);
}

static int read_disk_workers(struct icf *f, char *value)
{
	return read_spawn(f, value, "disk workers to spawn", &f->s->disk_workers);
}

static int read_net_workers(struct icf *f, char *value)
{
	return read_spawn(f, value, "network workers to spawn", &f->s->net_workers);
}

/* In old files there is one kind, and 0 is one per CPU. */
static int read_workers(struct icf *f, char *value)
{
	int rc = read_disk_workers(f, value);

	if (rc == 0 && !f->s->disk_workers)
		f->s->disk_workers = IOMETER_PER_CPU;
	return rc;
}

static int read_record(struct icf *f, char *value)
{
	unsigned v = 0;
	int rc = icf_choice(f, &value, "record results", record_words, 5, &v);

	if (rc == 0)
		f->s->record = (enum iometer_record)v;
	return rc;
}

/* Iometer makes 1 of a 0 that would never get further. */
static int read_step_number(struct icf *f, char **p, const char *what, uint32_t *v)
{
	int rc = icf_number32(f, p, what, 0, STEP_MOST, v);

	if (rc == 0 && !*v) {
		icf_warn(f, "%s 0 is taken for 1, as Iometer does", what);
		*v = 1;
	}
	return rc;
}

static int read_step(struct icf *f, char *p, struct iometer_step *step, bool has_end)
{
	struct iometer_step v = {0};
	unsigned kind = 0;
	int rc = read_step_number(f, &p, "start", &v.start);

	if (rc == 0 && has_end)
		rc = read_step_number(f, &p, "end", &v.end);
	if (rc == 0)
		rc = read_step_number(f, &p, "step", &v.step);
	if (rc == 0)
		rc = icf_choice(f, &p, "step type", step_words, 2, &kind);
	if (rc)
		return rc;
	v.exponential = kind == 1;
	*step = v;
	return 0;
}

static int read_worker_step(struct icf *f, char *value)
{
	return read_step(f, value, &f->s->worker_step, false);
}

static int read_target_step(struct icf *f, char *value)
{
	return read_step(f, value, &f->s->target_step, false);
}

static int read_depth_step(struct icf *f, char *value)
{
	return read_step(f, value, &f->s->depth_step, true);
}

static int read_test(struct icf *f, char *value)
{
	const char *words[IOMETER_TESTS];
	unsigned v = 0;

	for (unsigned i = 0; i < IOMETER_TESTS; i++)
		words[i] = iometer_test_word((enum iometer_test)i);
	int rc = icf_choice(f, &value, "test type", words, IOMETER_TESTS, &v);
	if (rc == 0)
		f->s->test = (enum iometer_test)v;
	return rc;
}

static const struct icf_key setup_keys[] = {
	{"Test Description", false, read_description},
	{"Run Time", false, read_run_time},
	{"Ramp Up Time", true, read_ramp},
	{"Default Workers to Spawn", false, read_workers},
	{"Default Disk Workers to Spawn", false, read_disk_workers},
	{"Default Network Workers to Spawn", false, read_net_workers},
	{"Record Results", false, read_record},
	{"Worker Cycling", false, read_worker_step},
	{"Disk Cycling", false, read_target_step},
	{"Target Cycling", false, read_target_step},
	{"Queue Depth Cycling", false, read_depth_step},
	{"Test Type", false, read_test},
};

static int read_update(struct icf *f, char *value)
{
	unsigned kind = 0;
	int rc = icf_number32(f, &value, "update frequency", 0, TIME_MOST, &f->s->update_s);

	if (rc == 0)
		rc = icf_choice(f, &value, "update type", update_words, 2, &kind);
	f->s->whole_test = kind == 0;
	return rc;
}

static int read_recorded_update(struct icf *f, char *value)
{
	unsigned on = 0;
	int rc = icf_choice(f, &value, "record last update results", enabled_words, 2, &on);

	f->s->record_last = on == 1;
	return rc ? rc : read_update(f, value);
}

/* Until 1.1.0 there was one kind of MB, of 2^20 bytes, and the statistics did not say so. */
static void name_unit(char *statistic, size_t n)
{
	size_t length = strlen(statistic);
	static const char plain[] = "MBs per Second", unit[] = " (Binary)";

	if (length >= strlen(plain) && length + sizeof(unit) <= n &&
	    strcasecmp(statistic + length - strlen(plain), plain) == 0)
		strcpy(statistic + length, unit);
}

static int read_owner(struct icf *f, char *value, uint32_t *id, char *name)
{
	int rc = icf_number32(f, &value, "the ID of the bar chart's owner", 0, UINT32_MAX - 1, id);

	if (rc == 0)
		icf_copy(f, name, IOMETER_NAME, value + strspn(value, " "), "the owner's name");
	return rc;
}

/* "Bar chart 3 statistic": the key has the number in it. */
static int read_meter(struct icf *f)
{
	char key[64];
	unsigned at = f->number;

	snprintf(key, sizeof(key), "%.63s", f->line + strlen("Bar chart"));
	char *p = key, *number = icf_word(&p);
	char *item = p + strspn(p, " ");
	unsigned k =
		isdigit((unsigned char)number[0]) && !number[1] ? (unsigned)(*number - '0') : 0;
	if (k < 1 || k > IOMETER_METERS) {
		icf_warn(f, "there are bar charts 1 to %u: '%.20s' is left out", IOMETER_METERS,
			 number);
		icf_skip_data(f);
		return 0;
	}
	struct iometer_meter *m = &f->s->meter[k - 1];
	char *value = icf_value(f);
	if (strcasecmp(item, "statistic") == 0) {
		icf_copy(f, m->statistic, sizeof(m->statistic), value, "the statistic");
		name_unit(m->statistic, sizeof(m->statistic));
		return 0;
	}
	if (strcasecmp(item, "manager ID, manager name") == 0)
		return read_owner(f, value, &m->manager_id, m->manager);
	if (strcasecmp(item, "worker ID, worker name") == 0)
		return read_owner(f, value, &m->worker_id, m->worker);
	iometer_warn(f->w, at, "a bar chart has no '%.40s': it is left out", item);
	return 0;
}

static const struct icf_key display_keys[] = {
	{"Record Last Update Results,Update Frequency,Update Type", false, read_recorded_update},
	{"Update Frequency,Update Type", false, read_update},
};

static const struct icf_key *find_key(const struct icf *f, const struct icf_key *key, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (key[i].prefix ? icf_begins(f, key[i].word) : icf_is(f, key[i].word))
			return &key[i];
	return NULL;
}

/* Files of 1998 end 'TEST SETUP by beginning with something else. */
static bool runs_on(struct icf *f, const char *section)
{
	if (icf_section_at(f) == ICF_SECTIONS && !icf_begins(f, "Version"))
		return false;
	if (f->version >= ICF_SECTION_ENDS)
		icf_warn(f, "'%s has no end", section);
	icf_hold(f);
	return true;
}

static int read_keys(struct icf *f, const char *section, const char *end, const struct icf_key *key,
		     size_t n, int (*other)(struct icf *f, bool *taken))
{
	int rc = 0;

	while (rc == 0) {
		bool taken = false;
		if (!icf_next(f))
			return f->version < ICF_SECTION_ENDS ? 0 : icf_cut_off(f, section);
		if (icf_is(f, end) || (f->key && runs_on(f, section)))
			return 0;
		if (!f->key) {
			if (f->line[0])
				icf_warn(f, "a value without a key is left out");
			continue;
		}
		if (f->remark)
			continue;
		const struct icf_key *k = find_key(f, key, n);
		if (k)
			rc = k->read(f, icf_value(f));
		else if (other)
			rc = other(f, &taken);
		if (!k && !taken)
			icf_unknown(f);
	}
	return rc;
}

static int read_bar(struct icf *f, bool *taken)
{
	*taken = icf_begins(f, "Bar chart");
	return *taken ? read_meter(f) : 0;
}

int icf_read_setup(struct icf *f)
{
	return read_keys(f, "TEST SETUP", "END test setup", setup_keys,
			 sizeof(setup_keys) / sizeof(setup_keys[0]), NULL);
}

int icf_read_display(struct icf *f)
{
	return read_keys(f, "RESULTS DISPLAY", "END results display", display_keys,
			 sizeof(display_keys) / sizeof(display_keys[0]), read_bar);
}
