/* verify.c - a program for the guest: keeps a LUN that was never written busy with reads and writes through
 * the iSCSI backend until SIGTERM, then reads all of it, and says what became of every IO and byte.
 *
 *     verify URL STATUS
 *
 * The file STATUS is written anew twice a second, a line of totals and one for each session. Exit status 0:
 * no IO failed or was lost, and every block holds what was written to it last.
 */
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tests/drive.h"
#include "tests/proc.h"

#define DEPTH        16u
#define BLOCK        16384u
#define SESSIONS_MAX 8

static volatile sig_atomic_t ending;

static void end(int signal)
{
	(void)signal;
	ending = 1;
}

static void tell(const struct drive *d, FILE *f)
{
	static const char *const names[] = {
		[SESSION_DOWN] = "down", [SESSION_LOGIN] = "logging-in", [SESSION_UP] = "up"};
	struct backend_session s[SESSIONS_MAX];
	unsigned n = d->b->sessions(d->target, s, SESSIONS_MAX);

	fprintf(f, "ios %" PRIu64 " errors %" PRIu64 " wrong %" PRIu64 "\n", d->completed,
		d->errors, d->wrong);
	for (unsigned i = 0; i < n && i < SESSIONS_MAX; i++)
		fprintf(f, "%s %s ios %" PRIu64 " drops %" PRIu64 " attentions %" PRIu64 "\n",
			s[i].portal, names[s[i].state], s[i].ios, s[i].drops, s[i].attentions);
}

/* In one piece: whoever reads it sees the old one or the new one. */
static void tell_file(const struct drive *d, const char *path)
{
	char draft[PATH_MAX];

	snprintf(draft, sizeof(draft), "%s.new", path);
	FILE *f = fopen(draft, "we");
	if (!f)
		return;
	tell(d, f);
	if (fclose(f) == 0)
		rename(draft, path);
}

static int check_all(struct drive *d)
{
	if (!drive_drain(d, proc_patience())) {
		printf("verify: %u IOs don't come back\n", d->outstanding);
		return 1;
	}
	if (!drive_read_all(d)) {
		printf("verify: the LUN can't be read to its end\n");
		return 1;
	}
	if (d->errors)
		printf("verify: the last error: %s\n", strerror(-d->last_error));
	return !drive_balanced(d) || d->errors || d->wrong;
}

int main(int argc, char **argv)
{
	static struct drive d;

	if (argc != 3) {
		fprintf(stderr, "usage: verify URL STATUS\n");
		return 2;
	}
	sigaction(SIGTERM, &(struct sigaction){.sa_handler = end, .sa_flags = SA_RESTART}, NULL);
	if (drive_open(&d, argv[1], DEPTH, BLOCK, true)) {
		printf("verify: %s\n", d.e.text);
		return 1;
	}
	d.write_percent = 60;
	while (!ending) {
		drive_for(&d, 0.5);
		tell_file(&d, argv[2]);
	}
	int bad = check_all(&d);
	tell(&d, stdout);
	if (d.outstanding == 0)
		drive_close(&d);
	return bad;
}
