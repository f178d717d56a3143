/* values.c - which values a setting can have; see flip.h. Limits are those that the kernel and the driver
 * tell; where they tell none, their own answer to a change is the word.
 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "env/rtnl.h"
#include "flip/flip_internal.h"
#include "guard/guard.h"

/* --- Choices. --- */

static unsigned add(char out[FLIP_CHOICES][FLIP_CHOICE], unsigned n, const char *word)
{
	if (n < FLIP_CHOICES && strlen(word) < FLIP_CHOICE)
		snprintf(out[n++], FLIP_CHOICE, "%s", word);
	return n;
}

/* The words of a file, without the brackets around the one that is set. */
static unsigned from_file(char out[FLIP_CHOICES][FLIP_CHOICE], const char *path)
{
	char text[512], *rest = text;
	unsigned n = 0;
	FILE *f = fopen(path, "re");

	if (!f)
		return 0;
	if (!fgets(text, sizeof(text), f))
		text[0] = 0;
	fclose(f);
	for (char *word; (word = strtok_r(rest, " \t\n[]", &rest));)
		n = add(out, n, word);
	return n;
}

/* Numbers that stand for something: from 0 to this. */
static const struct {
	const char *words;
	unsigned most;
} numbered[] = {
	{"net.ipv4.tcp_mtu_probing", 2},    {"net.ipv4.tcp_no_metrics_save", 1},
	{"net.ipv4.tcp_sack", 1},           {"net.ipv4.tcp_timestamps", 2},
	{"net.ipv4.tcp_window_scaling", 1},
};

static unsigned sysctl_choices(const char *words, char out[FLIP_CHOICES][FLIP_CHOICE])
{
	unsigned n = 0;

	if (strcmp(words, "net.ipv4.tcp_congestion_control") == 0)
		return from_file(out, "/proc/sys/net/ipv4/tcp_available_congestion_control");
	for (size_t i = 0; i < sizeof(numbered) / sizeof(*numbered); i++)
		for (unsigned v = 0; strcmp(numbered[i].words, words) == 0 && v <= numbered[i].most;
		     v++)
			n = add(out, n, (const char[]){(char)('0' + v), 0});
	return n;
}

/* Those of a NIC that count something; the others are switches. */
static bool counts(const char *what)
{
	const char *dash = strrchr(what, '-');

	return strcmp(what, "mtu") == 0 || strncmp(what, "ring ", 5) == 0 ||
	       (dash && (strcmp(dash, "-usecs") == 0 || strcmp(dash, "-frames") == 0));
}

unsigned flip_choices(const char *words, char out[FLIP_CHOICES][FLIP_CHOICE])
{
	char name[64], path[PATH_MAX];
	const char *what = flip_split(words, name);

	switch (flip_kind(words)) {
	case FLIP_SYSCTL: return sysctl_choices(words, out);
	case FLIP_NIC: return counts(what) ? 0 : add(out, add(out, 0, "on"), "off");
	case FLIP_QUEUE:
		if (strcmp(what, "scheduler") == 0)
			return from_file(out, flip_file(path, sizeof(path), words));
		if (strcmp(what, "write_cache") == 0)
			return add(out, add(out, 0, "write back"), "write through");
		return 0;
	case FLIP_NONE: break;
	}
	return 0;
}

/* --- Numbers. --- */

struct range {
	uint64_t least, most, step;
	unsigned numbers;
	const char *unit;
};

static struct range mtu_range(const char *nic)
{
	struct range r = {1, INT32_MAX, 1, 1, " bytes"};
	struct rtnl_link l;
	struct ask rtnl = {0};

	if (ask_open(&rtnl, NETLINK_ROUTE, NULL))
		return r;
	if (rtnl_link_ask(&rtnl, nic, &l, NULL) == 0) {
		r.least = l.min_mtu ? l.min_mtu : 1;
		r.most = l.max_mtu ? l.max_mtu : INT32_MAX;
	}
	ask_close(&rtnl);
	return r;
}

static uint64_t read_number(const char *name, const char *attribute)
{
	char path[PATH_MAX];
	uint64_t v = 0;

	snprintf(path, sizeof(path), "/sys/block/%s/queue/%s", name, attribute);
	FILE *f = fopen(path, "re");
	if (!f)
		return 0;
	if (fscanf(f, "%" SCNu64, &v) != 1)
		v = 0;
	fclose(f);
	return v;
}

/* block/blk-sysfs.c: what is too little for nr_requests is made 4, read_ahead_kb is counted in pages. */
static struct range queue_range(const char *name, const char *what)
{
	struct range r = {1, INT32_MAX, 1, 1, ""};
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE) / 1024;

	if (strcmp(what, "nr_requests") == 0)
		r.least = 4;
	else if (strcmp(what, "read_ahead_kb") == 0)
		r = (struct range){0, INT32_MAX, page, 1, " KiB"};
	else if (strcmp(what, "max_sectors_kb") == 0)
		r = (struct range){page, read_number(name, "max_hw_sectors_kb"), 1, 1, " KiB"};
	if (!r.most)
		r.most = INT32_MAX;
	return r;
}

static struct range range_of(const char *words)
{
	char name[64];
	const char *what = flip_split(words, name);
	struct range r = {0, UINT32_MAX, 1, 1, ""};

	switch (flip_kind(words)) {
	case FLIP_NIC: return strcmp(what, "mtu") == 0 ? mtu_range(name) : r;
	case FLIP_QUEUE: return queue_range(name, what);
	case FLIP_SYSCTL:
		r.least = 1;
		r.most = INT32_MAX;
		if (strcmp(words, "net.core.netdev_max_backlog") != 0)
			r.unit = " bytes";
		if (strstr(words, "tcp_rmem") || strstr(words, "tcp_wmem"))
			r.numbers = 3;
		return r;
	case FLIP_NONE: break;
	}
	return r;
}

/* "none, mq-deadline or bfq" */
static char *choice_words(char *out, size_t size, char choice[FLIP_CHOICES][FLIP_CHOICE],
			  unsigned n)
{
	size_t used = 0;

	out[0] = '\0';
	for (unsigned i = 0; i < n && used < size; i++)
		used += (size_t)snprintf(out + used, size - used, "%s%s",
					 i == 0       ? ""
					 : i + 1 == n ? " or "
						      : ", ",
					 choice[i]);
	return out;
}

char *flip_range(char *out, size_t n, const char *words)
{
	char choice[FLIP_CHOICES][FLIP_CHOICE];
	unsigned choices = flip_choices(words, choice);
	struct range r = range_of(words);

	if (choices)
		return choice_words(out, n, choice, choices);
	if (r.numbers == 3)
		snprintf(out, n, "least, default and most, in bytes");
	else if (r.most >= INT32_MAX)
		snprintf(out, n, "%" PRIu64 "%s or more", r.least, r.unit);
	else
		snprintf(out, n, "%" PRIu64 " to %" PRIu64 "%s", r.least, r.most, r.unit);
	if (r.step > 1)
		snprintf(out + strlen(out), n - strlen(out), ", a multiple of %" PRIu64, r.step);
	return out;
}

/* Reads the next number; false when there is none. */
static bool number(const char **text, uint64_t *v)
{
	char *end;

	if (**text == ' ')
		(*text)++;
	if (**text < '0' || **text > '9')
		return false;
	errno = 0;
	*v = strtoull(*text, &end, 10);
	*text = end;
	return errno == 0 && (*end == 0 || *end == ' ');
}

/* Numbers are written as the kernel does, so that what is read back is the same. */
static int check_numbers(const char *words, char *tidy, struct error *e)
{
	struct range r = range_of(words);
	const char *at = tidy;
	char allowed[128], plain[FACT_VALUE] = "";
	uint64_t v = 0, before = 0;
	bool good = true;

	for (unsigned i = 0; i < r.numbers && good; i++) {
		good = number(&at, &v) && v >= r.least && v <= r.most && v % r.step == 0 &&
		       v >= before;
		before = v;
		size_t used = strlen(plain);
		snprintf(plain + used, sizeof(plain) - used, "%s%" PRIu64, i ? " " : "", v);
	}
	if (good && !*at) {
		memcpy(tidy, plain, sizeof(plain));
		return 0;
	}
	flip_range(allowed, sizeof(allowed), words);
	return error_set(e, EINVAL, "%s can't be %s: it is %s", words, tidy[0] ? tidy : "nothing",
			 allowed);
}

static int check_choice(const char *words, const char *tidy, char choice[FLIP_CHOICES][FLIP_CHOICE],
			unsigned n, struct error *e)
{
	char list[FLIP_CHOICES * (FLIP_CHOICE + 4)];

	for (unsigned i = 0; i < n; i++)
		if (strcmp(choice[i], tidy) == 0)
			return 0;
	return error_set(e, EINVAL, "%s can't be %s: it is %s", words, tidy[0] ? tidy : "nothing",
			 choice_words(list, sizeof(list), choice, n));
}

int flip_check(const char *words, const char *value, char *tidy, struct error *e)
{
	char choice[FLIP_CHOICES][FLIP_CHOICE];
	struct facts f = {0};

	if (!flip_possible(words))
		return error_set(e, EINVAL, "'%s' is no setting that lunscope can change", words);
	if (strlen(value) >= FACT_VALUE)
		return error_set(e, EINVAL, "%s: that value is too long", words);
	/* As a fact would have it. */
	facts_set(&f, words, value);
	snprintf(tidy, FACT_VALUE, "%s", f.count ? f.fact[0].value : "");
	facts_free(&f);
	unsigned n = flip_choices(words, choice);
	return n ? check_choice(words, tidy, choice, n, e) : check_numbers(words, tidy, e);
}
