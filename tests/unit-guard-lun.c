/* unit-guard-lun.c - the write guard and a LUN without a node: what a backend tells of it, what is on it,
 * and what changes. The backend is a table of facts over an image in memory.
 */
#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>
#include "guard/guard.h"
#include "tests/scratch.h"

#define MIB  (1ull << 20)
#define SIZE (64 * MIB)

static struct backend_facts lun;
static uint8_t *image;
static uint64_t bytes_read;
static int unreadable; /* errno of each read */
static char proc[PATH_MAX], sys[PATH_MAX], dev[PATH_MAX];
static struct guard_host host = {proc, sys, dev};
static struct guard_report r;
static struct error e;

static int facts(void *target, bool fresh, struct backend_facts *f, struct error *err)
{
	(void)target;
	(void)fresh;
	(void)err;
	*f = lun;
	return 0;
}

static int read_at(void *target, void *buf, uint32_t n, uint64_t offset, struct error *err)
{
	(void)target;
	if (unreadable)
		return error_set(err, unreadable, "unreadable");
	assert_int_equal(offset % lun.logical_block, 0);
	assert_int_equal(n % lun.logical_block, 0);
	assert_true(offset + n <= SIZE);
	memcpy(buf, image + offset, n);
	bytes_read += n;
	return 0;
}

static const struct backend fake = {.name = "fake", .facts = facts, .read_at = read_at};
static const struct guard_lun target = {"iscsi://h/iqn.a:b/1", &fake, NULL};

static void put(const char *folder, const char *name, const char *text)
{
	char path[PATH_MAX * 2];
	snprintf(path, sizeof(path), "mkdir -p '%s'", folder);
	assert_int_equal(system(path), 0);
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

/* A host with one disk of that worldwide name. */
static void record_host(const char *wwid)
{
	char folder[PATH_MAX];
	snprintf(proc, sizeof(proc), "%s/proc", scratch_dir());
	snprintf(sys, sizeof(sys), "%s/sys", scratch_dir());
	snprintf(dev, sizeof(dev), "%s/dev", scratch_dir());
	snprintf(folder, sizeof(folder), "%.4000s/self", proc);
	put(folder, "mountinfo", "22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n");
	put(proc, "swaps", "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n");
	snprintf(folder, sizeof(folder), "%.4000s/class/block/sdq", sys);
	put(folder, "dev", "8:16\n");
	put(folder, "size", "131072\n");
	snprintf(folder, sizeof(folder), "%.4000s/class/block/sdq/device", sys);
	put(folder, "wwid", wwid);
}

static int setup(void **state)
{
	(void)state;
	image = calloc(1, SIZE);
	unreadable = 0;
	bytes_read = 0;
	lun = (struct backend_facts){
		.size = SIZE,
		.logical_block = 512,
		.physical_block = 4096,
		.vendor = "VEN",
		.model = "MODEL",
		.serial = "S1",
		.id = "naa.600140512ab34cd5",
	};
	record_host("naa.5000000000000001\n");
	return !image;
}

static int teardown(void **state)
{
	(void)state;
	free(image);
	return 0;
}

static void look(void)
{
	if (guard_inspect_lun(&target, &host, NULL, &r, &e))
		fail_msg("%s", e.text);
}

static bool found(enum guard_gate gate, enum guard_level level, const char *words)
{
	for (unsigned i = 0; i < r.count; i++)
		if (r.finding[i].gate == gate && r.finding[i].level == level &&
		    strstr(r.finding[i].text, words))
			return true;
	for (unsigned i = 0; i < r.count; i++)
		fprintf(stderr, "# %s %d %s\n", guard_gate_name(r.finding[i].gate),
			r.finding[i].level, r.finding[i].text);
	return false;
}

static void a_lun_is_known_by_its_worldwide_name_and_counts_as_in_use(void **state)
{
	(void)state;
	look();
	assert_int_equal(r.kind, GUARD_LUN);
	assert_string_equal(r.id, "naa.600140512ab34cd5");
	assert_string_equal(r.confirm, "b34cd5");
	assert_true(r.needs_destroy);
	assert_true(found(GATE_USERS, GUARD_WARN, "other hosts"));
	assert_true(found(GATE_SIGNATURE, GUARD_NOTE, "only zeros"));
	assert_int_equal(guard_worst(&r), GUARD_WARN);
	assert_int_equal(r.window_start, MIB);
	assert_int_equal(r.window_length, SIZE - 2 * MIB);
	/* Its ends and some places, not all of it. */
	assert_true(bytes_read < 4 * MIB);
	/* t10 names have blanks. */
	strcpy(lun.id, "t10.VEN  MODEL 7");
	look();
	assert_string_equal(r.id, "t10.VEN_MODEL_7");
	lun.id[0] = 0;
	look();
	assert_string_equal(r.id, target.spec);
	assert_true(found(GATE_USERS, GUARD_WARN, "no worldwide name"));
}

static void consent_takes_the_name_and_destroy(void **state)
{
	(void)state;
	look();
	assert_int_equal(guard_check_own(&r, r.id, false, &e), -EACCES);
	assert_int_equal(guard_check_own(&r, "naa.600140512ab34cd6", true, &e), -EACCES);
	assert_int_equal(guard_check_own(&r, r.id, true, &e), 0);
	assert_int_equal(guard_check_typed(&r, "b34cd5", &e), -EACCES);
	assert_int_equal(guard_check_typed(&r, "b34cd5 DESTROY", &e), 0);
	assert_int_equal(guard_open_lun(&r, &target, &host, false, &e), -EPERM);
	assert_int_equal(guard_open_lun(&r, &target, &host, true, &e), 0);
}

static void a_protected_or_reserved_lun_is_refused(void **state)
{
	(void)state;
	lun.write_protected = true;
	look();
	assert_true(found(GATE_READONLY, GUARD_REFUSE, "write protected"));
	assert_int_equal(guard_open_lun(&r, &target, &host, true, &e), -EPERM);
	lun.write_protected = false;
	strcpy(lun.reserved, "it is reserved by another initiator");
	look();
	assert_true(found(GATE_CLAIM, GUARD_REFUSE, "reserved"));
	assert_int_equal(guard_open_lun(&r, &target, &host, true, &e), -EPERM);
}

static void a_lun_that_the_host_has_as_a_disk_too_is_refused(void **state)
{
	(void)state;
	record_host("naa.600140512ab34cd5\n");
	look();
	assert_true(found(GATE_MULTIPATH, GUARD_REFUSE, "/dev/sdq"));
	assert_int_equal(guard_open_lun(&r, &target, &host, true, &e), -EPERM);
}

static void data_are_found_where_a_sample_falls(void **state)
{
	(void)state;
	memset(image + SIZE / 2, 7, 4096);
	look();
	assert_true(found(GATE_SIGNATURE, GUARD_WARN, "data without a known signature"));
	memset(image + SIZE / 2, 0, 4096);
	memset(image + SIZE - 512, 7, 512);
	look();
	assert_true(found(GATE_SIGNATURE, GUARD_WARN, "data without a known signature"));
}

static void a_signature_is_found_at_either_end(void **state)
{
	(void)state;
	memcpy(image + 512, "LABELONE", 8); /* LVM2's label, without a valid sum */
	memcpy(image + 65536 + 64, "_BHRfS_M", 8);
	look();
	assert_true(found(GATE_SIGNATURE, GUARD_WARN, "btrfs") ||
		    found(GATE_SIGNATURE, GUARD_WARN, "data without"));
	memset(image, 0, MIB);
	memcpy(image + 32, "ORCLDISK", 8);
	look();
	assert_true(found(GATE_SIGNATURE, GUARD_WARN, "Oracle ASM"));
}

static void what_can_not_be_read_is_a_warning(void **state)
{
	(void)state;
	unreadable = EIO;
	look();
	assert_true(found(GATE_SIGNATURE, GUARD_WARN, "can't be read everywhere"));
	assert_true(found(GATE_SIGNATURE, GUARD_WARN, "what it holds is not known"));
}

static void what_has_come_up_since_the_look_is_not_agreed_to(void **state)
{
	(void)state;
	look();
	strcpy(lun.id, "naa.600140512ab34cd6");
	assert_int_equal(guard_open_lun(&r, &target, &host, true, &e), -ESTALE);
	strcpy(lun.id, "naa.600140512ab34cd5");
	lun.size -= MIB;
	assert_int_equal(guard_open_lun(&r, &target, &host, true, &e), -ESTALE);
	lun.size += MIB;
	image[100] = 1;
	assert_int_equal(guard_open_lun(&r, &target, &host, true, &e), -EPERM);
	assert_non_null(strstr(e.text, "data without a known signature"));
}

static void what_changes_while_it_is_written_stops_the_writing(void **state)
{
	struct guard_watch *w;
	(void)state;
	look();
	assert_int_equal(guard_watch_start_lun(&w, &r, &target, &host, &e), 0);
	assert_int_equal(guard_watch_check(w, &e), 0);
	lun.size += MIB;
	assert_int_equal(guard_watch_check(w, &e), -EPERM);
	assert_non_null(strstr(e.text, "its size has changed"));
	lun.size -= MIB;
	assert_int_equal(guard_watch_check(w, &e), 0);
	lun.write_protected = true;
	assert_int_equal(guard_watch_check(w, &e), -EPERM);
	lun.write_protected = false;
	strcpy(lun.reserved, "it is reserved by another initiator");
	assert_int_equal(guard_watch_check(w, &e), -EPERM);
	assert_non_null(strstr(e.text, "reserved"));
	lun.reserved[0] = 0;
	strcpy(lun.id, "naa.5");
	assert_int_equal(guard_watch_check(w, &e), -EPERM);
	assert_non_null(strstr(e.text, "another LUN"));
	guard_watch_stop(w);
	/* The first look at the host's disks is made at once. */
	strcpy(lun.id, "naa.600140512ab34cd5");
	record_host("naa.600140512ab34cd5\n");
	assert_int_equal(guard_watch_start_lun(&w, &r, &target, &host, &e), 0);
	assert_int_equal(guard_watch_check(w, &e), -EPERM);
	assert_non_null(strstr(e.text, "/dev/sdq"));
	guard_watch_stop(w);
}

static void the_window_keeps_off_the_ends_as_on_a_disk(void **state)
{
	struct guard_window w = {.given = true, .start = 0, .length = MIB};
	(void)state;
	assert_int_equal(guard_inspect_lun(&target, &host, &w, &r, &e), -EINVAL);
	assert_non_null(strstr(e.text, "--whole"));
	w.whole = true;
	assert_int_equal(guard_inspect_lun(&target, &host, &w, &r, &e), 0);
	assert_int_equal(r.window_length, MIB);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
		T(a_lun_is_known_by_its_worldwide_name_and_counts_as_in_use),
		T(consent_takes_the_name_and_destroy),
		T(a_protected_or_reserved_lun_is_refused),
		T(a_lun_that_the_host_has_as_a_disk_too_is_refused),
		T(data_are_found_where_a_sample_falls),
		T(a_signature_is_found_at_either_end),
		T(what_can_not_be_read_is_a_warning),
		T(what_has_come_up_since_the_look_is_not_agreed_to),
		T(what_changes_while_it_is_written_stops_the_writing),
		T(the_window_keeps_off_the_ends_as_on_a_disk),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
