/* login_note.c - see login_note.h. A login may take seconds, in which an empty terminal looks like a hang. */
#include "login_note.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PORTALS_SHOWN 60 /* bytes: with the words around them less than a row */

void login_note(const char *spec, bool done)
{
	static const char scheme[] = "iscsi://", words[] = "Logging in to ";
	const char *portals = spec + sizeof(scheme) - 1;

	if (strncmp(spec, scheme, sizeof(scheme) - 1) != 0 || !isatty(STDERR_FILENO))
		return;
	int n = (int)strcspn(portals, "/");
	/* Who logs in stands before them, and perhaps a secret. */
	for (int i = n; i > 0; i--)
		if (portals[i - 1] == '@') {
			portals += i;
			n -= i;
			break;
		}
	n = n < PORTALS_SHOWN ? n : PORTALS_SHOWN;
	if (done)
		fprintf(stderr, "\r%*s\r", (int)strlen(words) + n + 3, "");
	else
		fprintf(stderr, "%s%.*s...", words, n, portals);
}
