/* consent.c - see consent.h. */
#include "consent.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
#include <sys/stat.h>

static void tell_findings(const struct guard_report *r)
{
	static const char *const level[] = {"note", "warning", "refused"};

	for (unsigned i = 0; i < r->count; i++)
		fprintf(stderr, "lunscope: %s: %s\n", level[r->finding[i].level],
			r->finding[i].text);
	if (r->truncated)
		fprintf(stderr, "lunscope: note: more was found than is shown\n");
}

static void tell_window(const struct guard_report *r)
{
	char length[32], start[32];

	fprintf(stderr, "lunscope: would write %s", r->path);
	/* The identity of a file is its path. */
	if (strcmp(r->path, r->id) != 0)
		fprintf(stderr, " (%s)", r->id);
	fprintf(stderr, ", %s from ", units_size(length, sizeof(length), r->window_length));
	if (r->window_start)
		fprintf(stderr, "byte %" PRIu64 " (%s) on\n", r->window_start,
			units_size(start, sizeof(start), r->window_start));
	else
		fprintf(stderr, "its start\n");
}

static int check_consent(const struct guard_report *r, const struct options *o,
			 const struct workload *w, struct error *e)
{
	char cause[32];

	if (!o->write)
		return error_set(e, EPERM,
				 "%s: %s would write; add --write --i-own '%s'%s, or read only",
				 r->spec, workload_write_cause(cause, sizeof(cause), w), r->id,
				 r->needs_destroy ? " --destroy" : "");
	if (!o->owned)
		return error_set(e, EPERM, "%s: to write here add --i-own '%s'%s", r->spec, r->id,
				 r->needs_destroy ? " --destroy" : "");
	/* With several targets each one's identity is given: its own will do. */
	int rc = -EPERM;
	for (unsigned i = 0; i < o->owned && rc; i++) {
		rc = guard_check_own(r, o->i_own[i], o->destroy, e);
		/* Its own: what is missing besides is what counts. */
		if (strcmp(o->i_own[i], r->id) == 0)
			break;
	}
	return rc;
}

int consent_write_lun(struct target *t, const struct guard_report *r, struct guard_watch **watch,
		      struct error *e)
{
	struct guard_lun lun = target_lun(t);
	int rc = guard_open_lun(r, &lun, &guard_host, true, e);

	if (rc == 0)
		rc = guard_watch_start_lun(watch, r, &lun, &guard_host, e);
	return rc ? rc : target_allow_write(t, -1, r->window_start, r->window_length, e);
}

int consent_inspect(const struct target *t, const struct guard_window *window,
		    struct guard_report *r, struct error *e)
{
	struct guard_lun lun = target_lun(t);

	return t->kind == TARGET_LUN ? guard_inspect_lun(&lun, &guard_host, window, r, e)
				     : guard_inspect(t->spec, &guard_host, window, r, e);
}

static int open_guarded(struct target *t, const struct options *o, const struct workload *w,
			const struct guard_report *r, struct guard_watch **watch, struct error *e)
{
	int rc = check_consent(r, o, w, e);

	if (rc)
		return rc;
	if (t->kind == TARGET_LUN)
		return consent_write_lun(t, r, watch, e);
	int fd = guard_open(r, &guard_host, true, o->buffered, e);
	if (fd < 0)
		return fd;
	rc = target_allow_write(t, fd, r->window_start, r->window_length, e);
	if (rc == 0)
		rc = guard_watch_start(watch, r, &guard_host, e);
	return rc;
}

/* A file that was made a moment ago has no data to lose, and the one that has it open for writing is
 * lunscope itself. What the watch looks for must not be the case already. */
static bool concerns_created(enum guard_gate gate)
{
	return gate == GATE_MOUNTED || gate == GATE_SWAP || gate == GATE_HOLDERS;
}

int consent_watch_created(const struct target *t, struct guard_watch **watch, struct error *e)
{
	struct stat st;

	*watch = NULL;
	if (!t->created)
		return 0;
	struct guard_report *r = malloc(sizeof(*r));
	if (!r)
		return error_set(e, ENOMEM, "out of memory for the write guard");
	int rc = guard_inspect(t->spec, &guard_host, NULL, r, e);
	if (rc == 0 && (stat(r->path, &st) || !target_is(t, &st)))
		rc = error_set(e, ESTALE, "%s: something else has taken the new file's name",
			       t->spec);
	for (unsigned i = 0; rc == 0 && i < r->count; i++)
		if (r->finding[i].level == GUARD_REFUSE && concerns_created(r->finding[i].gate))
			rc = error_set(e, EPERM, "%s: the new file is not written: %s", t->spec,
				       r->finding[i].text);
	if (rc == 0)
		rc = guard_watch_start(watch, r, &guard_host, e);
	free(r);
	return rc;
}

int consent_headless(struct target *t, const struct options *o, const struct workload *w,
		     struct guard_watch **watch, struct error *e)
{
	*watch = NULL;
	if (t->created)
		return consent_watch_created(t, watch, e);
	if (!workload_writes(w) || t->may_write)
		return 0;
	struct guard_report *r = malloc(sizeof(*r));
	if (!r)
		return error_set(e, ENOMEM, "out of memory for the write guard");
	int rc = consent_inspect(t, &o->window, r, e);
	if (rc == 0) {
		tell_findings(r);
		tell_window(r);
		if (guard_worst(r) == GUARD_REFUSE)
			rc = error_set(e, EPERM, "%s: is not written to, for the reasons above",
				       t->spec);
		else
			rc = open_guarded(t, o, w, r, watch, e);
	}
	free(r);
	return rc;
}
