/* export_host.c - the host that a run was made on, as the JSON document keeps it.
 *
 * Everything is read below a root, so that a test can hand in a recorded proc/ and sys/.
 */
#include "export.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#include "config.h"
#include "units.h"

/* The first line of root/path without its newline; false when there is none. */
static bool read_line(const char *root, const char *path, char *out, size_t n)
{
	char name[PATH_MAX];

	snprintf(name, sizeof(name), "%s%s", root, path);
	FILE *f = fopen(name, "re");
	if (!f)
		return false;
	bool got = fgets(out, (int)n, f) != NULL;
	fclose(f);
	if (got)
		out[strcspn(out, "\n")] = 0;
	return got;
}

static json_t *line_json(const char *root, const char *path)
{
	char text[256];

	return read_line(root, path, text, sizeof(text)) ? export_text(text) : json_null();
}

/* The value of a "key : value" line; NULL for another line. */
static char *value_of(char *line, const char *key)
{
	size_t n = strlen(key);

	if (strncmp(line, key, n))
		return NULL;
	char *p = line + n;
	while (isspace((unsigned char)*p))
		p++;
	if (*p != ':')
		return NULL;
	do
		p++;
	while (isspace((unsigned char)*p));
	p[strcspn(p, "\n")] = 0;
	return p;
}

/* x86 has "model name" for each CPU; other machines may have none, and then it is not known. */
static json_t *cpu_json(const char *root)
{
	char path[PATH_MAX], line[1024], model[256] = "";
	json_int_t count = 0;

	snprintf(path, sizeof(path), "%s/proc/cpuinfo", root);
	FILE *f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		const char *v = value_of(line, "model name");
		if (v && !model[0])
			snprintf(model, sizeof(model), "%s", v);
		if (value_of(line, "processor"))
			count++;
	}
	if (f)
		fclose(f);
	return json_pack("{s:o, s:o}", "model", model[0] ? export_text(model) : json_null(),
			 "count", count ? json_integer(count) : json_null());
}

static json_t *memory_json(const char *root)
{
	char path[PATH_MAX], line[256];
	unsigned long long kib = 0;

	snprintf(path, sizeof(path), "%s/proc/meminfo", root);
	FILE *f = fopen(path, "re");
	while (f && !kib && fgets(line, sizeof(line), f)) {
		const char *v = value_of(line, "MemTotal");
		if (v)
			kib = strtoull(v, NULL, 10);
	}
	if (f)
		fclose(f);
	return kib ? json_integer((json_int_t)(kib * KIB)) : json_null();
}

/* --- The block device's queue. --- */

/* The device that t's IO ends up on; false where there is none (null:, tmpfs, NFS). */
static bool target_device(const struct target *t, dev_t *dev)
{
	struct stat st;

	if (t->kind == TARGET_BLOCK) {
		*dev = t->rdev;
		return true;
	}
	if (t->kind != TARGET_FILE || t->fd < 0 || fstat(t->fd, &st))
		return false;
	*dev = st.st_dev;
	return true;
}

/* The device's folder below /sys; that of the whole disk for a partition, which has no queue. */
static bool queue_folder(const char *root, dev_t dev, char out[PATH_MAX])
{
	char link[PATH_MAX + 64], path[PATH_MAX + 16];

	snprintf(link, sizeof(link), "%s/sys/dev/block/%u:%u", root, major(dev), minor(dev));
	if (!realpath(link, out))
		return false;
	for (int up = 0; up < 2; up++) {
		snprintf(path, sizeof(path), "%s/queue", out);
		if (!access(path, R_OK))
			return true;
		char *slash = strrchr(out, '/');
		if (!slash)
			return false;
		*slash = 0;
	}
	return false;
}

/* "[mq-deadline] none" -> mq-deadline */
static json_t *scheduler_json(const char *folder)
{
	char text[256];

	if (!read_line(folder, "/queue/scheduler", text, sizeof(text)))
		return json_null();
	char *open = strchr(text, '['), *close = open ? strchr(open, ']') : NULL;
	if (!close)
		return json_string(text);
	return json_stringn(open + 1, (size_t)(close - open - 1));
}

static json_t *number_json(const char *folder, const char *path)
{
	char text[64], *end;

	if (!read_line(folder, path, text, sizeof(text)))
		return json_null();
	long long v = strtoll(text, &end, 10);
	return end != text ? json_integer(v) : json_null();
}

static json_t *flag_json(const char *folder, const char *path)
{
	char text[16];

	if (!read_line(folder, path, text, sizeof(text)))
		return json_null();
	return json_boolean(text[0] == '1');
}

static json_t *queue_json(const char *root, const struct target *t)
{
	char folder[PATH_MAX];
	dev_t dev;

	if (!target_device(t, &dev) || !queue_folder(root, dev, folder))
		return json_null();
	return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "device",
			 strrchr(folder, '/') + 1, "scheduler", scheduler_json(folder),
			 "nr_requests", number_json(folder, "/queue/nr_requests"), "read_ahead_kb",
			 number_json(folder, "/queue/read_ahead_kb"), "max_sectors_kb",
			 number_json(folder, "/queue/max_sectors_kb"), "rotational",
			 flag_json(folder, "/queue/rotational"), "write_cache",
			 line_json(folder, "/queue/write_cache"), "logical_block_bytes",
			 number_json(folder, "/queue/logical_block_size"), "physical_block_bytes",
			 number_json(folder, "/queue/physical_block_size"));
}

json_t *export_environment(const char *root, const struct target *t, uint64_t wall)
{
	struct utsname u;
	struct tm tm;
	char when[64];
	time_t s = (time_t)(wall / NS_PER_SEC);

	localtime_r(&s, &tm);
	strftime(when, sizeof(when), "%Y-%m-%dT%H:%M:%S%z", &tm);
	if (uname(&u))
		memset(&u, 0, sizeof(u));
	return json_pack("{s:o, s:o, s:s, s:o, s:o, s:s, s:s, s:I, s:o}", "host",
			 line_json(root, "/proc/sys/kernel/hostname"), "kernel",
			 line_json(root, "/proc/sys/kernel/osrelease"), "machine", u.machine, "cpu",
			 cpu_json(root), "memory_bytes", memory_json(root), "lunscope",
			 PACKAGE_VERSION, "time", when, "time_ns", (json_int_t)wall, "queue",
			 queue_json(root, t));
}
