/* url.c - the name of a LUN: iscsi://[USER@]HOST[:PORT][,HOST...]/TARGET/LUN.
 *
 * The form is libiscsi's, but for the list of portals. Secrets have been taken out before a spec comes here.
 */
#include "backends/iscsi/iscsi.h"

#include <ctype.h>
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define SCHEME "iscsi://"

static int wrong(const char *spec, const char *what, struct error *e)
{
	return error_set(e, EINVAL, "%.300s: %s; write iscsi://[USER@]HOST[:PORT]/TARGET/LUN", spec,
			 what);
}

/* Copies what lies between two places; false when it is empty or too long. */
static bool cut(char *out, size_t n, const char *from, const char *to)
{
	size_t length = (size_t)(to - from);

	if (length == 0 || length >= n)
		return false;
	memcpy(out, from, length);
	out[length] = 0;
	return true;
}

/* %3A becomes ':', as in any URL. */
static bool decode(char *text)
{
	char *to = text;

	for (const char *from = text; *from; from++) {
		unsigned value;
		if (*from != '%') {
			*to++ = *from;
			continue;
		}
		if (!isxdigit((unsigned char)from[1]) || !isxdigit((unsigned char)from[2]))
			return false;
		sscanf(from + 1, "%2x", &value);
		if (!isprint((int)value))
			return false;
		*to++ = (char)value;
		from += 2;
	}
	*to = 0;
	return true;
}

/* "host", "host:port", "[v6]", "[v6]:port" */
static bool parse_portal(struct iscsi_address *a, const char *from, const char *to)
{
	const char *colon, *end;
	char *rest;

	if (from < to && *from == '[') {
		const char *close = memchr(from, ']', (size_t)(to - from));
		if (!close || (close + 1 < to && close[1] != ':'))
			return false;
		end = close;
		colon = close + 1 < to ? close + 1 : NULL;
		from++;
	} else {
		colon = memchr(from, ':', (size_t)(to - from));
		end = colon ? colon : to;
	}
	if (!cut(a->host, sizeof(a->host), from, end))
		return false;
	snprintf(a->port, sizeof(a->port), ISCSI_PORT);
	if (colon && !cut(a->port, sizeof(a->port), colon + 1, to))
		return false;
	long port = strtol(a->port, &rest, 10);
	return isdigit((unsigned char)a->port[0]) && !*rest && port > 0 && port < 65536;
}

/* A list with commas; each must be good, and number i is kept. */
static bool parse_portals(struct iscsi_address *a, const char *from, const char *to, unsigned i)
{
	struct iscsi_address one;

	for (;;) {
		const char *comma = memchr(from, ',', (size_t)(to - from));
		if (!parse_portal(&one, from, comma ? comma : to))
			return false;
		if (a->portals++ == i) {
			memcpy(a->host, one.host, sizeof(a->host));
			memcpy(a->port, one.port, sizeof(a->port));
		}
		if (!comma)
			break;
		from = comma + 1;
	}
	return i < a->portals && a->portals <= ISCSI_PATHS_MAX;
}

static bool parse_lun(struct iscsi_address *a, const char *from, const char *to)
{
	char text[16], *rest;

	if (!cut(text, sizeof(text), from, to) || !isdigit((unsigned char)text[0]))
		return false;
	unsigned long lun = strtoul(text, &rest, 10);
	a->lun = (int)lun;
	/* What libiscsi can name: flat space addressing (SAM-5, 4.7.7.3). */
	return !*rest && lun < 16384;
}

static bool parse_query(struct iscsi_address *a, const char *query)
{
	static const char key[] = "target_user=";

	return strncmp(query, key, sizeof(key) - 1) == 0 &&
	       cut(a->target_user, sizeof(a->target_user), query + sizeof(key) - 1,
		   query + strlen(query));
}

int iscsi_address_parse(struct iscsi_address *a, const char *spec, unsigned i, bool portal,
			struct error *e)
{
	bool scheme = strncmp(spec, SCHEME, sizeof(SCHEME) - 1) == 0;
	const char *from = spec + (scheme ? sizeof(SCHEME) - 1 : 0);
	const char *query = strchr(from, '?');
	const char *end = query ? query : spec + strlen(spec);

	memset(a, 0, sizeof(*a));
	if (!scheme && !portal)
		return wrong(spec, "no iSCSI target", e);
	const char *at = memchr(from, '@', (size_t)(end - from));
	if (at && !cut(a->user, sizeof(a->user), from, at))
		return wrong(spec, "the user before '@' is empty or too long", e);
	from = at ? at + 1 : from;
	const char *slash = memchr(from, '/', (size_t)(end - from));
	if (!parse_portals(a, from, slash ? slash : end, i))
		return wrong(spec, "the portal is no HOST or HOST:PORT", e);
	if (query && !parse_query(a, query + 1))
		return wrong(spec, "behind '?' only target_user=NAME is known", e);
	if (portal && (!slash || slash + 1 == end))
		return 0;
	if (portal)
		return !memchr(slash + 1, '/', (size_t)(end - slash - 1)) &&
				       cut(a->target, sizeof(a->target), slash + 1, end) &&
				       decode(a->target)
			       ? 0
			       : error_set(e, EINVAL,
					   "%.300s: a portal is wanted, or one target behind it: "
					   "HOST[:PORT][/TARGET]",
					   spec);
	const char *last = slash ? memrchr(slash + 1, '/', (size_t)(end - slash - 1)) : NULL;
	if (!last)
		return wrong(spec, "TARGET/LUN is missing", e);
	if (!cut(a->target, sizeof(a->target), slash + 1, last) || !decode(a->target))
		return wrong(spec, "the target's name is empty, too long or badly written", e);
	if (!parse_lun(a, last + 1, end))
		return wrong(spec, "the LUN is no number below 16384", e);
	return 0;
}

int iscsi_address_resolve(const struct iscsi_address *a, char *out, size_t n, struct error *e)
{
	struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *list;
	char host[NI_MAXHOST];
	int rc = getaddrinfo(a->host, a->port, &hints, &list);

	if (rc)
		return error_set(e, EHOSTUNREACH,
				 "portal %s: the name has no address (%s): check it, or write the "
				 "address",
				 a->host, rc == EAI_SYSTEM ? strerror(errno) : gai_strerror(rc));
	rc = getnameinfo(list->ai_addr, list->ai_addrlen, host, sizeof(host), NULL, 0,
			 NI_NUMERICHOST);
	bool v6 = list->ai_family == AF_INET6;
	freeaddrinfo(list);
	if (rc)
		return error_set(e, EHOSTUNREACH, "portal %s: %s", a->host, gai_strerror(rc));
	snprintf(out, n, v6 ? "[%s]:%s" : "%s:%s", host, a->port);
	return 0;
}
