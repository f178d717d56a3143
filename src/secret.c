/* secret.c - see secret.h. */
#include "secret.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define SCHEME        "iscsi://"
#define TARGET_SECRET "target_password="
#define TARGET_USER   "target_user="

bool secret_is_url(const char *spec)
{
	return strncasecmp(spec, SCHEME, strlen(SCHEME)) == 0;
}

/* Moves n bytes at from into out; what comes behind them closes up. */
static int cut(char *from, size_t n, char *out, size_t room, struct error *e)
{
	size_t behind = strlen(from + n) + 1;
	bool fits = n < room;

	if (fits) {
		memcpy(out, from, n);
		out[n] = 0;
	}
	memmove(from, from + n, behind);
	memset(from + behind, 0, n);
	return fits ? 0 : error_set(e, EINVAL, "the secret in the target's URL is too long");
}

/* Where the query begins; a '?' may as well be the secret's. */
static char *query_of(char *user)
{
	for (char *p = strchr(user, '?'); p; p = strchr(p + 1, '?'))
		if (strncmp(p + 1, TARGET_SECRET, strlen(TARGET_SECRET)) == 0 ||
		    strncmp(p + 1, TARGET_USER, strlen(TARGET_USER)) == 0)
			return p;
	return NULL;
}

/* Between the user and the last '@': an iSCSI name has none, so a secret may. */
static int take_own(char *user, struct backend_login *login, struct error *e)
{
	char *query = query_of(user);
	size_t length = query ? (size_t)(query - user) : strlen(user);
	char *at = memrchr(user, '@', length);
	char *percent = at ? memchr(user, '%', (size_t)(at - user)) : NULL;

	if (!percent)
		return 0;
	int rc = cut(percent + 1, (size_t)(at - percent - 1), login->secret, sizeof(login->secret),
		     e);
	memmove(percent, percent + 1, strlen(percent));
	return rc;
}

static int take_targets(char *spec, struct backend_login *login, struct error *e)
{
	char *query = query_of(spec);
	char *key = query ? strstr(query, TARGET_SECRET) : NULL;

	if (!key || (key[-1] != '?' && key[-1] != '&'))
		return 0;
	char *value = key + strlen(TARGET_SECRET);
	int rc = cut(value, strcspn(value, "&"), login->target_secret, sizeof(login->target_secret),
		     e);
	/* The key goes too, with the '&' on one side of it. */
	char *from = key[-1] == '&' || !value[0] ? key - 1 : key;
	char *rest = value + (key[-1] == '?' && value[0] == '&');
	memmove(from, rest, strlen(rest) + 1);
	return rc;
}

static int take(char *spec, char *user, struct backend_login *login, struct error *e)
{
	int rc = take_own(user, login, e);
	int more = take_targets(spec, login, rc ? NULL : e);

	return rc ? rc : more;
}

int secret_take(char *spec, struct backend_login *login, struct error *e)
{
	return secret_is_url(spec) ? take(spec, spec + strlen(SCHEME), login, e) : 0;
}

int secret_take_portal(char *portal, struct backend_login *login, struct error *e)
{
	return secret_is_url(portal) ? secret_take(portal, login, e)
				     : take(portal, portal, login, e);
}

/* Where the user, or the first portal, begins. */
static char *behind_scheme(char *text)
{
	return text + (secret_is_url(text) ? strlen(SCHEME) : 0);
}

void secret_take_user(char *portal, struct backend_login *login)
{
	char *user = behind_scheme(portal), *at = strrchr(user, '@');
	size_t length = at ? (size_t)(at - user) : 0;

	if (!at || length >= sizeof(login->user))
		return;
	memcpy(login->user, user, length);
	login->user[length] = 0;
	memmove(user, at + 1, strlen(at + 1) + 1);
}

static void copy_user(char *out, size_t n, const char *from, size_t length)
{
	if (length < n)
		snprintf(out, n, "%.*s", (int)length, from);
}

void secret_users(const char *url, struct backend_login *login)
{
	const char *from = url + (secret_is_url(url) ? strlen(SCHEME) : 0);
	const char *at = memchr(from, '@', strcspn(from, "/"));
	const char *query = strchr(from, '?');
	const char *key = query ? strstr(query, TARGET_USER) : NULL;

	if (at)
		copy_user(login->user, sizeof(login->user), from, (size_t)(at - from));
	if (!key)
		return;
	key += strlen(TARGET_USER);
	copy_user(login->target_user, sizeof(login->target_user), key, strcspn(key, "&"));
}

void secret_name_users(char *url, size_t n, const struct backend_login *login)
{
	char *from = behind_scheme(url), *slash = strchr(from, '/');
	size_t length = strlen(login->user);

	if (from == url || !slash || !length)
		return;
	char *at = memchr(from, '@', (size_t)(slash - from));
	if (at)
		memmove(from, at + 1, strlen(at + 1) + 1);
	/* Anything else would be taken for another part of the URL. */
	if (!strpbrk(login->user, "@%?/") && strlen(url) + length + 1 < n) {
		memmove(from + length + 1, from, strlen(from) + 1);
		memcpy(from, login->user, length);
		from[length] = '@';
	}
	from[strcspn(from, "?")] = 0;
	length = strlen(url);
	if (login->target_user[0] && !strchr(login->target_user, '&') &&
	    length + strlen(TARGET_USER) + strlen(login->target_user) + 1 < n)
		sprintf(url + length, "?" TARGET_USER "%s", login->target_user);
}

/* The '%' behind which a secret stands, and its end: while there is no '@' yet, all that comes. */
static char *own_secret(char *user, char **end)
{
	char *query = query_of(user);
	size_t length = query ? (size_t)(query - user) : strlen(user);
	char *at = memrchr(user, '@', length);
	char *percent = strchr(user, '%'), *slash = strchr(user, '/');

	*end = at ? at : user + strlen(user);
	if (!percent || percent > *end || *user == '[' || (!at && slash && slash < percent))
		return NULL;
	return percent;
}

void secret_mask(char *text, bool portal)
{
	char *end, *user = behind_scheme(text);

	if (user == text && !portal)
		return;
	char *percent = own_secret(user, &end);
	if (percent)
		memset(percent + 1, '*', (size_t)(end - percent - 1));
	char *query = query_of(user);
	char *key = query ? strstr(query, TARGET_SECRET) : NULL;
	if (key)
		memset(key + strlen(TARGET_SECRET), '*', strcspn(key + strlen(TARGET_SECRET), "&"));
}

int secret_read(const char *path, char *out, size_t n, struct error *e)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd < 0)
		return error_errno(e, errno, "%s", path);
	ssize_t got = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ? read(fd, out, n) : -1;
	close(fd);
	if (got < 0)
		return error_set(e, EINVAL, "%s: is no file with a secret in it", path);
	bool cut_off = (size_t)got == n && !memchr(out, '\n', n);
	out[(size_t)got < n ? (size_t)got : n - 1] = 0;
	out[strcspn(out, "\r\n")] = 0;
	if (cut_off || !out[0]) {
		explicit_bzero(out, n);
		return error_set(e, EINVAL, "%s: its first line is %s", path,
				 cut_off ? "too long for a secret" : "empty");
	}
	return 0;
}

void secret_from_environment(struct backend_login *login)
{
	const char *own = getenv(SECRET_ENV), *target = getenv(SECRET_TARGET_ENV);

	if (own && !login->secret[0] && strlen(own) < sizeof(login->secret))
		strcpy(login->secret, own);
	if (target && !login->target_secret[0] && strlen(target) < sizeof(login->target_secret))
		strcpy(login->target_secret, target);
}
