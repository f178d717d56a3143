/* place.c - where a setting is, and how it is read, changed, and changed by hand; see flip.h. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "env/files.h"
#include "env/nic_settings.h"
#include "flip/flip_internal.h"

/* --- Which one. --- */

/* Names come from a journal, too: none may lead anywhere else. */
static bool name_is_safe(const char *name)
{
	if (!name[0] || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
		return false;
	for (const char *c = name; *c; c++)
		if (!isgraph((unsigned char)*c) || *c == '/')
			return false;
	return true;
}

const char *flip_split(const char *words, char name[64])
{
	const char *what = fact_split(words, name, 64);

	return what && name_is_safe(name) ? what : NULL;
}

enum flip_kind flip_kind(const char *words)
{
	char name[64];

	if (env_is_sysctl(words))
		return FLIP_SYSCTL;
	if (!flip_split(words, name))
		return FLIP_NONE;
	if (env_is_queue(words))
		return FLIP_QUEUE;
	return nic_settings_possible(words) ? FLIP_NIC : FLIP_NONE;
}

bool flip_possible(const char *words)
{
	return flip_kind(words) != FLIP_NONE;
}

char *flip_file(char *out, size_t n, const char *words)
{
	char name[64];

	if (flip_kind(words) == FLIP_QUEUE) {
		const char *attribute = flip_split(words, name);
		snprintf(out, n, "/sys/block/%s/queue/%s", name, attribute);
		return out;
	}
	return env_sysctl_path(out, n, "", words);
}

/* --- The command. --- */

const char *flip_quoted(const char *text, char *out, size_t n)
{
	bool plain = true;

	for (const char *c = text; *c; c++)
		plain &= isalnum((unsigned char)*c) || strchr("._-@:/+,%", *c) != NULL;
	if (plain && text[0]) {
		snprintf(out, n, "%s", text);
		return out;
	}
	size_t used = 0;
	out[used++] = '\'';
	for (const char *c = text; *c && used + 6 < n; c++)
		if (*c == '\'')
			used += (size_t)snprintf(out + used, n - used, "'\\''");
		else
			out[used++] = *c;
	out[used++] = '\'';
	out[used] = 0;
	return out;
}

/* Where ethtool has another word for it, or two: those of "IPv4 only". */
static const struct {
	const char *what, *word, *ipv4, *ipv6;
} feature_words[] = {
	{"tso", "tso", "tx-tcp-segmentation", "tx-tcp6-segmentation"},
	{"rx checksum", "rx", NULL, NULL},
	{"tx checksum", "tx", "tx-checksum-ipv4", "tx-checksum-ipv6"},
};

static void feature_command(char *out, size_t n, const char *nic, const char *what,
			    const char *value)
{
	bool four = strcmp(value, "IPv4 only") == 0, six = strcmp(value, "IPv6 only") == 0;
	char text[4 * FACT_VALUE];
	const char *word = what;

	for (size_t i = 0; i < sizeof(feature_words) / sizeof(*feature_words); i++) {
		if (strcmp(feature_words[i].what, what) != 0)
			continue;
		word = feature_words[i].word;
		if ((four || six) && feature_words[i].ipv4) {
			snprintf(out, n, "ethtool -K %s %s %s %s %s", nic, feature_words[i].ipv4,
				 four ? "on" : "off", feature_words[i].ipv6, six ? "on" : "off");
			return;
		}
	}
	snprintf(out, n, "ethtool -K %s %s %s", nic, word, flip_quoted(value, text, sizeof(text)));
}

static void nic_command(char *out, size_t n, const char *nic, const char *what, const char *value)
{
	static const struct {
		const char *begins;
		char option;
	} groups[] = {{"pause ", 'A'}, {"ring ", 'G'}, {"coalesce ", 'C'}};
	char text[4 * FACT_VALUE];

	if (strcmp(what, "mtu") == 0) {
		snprintf(out, n, "ip link set dev %s mtu %s", nic,
			 flip_quoted(value, text, sizeof(text)));
		return;
	}
	for (size_t i = 0; i < sizeof(groups) / sizeof(*groups); i++) {
		size_t length = strlen(groups[i].begins);
		if (strncmp(what, groups[i].begins, length) != 0)
			continue;
		snprintf(out, n, "ethtool -%c %s %s %s", groups[i].option, nic, what + length,
			 flip_quoted(value, text, sizeof(text)));
		return;
	}
	feature_command(out, n, nic, what, value);
}

char *flip_command(char *out, size_t n, const char *words, const char *value)
{
	char name[64] = "", file[PATH_MAX], a[4 * FACT_VALUE], b[4 * PATH_MAX];
	const char *what = flip_split(words, name);

	switch (flip_kind(words)) {
	case FLIP_NIC: nic_command(out, n, flip_quoted(name, b, sizeof(b)), what, value); break;
	case FLIP_SYSCTL:
		snprintf(out, n, "sysctl -w %s=%s", words, flip_quoted(value, a, sizeof(a)));
		break;
	case FLIP_QUEUE:
		flip_file(file, sizeof(file), words);
		snprintf(out, n, "echo %s > %s", flip_quoted(value, a, sizeof(a)),
			 flip_quoted(file, b, sizeof(b)));
		break;
	case FLIP_NONE: snprintf(out, n, "%s", ""); break;
	}
	return out;
}

/* --- Reading. --- */

static int take(const struct facts *f, const char *words, char *value, size_t n, struct error *e)
{
	const char *now = facts_get(f, words);

	if (!now)
		return error_set(e, ENOENT, "%s: there is no such setting here", words);
	snprintf(value, n, "%s", now);
	if (strcmp(now, "(not supported)") == 0)
		return error_set(e, EOPNOTSUPP, "%s: not supported by the driver", words);
	if (now[0] == '(')
		return error_set(e, EIO, "%s can't be read: %s", words, now);
	return 0;
}

int flip_read(const char *words, char *value, size_t n, struct error *e)
{
	struct facts f = {0};
	struct env_files files = {0};
	char name[64], path[PATH_MAX];
	enum flip_kind kind = flip_kind(words);
	int rc = 0;

	if (kind == FLIP_NONE)
		return error_set(e, EINVAL, "'%s' is no setting that lunscope can change", words);
	if (kind == FLIP_NIC) {
		flip_split(words, name);
		rc = nic_settings_read(name, &f, e);
	} else {
		env_files_add(&files, words, flip_file(path, sizeof(path), words),
			      kind == FLIP_QUEUE);
		env_files_read(&files, &f);
		env_files_close(&files);
	}
	if (rc == 0)
		rc = take(&f, words, value, n, e);
	facts_free(&f);
	return rc;
}

/* --- Changing. --- */

static int explain(int err, const char *words, const char *value, struct error *e)
{
	char choice[FLIP_CHOICES][FLIP_CHOICE], list[256] = "";

	/* To root it is the kernel that says no, and that may be for any reason. */
	bool denied = err == EPERM || err == EACCES;
	if (denied && geteuid() != 0)
		return error_set(e, err, "%s: not permitted: changing it needs root", words);
	unsigned n = denied ? 0 : flip_choices(words, choice);
	for (unsigned i = 0; i < n; i++) {
		size_t used = strlen(list);
		snprintf(list + used, sizeof(list) - used, "%s%s", i ? ", " : "; there is ",
			 choice[i]);
	}
	return error_set(e, err, "%s can't be set to %s: %s%s", words, value, strerror(err), list);
}

static int open_file(const char *words, const char *value, struct error *e)
{
	char path[PATH_MAX];
	int fd = open(flip_file(path, sizeof(path), words), O_WRONLY | O_CLOEXEC);

	return fd >= 0 ? fd : explain(errno, words, value, e);
}

/* Writing the present MTU changes nothing, and needs the same right as all of a NIC's settings: an offload
 * that is written as it is asks for none. */
static int may_set_nic(const char *words, const char *present, struct error *e)
{
	char name[64], mtu[FACT_WORDS], value[FACT_VALUE];
	int rc = nic_settings_write(words, present, e);

	flip_split(words, name);
	snprintf(mtu, sizeof(mtu), "%s mtu", name);
	if (rc == 0)
		rc = flip_read(mtu, value, sizeof(value), e);
	return rc ? rc : nic_settings_write(mtu, value, e);
}

int flip_may_write(const char *words, const char *present, struct error *e)
{
	if (flip_kind(words) == FLIP_NIC)
		return may_set_nic(words, present, e);
	int fd = open_file(words, present, e);
	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

int flip_allowed(const char *words, struct error *e)
{
	char now[FACT_VALUE];
	int rc = flip_read(words, now, sizeof(now), e);

	return rc ? rc : flip_may_write(words, now, e);
}

int flip_write(const char *words, const char *value, struct error *e)
{
	if (flip_kind(words) == FLIP_NIC)
		return nic_settings_write(words, value, e);
	int fd = open_file(words, value, e);
	if (fd < 0)
		return fd;
	/* The kernel takes the value from one call. */
	ssize_t n = write(fd, value, strlen(value));
	int err = n < 0 ? errno : 0;
	close(fd);
	return err ? explain(err, words, value, e) : 0;
}
