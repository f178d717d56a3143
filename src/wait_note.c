/* wait_note.c - see wait_note.h. */
#include "wait_note.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SHOWN 60 /* bytes: with the words around them less than a row */

/* "WORDS WHAT...", n bytes of what. */
static void note(const char *words, const char *what, size_t n, bool done)
{
	int shown = (int)(n < SHOWN ? n : SHOWN);

	if (!isatty(STDERR_FILENO))
		return;
	if (done)
		fprintf(stderr, "\r%*s\r", (int)strlen(words) + 1 + shown + 3, "");
	else
		fprintf(stderr, "%s %.*s...", words, shown, what);
	fflush(stderr);
}

/* Who logs in stands before the portal, and perhaps a secret. */
static const char *behind_user(const char *from, const char *end)
{
	for (const char *p = end; p > from; p--)
		if (p[-1] == '@')
			return p;
	return from;
}

void wait_note_login(const char *spec, bool done)
{
	static const char scheme[] = "iscsi://";

	if (strncmp(spec, scheme, sizeof(scheme) - 1) != 0)
		return;
	const char *portals = spec + sizeof(scheme) - 1, *end = portals + strcspn(portals, "/");

	portals = behind_user(portals, end);
	note("Logging in to", portals, (size_t)(end - portals), done);
}

void wait_note_portals(const char *portals, bool done)
{
	/* Of several with a user each, the first is told. */
	const char *end = strchr(portals, '@') ? portals + strcspn(portals, " \t,")
					       : portals + strlen(portals);

	portals = behind_user(portals, end);
	note("Asking", portals, (size_t)(end - portals), done);
}

void wait_note_run(int64_t id, bool done)
{
	char number[24];

	snprintf(number, sizeof(number), "%lld", (long long)id);
	note("Reading run", number, strlen(number), done);
}
