/* unit-iscsi.c - the parts of the iSCSI backend that need no target: names, words, identities. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cmocka.h>
#include "backends/iscsi/iscsi.h"

static struct error e;

static void a_url_is_taken_apart(void **state)
{
	static const struct {
		const char *url, *host, *port, *target, *user;
		int lun;
	} row[] = {
		{"iscsi://h/iqn.2026-01.com.example:a/0", "h", "3260", "iqn.2026-01.com.example:a",
		 "", 0},
		{"iscsi://ada@10.0.0.1:860/iqn:a/12", "10.0.0.1", "860", "iqn:a", "ada", 12},
		{"iscsi://[fe80::1]/eui.0123/3", "fe80::1", "3260", "eui.0123", "", 3},
		{"iscsi://[fe80::1]:99/x/3", "fe80::1", "99", "x", "", 3},
		{"iscsi://h/iqn.a%3Ab/16383", "h", "3260", "iqn.a:b", "", 16383},
		{"iscsi://h/iqn.a/with/slash/1", "h", "3260", "iqn.a/with/slash", "", 1},
	};
	struct iscsi_address a;
	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		if (iscsi_address_parse(&a, row[i].url, 0, false, &e))
			fail_msg("%s", e.text);
		assert_string_equal(a.host, row[i].host);
		assert_string_equal(a.port, row[i].port);
		assert_string_equal(a.target, row[i].target);
		assert_string_equal(a.user, row[i].user);
		assert_int_equal(a.lun, row[i].lun);
	}
	assert_int_equal(iscsi_address_parse(&a, "iscsi://u@h/x/1?target_user=bob", 0, false, &e),
			 0);
	assert_string_equal(a.target_user, "bob");
	/* Several ways to it. */
	static const char ways[] = "iscsi://u@10.0.0.1,[fe80::2]:99,c:1/x/1";
	assert_int_equal(iscsi_address_parse(&a, ways, 1, false, &e), 0);
	assert_int_equal(a.portals, 3);
	assert_string_equal(a.host, "fe80::2");
	assert_string_equal(a.port, "99");
	assert_int_equal(iscsi_address_parse(&a, ways, 2, false, &e), 0);
	assert_string_equal(a.host, "c");
	assert_int_equal(iscsi_address_parse(&a, ways, 3, false, &e), -EINVAL);
	assert_int_equal(iscsi_address_parse(&a, "iscsi://a,/x/1", 0, false, &e), -EINVAL);
	assert_int_equal(iscsi_address_parse(&a, "iscsi://a,b,c,d,e,f,g,h,i/x/1", 0, false, &e),
			 -EINVAL);
	assert_int_equal(iscsi_address_parse(&a, "h:3261", 0, true, &e), 0);
	assert_string_equal(a.port, "3261");
	assert_int_equal(iscsi_address_parse(&a, "iscsi://u@h/", 0, true, &e), 0);
	assert_string_equal(a.user, "u");
}

static void a_url_that_is_none_is_refused_with_the_form(void **state)
{
	static const char *const bad[] = {
		"iscsi://",
		"iscsi:///iqn/1",
		"iscsi://h",
		"iscsi://h/iqn",
		"iscsi://h/iqn/",
		"iscsi://h/iqn/x",
		"iscsi://h/iqn/-1",
		"iscsi://h/iqn/16384",
		"iscsi://h:0/iqn/1",
		"iscsi://h:65536/iqn/1",
		"iscsi://h:http/iqn/1",
		"iscsi://[::1/iqn/1",
		"iscsi://@h/iqn/1",
		"iscsi://h/iqn%zz/1",
		"iscsi://h/iqn%0a/1",
		"iscsi://h/iqn/1?password=x",
		"iscsi://h/iqn/99999999999999999999",
	};
	struct iscsi_address a;
	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		if (iscsi_address_parse(&a, bad[i], 0, false, &e) != -EINVAL)
			fail_msg("taken: %s", bad[i]);
		assert_non_null(strstr(e.text, "iscsi://[USER@]HOST[:PORT]/TARGET/LUN"));
	}
	assert_int_equal(iscsi_address_parse(&a, "h/iqn/1", 0, true, &e), -EINVAL);
	assert_int_equal(iscsi_address_parse(&a, "u@h/iqn%3Ax", 0, true, &e), 0);
	assert_string_equal(a.target, "iqn:x");
}

static void an_end_has_words_and_the_errno_that_fits(void **state)
{
	static const struct {
		struct scsi_end end;
		const char *words;
		int err;
	} row[] = {
		{{SCSI_STATUS_CHECK_CONDITION, 3, 0x1100},
		 "MEDIUM ERROR, unrecovered read error (3/11/00)",
		 EIO},
		{{SCSI_STATUS_CHECK_CONDITION, 7, 0x2700},
		 "DATA PROTECT, write protected (7/27/00)",
		 EROFS},
		{{SCSI_STATUS_CHECK_CONDITION, 7, 0x2707},
		 "DATA PROTECT, no space left in the pool (7/27/07)",
		 ENOSPC},
		{{SCSI_STATUS_CHECK_CONDITION, 5, 0x2100},
		 "ILLEGAL REQUEST, block address out of range (5/21/00)",
		 ERANGE},
		{{SCSI_STATUS_CHECK_CONDITION, 9, 0x8001}, "VENDOR SPECIFIC (9/80/01)", EREMOTEIO},
		{{SCSI_STATUS_RESERVATION_CONFLICT, 0, 0}, "RESERVATION CONFLICT", EBUSY},
		{{SCSI_STATUS_CANCELLED, 0, 0}, "the session was lost", ENOTCONN},
		{{0x77, 0, 0}, "status 0x77", EREMOTEIO},
	};
	char words[120];
	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		assert_string_equal(scsi_end_words(&row[i].end, words, sizeof(words)),
				    row[i].words);
		assert_int_equal(scsi_end_errno(&row[i].end), row[i].err);
	}
}

static void a_socket_that_failed_has_words_and_no_number(void **state)
{
	char out[128];

	(void)state;
	iscsi_socket_words("Error when writing to socket :104", out, sizeof(out));
	assert_string_equal(out, "the other side reset the connection");
	iscsi_socket_words("Error when writing to socket :32 10.0.0.1", out, sizeof(out));
	assert_string_equal(out, "the other side ended the session");
	iscsi_socket_words("read from socket failed, errno:110", out, sizeof(out));
	assert_string_equal(out, "the connection failed: Connection timed out");
	iscsi_socket_words("iscsi_service: POLLHUP, socket error.", out, sizeof(out));
	assert_string_equal(out, "");
	iscsi_socket_words("SENSE KEY: 5", out, sizeof(out));
	assert_string_equal(out, "");
}

static void the_best_name_of_the_lun_is_its_identity(void **state)
{
	/* T10, NAA 6 of the LUN, NAA 5 of the port. */
	static const uint8_t page[] = {
		0,  0x83, 0,  44,                                          /* header */
		2,  1,    0,  8,  'V',  'E',  'N', ' ', 'x',  ' ', 'y', 0, /* T10 */
		1,  3,    0,  16, 0x60, 1,    2,   3,   4,    5,   6,   7, 8, 9, 10, 11,
		12, 13,   14, 15, 0x61, 0x93, 0,   8,   0x50, 1,   2,   3, 4, 5, 6,  7,
	};
	uint8_t broken[sizeof(page)];
	char id[160];
	(void)state;
	scsi_page83_id(page, sizeof(page), id, sizeof(id));
	assert_string_equal(id, "naa.600102030405060708090a0b0c0d0e0f");
	scsi_page83_id(page, 16, id, sizeof(id));
	assert_string_equal(id, "t10.VEN x y");
	/* Only the port's is left. */
	memcpy(broken, page, sizeof(page));
	broken[4 + 12 + 1] = 0x93;
	broken[4 + 1] = 0x91;
	scsi_page83_id(broken, sizeof(broken), id, sizeof(id));
	assert_string_equal(id, "");
	/* Lengths that lead out of the page. */
	for (size_t n = 0; n <= sizeof(page); n++)
		scsi_page83_id(page, n, id, sizeof(id));
	memcpy(broken, page, sizeof(page));
	memset(broken + 4, 0xff, sizeof(page) - 4);
	scsi_page83_id(broken, sizeof(broken), id, sizeof(id));
	assert_string_equal(id, "");
}

static void a_peer_without_its_secret_is_refused_before_anything_is_sent(void **state)
{
	struct backend_login login = {.user = ""};
	struct backend_open how = {.spec = "iscsi://ada@127.0.0.1/iqn:a/1", .login = &login};
	struct iscsi_peer peer;
	(void)state;
	assert_int_equal(iscsi_peer_init(&peer, &how, 0, false, &e), -ENOKEY);
	assert_non_null(strstr(e.text, "--chap-secret-file"));
	strcpy(login.secret, "s3cret");
	assert_int_equal(iscsi_peer_init(&peer, &how, 0, false, &e), 0);
	assert_string_equal(peer.portal, "127.0.0.1:3260");
	assert_true(peer.login.initiator[0]);
	strcpy(login.target_user, "bob");
	assert_int_equal(iscsi_peer_init(&peer, &how, 0, false, &e), -ENOKEY);
	assert_null(strstr(e.text, "s3cret"));
}

/* Takes the connection, says nothing, and loses patience on behalf of who waits for the login. */
struct silent {
	int listener;
	atomic_bool cancel;
};

static void *be_silent(void *arg)
{
	struct silent *p = arg;
	int fd = accept(p->listener, NULL, NULL);

	atomic_store(&p->cancel, true);
	return (void *)(intptr_t)fd;
}

static void nothing_found(const struct backend_found *found, void *arg)
{
	(void)found;
	(void)arg;
	fail();
}

static void a_login_that_nobody_waits_for_any_more_is_called_off(void **state)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t n = sizeof(a);
	struct silent p = {.listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
	(void)state;
	assert_int_equal(bind(p.listener, (struct sockaddr *)&a, sizeof(a)), 0);
	assert_int_equal(listen(p.listener, 4), 0);
	assert_int_equal(getsockname(p.listener, (struct sockaddr *)&a, &n), 0);
	for (int discover = 0; discover < 2; discover++) {
		char spec[80];
		struct backend_open how = {.spec = spec, .fd = -1, .cancel = &p.cancel};
		void *target, *fd;
		pthread_t thread;
		snprintf(spec, sizeof(spec), "iscsi://127.0.0.1:%d%s", ntohs(a.sin_port),
			 discover ? "" : "/iqn:a/1");
		atomic_store(&p.cancel, false);
		assert_int_equal(pthread_create(&thread, NULL, be_silent, &p), 0);
		int rc = discover ? backend_find("iscsi")->discover(&how, nothing_found, NULL, &e)
				  : backend_find("iscsi")->open(&how, &target, &e);
		pthread_join(thread, &fd);
		close((int)(intptr_t)fd);
		/* Else it would be -ETIMEDOUT. */
		assert_int_equal(rc, -ECANCELED);
	}
	close(p.listener);
}

static void what_a_target_tells_does_nothing_to_a_terminal(void **state)
{
	char text[] = "iqn.2026-01.test:\033[2Ja\x7f\tb\xc3\xa4";
	(void)state;

	error_tame(text);
	assert_string_equal(text, "iqn.2026-01.test:?[2Ja??b\xc3\xa4");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_url_is_taken_apart),
		cmocka_unit_test(a_login_that_nobody_waits_for_any_more_is_called_off),
		cmocka_unit_test(a_url_that_is_none_is_refused_with_the_form),
		cmocka_unit_test(an_end_has_words_and_the_errno_that_fits),
		cmocka_unit_test(a_socket_that_failed_has_words_and_no_number),
		cmocka_unit_test(the_best_name_of_the_lun_is_its_identity),
		cmocka_unit_test(what_a_target_tells_does_nothing_to_a_terminal),
		cmocka_unit_test(a_peer_without_its_secret_is_refused_before_anything_is_sent),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
