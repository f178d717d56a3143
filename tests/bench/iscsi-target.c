/* iscsi-target.c - an iSCSI target for benches: tgtd, or the tests' mock target with no faults armed.
 *
 *     iscsi-target mock|tgtd
 *
 * Prints the URL of a LUN of 1 GiB that anybody may read, and is there until its standard input ends. tgtd's
 * LUN is a sparse file in $TMPDIR.
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "tests/mocktgt.h"
#include "tests/scratch.h"
#include "tests/tgtd.h"

#define LUN_SIZE (UINT64_C(1) << 30)

static void until_the_end_of_input(const char *url)
{
	char c;

	printf("%s\n", url);
	fflush(stdout);
	while (read(STDIN_FILENO, &c, 1) > 0)
		;
}

static int serve_mock(void)
{
	struct mock *m = mock_start(&(struct mock_options){.lun = {{.blocks = LUN_SIZE / 512}}});

	until_the_end_of_input(mock_url(m, 1, "", 0));
	mock_stop(m);
	return 0;
}

static int serve_tgtd(void)
{
	static struct tgtd t;
	struct tgtd_lun lun = {.file = scratch_file("lun", LUN_SIZE, true)};

	if (tgtd_missing()) {
		fprintf(stderr, "%s\n", tgtd_missing());
		return 77;
	}
	if (tgtd_start(&t, NULL) || tgtd_target(&t, "bench") != 1 ||
	    tgtd_parameter(&t, 1, "MaxRecvDataSegmentLength", "262144") ||
	    tgtd_parameter(&t, 1, "MaxXmitDataSegmentLength", "262144") ||
	    tgtd_parameter(&t, 1, "MaxQueueCmd", "512") || tgtd_lun(&t, 1, 1, &lun))
		return 1;
	until_the_end_of_input(tgtd_url(&t, 1, "", "bench", 1));
	tgtd_free(&t);
	return 0;
}

int main(int argc, char **argv)
{
	signal(SIGPIPE, SIG_IGN);
	if (argc == 2 && strcmp(argv[1], "mock") == 0)
		return serve_mock();
	if (argc == 2 && strcmp(argv[1], "tgtd") == 0)
		return serve_tgtd();
	fprintf(stderr, "usage: iscsi-target mock|tgtd\n");
	return 2;
}
