/* root-iscsi.c - the real program against a real iSCSI target: logging in, reading, writing with consent,
 * and a target that goes away.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <iscsi/iscsi.h>
#include <iscsi/scsi-lowlevel.h>
#include "tests/initiator.h"
#include "tests/io.h"
#include "tests/netns.h"
#include "tests/proc.h"
#include "tests/scratch.h"
#include "tests/tgtd.h"

#define MIB      (1u << 20)
#define LUN_SIZE (16 * MIB)
#define LUN_ID   "00000000c0ffee01"

static struct tgtd t, stranger;
static struct net net;
static struct initiator other;
static struct proc running;
static char url[512], store[PATH_MAX];

static void need_tgtd(void)
{
	if (tgtd_missing()) {
		print_message("%s\n", tgtd_missing());
		skip();
	}
}

static int clean_up(void **state)
{
	(void)state;
	initiator_close(&other);
	if (running.pid) {
		kill(running.pid, SIGKILL);
		proc_wait(&running);
	}
	proc_free(&running);
	net_leave(&net);
	tgtd_free(&t);
	tgtd_free(&stranger);
	net_free(&net);
	return 0;
}

/* Paths of scratch.h live for 8 calls only, and each run takes two. */
static const char *kept(const char *path)
{
	static char copy[8][PATH_MAX];
	static unsigned next;
	char *out = copy[next++ % 8];
	snprintf(out, PATH_MAX, "%s", path);
	return out;
}

/* One target "one" with LUN 1 over a file. */
static struct tgtd_lun start_one(bool sparse)
{
	struct tgtd_lun l = {.file = kept(scratch_file("lun", LUN_SIZE, sparse)),
			     .id = LUN_ID,
			     .serial = "SER1"};
	need_tgtd();
	assert_int_equal(tgtd_start(&t, NULL), 0);
	assert_int_equal(tgtd_target(&t, "one"), 1);
	assert_int_equal(tgtd_lun(&t, 1, 1, &l), 0);
	snprintf(url, sizeof(url), "%s", tgtd_url(&t, 1, "", "one", 1));
	return l;
}

static void pause_ms(long ms)
{
	nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

/* Runs that go on are ended by the test; their records tell when something has come to pass. */
static const struct proc_options without_end = {.limit_s = 800};

static void fresh_store(void)
{
	static unsigned serial;
	char name[32];

	snprintf(name, sizeof(name), "runs%u.db", serial++);
	snprintf(store, sizeof(store), "%s", scratch_path(name));
}

static void expect(const struct outcome *o, int status, const char *words)
{
	if (o->p.status != status || !strstr(o->p.err, words))
		fail_msg("status %d, looked for '%s' in: %s", o->p.status, words, o->p.err);
}

/* The identity that the guard wants to be named: what stands behind --i-own in its words. */
static const char *identity(void)
{
	static char id[256];
	struct outcome o;
	IO_RUN(&o, url, "--write", "--read", "0", "--for", "100ms");
	const char *at = strstr(o.p.err, "--i-own '");
	if (o.p.status != 3 || !at)
		fail_msg("status %d: %s", o.p.status, o.p.err);
	at += strlen("--i-own '");
	snprintf(id, sizeof(id), "%.*s", (int)strcspn(at, "'"), at);
	io_free(&o);
	return id;
}

/* --- Reading. --- */

static const char *text_of(const json_t *doc, const char *name)
{
	const json_t *target = json_object_get(json_object_get(doc, "settings"), "target");
	const char *text = json_string_value(json_object_get(target, name));
	return text ? text : "";
}

static void a_lun_is_read_and_says_what_it_is(void **state)
{
	struct outcome o;
	(void)state;
	start_one(false);
	IO_RUN(&o, url, "--for", "500ms", "--outstanding", "16");
	io_expect_good(&o);
	io_check_sums(o.doc);
	assert_string_equal(text_of(o.doc, "kind"), "iSCSI LUN");
	assert_non_null(strstr(text_of(o.doc, "model"), "SER1"));
	assert_int_equal(io_count(o.doc, "settings.target.size_bytes"), LUN_SIZE);
	assert_int_equal(io_count(o.doc, "settings.target.logical_block_bytes"), 512);
	io_free(&o);
}

static void workers_have_sessions_of_their_own_and_their_full_depth(void **state)
{
	struct outcome o;
	(void)state;
	start_one(false);
	/* Workers begin one after the other. */
	IO_RUN(&o, url, "--warmup", "2s", "--for", "1s", "--workers", "3", "--outstanding", "32");
	io_expect_good(&o);
	assert_true(io_number(o.doc, "summary.depth_achieved") > 90);
	io_free(&o);
	/* More than a READ(10) can say. */
	GOOD(url, "--for", "300ms", "--block", "8m", "--outstanding", "2");
}

static void large_blocks_are_the_least_where_the_lun_says_so(void **state)
{
	(void)state;
	start_one(true);
	struct tgtd_lun l = {.file = scratch_file("big", LUN_SIZE, true), .block = 4096};
	assert_int_equal(tgtd_lun(&t, 1, 2, &l), 0);
	const char *big = tgtd_url(&t, 1, "", "one", 2);
	REFUSED(WORDS("512", "multiple of its"), big, "--block", "512");
	GOOD(big, "--for", "300ms");
}

static void a_header_digest_is_used_where_granted_and_else_its_lack_is_said(void **state)
{
	static const char lack[] = "the header digest that was asked for is not granted";
	struct outcome o;
	(void)state;
	start_one(true);
	struct tgtd_lun l = {.file = NULL};
	assert_int_equal(tgtd_target(&t, "sums"), 2);
	assert_int_equal(tgtd_parameter(&t, 2, "HeaderDigest", "CRC32C"), 0);
	assert_int_equal(tgtd_lun(&t, 2, 1, &l), 0);
	IO_RUN(&o, tgtd_url(&t, 1, "", "sums", 1), "--header-digest", "--for", "300ms");
	io_expect_good(&o);
	assert_null(strstr(o.p.out, lack));
	io_free(&o);
	IO_RUN(&o, url, "--header-digest", "--for", "300ms");
	io_expect_good(&o);
	assert_non_null(strstr(o.p.out, lack));
	io_free(&o);
}

static void what_can_not_be_reached_is_named_with_the_remedy(void **state)
{
	char none[512];
	(void)state;
	start_one(true);
	assert_int_equal(tgtd_chap(&t, 1, false), 0);
	const char *wrong = TGTD_USER "%wrongsecret12";
	REFUSED(WORDS("CHAP was rejected", TGTD_USER), tgtd_url(&t, 1, wrong, "one", 1));
	REFUSED(WORDS("wants CHAP", "--chap-secret-file"), tgtd_url(&t, 1, "", "one", 1));
	REFUSED(WORDS("needs a secret", "LUNSCOPE_CHAP_SECRET"),
		tgtd_url(&t, 1, TGTD_USER, "one", 1));
	assert_int_equal(tgtd_target(&t, "two"), 2);
	/* With the names of those that there are; LUN 0 is tgtd's controller. */
	REFUSED(WORDS("has no target", "lunscope discover", "it has", tgtd_iqn("one"),
		      tgtd_iqn("two")),
		tgtd_url(&t, 1, "", "none", 1));
	struct tgtd_lun null = {.file = NULL};
	assert_int_equal(tgtd_lun(&t, 2, 3, &null), 0);
	assert_int_equal(tgtd_lun(&t, 2, 5, &null), 0);
	REFUSED(WORDS("has no LUN 7", "lunscope discover", "it has LUN 3, LUN 5"),
		tgtd_url(&t, 1, "", "two", 7));
	REFUSED(WORDS("is no disk", "take another LUN"), tgtd_url(&t, 1, "", "two", 0));
	snprintf(none, sizeof(none), "iscsi://127.0.0.1:1/%s/1", tgtd_iqn("one"));
	REFUSED(WORDS("127.0.0.1:1", "refuses connections", "port right"), none);
	REFUSED(WORDS("TARGET/LUN is missing"), "iscsi://127.0.0.1");
	REFUSED(WORDS("--initiator has no effect", "no iscsi:// target"), "null:", "--initiator",
		"iqn.2026-01.test:x");
	REFUSED(WORDS("no page cache"), tgtd_url(&t, 1, "", "two", 1), "--buffered");
	REFUSED(WORDS("libaio", "cannot drive"), tgtd_url(&t, 1, "", "two", 1), "--backend",
		"libaio");
}

/* A socket that listens; with backlog 0 the kernel drops what comes when one waits already. */
static int listener(int *port)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t length = sizeof(a);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_true(fd >= 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&a, sizeof(a)), 0);
	assert_int_equal(listen(fd, 0), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&a, &length), 0);
	*port = ntohs(a.sin_port);
	return fd;
}

static void silence_is_waited_for_a_few_seconds_only(void **state)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int port, fd[8];
	char silent[512];
	(void)state;
	need_tgtd();
	int server = listener(&port);
	snprintf(silent, sizeof(silent), "iscsi://127.0.0.1:%d/%s/1", port, tgtd_iqn("one"));
	/* It takes the connection and says nothing. */
	REFUSED(WORDS("the login is not answered"), silent);
	/* Nothing is taken any more. */
	a.sin_port = htons((uint16_t)port);
	for (int i = 0; i < 8; i++) {
		fd[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
		connect(fd[i], (struct sockaddr *)&a, sizeof(a));
	}
	REFUSED(WORDS("does not answer", "firewall"), silent);
	for (int i = 0; i < 8; i++)
		close(fd[i]);
	close(server);
}

static void a_portal_to_which_there_is_no_way_is_named_at_once(void **state)
{
	char none[512];
	(void)state;
	need_tgtd();
	if (net_missing()) {
		print_message("%s\n", net_missing());
		skip();
	}
	assert_int_equal(net_make(&net, 1, 0), 0);
	assert_int_equal(net_enter(&net, NET_INITIATOR), 0);
	snprintf(none, sizeof(none), "iscsi://192.0.2.1/%s/1", tgtd_iqn("one"));
	REFUSED(WORDS("192.0.2.1:3260", "can't be reached", "address"), none);
}

/* --- Discovery. --- */

static void a_portal_tells_its_targets_and_their_luns(void **state)
{
	const char *json = kept(scratch_path("found.json"));
	char portal[64], one[320];
	struct proc p;
	(void)state;
	start_one(true);
	struct tgtd_lun big = {.file = NULL};
	assert_int_equal(tgtd_target(&t, "two"), 2);
	assert_int_equal(tgtd_lun(&t, 2, 3, &big), 0);
	assert_int_equal(tgtd_lun_read_only(&t, 1, 1, true), 0);
	snprintf(portal, sizeof(portal), "%s:%d", tgtd_address(&t, 1), t.port);
	PROC(&p, lunscope_path(), "discover", portal, "--json", json);
	if (p.status)
		fail_msg("status %d: %s", p.status, p.err);
	assert_non_null(strstr(p.out, tgtd_iqn("one")));
	assert_non_null(strstr(p.out, tgtd_iqn("two")));
	assert_non_null(strstr(p.out, "16 MiB"));
	assert_non_null(strstr(p.out, "1 TiB"));
	assert_non_null(strstr(p.out, LUN_ID "  write protected"));
	proc_free(&p);
	json_t *doc = json_load_file(json, 0, NULL);
	assert_non_null(doc);
	assert_int_equal(json_array_size(json_object_get(doc, "targets")), 2);
	json_decref(doc);
	/* One target only, and one portal of two. */
	snprintf(one, sizeof(one), "%s/%s", portal, tgtd_iqn("two"));
	PROC(&p, lunscope_path(), "discover", one, "127.0.0.1:1", "--json", json);
	assert_int_equal(p.status, 1);
	assert_null(strstr(p.out, tgtd_iqn("one")));
	assert_non_null(strstr(p.out, "1 TiB"));
	assert_non_null(strstr(p.err, "127.0.0.1:1 refuses connections"));
	proc_free(&p);
	doc = json_load_file(json, 0, NULL);
	assert_int_equal(json_array_size(json_object_get(doc, "targets")), 1);
	assert_int_equal(json_array_size(json_object_get(doc, "silent_portals")), 1);
	json_decref(doc);
	/* One that can't be asked is named, and the rest is told all the same. */
	assert_int_equal(tgtd_chap(&t, 2, false), 0);
	PROC(&p, lunscope_path(), "discover", portal);
	assert_int_equal(p.status, 1);
	assert_non_null(strstr(p.out, "wants CHAP"));
	assert_non_null(strstr(p.out, LUN_ID));
	proc_free(&p);
	PROC(&p, lunscope_path(), "discover", "127.0.0.1:1");
	assert_int_equal(p.status, 2);
	assert_non_null(strstr(p.err, "refuses connections"));
	proc_free(&p);
}

/* --- Secrets. --- */

static bool file_has(const char *path, const char *word)
{
	static char text[1 << 22];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	ssize_t n = read(fd, text, sizeof(text));
	close(fd);
	return n > 0 && memmem(text, (size_t)n, word, strlen(word));
}

static void the_secret_comes_by_url_file_or_environment_and_goes_nowhere(void **state)
{
	const char *json = kept(scratch_path("r.json"));
	const char *secret = kept(scratch_text("secret", TGTD_SECRET "\n"));
	const char *environment[] = {"LUNSCOPE_CHAP_SECRET=" TGTD_SECRET, NULL};
	char path[64];
	(void)state;
	start_one(true);
	assert_int_equal(tgtd_chap(&t, 1, false), 0);
	GOOD(tgtd_url(&t, 1, TGTD_USER, "one", 1), "--chap-secret-file", secret, "--for", "200ms");
	const char *by_env[] = {
		lunscope_path(), "run", tgtd_url(&t, 1, TGTD_USER, "one", 1), "--no-store", "--for",
		"200ms",         NULL};
	struct proc p;
	assert_int_equal(proc_run(&p, by_env, &(struct proc_options){.env = environment}), 0);
	assert_int_equal(p.status, 0);
	proc_free(&p);
	fresh_store();
	const char *by_url[] = {lunscope_path(),
				"run",
				tgtd_url(&t, 1, TGTD_USER "%" TGTD_SECRET, "one", 1),
				"--store",
				store,
				"--json",
				json,
				"--for",
				"600s",
				NULL};
	assert_int_equal(proc_start(&running, by_url, &without_end), 0);
	io_await_ios(store, 1);
	/* What ps shows. */
	snprintf(path, sizeof(path), "/proc/%d/cmdline", (int)running.pid);
	assert_true(file_has(path, TGTD_USER "@"));
	assert_false(file_has(path, TGTD_SECRET));
	kill(running.pid, SIGINT);
	proc_wait(&running);
	assert_int_equal(running.status, 128 + SIGINT);
	assert_null(strstr(running.out, TGTD_SECRET));
	assert_null(strstr(running.err, TGTD_SECRET));
	assert_true(file_has(json, TGTD_USER "@"));
	assert_false(file_has(json, TGTD_SECRET));
	assert_false(file_has(store, TGTD_SECRET));
	char wal[PATH_MAX];
	snprintf(wal, sizeof(wal), "%s-wal", store);
	assert_false(file_has(wal, TGTD_SECRET));
	PROC(&p, lunscope_path(), "show", "1", "--store", store);
	assert_non_null(strstr(p.out, TGTD_USER "@"));
	assert_null(strstr(p.out, TGTD_SECRET));
	proc_free(&p);
}

static void with_mutual_chap_the_target_proves_itself(void **state)
{
	const char *own = kept(scratch_text("own", TGTD_SECRET));
	const char *right = kept(scratch_text("right", TGTD_SECRET_BACK "\n"));
	const char *wrong = kept(scratch_text("wrong", "anothersecret1\n"));
	(void)state;
	start_one(true);
	assert_int_equal(tgtd_chap(&t, 1, true), 0);
	const char *spec = tgtd_url(&t, 1, TGTD_USER, "one", 1);
	GOOD(spec, "--chap-secret-file", own, "--chap-target-user", TGTD_USER_BACK,
	     "--chap-target-secret-file", right, "--for", "200ms");
	REFUSED(WORDS("failed to prove itself", TGTD_USER_BACK), spec, "--chap-secret-file", own,
		"--chap-target-user", TGTD_USER_BACK, "--chap-target-secret-file", wrong);
	REFUSED(WORDS("mutual CHAP", "--chap-target-secret-file"), spec, "--chap-secret-file", own,
		"--chap-target-user", TGTD_USER_BACK);
}

/* --- Runs that go on. --- */

static void start_run(const char *const arguments[])
{
	const char *argv[40] = {lunscope_path(),
				"run",
				url,
				"--store",
				store,
				"--for",
				"600s",
				"--json",
				scratch_path("result.json"),
				"--csv",
				scratch_path("result.csv")};
	size_t n = 11;
	fresh_store();
	for (size_t i = 0; arguments[i]; i++)
		argv[n++] = arguments[i];
	unlink(scratch_path("result.json"));
	assert_int_equal(proc_start(&running, argv, &without_end), 0);
	io_await_ios(store, 1);
}
#define START(...) start_run((const char *const[]){__VA_ARGS__, NULL})

static json_t *end_run(void)
{
	proc_wait(&running);
	assert_false(running.timed_out);
	json_t *doc = json_load_file(scratch_path("result.json"), 0, NULL);
	if (!doc)
		fail_msg("status %d: %s", running.status, running.err);
	return doc;
}

static json_t *interrupt_run(void)
{
	kill(running.pid, SIGINT);
	json_t *doc = end_run();
	if (running.status != 128 + SIGINT)
		fail_msg("status %d: %s", running.status, running.err);
	return doc;
}

/* The path's loss is on record, and that it is back. */
static void await_lost(unsigned path)
{
	char words[64];

	snprintf(words, sizeof(words), "path %u %s:%d lost", path, tgtd_address(&t, path),
		 t.port);
	io_await_told(store, words);
}

static void await_back(unsigned path)
{
	char words[64];

	snprintf(words, sizeof(words), "path %u is back after ", path);
	io_await_told(store, words);
}

static bool has_mark(const json_t *doc, const char *words)
{
	const json_t *mark;
	size_t i;
	json_array_foreach(json_object_get(doc, "marks"), i,
			   mark) if (strstr(json_string_value(json_object_get(mark, "text")),
					    words)) return true;
	return false;
}

/* --- Writing. --- */

static uint8_t before[LUN_SIZE], after[LUN_SIZE];

static void read_file(const char *file, uint8_t *into)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(pread(fd, into, LUN_SIZE, 0), LUN_SIZE);
	close(fd);
}

static void nothing_is_written_without_consent_and_then_only_in_the_window(void **state)
{
	struct outcome o;
	(void)state;
	struct tgtd_lun l = start_one(false);
	read_file(l.file, before);
	IO_RUN(&o, url, "--read", "0", "--for", "200ms");
	expect(&o, 3, "would write; add --write --i-own");
	io_free(&o);
	const char *id = identity();
	assert_non_null(strstr(id, "naa."));
	assert_non_null(strstr(id, LUN_ID));
	IO_RUN(&o, url, "--read", "0", "--for", "200ms", "--write", "--i-own", id);
	expect(&o, 3, "whether other hosts use it can't be seen");
	io_free(&o);
	IO_RUN(&o, url, "--read", "0", "--for", "200ms", "--write", "--destroy", "--i-own",
	       "naa.6000000000000000");
	expect(&o, 3, "not written");
	io_free(&o);
	read_file(l.file, after);
	assert_memory_equal(before, after, LUN_SIZE);
	/* Every block of the window, and none besides. */
	START("--read", "0", "--random", "0", "--write", "--destroy", "--i-own", id, "--data",
	      "hex:c0de", "--block", "64k");
	/* In order, so that by then it has come around. */
	io_await_ios(store, 2 * (LUN_SIZE / (64 * 1024)));
	json_t *doc = interrupt_run();
	io_check_sums(doc);
	assert_int_equal(io_count(doc, "summary.total.errors"), 0);
	json_decref(doc);
	read_file(l.file, after);
	assert_memory_equal(before, after, MIB);
	assert_memory_equal(before + LUN_SIZE - MIB, after + LUN_SIZE - MIB, MIB);
	for (size_t i = MIB; i < LUN_SIZE - MIB; i += 2)
		if (after[i] != 0xc0 || after[i + 1] != 0xde)
			fail_msg("byte %zu was not written", i);
}

static void what_is_on_the_lun_is_seen_by_the_guard(void **state)
{
	struct outcome o;
	struct proc p;
	(void)state;
	struct tgtd_lun l = start_one(true);
	PROC(&p, "mkfs.ext4", "-q", "-F", "-L", "precious", l.file);
	assert_int_equal(p.status, 0);
	proc_free(&p);
	IO_RUN(&o, url, "--read", "0", "--for", "200ms", "--write");
	expect(&o, 3, "ext4 file system, labelled 'precious'");
	io_free(&o);
}

/* In a partition, where no node of this host shows it. */
static void a_file_system_in_a_partition_is_seen_too(void **state)
{
	struct outcome o;
	struct proc p;
	(void)state;
	struct tgtd_lun l = start_one(true);
	const char *script = scratch_text("table", "label: gpt\nstart=8192, size=16384\n");
	char command[PATH_MAX * 2];
	snprintf(command, sizeof(command), "sfdisk -q %s <%s", l.file, script);
	PROC(&p, "sh", "-c", command);
	assert_int_equal(p.status, 0);
	proc_free(&p);
	PROC(&p, "mkfs.ext4", "-q", "-F", "-E", "offset=4194304", l.file, "8m");
	assert_int_equal(p.status, 0);
	proc_free(&p);
	IO_RUN(&o, url, "--read", "0", "--for", "200ms", "--write");
	expect(&o, 3, "gpt partition table");
	expect(&o, 3, "its partition 1 holds: ext4 file system");
	io_free(&o);
}

static void a_write_protected_lun_is_only_read(void **state)
{
	struct outcome o;
	(void)state;
	start_one(true);
	assert_int_equal(tgtd_lun_read_only(&t, 1, 1, true), 0);
	GOOD(url, "--for", "200ms");
	IO_RUN(&o, url, "--read", "0", "--for", "200ms", "--write");
	expect(&o, 3, "the LUN is write protected");
	io_free(&o);
}

static void reserve(enum scsi_persistent_out_sa action)
{
	struct scsi_persistent_reserve_out_basic p = {0};
	if (action == SCSI_PERSISTENT_RESERVE_REGISTER_AND_IGNORE_EXISTING_KEY)
		p.service_action_reservation_key = 0x1234;
	else
		p.reservation_key = 0x1234;
	struct scsi_task *task = iscsi_persistent_reserve_out_sync(
		other.c, 1, action, SCSI_PERSISTENT_RESERVE_SCOPE_LU,
		SCSI_PERSISTENT_RESERVE_TYPE_WRITE_EXCLUSIVE, &p);
	assert_non_null(task);
	assert_int_equal(task->status, SCSI_STATUS_GOOD);
	scsi_free_scsi_task(task);
}

static void a_lun_that_another_has_registered_or_reserved_is_not_written(void **state)
{
	struct outcome o;
	(void)state;
	start_one(true);
	assert_int_equal(initiator_open(&other, url, NULL), 0);
	assert_int_equal(initiator_ready(&other).status, 0);
	reserve(SCSI_PERSISTENT_RESERVE_REGISTER_AND_IGNORE_EXISTING_KEY);
	IO_RUN(&o, url, "--read", "0", "--for", "200ms", "--write");
	expect(&o, 3, "1 other initiator has registered for reservations (key 0000000000001234)");
	io_free(&o);
	reserve(SCSI_PERSISTENT_RESERVE_RESERVE);
	IO_RUN(&o, url, "--read", "0", "--for", "200ms", "--write");
	expect(&o, 3, "reserved by another initiator (write exclusive, key 0000000000001234)");
	io_free(&o);
}

static void writing_stops_when_the_lun_is_write_protected_meanwhile(void **state)
{
	char id[256];
	(void)state;
	start_one(true);
	snprintf(id, sizeof(id), "%s", identity());
	START("--read", "0", "--write", "--destroy", "--i-own", id, "--rate", "200");
	assert_int_equal(tgtd_lun_read_only(&t, 1, 1, true), 0);
	json_t *doc = end_run();
	assert_non_null(strstr(running.err, "writing has to stop: it was set write protected"));
	json_decref(doc);
}

/* --- What goes wrong on the way. --- */

/* Each IO went one way, and is counted there. */
static void expect_paths_to_add_up(const json_t *doc)
{
	uint64_t ios = 0, bytes = 0;
	double share = 0, iops = 0;
	const json_t *p;
	size_t i;
	json_array_foreach(json_object_get(doc, "paths"), i, p)
	{
		ios += io_count(p, "ios");
		bytes += io_count(p, "bytes");
		share += io_number(p, "share");
		iops += io_number(p, "iops");
	}
	uint64_t all_ios = io_count(doc, "summary.total.ios");
	uint64_t all_bytes = io_count(doc, "summary.total.bytes");
	double all_iops = io_number(doc, "summary.total.iops");
	/* Paths count what they do during outages as well. */
	const json_t *outage = json_object_get(json_object_get(doc, "summary"), "outage");
	if (json_is_object(outage)) {
		all_ios += io_count(outage, "total.ios");
		all_bytes += io_count(outage, "total.bytes");
		all_iops = io_number(outage, "with_it.iops");
	}
	assert_int_equal(ios, all_ios);
	assert_int_equal(bytes, all_bytes);
	assert_float_equal(share, 1, 1e-9);
	assert_float_equal(iops, all_iops, 1e-3 * iops);
}

/* All that was submitted has come back, and nothing failed. */
static void expect_all_good(const json_t *doc)
{
	io_check_sums(doc);
	expect_paths_to_add_up(doc);
	assert_int_equal(io_count(doc, "summary.total.errors"), 0);
	const json_t *generations = json_object_get(json_object_get(doc, "summary"), "generations");
	const json_t *g;
	size_t i;
	json_array_foreach(generations, i, g)
		assert_int_equal(io_count(g, "submitted"), io_count(g, "completed"));
}

static void a_target_that_is_killed_and_comes_back_costs_time_and_no_io(void **state)
{
	(void)state;
	start_one(false);
	START("--workers", "2");
	tgtd_kill(&t);
	await_lost(1);
	pause_ms(600);
	assert_int_equal(tgtd_restart(&t), 0);
	await_back(1);
	json_t *doc = interrupt_run();
	expect_all_good(doc);
	assert_true(has_mark(doc, "lost: "));
	assert_true(has_mark(doc, "is back after "));
	const json_t *session = json_array_get(json_object_get(doc, "sessions"), 0);
	assert_int_equal(io_count(session, "drops"), 1);
	assert_true(io_count(session, "outage_ns") > 400 * 1000000ull);
	assert_true(io_number(session, "tcp.mss_bytes") > 0);
	assert_non_null(json_object_get(json_object_get(session, "parameters"), "MaxBurstLength"));
	/* The IOs that met the outage have its length, and the depth was held. */
	assert_true(io_number(doc, "summary.outage.lat_max_ns") > 500e6);
	json_decref(doc);
}

static void a_run_that_is_ended_during_an_outage_ends_and_says_what_is_out(void **state)
{
	(void)state;
	start_one(false);
	START("--outstanding", "8");
	tgtd_kill(&t);
	await_lost(1);
	json_t *doc = interrupt_run();
	if (!strstr(running.err, "8 IOs not back in time") ||
	    !strstr(running.err, "path 1 to 127.0.0.1:") ||
	    !strstr(running.err, " already when the run ended: portal 127.0.0.1:"))
		fail_msg("%s", running.err);
	json_decref(doc);
}

static void a_portal_that_closes_and_opens_again_costs_no_io(void **state)
{
	char id[256];
	(void)state;
	start_one(true);
	snprintf(id, sizeof(id), "%s", identity());
	START("--read", "50", "--write", "--destroy", "--i-own", id);
	assert_int_equal(tgtd_portal(&t, 1, false), 0);
	await_lost(1);
	assert_int_equal(tgtd_portal(&t, 1, true), 0);
	await_back(1);
	json_t *doc = interrupt_run();
	expect_all_good(doc);
	json_decref(doc);
}

static void a_lun_that_shrinks_fails_its_ios_and_is_named(void **state)
{
	(void)state;
	struct tgtd_lun l = start_one(false);
	START("--rate", "100");
	/* tgtd lets go of a LUN only at a moment when no IO is on it. */
	int rc = -1;
	for (int i = 0; i < 100 && rc; i++)
		rc = tgtd_lun_resize(&t, 1, 1, &l, LUN_SIZE / 2);
	assert_int_equal(rc, 0);
	io_await_told(store, "has shrunk from 16 MiB to 8 MiB");
	/* Of the errors. */
	io_await_told(store, " read, 0 write)");
	json_t *doc = interrupt_run();
	assert_true(io_count(doc, "summary.total.errors") > 0);
	assert_true(has_mark(doc, "has shrunk from 16 MiB to 8 MiB"));
	json_decref(doc);
}

/* --- Several paths. --- */

/* The same target over four portals. */
static void start_four(const struct tgtd_options *o)
{
	struct tgtd_lun l = {.file = kept(scratch_file("lun", LUN_SIZE, false)), .id = LUN_ID};
	size_t used;
	need_tgtd();
	assert_int_equal(tgtd_start(&t, o), 0);
	assert_int_equal(tgtd_target(&t, "one"), 1);
	assert_int_equal(tgtd_lun(&t, 1, 1, &l), 0);
	used = (size_t)snprintf(url, sizeof(url), "iscsi://");
	for (unsigned i = 1; i <= 4; i++)
		used += (size_t)snprintf(url + used, sizeof(url) - used, "%s%s:%d",
					 i > 1 ? "," : "", tgtd_address(&t, i), t.port);
	snprintf(url + used, sizeof(url) - used, "/%s/1", tgtd_iqn("one"));
}

static const json_t *session(const json_t *doc, size_t i)
{
	const json_t *s = json_array_get(json_object_get(doc, "sessions"), i);
	assert_non_null(s);
	return s;
}

static bool is_up(const json_t *s)
{
	return strcmp(json_string_value(json_object_get(s, "state")), "up") == 0;
}

static void the_policy_says_which_paths_are_used(void **state)
{
	static const struct {
		const char *policy;
		bool used[4];
	} row[] = {
		{"least", {true, true, true, true}},
		{"round-robin", {true, true, true, true}},
		{"failover", {true, false, false, false}},
		{"pinned:3", {false, false, true, false}},
	};
	(void)state;
	start_four(&(struct tgtd_options){.portals = 4});
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		struct outcome o;
		uint64_t ios = 0;
		IO_RUN(&o, url, "--paths", row[i].policy, "--outstanding", "16", "--for", "500ms");
		io_expect_good(&o);
		for (size_t k = 0; k < 4; k++) {
			uint64_t n = io_count(session(o.doc, k), "ios");
			assert_true(is_up(session(o.doc, k)));
			assert_true((n > 0) == row[i].used[k]);
			ios += n;
		}
		assert_int_equal(ios, io_count(o.doc, "summary.total.ios"));
		expect_paths_to_add_up(o.doc);
		io_free(&o);
	}
	REFUSED(WORDS("no path 5", "it has 4"), url, "--paths", "pinned:5");
	REFUSED(WORDS("--paths", "round-robin"), url, "--paths", "best");
}

static void paths_that_die_cost_no_io_while_one_is_left(void **state)
{
	char id[256];
	(void)state;
	start_four(&(struct tgtd_options){.portals = 4});
	snprintf(id, sizeof(id), "%s", identity());
	START("--outstanding", "32", "--read", "50", "--write", "--destroy", "--i-own", id);
	assert_int_equal(tgtd_portal(&t, 2, false), 0);
	await_lost(2);
	assert_int_equal(tgtd_portal(&t, 3, false), 0);
	assert_int_equal(tgtd_portal(&t, 4, false), 0);
	await_lost(3);
	await_lost(4);
	for (unsigned i = 2; i <= 4; i++)
		assert_int_equal(tgtd_portal(&t, i, true), 0);
	for (unsigned i = 2; i <= 4; i++)
		await_back(i);
	json_t *doc = interrupt_run();
	expect_all_good(doc);
	assert_int_equal(io_count(session(doc, 0), "drops"), 0);
	for (size_t i = 0; i < 4; i++) {
		assert_true(is_up(session(doc, i)));
		assert_int_equal(io_count(session(doc, i), "drops"), i > 0);
	}
	assert_true(has_mark(doc, "path 2 "));
	assert_true(has_mark(doc, "path 2 is back after "));
	json_decref(doc);
}

static void a_path_that_swallows_everything_is_left_and_found_again(void **state)
{
	(void)state;
	need_tgtd();
	if (net_missing()) {
		print_message("%s\n", net_missing());
		skip();
	}
	assert_int_equal(net_make(&net, 4, 0), 0);
	start_four(&(struct tgtd_options){.net = &net});
	assert_int_equal(net_enter(&net, NET_INITIATOR), 0);
	START("--outstanding", "32", "--paths", "round-robin");
	assert_int_equal(net_blackhole(&net, 2, true), 0);
	await_lost(2);
	assert_int_equal(net_blackhole(&net, 2, false), 0);
	await_back(2);
	json_t *doc = interrupt_run();
	expect_all_good(doc);
	assert_true(io_count(session(doc, 1), "drops") >= 1);
	assert_non_null(strstr(json_string_value(json_object_get(session(doc, 1), "lost")),
			       "pings were not answered"));
	json_decref(doc);
}

static void a_portal_that_leads_to_another_lun_is_not_used(void **state)
{
	struct tgtd_lun l = {.file = kept(scratch_file("other", LUN_SIZE, false)),
			     .id = "00000000deadbeef"};
	struct outcome o;
	(void)state;
	start_one(false);
	assert_int_equal(tgtd_start(&stranger, NULL), 0);
	assert_int_equal(tgtd_target(&stranger, "one"), 1);
	assert_int_equal(tgtd_lun(&stranger, 1, 1, &l), 0);
	snprintf(url, sizeof(url), "iscsi://127.0.0.1:%d,127.0.0.1:%d/%s/1", t.port, stranger.port,
		 tgtd_iqn("one"));
	IO_RUN(&o, url, "--outstanding", "16", "--for", "1s");
	io_expect_good(&o);
	assert_int_equal(io_count(session(o.doc, 1), "ios"), 0);
	assert_false(is_up(session(o.doc, 1)));
	assert_non_null(strstr(json_string_value(json_object_get(session(o.doc, 1), "why")),
			       "another LUN is there"));
	io_free(&o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define T(f) cmocka_unit_test_teardown(f, clean_up)
		T(a_lun_is_read_and_says_what_it_is),
		T(workers_have_sessions_of_their_own_and_their_full_depth),
		T(large_blocks_are_the_least_where_the_lun_says_so),
		T(a_header_digest_is_used_where_granted_and_else_its_lack_is_said),
		T(what_can_not_be_reached_is_named_with_the_remedy),
		T(silence_is_waited_for_a_few_seconds_only),
		T(a_portal_to_which_there_is_no_way_is_named_at_once),
		T(a_portal_tells_its_targets_and_their_luns),
		T(the_secret_comes_by_url_file_or_environment_and_goes_nowhere),
		T(with_mutual_chap_the_target_proves_itself),
		T(nothing_is_written_without_consent_and_then_only_in_the_window),
		T(what_is_on_the_lun_is_seen_by_the_guard),
		T(a_file_system_in_a_partition_is_seen_too),
		T(a_write_protected_lun_is_only_read),
		T(a_lun_that_another_has_registered_or_reserved_is_not_written),
		T(writing_stops_when_the_lun_is_write_protected_meanwhile),
		T(a_target_that_is_killed_and_comes_back_costs_time_and_no_io),
		T(a_run_that_is_ended_during_an_outage_ends_and_says_what_is_out),
		T(a_portal_that_closes_and_opens_again_costs_no_io),
		T(the_policy_says_which_paths_are_used),
		T(paths_that_die_cost_no_io_while_one_is_left),
		T(a_path_that_swallows_everything_is_left_and_found_again),
		T(a_portal_that_leads_to_another_lun_is_not_used),
		T(a_lun_that_shrinks_fails_its_ios_and_is_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
