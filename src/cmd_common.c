/* cmd_common.c - what the commands share. */
#include <errno.h>
#include <sys/stat.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "cmd.h"

int cmd_fail(int status, const struct error *e)
{
	fprintf(stderr, "lunscope: %s\n", e->text);
	return status;
}

int cmd_status(int rc)
{
	return rc == -EPERM || rc == -EACCES ? EXIT_GUARD : EXIT_USAGE;
}

struct target_options cmd_target_options(const struct options *o)
{
	return (struct target_options){
		.backend = o->backend,
		.login = &o->login,
		.paths = o->paths,
		.buffered = o->buffered,
		.create_size = o->create_size,
		.data = &o->workload.data,
	};
}

struct workload cmd_workload(const struct options *o, const struct target *t)
{
	struct workload w = o->workload;
	uint32_t most = t->backend->max_outstanding;

	if (most && w.outstanding > most && !o->given[OPT_OUTSTANDING])
		w.outstanding = most;
	return w;
}

/* IOs that are out because of an outage are named as such. */
static void print_outages(FILE *f, const char *prefix, const struct sessions *s)
{
	for (unsigned i = 0; i < s->paths; i++) {
		const struct path_view *v = &s->path[i];
		char span[32];
		if (v->up || v->out || !v->all.loss.noticed_ns)
			continue;
		fprintf(f, "%spath %u to %s was lost, for %s already when the run ended: %s\n",
			prefix, v->number, v->all.portal,
			units_span(span, sizeof(span), v->all.outage_ns), v->all.why);
	}
}

void cmd_print_trouble(FILE *f, const char *prefix, const struct target *t, uint64_t lost,
		       const struct snapshot *s)
{
	/* Without an answer there is no latency, but there is an age. */
	if (lost)
		fprintf(f,
			"%s%" PRIu64
			" IO%s not back in time %s not in the figures; the oldest was out for "
			"%.1f s\n",
			prefix, lost, lost == 1 ? "" : "s", lost == 1 ? "is" : "are",
			(double)s->oldest_ns / 1e9);
	if (lost)
		print_outages(f, prefix, &s->sessions);
	if (s->size_trouble[0])
		fprintf(f, "%s%s %s\n", prefix, t->spec, s->size_trouble);
}

int cmd_check_no_store(const struct options *o, const char *path, const char *option,
		       struct error *e)
{
	char standard[PATH_MAX];
	struct stat a, b;
	const char *store = o->store;

	if (!store && store_default_path(standard, sizeof(standard), NULL) == 0)
		store = standard;
	if (!store || stat(store, &a) || stat(path, &b) || a.st_dev != b.st_dev ||
	    a.st_ino != b.st_ino)
		return 0;
	return error_set(e, EINVAL, "%s: %s is the run store: name another file", option, path);
}

int cmd_open_store(const struct options *o, struct store **s, struct error *e)
{
	char path[PATH_MAX];

	if (o->store)
		return store_open_read(s, o->store, e);
	int rc = store_default_path(path, sizeof(path), e);
	return rc ? rc : store_open_read(s, path, e);
}

int cmd_parse_part(const char *text, int64_t *run, const char **segment, struct error *e)
{
	char number[32];
	uint64_t id;
	size_t n = strcspn(text, ":");

	snprintf(number, sizeof(number), "%.*s", (int)n, text);
	if (n >= sizeof(number) || units_parse_uint(number, "run", 1, INT64_MAX, &id, NULL))
		return error_set(e, EINVAL,
				 "'%.60s': write RUN or RUN:SEGMENT, as in 12 or 12:b; lunscope "
				 "list has the runs",
				 text);
	*run = (int64_t)id;
	*segment = text[n] ? text + n + 1 : "";
	return 0;
}
