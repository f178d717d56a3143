/* cmd_sessions.c - `lunscope sessions [TARGET]`: the sessions of the kernel's iSCSI initiator. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmd.h"
#include "config.h"
#include "export.h"
#include "kernel_iscsi.h"
#include "outfile.h"
#include "sessions.h"

/* "header", "data", "header data", "none"; "-" while there is no connection that has them. */
static const char *digests(const char *parameters)
{
	bool header = strstr(parameters, "HeaderDigest=CRC32C");
	bool data = strstr(parameters, "DataDigest=CRC32C");

	if (!strstr(parameters, "HeaderDigest="))
		return "-";
	return header ? data ? "header data" : "header" : data ? "data" : "none";
}

/* "1448", or "1448 of 8948" where the connection could have more. */
static const char *mss(const struct backend_session *s, char *out, size_t n)
{
	if (s->mss < 0)
		return "-";
	if (s->mss_cap > s->mss)
		snprintf(out, n, "%lld of %lld", (long long)s->mss, (long long)s->mss_cap);
	else
		snprintf(out, n, "%lld", (long long)s->mss);
	return out;
}

static const char *or_none(const char *text)
{
	return text[0] ? text : "-";
}

/* The time comes last: its "µ" is no one byte, by which printf counts columns. */
static void print_session(FILE *f, const struct kernel_session *k)
{
	const struct backend_session *s = &k->session;
	char now[32], rtt[32] = "-";

	if (s->rtt_us >= 0)
		units_latency(rtt, sizeof(rtt), (double)s->rtt_us * 1e3, units_ascii());
	fprintf(f, "  %-12s %7u  %-21s %-8s %-10s %-11s %9u  %-12s %s\n", or_none(k->facts.disks),
		k->facts.sid, or_none(s->portal), or_none(k->facts.nic),
		session_state_name(s->state), digests(s->parameters), s->inflight,
		mss(s, now, sizeof(now)), rtt);
	if (s->why[0])
		fprintf(f, "    ! %s\n", s->why);
	/* Those that failed are no news: the kernel asks each new disk for what it may not have. */
	if (k->facts.timed_out > 0)
		fprintf(f, "    ! %lld commands ran into a timeout\n",
			(long long)k->facts.timed_out);
	if (k->facts.stats.digest_errors)
		fprintf(f, "    ! %u digest errors\n", k->facts.stats.digest_errors);
}

static void print_header(FILE *f, const char *target)
{
	fprintf(f, "%s\n  %-12s %7s  %-21s %-8s %-10s %-11s %9s  %-12s %s\n", or_none(target),
		"disk", "session", "portal", "NIC", "state", "digests", "in flight", "MSS", "RTT");
}

/* By target, each with its sessions. */
static void print_list(FILE *f, const struct kernel_session *list, int n)
{
	for (int i = 0; i < n; i++) {
		const char *target = list[i].facts.target;
		bool before = false;
		for (int j = 0; j < i; j++)
			before |= strcmp(list[j].facts.target, target) == 0;
		if (before)
			continue;
		print_header(f, target);
		for (int j = i; j < n; j++)
			if (strcmp(list[j].facts.target, target) == 0)
				print_session(f, &list[j]);
	}
}

static int write_json(const char *path, const struct kernel_session *list, int n, struct error *e)
{
	json_t *sessions = json_array();
	json_t *doc = json_pack("{s:i, s:s, s:o}", "schema", EXPORT_SCHEMA, "lunscope",
				PACKAGE_VERSION, "sessions", sessions);

	for (int i = 0; i < n && doc; i++)
		json_array_append_new(sessions,
				      sessions_json_one(&list[i].session, &list[i].facts));
	int rc = doc ? export_write_json(doc, path, e)
		     : error_set(e, ENOMEM, "out of memory for the result");
	json_decref(doc);
	return rc;
}

/* 0 for all of them, where no target is named. */
static int find_device(const char *spec, dev_t *device, struct error *e)
{
	struct stat st;

	*device = 0;
	if (!spec)
		return 0;
	if (stat(spec, &st))
		return error_errno(e, errno, "%s", spec);
	if (!S_ISBLK(st.st_mode))
		return error_set(e, ENOTBLK,
				 "%s is no block device: to see those of this host: lunscope "
				 "targets",
				 spec);
	*device = st.st_rdev;
	return 0;
}

int cmd_sessions(const struct options *o)
{
	const char *spec = o->args ? o->arg[0] : NULL;
	bool to_stdout = o->json && strcmp(o->json, OPTIONS_STDOUT) == 0;
	struct kernel_session *list = NULL;
	struct error e;
	dev_t device;

	if (find_device(spec, &device, &e) || (o->json && outfile_check(o->json, "--json", &e)))
		return cmd_fail(EXIT_USAGE, &e);
	int n = kernel_iscsi_list(&guard_host, device, &list, &e);
	if (n < 0)
		return cmd_fail(EXIT_USAGE, &e);
	if (!to_stdout)
		print_list(stdout, list, n);
	if (n == 0 && !to_stdout)
		printf("%s%s the kernel's iSCSI initiator\n",
		       spec ? spec : "this host has no session of", spec ? " is not behind" : "");
	int rc = o->json ? write_json(o->json, list, n, &e) : 0;
	free(list);
	return rc ? cmd_fail(EXIT_USAGE, &e) : EXIT_FINE;
}
