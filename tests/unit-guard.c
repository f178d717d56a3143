/* unit-guard.c - the write guard and the device list over a recorded host: a made-up /proc and
 * /sys in a scratch folder. Needs no root and touches no device. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#include "devices.h"
#include "guard/gates.h"
#include "units.h"

static char top[80], proc[96], sys[96], dev[96];
static struct guard_host host;
static struct guard_report report;
static struct error error;

static char *below(char out[PATH_MAX], const char *name)
{
	snprintf(out, PATH_MAX, "%s/%s", top, name);
	return out;
}

static void make_parents(const char *path)
{
	char part[PATH_MAX];

	snprintf(part, sizeof(part), "%s", path);
	for (char *c = part + strlen(top) + 1; (c = strchr(c, '/')); c++) {
		*c = '\0';
		assert_true(mkdir(part, 0755) == 0 || errno == EEXIST);
		*c = '/';
	}
}

static void put(const char *text, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void put(const char *text, const char *fmt, ...)
{
	char name[512], path[PATH_MAX];
	va_list ap;
	FILE *f;

	va_start(ap, fmt);
	vsnprintf(name, sizeof(name), fmt, ap);
	va_end(ap);
	make_parents(below(path, name));
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

static void link_to(const char *to, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void link_to(const char *to, const char *fmt, ...)
{
	char name[512], path[PATH_MAX];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(name, sizeof(name), fmt, ap);
	va_end(ap);
	make_parents(below(path, name));
	assert_int_equal(symlink(to, path), 0);
}

/* A block device in the recorded /sys: bus is where it hangs, parent the disk of a partition. */
static void block(const char *bus, const char *parent, const char *name, const char *numbers,
		  const char *start, const char *sectors)
{
	char real[256], folder[200];

	snprintf(folder, sizeof(folder), "devices/%s/block/%s%s%s", bus, parent ? parent : name,
		 parent ? "/" : "", parent ? name : "");
	put(numbers, "sys/%s/dev", folder);
	put(sectors, "sys/%s/size", folder);
	put("0\n", "sys/%s/ro", folder);
	put("", "sys/%s/holders/.keep", folder);
	put("", "sys/%s/slaves/.keep", folder);
	if (parent) {
		put(name + strlen(parent), "sys/%s/partition", folder);
		put(start, "sys/%s/start", folder);
	} else {
		put("512\n", "sys/%s/queue/logical_block_size", folder);
		put("1\n", "sys/%s/queue/rotational", folder);
	}
	snprintf(real, sizeof(real), "../../%s", folder);
	link_to(real, "sys/class/block/%s", name);
	link_to(real, "sys/dev/block/%.*s", (int)strcspn(numbers, "\n"), numbers);
}

static void attribute(const char *name, const char *attribute_name, const char *text)
{
	put(text, "sys/class/block/%s/%s", name, attribute_name);
}

static void holds(const char *upper, const char *lower)
{
	put("", "sys/class/block/%s/holders/%s", lower, upper);
	put("", "sys/class/block/%s/slaves/%s", upper, lower);
}

static void process(const char *pid, const char *ns, const char *mountinfo)
{
	put(mountinfo, "proc/%s/mountinfo", pid);
	put("somebody\n", "proc/%s/comm", pid);
	link_to(ns, "proc/%s/ns/mnt", pid);
}

#define SWAPS_HEAD "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"
#define ROOT_LINE  "22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n"

static void mounts(const char *lines)
{
	char text[2048];

	snprintf(text, sizeof(text), "%s%s", ROOT_LINE, lines);
	put(text, "proc/100/mountinfo");
}

static int setup(void **state)
{
	(void)state;
	snprintf(top, sizeof(top), "%.40s/unit-guard.XXXXXX",
		 getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
	assert_non_null(mkdtemp(top));
	snprintf(proc, sizeof(proc), "%s/proc", top);
	snprintf(sys, sizeof(sys), "%s/sys", top);
	snprintf(dev, sizeof(dev), "%s/dev", top);
	host = (struct guard_host){.proc = proc, .sys = sys, .dev = dev};
	memset(&report, 0, sizeof(report));
	error.text[0] = '\0';

	/* sda: the system's disk; sdb: two partitions; sdc: free. */
	block("pci0/ata1", NULL, "sda", "8:0\n", NULL, "2097152\n");
	block("pci0/ata1", "sda", "sda1", "8:1\n", "2048\n", "1048576\n");
	block("pci0/ata1", "sda", "sda2", "8:2\n", "1050624\n", "1046528\n");
	block("pci0/host3/session1/target3:0:0", NULL, "sdb", "8:16\n", NULL, "20971520\n");
	block("pci0/host3/session1/target3:0:0", "sdb", "sdb1", "8:17\n", "2048\n", "1048576\n");
	block("pci0/host3/session1/target3:0:0", "sdb", "sdb2", "8:18\n", "1050624\n", "1048576\n");
	block("pci0/host4/rport-4:0-0", NULL, "sdc", "8:32\n", NULL, "20971520\n");
	attribute("sdb", "device/vendor", "LIO-ORG \n");
	attribute("sdb", "device/model", "disk0           \n");
	attribute("sdb", "device/wwid", "naa.600140512ab34cd56ef\n");
	put("", "dev/.keep");
	process("100", "mnt:[4026531840]", ROOT_LINE);
	link_to("100", "proc/self");
	put(SWAPS_HEAD, "proc/swaps");
	return 0;
}

static int teardown(void **state)
{
	char command[160];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf '%s'", top);
	return system(command);
}

/* Passes a device of the recorded host through the gates that read tables. */
static void look_at(const char *name)
{
	struct look l = {.host = &host, .r = &report, .fd = -1};
	struct tables tables;

	assert_int_equal(tables_read(&host, TABLES_NAMESPACES | TABLES_PATHS, &tables, &error), 0);
	memset(&report, 0, sizeof(report));
	snprintf(report.spec, sizeof(report.spec), "/dev/%s", name);
	report.rdev = sysfs_rdev(&host, name);
	assert_int_not_equal(report.rdev, 0);
	l.tables = &tables;
	strcpy(l.name, name);
	sysfs_disk(&host, name, l.disk);
	assert_int_equal(topology_build(&l), 0);
	identity_device(&l);
	gate_mounted(&l);
	gate_swap(&l);
	gate_holders(&l);
	gate_multipath(&l);
	gate_users(&l);
	gate_readonly(&l);
	look_free(&l);
	tables_free(&tables);
}

static bool found(enum guard_gate gate, enum guard_level level, const char *words)
{
	for (unsigned i = 0; i < report.count; i++)
		if (report.finding[i].gate == gate && report.finding[i].level == level &&
		    strstr(report.finding[i].text, words))
			return true;
	for (unsigned i = 0; i < report.count; i++)
		fprintf(stderr, "# %s %d %s\n", guard_gate_name(report.finding[i].gate),
			report.finding[i].level, report.finding[i].text);
	return false;
}

static int inspect_file(const char *path, const struct guard_window *window)
{
	return guard_inspect(path, &host, window, &report, &error);
}

static void make_file(const char *name, uint64_t size, char path[PATH_MAX])
{
	put("", "%s", name);
	assert_int_equal(truncate(below(path, name), (off_t)size), 0);
}

static void write_at(const char *path, uint64_t at, const char *text)
{
	int fd = open(path, O_WRONLY);

	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, text, strlen(text), (off_t)at), (ssize_t)strlen(text));
	close(fd);
}

/* ---- consent ---- */

static void consent_report(bool destroy)
{
	memset(&report, 0, sizeof(report));
	strcpy(report.spec, "/dev/sdb");
	strcpy(report.id, "naa.600140512AB34cd56ef");
	strcpy(report.confirm, "cd56ef");
	report.kind = GUARD_BLOCK;
	if (destroy)
		report_add(&report, GATE_SIGNATURE, GUARD_WARN, "it holds: ext4 file system");
}

static void typed_consent_is_the_end_of_the_id(void **state)
{
	(void)state;
	consent_report(false);
	assert_int_equal(guard_check_typed(&report, "cd56ef", &error), 0);
	assert_int_equal(guard_check_typed(&report, " CD56EF\n", &error), 0);
	assert_int_equal(guard_check_typed(&report, "", &error), -EACCES);
	assert_int_equal(guard_check_typed(&report, "y", &error), -EACCES);
	assert_int_equal(guard_check_typed(&report, "cd56e", &error), -EACCES);
	assert_int_equal(guard_check_typed(&report, "cd56eff", &error), -EACCES);
	assert_int_equal(guard_check_typed(&report, "cd56ef DESTROY", &error), -EACCES);
	assert_non_null(strstr(error.text, "type cd56ef"));
}

static void data_need_the_word_DESTROY_too(void **state)
{
	(void)state;
	consent_report(true);
	assert_true(report.needs_destroy);
	assert_int_equal(guard_check_typed(&report, "cd56ef DESTROY", &error), 0);
	assert_int_equal(guard_check_typed(&report, "cd56ef   DESTROY \n", &error), 0);
	assert_int_equal(guard_check_typed(&report, "cd56ef", &error), -EACCES);
	assert_int_equal(guard_check_typed(&report, "cd56ef destroy", &error), -EACCES);
	assert_int_equal(guard_check_typed(&report, "cd56efDESTROY", &error), -EACCES);
	assert_int_equal(guard_check_typed(&report, "cd56ef DESTROYED", &error), -EACCES);
	assert_int_equal(guard_check_typed(&report, "DESTROY", &error), -EACCES);
}

static void headless_consent_is_the_whole_id(void **state)
{
	(void)state;
	consent_report(false);
	assert_int_equal(guard_check_own(&report, "naa.600140512ab34cd56ef", false, &error), 0);
	assert_int_equal(guard_check_own(&report, "NAA.600140512AB34CD56EF", false, &error), 0);
	assert_int_equal(guard_check_own(&report, "cd56ef", false, &error), -EACCES);
	assert_int_equal(guard_check_own(&report, "naa.600140512ab34cd56e", false, &error),
			 -EACCES);
	assert_int_equal(guard_check_own(&report, "", false, &error), -EACCES);
	assert_int_equal(guard_check_own(&report, NULL, false, &error), -EACCES);
	assert_non_null(strstr(error.text, "--i-own"));
	consent_report(true);
	assert_int_equal(guard_check_own(&report, report.id, false, &error), -EACCES);
	assert_non_null(strstr(error.text, "--destroy"));
	assert_int_equal(guard_check_own(&report, report.id, true, &error), 0);
}

static void the_case_of_a_file_name_is_not_ignored(void **state)
{
	char path[PATH_MAX];

	(void)state;
	make_file("Data.img", 1 << 20, path);
	assert_int_equal(inspect_file(path, NULL), 0);
	assert_string_equal(report.id, path);
	assert_int_equal(guard_check_own(&report, path, false, &error), 0);
	path[strlen(path) - 8] = 'd';
	assert_int_equal(guard_check_own(&report, path, false, &error), -EACCES);
}

static void no_consent_helps_against_a_refusal(void **state)
{
	(void)state;
	consent_report(false);
	report_add(&report, GATE_MOUNTED, GUARD_REFUSE, "it is mounted at /srv");
	assert_int_equal(guard_check_typed(&report, "cd56ef", &error), -EPERM);
	assert_int_equal(guard_check_own(&report, report.id, true, &error), -EPERM);
	assert_non_null(strstr(error.text, "mounted at /srv"));
	assert_int_equal(guard_open(&report, &host, true, false, &error), -EPERM);
}

static void a_full_report_keeps_the_worst(void **state)
{
	(void)state;
	memset(&report, 0, sizeof(report));
	for (int i = 0; i < 3 * GUARD_FINDINGS; i++)
		report_add(&report, GATE_IDENTITY, GUARD_NOTE, "fact %d", i);
	assert_true(report.truncated);
	report_add(&report, GATE_MOUNTED, GUARD_REFUSE, "it is mounted");
	report_add(&report, GATE_SIGNATURE, GUARD_WARN, "it holds data");
	assert_int_equal(report.count, GUARD_FINDINGS);
	assert_int_equal(guard_worst(&report), GUARD_REFUSE);
	assert_true(found(GATE_SIGNATURE, GUARD_WARN, "holds data"));
	assert_true(report.needs_destroy);
}

static void foreign_text_steers_no_terminal(void **state)
{
	(void)state;
	memset(&report, 0, sizeof(report));
	report_add(&report, GATE_USERS, GUARD_WARN, "process 1 (\033[2Jevil\n) has it open");
	assert_string_equal(report.finding[0].text, "process 1 (?[2Jevil?) has it open");
}

/* ---- windows ---- */

static void window_report(enum guard_kind kind, uint64_t size)
{
	memset(&report, 0, sizeof(report));
	report.kind = kind;
	report.size = size;
	report.logical_block = 4096;
	strcpy(report.spec, "target");
}

static void a_big_device_gets_a_window_of_1_GiB_after_the_first_MiB(void **state)
{
	(void)state;
	window_report(GUARD_BLOCK, 4096 * GIB);
	assert_int_equal(window_set(&report, NULL, &error), 0);
	assert_int_equal(report.window_start, MIB);
	assert_int_equal(report.window_length, GIB);
	assert_int_equal(report.count, 0);
}

static void a_small_device_keeps_its_first_and_last_MiB(void **state)
{
	(void)state;
	window_report(GUARD_BLOCK, 100 * MIB + 512);
	assert_int_equal(window_set(&report, NULL, &error), 0);
	assert_int_equal(report.window_start, MIB);
	assert_int_equal(report.window_length, 98 * MIB);
	window_report(GUARD_BLOCK, 3 * MIB);
	assert_int_equal(window_set(&report, NULL, &error), 0);
	assert_int_equal(report.window_length, MIB);
}

static void a_device_below_3_MiB_is_written_as_a_whole_or_not_at_all(void **state)
{
	struct guard_window whole = {.whole = true};

	(void)state;
	window_report(GUARD_BLOCK, 3 * MIB - 4096);
	assert_int_equal(window_set(&report, NULL, &error), 0);
	assert_int_equal(report.window_length, 0);
	assert_true(found(GATE_WINDOW, GUARD_REFUSE, "--whole"));
	window_report(GUARD_BLOCK, 3 * MIB - 4096);
	assert_int_equal(window_set(&report, &whole, &error), 0);
	assert_int_equal(report.window_start, 0);
	assert_int_equal(report.window_length, 3 * MIB - 4096);
	assert_int_equal(report.count, 0);
}

static void a_named_window_must_lie_within_and_leave_the_edges_alone(void **state)
{
	static const struct {
		struct guard_window window;
		int result;
	} table[] = {
		{{.given = true, .start = MIB, .length = 8 * MIB}, 0},
		{{.given = true, .start = MIB, .length = 14 * MIB}, 0},
		{{.given = true, .start = 0, .length = 8 * MIB}, -EINVAL},
		{{.given = true, .start = MIB, .length = 15 * MIB}, -EINVAL},
		{{.given = true, .start = MIB, .length = 14 * MIB + 4096}, -EINVAL},
		{{.given = true, .start = MIB + 512, .length = MIB}, -EINVAL},
		{{.given = true, .start = MIB, .length = MIB + 512}, -EINVAL},
		{{.given = true, .start = MIB, .length = 0}, -EINVAL},
		{{.given = true, .start = 16 * MIB, .length = 4096}, -EINVAL},
		{{.given = true, .start = UINT64_MAX - 4095, .length = 8192}, -EINVAL},
		{{.given = true, .start = 4096, .length = UINT64_MAX - 4095}, -EINVAL},
		{{.given = true, .whole = true, .start = 0, .length = 16 * MIB}, 0},
		{{.given = true, .whole = true, .start = 0, .length = 17 * MIB}, -EINVAL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		window_report(GUARD_BLOCK, 16 * MIB);
		assert_int_equal(window_set(&report, &table[i].window, &error), table[i].result);
		if (table[i].result)
			assert_int_equal(report.window_length, 0);
		else
			assert_int_equal(report.window_length, table[i].window.length);
	}
	window_report(GUARD_FILE, 16 * MIB);
	assert_int_equal(window_set(&report, &table[2].window, &error), 0);
}

static void a_window_without_a_length_goes_to_the_end(void **state)
{
	const struct guard_window whole = {.given = true, .whole = true, .start = 3 * MIB};
	const struct guard_window rest = {.given = true, .start = 3 * MIB};

	(void)state;
	window_report(GUARD_BLOCK, 16 * MIB);
	assert_int_equal(window_set(&report, &whole, &error), 0);
	assert_int_equal(report.window_start, 3 * MIB);
	assert_int_equal(report.window_length, 13 * MIB);
	window_report(GUARD_BLOCK, 16 * MIB);
	assert_int_equal(window_set(&report, &rest, &error), -EINVAL); /* the last MiB */
}

static void a_file_is_written_from_end_to_end(void **state)
{
	(void)state;
	window_report(GUARD_FILE, 10 * MIB + 100);
	assert_int_equal(window_set(&report, NULL, &error), 0);
	assert_int_equal(report.window_start, 0);
	assert_int_equal(report.window_length, 10 * MIB);
	window_report(GUARD_FILE, 100);
	assert_int_equal(window_set(&report, NULL, &error), 0);
	assert_true(found(GATE_WINDOW, GUARD_REFUSE, "less than one block"));
}

/* ---- what is no target at all ---- */

static void a_typo_below_dev_is_named_and_makes_nothing(void **state)
{
	char path[PATH_MAX];

	(void)state;
	assert_int_equal(inspect_file(below(path, "dev/sdbb"), NULL), -ENOENT);
	assert_non_null(strstr(error.text, "nothing is created under /dev"));
	assert_int_equal(access(path, F_OK), -1);
	assert_int_equal(guard_inspect("/dev/lunscope-typo", &host, NULL, &report, &error),
			 -ENOENT);
	assert_int_equal(access("/dev/lunscope-typo", F_OK), -1);
	assert_int_equal(inspect_file("", NULL), -EINVAL);
}

static void folders_pipes_sockets_and_character_devices_are_no_targets(void **state)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	char path[PATH_MAX];
	int fd;

	(void)state;
	assert_int_equal(inspect_file(top, NULL), -EINVAL);
	assert_non_null(strstr(error.text, "a folder"));
	assert_int_equal(mkfifo(below(path, "pipe"), 0600), 0);
	assert_int_equal(inspect_file(path, NULL), -EINVAL);
	assert_non_null(strstr(error.text, "a pipe"));
	assert_int_equal(inspect_file("/dev/null", NULL), -EINVAL);
	assert_non_null(strstr(error.text, "a character device"));
	assert_int_equal(inspect_file("/proc/self/comm", NULL), -EINVAL);
	assert_non_null(strstr(error.text, "interface of the kernel"));
	fd = socket(AF_UNIX, SOCK_STREAM, 0);
	snprintf(address.sun_path, sizeof(address.sun_path), "%s/socket", top);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	assert_int_equal(inspect_file(address.sun_path, NULL), -EINVAL);
	assert_non_null(strstr(error.text, "a socket"));
	close(fd);
}

static void a_regular_file_below_dev_is_refused(void **state)
{
	char path[PATH_MAX];

	(void)state;
	make_file("dev/sdbb", 1 << 20, path);
	assert_int_equal(inspect_file(path, NULL), 0);
	assert_true(found(GATE_IDENTITY, GUARD_REFUSE, "among the device nodes"));
	make_file("dev/shm/scratch", 1 << 20, path);
	assert_int_equal(inspect_file(path, NULL), 0);
	assert_int_equal(guard_worst(&report), GUARD_NOTE);
}

static void without_a_mount_table_nothing_is_looked_at(void **state)
{
	char path[PATH_MAX], table[PATH_MAX];

	(void)state;
	make_file("data.img", 1 << 20, path);
	assert_int_equal(unlink(below(table, "proc/100/mountinfo")), 0);
	assert_true(inspect_file(path, NULL) < 0);
	assert_non_null(strstr(error.text, "mountinfo"));
}

/* ---- files ---- */

static void a_sparse_file_is_free_of_data(void **state)
{
	char path[PATH_MAX];

	(void)state;
	make_file("data.img", 64 * MIB, path);
	assert_int_equal(inspect_file(path, NULL), 0);
	assert_int_equal(report.kind, GUARD_FILE);
	assert_int_equal(report.size, 64 * MIB);
	assert_int_equal(report.window_length, 64 * MIB);
	assert_int_equal(guard_worst(&report), GUARD_NOTE);
	assert_false(report.needs_destroy);
}

static void one_byte_anywhere_in_a_sparse_file_is_data(void **state)
{
	static const uint64_t places[] = {0, 4095, 5 * MIB + 77, 63 * MIB + 12345, 64 * MIB - 1};
	char path[PATH_MAX];

	(void)state;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		make_file("data.img", 64 * MIB, path);
		write_at(path, places[i], "x");
		assert_int_equal(inspect_file(path, NULL), 0);
		assert_true(found(GATE_SIGNATURE, GUARD_WARN, "holds data"));
		assert_true(report.needs_destroy);
	}
}

static void an_Oracle_ASM_disk_is_known_by_its_tag(void **state)
{
	char path[PATH_MAX];

	(void)state;
	make_file("data.img", 8 * MIB, path);
	write_at(path, 32, "ORCLDISKDATA01");
	assert_int_equal(inspect_file(path, NULL), 0);
	assert_true(found(GATE_SIGNATURE, GUARD_WARN, "Oracle ASM"));
}

static void a_symlink_and_a_hard_link_are_noted(void **state)
{
	char path[PATH_MAX], other[PATH_MAX];

	(void)state;
	make_file("data.img", 8 * MIB, path);
	assert_int_equal(symlink(path, below(other, "symlink")), 0);
	assert_int_equal(inspect_file(other, NULL), 0);
	assert_string_equal(report.path, path);
	assert_string_equal(report.id, path);
	assert_true(found(GATE_IDENTITY, GUARD_NOTE, "the name stands for"));
	assert_int_equal(link(path, below(other, "second")), 0);
	assert_int_equal(inspect_file(other, NULL), 0);
	assert_true(found(GATE_IDENTITY, GUARD_NOTE, "2 names"));
}

static void a_swap_file_is_refused_by_any_of_its_names(void **state)
{
	char path[PATH_MAX], other[PATH_MAX], swaps[2 * PATH_MAX];

	(void)state;
	make_file("swapfile", 8 * MIB, path);
	snprintf(swaps, sizeof(swaps), SWAPS_HEAD "%s file 8188 0 -2\n", path);
	put(swaps, "proc/swaps");
	assert_int_equal(link(path, below(other, "innocent.img")), 0);
	assert_int_equal(inspect_file(other, NULL), 0);
	assert_true(found(GATE_SWAP, GUARD_REFUSE, "in use as swap"));
}

static void a_file_behind_a_loop_device_is_refused(void **state)
{
	char path[PATH_MAX];

	(void)state;
	make_file("data.img", 8 * MIB, path);
	block("virtual", NULL, "loop0", "7:0\n", NULL, "16384\n");
	attribute("loop0", "loop/backing_file", path);
	assert_int_equal(inspect_file(path, NULL), 0);
	assert_true(found(GATE_HOLDERS, GUARD_REFUSE, "loop0"));
	mounts("30 22 7:0 / /mnt rw - ext4 /dev/loop0 rw\n");
	assert_int_equal(inspect_file(path, NULL), 0);
	assert_true(
		found(GATE_MOUNTED, GUARD_REFUSE, "/dev/loop0, which stands on it, is mounted at"));
}

static void a_loop_device_over_something_unseen_refuses_everything(void **state)
{
	char path[PATH_MAX];

	(void)state;
	make_file("data.img", 8 * MIB, path);
	block("virtual", NULL, "loop0", "7:0\n", NULL, "16384\n");
	attribute("loop0", "loop/backing_file", "/of/another/container.img\n");
	assert_int_equal(inspect_file(path, NULL), 0);
	assert_true(found(GATE_HOLDERS, GUARD_REFUSE, "can't see what /dev/loop0 stands on"));
	assert_int_equal(guard_open(&report, &host, true, true, &error), -EPERM);
}

static void a_folder_that_can_t_be_opened_is_no_empty_one(void **state)
{
	char path[PATH_MAX];

	(void)state;
	make_file("data.img", 8 * MIB, path);
	put("no folder\n", "proc/200/fd");
	assert_int_equal(inspect_file(path, NULL), -EPERM);
	assert_non_null(strstr(error.text, "proc/200/fd"));
	assert_int_equal(unlink(below(path, "proc/200/fd")), 0);
	put("no folder\n", "sys/fs/btrfs");
	assert_int_equal(inspect_file(below(path, "data.img"), NULL), -EPERM);
	assert_non_null(strstr(error.text, "can't see"));
	assert_non_null(strstr(error.text, "sys/fs/btrfs"));
}

static void dead_processes_and_kernel_threads_are_left_out(void **state)
{
	char path[PATH_MAX];

	(void)state;
	make_file("data.img", 8 * MIB, path);
	put("no folder\n", "proc/200/fd");
	put("200 (a) b) Z 1 1 1 0 -1 4228356 0 0 0 0 0 0 0 0 20 0 1 0 5\n", "proc/200/stat");
	put("no folder\n", "proc/201/fd");
	put("201 (kworker/0:1) I 2 0 0 0 -1 69238880 0 0 0 0 0 0 0 0 20 0 1 0 5\n",
	    "proc/201/stat");
	assert_int_equal(inspect_file(path, NULL), 0);
	assert_int_equal(guard_worst(&report), GUARD_NOTE);
	/* Dead but for another thread. */
	put("200 (a) b) Z 1 1 1 0 -1 4228356 0 0 0 0 0 0 0 0 20 0 2 0 5\n", "proc/200/stat");
	link_to(path, "proc/200/task/202/fd/3");
	put("flags:\t0100001\n", "proc/200/task/202/fdinfo/3");
	assert_int_equal(inspect_file(path, NULL), 0);
	assert_true(found(GATE_USERS, GUARD_REFUSE, "process 200 (?) has it open for writing"));
}

static void a_file_mounted_through_fuse_is_refused(void **state)
{
	char path[PATH_MAX], line[2 * PATH_MAX];

	(void)state;
	make_file("data.img", 8 * MIB, path);
	snprintf(line, sizeof(line), ROOT_LINE "30 22 0:77 / /mnt rw - fuse.fuse2fs %s rw\n", path);
	put(line, "proc/100/mountinfo");
	assert_int_equal(inspect_file(path, NULL), 0);
	assert_true(found(GATE_MOUNTED, GUARD_REFUSE, "mounted at /mnt"));
}

/* Another process has the file open, as its fdinfo says. */
static bool opened(const char *path, const char *flags, enum guard_level level, const char *words)
{
	char name[PATH_MAX], text[64];

	if (access(below(name, "proc/200"), F_OK) < 0) {
		process("200", "mnt:[4026531840]", ROOT_LINE);
		link_to(path, "proc/200/fd/3");
	}
	snprintf(text, sizeof(text), "pos:\t0\n%s", flags);
	put(text, "proc/200/fdinfo/3");
	assert_int_equal(inspect_file(path, NULL), 0);
	return found(GATE_USERS, level, words);
}

static void a_file_that_another_process_reads_is_a_warning(void **state)
{
	char path[PATH_MAX];

	(void)state;
	make_file("data.img", 8 * MIB, path);
	assert_true(opened(path, "flags:\t0100000\n", GUARD_WARN,
			   "process 200 (somebody) has it open for reading"));
	assert_true(report.needs_destroy);
	assert_int_equal(guard_worst(&report), GUARD_WARN);
}

static void a_file_that_another_process_writes_is_refused(void **state)
{
	char path[PATH_MAX];

	(void)state;
	make_file("data.img", 8 * MIB, path);
	assert_true(opened(path, "flags:\t0100001\n", GUARD_REFUSE, "open for writing"));
	assert_true(opened(path, "flags:\t0100002\n", GUARD_REFUSE, "open for writing"));
	/* Nor is it known of one whose flags aren't told. */
	assert_true(opened(path, "", GUARD_REFUSE, "whether for writing can't be seen"));
}

static void a_file_that_another_process_has_mapped_is_refused(void **state)
{
	char path[PATH_MAX], line[512];
	struct stat st;

	(void)state;
	make_file("data.img", 8 * MIB, path);
	assert_int_equal(stat(path, &st), 0);
	process("200", "mnt:[4026531840]", ROOT_LINE);
	snprintf(line, sizeof(line), "7f00-7f01 rw-s 00000000 %02x:%02x %lu    /x\n",
		 major(st.st_dev), minor(st.st_dev), (unsigned long)st.st_ino);
	put(line, "proc/200/maps");
	assert_int_equal(inspect_file(path, NULL), 0);
	assert_true(found(GATE_USERS, GUARD_REFUSE, "mapped into memory"));
}

static void a_locked_file_is_refused(void **state)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	char path[PATH_MAX];
	int fd;

	(void)state;
	make_file("data.img", 8 * MIB, path);
	fd = open(path, O_RDWR);
	assert_int_equal(fcntl(fd, F_OFD_SETLK, &lock), 0);
	assert_int_equal(inspect_file(path, NULL), 0);
	assert_true(found(GATE_CLAIM, GUARD_REFUSE, "locked"));
	close(fd);
}

static void a_file_opens_with_consent_and_stays_locked(void **state)
{
	char path[PATH_MAX];
	int fd;

	(void)state;
	make_file("data.img", 8 * MIB, path);
	assert_int_equal(inspect_file(path, NULL), 0);
	assert_int_equal(guard_open(&report, &host, false, true, &error), -EPERM);
	fd = guard_open(&report, &host, true, true, &error);
	assert_true(fd >= 0);
	assert_int_equal(fcntl(fd, F_GETFL) & O_ACCMODE, O_RDWR);
	assert_int_equal(fcntl(fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
	assert_int_equal(guard_open(&report, &host, true, true, &error), -EBUSY);
	close(fd);
}

static void a_file_put_in_the_place_of_another_is_not_opened(void **state)
{
	char path[PATH_MAX], other[PATH_MAX];

	(void)state;
	make_file("data.img", 8 * MIB, path);
	assert_int_equal(inspect_file(path, NULL), 0);
	make_file("other.img", 8 * MIB, other);
	assert_int_equal(rename(other, path), 0);
	assert_int_equal(guard_open(&report, &host, true, true, &error), -ESTALE);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(guard_open(&report, &host, true, true, &error), -ENOENT);
	assert_int_equal(access(path, F_OK), -1);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(guard_open(&report, &host, true, true, &error), -EINVAL);
}

static void what_came_up_since_the_look_is_not_written_over(void **state)
{
	char path[PATH_MAX];

	(void)state;
	make_file("data.img", 8 * MIB, path);
	assert_int_equal(inspect_file(path, NULL), 0);
	write_at(path, MIB, "somebody's data");
	assert_int_equal(guard_open(&report, &host, true, true, &error), -EPERM);
	assert_non_null(strstr(error.text, "holds data"));
	assert_int_equal(inspect_file(path, NULL), 0);
	assert_int_equal(truncate(path, 9 * MIB), 0);
	assert_int_equal(guard_open(&report, &host, true, true, &error), -ESTALE);
}

static void the_watch_sees_a_file_change_its_size(void **state)
{
	struct guard_watch *watch;
	char path[PATH_MAX];

	(void)state;
	make_file("data.img", 8 * MIB, path);
	assert_int_equal(inspect_file(path, NULL), 0);
	assert_int_equal(guard_watch_start(&watch, &report, &host, &error), 0);
	assert_int_equal(guard_watch_check(watch, &error), 0);
	assert_int_equal(truncate(path, 4 * MIB), 0);
	assert_int_equal(guard_watch_check(watch, &error), -EPERM);
	assert_non_null(strstr(error.text, "size"));
	guard_watch_stop(watch);
}

static void the_watch_sees_new_swap(void **state)
{
	char path[PATH_MAX], swaps[2 * PATH_MAX];
	struct guard_watch *watch;

	(void)state;
	make_file("data.img", 8 * MIB, path);
	assert_int_equal(inspect_file(path, NULL), 0);
	assert_int_equal(guard_watch_start(&watch, &report, &host, &error), 0);
	assert_int_equal(guard_watch_check(watch, &error), 0);
	snprintf(swaps, sizeof(swaps), SWAPS_HEAD "%s file 8188 0 -2\n", path);
	put(swaps, "proc/swaps");
	assert_int_equal(guard_watch_check(watch, &error), -EPERM);
	assert_non_null(strstr(error.text, "swap"));
	guard_watch_stop(watch);
}

/* ---- devices of the recorded host ---- */

static void a_free_disk_has_no_findings(void **state)
{
	(void)state;
	look_at("sdc");
	assert_int_equal(report.count, 0);
}

static void the_disk_of_a_mounted_partition_is_refused(void **state)
{
	(void)state;
	mounts("30 22 8:17 / /srv rw - ext4 /dev/whatever rw\n");
	look_at("sdb");
	assert_true(found(GATE_MOUNTED, GUARD_REFUSE, "partition /dev/sdb1 is mounted at /srv"));
	look_at("sdb1");
	assert_true(found(GATE_MOUNTED, GUARD_REFUSE, "/dev/sdb1 is mounted at /srv"));
}

static void a_partition_beside_a_mounted_one_is_noted_only(void **state)
{
	(void)state;
	mounts("30 22 8:17 / /srv rw - ext4 /dev/sdb1 rw\n");
	look_at("sdb2");
	assert_true(found(GATE_MOUNTED, GUARD_NOTE, "the neighbour /dev/sdb1 is mounted at /srv"));
	assert_int_equal(guard_worst(&report), GUARD_NOTE);
}

static void a_partition_of_a_disk_mounted_as_a_whole_is_refused(void **state)
{
	(void)state;
	mounts("30 22 8:16 / /srv rw - ext4 /dev/sdb rw\n");
	look_at("sdb2");
	assert_true(found(GATE_MOUNTED, GUARD_REFUSE, "the whole disk /dev/sdb is mounted"));
}

static void a_partition_overlapping_a_mounted_one_is_refused(void **state)
{
	(void)state;
	block("pci0/host3/session1/target3:0:0", "sdb", "sdb3", "8:19\n", "1000000\n", "100000\n");
	mounts("30 22 8:19 / /srv rw - ext4 /dev/sdb3 rw\n");
	look_at("sdb2");
	assert_true(found(GATE_MOUNTED, GUARD_REFUSE, "/dev/sdb3 is mounted at /srv"));
}

static void a_mount_in_another_namespace_is_seen(void **state)
{
	(void)state;
	process("200", "mnt:[4026532000]", "40 1 8:32 / /data rw - xfs /dev/x rw\n");
	look_at("sdc");
	assert_true(found(GATE_MOUNTED, GUARD_REFUSE, "in the mount namespace of process 200"));
}

static void devices_of_btrfs_are_seen_though_their_numbers_are_not(void **state)
{
	(void)state;
	mounts("30 22 0:55 / /pool rw - btrfs /dev/sdb1 rw\n");
	put("", "sys/fs/btrfs/1234-abcd/devices/sdb1");
	put("", "sys/fs/btrfs/1234-abcd/devices/sdc");
	look_at("sdb");
	assert_true(found(GATE_MOUNTED, GUARD_REFUSE, "partition /dev/sdb1 is mounted at /pool"));
	look_at("sdc");
	assert_true(found(GATE_MOUNTED, GUARD_REFUSE, "a part of btrfs 1234-abcd"));
}

static void the_root_disk_is_named_as_such(void **state)
{
	(void)state;
	look_at("sda");
	assert_true(found(GATE_MOUNTED, GUARD_REFUSE, "mounted at /"));
	assert_true(found(GATE_USERS, GUARD_REFUSE, "root file system"));
	look_at("sda2");
	assert_true(found(GATE_USERS, GUARD_NOTE, "root file system"));
	assert_int_equal(guard_worst(&report), GUARD_NOTE);
}

static void swap_on_a_partition_refuses_the_disk(void **state)
{
	(void)state;
	put(SWAPS_HEAD "/dev/sdb2 partition 524284 0 -2\n", "proc/swaps");
	look_at("sdb");
	assert_true(found(GATE_SWAP, GUARD_REFUSE, "partition /dev/sdb2 is in use as swap"));
	look_at("sdb1");
	assert_int_equal(guard_worst(&report), GUARD_NOTE);
}

static void swap_on_a_zram_device_refuses_what_backs_it(void **state)
{
	(void)state;
	block("virtual", NULL, "zram0", "253:0\n", NULL, "16384\n");
	attribute("zram0", "backing_dev", "/dev/sdc\n");
	put(SWAPS_HEAD "/dev/zram0 partition 8188 0 100\n", "proc/swaps");
	look_at("sdc");
	assert_true(found(GATE_SWAP, GUARD_REFUSE,
			  "/dev/zram0, which stands on it, is in use as swap"));
	assert_true(found(GATE_HOLDERS, GUARD_REFUSE, "zram0"));
}

static void holders_of_a_partition_refuse_the_disk(void **state)
{
	(void)state;
	block("virtual", NULL, "dm-0", "254:0\n", NULL, "1048576\n");
	attribute("dm-0", "dm/name", "vg0-data\n");
	attribute("dm-0", "dm/uuid", "LVM-abcdef\n");
	holds("dm-0", "sdb1");
	mounts("30 22 254:0 / /data rw - xfs /dev/mapper/vg0-data rw\n");
	look_at("sdb");
	assert_true(found(GATE_HOLDERS, GUARD_REFUSE, "held by dm-0 (vg0-data) (LVM)"));
	assert_true(found(GATE_MOUNTED, GUARD_REFUSE, "mounted at /data"));
	look_at("sdb2");
	assert_true(found(GATE_HOLDERS, GUARD_NOTE, "stands on other partitions"));
	assert_int_equal(guard_worst(&report), GUARD_NOTE);
	look_at("dm-0");
	assert_true(found(GATE_MOUNTED, GUARD_REFUSE, "/dev/dm-0 (vg0-data) is mounted at /data"));
	assert_true(found(GATE_HOLDERS, GUARD_NOTE, "it stands on sdb1"));
	assert_string_equal(report.id, "dm.vg0-data");
}

static void a_volume_over_the_target_and_its_neighbour_is_refused(void **state)
{
	(void)state;
	block("virtual", NULL, "md0", "9:0\n", NULL, "1048576\n");
	holds("md0", "sdb1");
	holds("md0", "sdb2");
	look_at("sdb2");
	assert_true(found(GATE_HOLDERS, GUARD_REFUSE, "held by md0 (raid)"));
}

static void a_loop_device_over_a_disk_refuses_it(void **state)
{
	(void)state;
	block("virtual", NULL, "loop3", "7:3\n", NULL, "16384\n");
	attribute("loop3", "loop/backing_file", "/dev/sdb1\n");
	look_at("sdb");
	assert_true(found(GATE_HOLDERS, GUARD_REFUSE, "held by loop3"));
	look_at("loop3");
	assert_true(found(GATE_HOLDERS, GUARD_NOTE, "it stands on sdb1"));
	assert_string_equal(report.id, "7:3@/dev/sdb1");
	mounts("30 22 8:17 / /srv rw - ext4 /dev/sdb1 rw\n");
	look_at("loop3");
	assert_true(found(GATE_MOUNTED, GUARD_REFUSE, "/dev/sdb1, which it stands on, is mounted"));
}

static void two_loop_devices_over_one_file_refuse_each_other(void **state)
{
	char path[PATH_MAX];

	(void)state;
	make_file("data.img", 8 * MIB, path);
	block("virtual", NULL, "loop0", "7:0\n", NULL, "16384\n");
	block("virtual", NULL, "loop1", "7:1\n", NULL, "16384\n");
	attribute("loop0", "loop/backing_file", path);
	attribute("loop1", "loop/backing_file", path);
	mounts("30 22 7:1 / /mnt rw - ext4 /dev/loop1 rw\n");
	look_at("loop0");
	assert_true(found(GATE_HOLDERS, GUARD_REFUSE, "loop1 shares its storage"));
	assert_true(found(GATE_MOUNTED, GUARD_REFUSE,
			  "/dev/loop1, which shares its storage, is mounted at /mnt"));
}

static void a_second_path_to_the_LUN_is_a_warning(void **state)
{
	(void)state;
	attribute("sdc", "device/wwid", "naa.600140512ab34cd56ef\n");
	look_at("sdc");
	assert_true(found(GATE_MULTIPATH, GUARD_WARN, "/dev/sdb has the same worldwide name"));
	assert_int_equal(guard_worst(&report), GUARD_WARN);
	assert_false(report.needs_destroy);
}

static void a_mount_through_the_second_path_is_refused(void **state)
{
	(void)state;
	attribute("sdc", "device/wwid", "naa.600140512ab34cd56ef\n");
	mounts("30 22 8:17 / /srv rw - ext4 /dev/sdb1 rw\n");
	look_at("sdc");
	assert_true(found(GATE_MOUNTED, GUARD_REFUSE,
			  "/dev/sdb1, another path to the same disk, is mounted at /srv"));
}

static void a_path_of_a_multipath_map_points_to_the_map(void **state)
{
	(void)state;
	attribute("sdc", "device/wwid", "naa.600140512ab34cd56ef\n");
	block("virtual", NULL, "dm-0", "254:0\n", NULL, "20971520\n");
	attribute("dm-0", "dm/name", "mpatha\n");
	attribute("dm-0", "dm/uuid", "mpath-3600140512ab34cd56ef\n");
	holds("dm-0", "sdb");
	holds("dm-0", "sdc");
	look_at("sdc");
	assert_true(found(GATE_MULTIPATH, GUARD_WARN, "/dev/mapper/mpatha"));
	assert_int_equal(guard_worst(&report), GUARD_REFUSE);
	look_at("dm-0");
	assert_string_equal(report.id, "naa.600140512ab34cd56ef");
	assert_int_equal(guard_worst(&report), GUARD_NOTE);
}

static void the_id_of_a_disk_is_its_worldwide_name(void **state)
{
	(void)state;
	look_at("sdb");
	assert_string_equal(report.id, "naa.600140512ab34cd56ef");
	assert_string_equal(report.confirm, "cd56ef");
	assert_string_equal(report.vendor, "LIO-ORG");
	assert_string_equal(report.model, "disk0");
	look_at("sdb2");
	assert_string_equal(report.id, "naa.600140512ab34cd56ef:p2");
	assert_string_equal(report.confirm, "56efp2");
}

static void without_a_worldwide_name_the_serial_and_then_the_number_serve(void **state)
{
	static const char page[] = {0,   (char)0x80, 0,   12,  ' ', ' ', 'Z', '3',
				    '0', '2',        'X', 'Y', '7', '8', ' ', ' '};
	char path[PATH_MAX];
	FILE *f;

	(void)state;
	look_at("sdc");
	assert_string_equal(report.id, "8:32@sdc");
	assert_string_equal(report.confirm, "832sdc");
	put("", "sys/class/block/sdc/device/vpd_pg80");
	f = fopen(below(path, "sys/class/block/sdc/device/vpd_pg80"), "w");
	assert_int_equal(fwrite(page, 1, sizeof(page), f), sizeof(page));
	fclose(f);
	look_at("sdc");
	assert_string_equal(report.id, "Z302XY78");
	attribute("sdc", "device/wwid", "t10.ATA     ST4000DM   Z302XY78\n");
	look_at("sdc");
	assert_string_equal(report.id, "t10.ATA_ST4000DM_Z302XY78");
	assert_string_equal(report.confirm, "02XY78");
}

static void a_read_only_disk_refuses_its_partitions(void **state)
{
	(void)state;
	attribute("sdb", "ro", "1\n");
	look_at("sdb2");
	assert_true(found(GATE_READONLY, GUARD_REFUSE, "its disk /dev/sdb is set read-only"));
	look_at("sdb");
	assert_true(found(GATE_READONLY, GUARD_REFUSE, "read-only"));
}

/* ---- the device list ---- */

static void devices_are_listed_in_natural_order_with_what_speaks_against(void **state)
{
	struct device *list;
	int n;

	(void)state;
	block("pci0/host5", NULL, "sdaa", "65:160\n", NULL, "2048\n");
	block("pci0/nvme/nvme0", NULL, "nvme0n1", "259:0\n", NULL, "2048\n");
	block("pci0/nvme/nvme0", NULL, "nvme0n10", "259:9\n", NULL, "2048\n");
	block("pci0/nvme/nvme0", NULL, "nvme0n2", "259:1\n", NULL, "2048\n");
	block("pci0", NULL, "sr0", "11:0\n", NULL, "0\n");
	block("virtual", NULL, "loop7", "7:7\n", NULL, "2048\n");
	mounts("30 22 8:17 / /srv rw - ext4 /dev/sdb1 rw\n");
	put(SWAPS_HEAD "/dev/sdb2 partition 524284 0 -2\n", "proc/swaps");
	attribute("sdc", "ro", "1\n");
	n = devices_list(&host, false, false, &list, &error);
	assert_int_equal(n, 7);
	assert_string_equal(list[0].name, "nvme0n1");
	assert_string_equal(list[1].name, "nvme0n2");
	assert_string_equal(list[2].name, "nvme0n10");
	assert_string_equal(list[2].transport, "nvme");
	assert_string_equal(list[3].name, "sda");
	assert_string_equal(list[3].transport, "sata");
	assert_string_equal(list[3].against, "mounted /");
	assert_string_equal(list[4].name, "sdb");
	assert_string_equal(list[4].model, "LIO-ORG disk0");
	assert_string_equal(list[4].transport, "iscsi");
	assert_string_equal(list[4].against, "mounted /srv, swap");
	assert_int_equal(list[4].size, 10 * GIB);
	assert_int_equal(list[4].rdev, makedev(8, 16));
	assert_int_equal(list[4].logical_block, 512);
	assert_true(list[4].rotational);
	assert_string_equal(list[5].name, "sdc");
	assert_string_equal(list[5].transport, "fc");
	assert_string_equal(list[5].against, "read-only");
	assert_true(list[5].read_only);
	assert_string_equal(list[6].name, "sdaa");
	free(list);
}

static void partitions_are_listed_when_asked_for(void **state)
{
	struct device *list;
	int n;

	(void)state;
	n = devices_list(&host, true, false, &list, &error);
	assert_int_equal(n, 7);
	assert_string_equal(list[1].name, "sda1");
	assert_true(list[1].partition);
	assert_string_equal(list[1].against, "mounted /");
	assert_string_equal(list[2].against, "");
	free(list);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(typed_consent_is_the_end_of_the_id),
		T(data_need_the_word_DESTROY_too),
		T(headless_consent_is_the_whole_id),
		T(the_case_of_a_file_name_is_not_ignored),
		T(no_consent_helps_against_a_refusal),
		T(a_full_report_keeps_the_worst),
		T(foreign_text_steers_no_terminal),
		T(a_big_device_gets_a_window_of_1_GiB_after_the_first_MiB),
		T(a_small_device_keeps_its_first_and_last_MiB),
		T(a_device_below_3_MiB_is_written_as_a_whole_or_not_at_all),
		T(a_named_window_must_lie_within_and_leave_the_edges_alone),
		T(a_window_without_a_length_goes_to_the_end),
		T(a_file_is_written_from_end_to_end),
		T(a_typo_below_dev_is_named_and_makes_nothing),
		T(folders_pipes_sockets_and_character_devices_are_no_targets),
		T(a_regular_file_below_dev_is_refused),
		T(without_a_mount_table_nothing_is_looked_at),
		T(a_sparse_file_is_free_of_data),
		T(one_byte_anywhere_in_a_sparse_file_is_data),
		T(an_Oracle_ASM_disk_is_known_by_its_tag),
		T(a_symlink_and_a_hard_link_are_noted),
		T(a_swap_file_is_refused_by_any_of_its_names),
		T(a_file_behind_a_loop_device_is_refused),
		T(a_loop_device_over_something_unseen_refuses_everything),
		T(a_folder_that_can_t_be_opened_is_no_empty_one),
		T(dead_processes_and_kernel_threads_are_left_out),
		T(a_file_mounted_through_fuse_is_refused),
		T(a_file_that_another_process_reads_is_a_warning),
		T(a_file_that_another_process_writes_is_refused),
		T(a_file_that_another_process_has_mapped_is_refused),
		T(a_locked_file_is_refused),
		T(a_file_opens_with_consent_and_stays_locked),
		T(a_file_put_in_the_place_of_another_is_not_opened),
		T(what_came_up_since_the_look_is_not_written_over),
		T(the_watch_sees_a_file_change_its_size),
		T(the_watch_sees_new_swap),
		T(a_free_disk_has_no_findings),
		T(the_disk_of_a_mounted_partition_is_refused),
		T(a_partition_beside_a_mounted_one_is_noted_only),
		T(a_partition_of_a_disk_mounted_as_a_whole_is_refused),
		T(a_partition_overlapping_a_mounted_one_is_refused),
		T(a_mount_in_another_namespace_is_seen),
		T(devices_of_btrfs_are_seen_though_their_numbers_are_not),
		T(the_root_disk_is_named_as_such),
		T(swap_on_a_partition_refuses_the_disk),
		T(swap_on_a_zram_device_refuses_what_backs_it),
		T(holders_of_a_partition_refuse_the_disk),
		T(a_volume_over_the_target_and_its_neighbour_is_refused),
		T(a_loop_device_over_a_disk_refuses_it),
		T(two_loop_devices_over_one_file_refuse_each_other),
		T(a_second_path_to_the_LUN_is_a_warning),
		T(a_mount_through_the_second_path_is_refused),
		T(a_path_of_a_multipath_map_points_to_the_map),
		T(the_id_of_a_disk_is_its_worldwide_name),
		T(without_a_worldwide_name_the_serial_and_then_the_number_serve),
		T(a_read_only_disk_refuses_its_partitions),
		T(devices_are_listed_in_natural_order_with_what_speaks_against),
		T(partitions_are_listed_when_asked_for),
	};

	return cmocka_run_group_tests_name("guard", tests, NULL, NULL);
}
