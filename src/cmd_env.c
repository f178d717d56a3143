/* cmd_env.c - `lunscope env [TARGET|NIC...]`: what is set on this host that a run may depend on; and
 * `lunscope env RUN[:SEGMENT] [RUN[:SEGMENT]]`: what was set when a kept run was made, and what of it differs
 * between two.
 */
#include <errno.h>
#include <net/if.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmd.h"
#include "compare/differ_facts.h"
#include "config.h"
#include "env/files.h"
#include "env/watch.h"
#include "export.h"
#include "kernel_iscsi.h"
#include "outfile.h"
#include "route.h"
#include "secret.h"
#include "store_import.h"
#include "store_load.h"

#define SCHEME "iscsi://"

/* --- Out. --- */

static bool to_stdout(const struct options *o)
{
	return o->json && strcmp(o->json, OPTIONS_STDOUT) == 0;
}

static int write_json(const struct options *o, json_t *doc, struct error *e)
{
	int rc = doc ? export_write_json(doc, o->json, e)
		     : error_set(e, ENOMEM, "out of memory for the result");

	json_decref(doc);
	return rc;
}

static json_t *document(void)
{
	return json_pack("{s:i, s:s}", "schema", EXPORT_SCHEMA, "lunscope", PACKAGE_VERSION);
}

/* A blank line between those of different things: "eth2 mtu", "eth2 tso", then "sda scheduler". */
static bool begins_anew(const char *words, const char *before)
{
	size_t n = strcspn(words, " ");

	if (!words[n] && !strchr(before, ' '))
		return false;
	return strcspn(before, " ") != n || strncmp(words, before, n) != 0;
}

#define NONE "(not supported)"

static bool is_missing(const struct fact *f)
{
	return strchr(f->words, ' ') && strcmp(f->value, NONE) == 0;
}

/* Those of one NIC or queue follow each other. */
static size_t end_of_group(const struct facts *facts, size_t at)
{
	do
		at++;
	while (at < facts->count && !begins_anew(facts->fact[at].words, facts->fact[at - 1].words));
	return at;
}

/* Whether two begin with the same word behind the NIC's name: "eth2 ring rx", "eth2 ring tx". */
static bool alike(const char *a, const char *b)
{
	size_t n = strcspn(a, " ") + 1;

	n += strcspn(a + n, " ");
	return strncmp(a, b, n) == 0 && (!b[n] || b[n] == ' ');
}

/* Several are alike, and none of them is there. */
static bool all_missing(const struct facts *facts, size_t at, size_t begin, size_t end)
{
	unsigned n = 0;

	for (size_t i = begin; i < end; i++) {
		if (!alike(facts->fact[at].words, facts->fact[i].words))
			continue;
		if (!is_missing(&facts->fact[i]))
			return false;
		n++;
	}
	return n > 1;
}

/* What the driver does not have, in one line: "eth2 (not supported)  coalesce, lro, ring". */
static void print_missing(FILE *f, const struct facts *facts, size_t at, size_t end, int width)
{
	int name = (int)strcspn(facts->fact[at].words, " ");
	const char *before = NULL;

	for (size_t i = at; i < end; i++) {
		const char *words = facts->fact[i].words, *what = words + name + 1;
		bool all = all_missing(facts, i, at, end);
		if (!is_missing(&facts->fact[i]) || (all && before && alike(words, before)))
			continue;
		if (!before)
			fprintf(f, "%.*s %-*s  ", name, words, width - name - 1, NONE);
		fprintf(f, "%s%.*s", before ? ", " : "", all ? (int)strcspn(what, " ") : FACT_WORDS,
			what);
		before = words;
	}
	if (before)
		fputc('\n', f);
}

static void print_facts(FILE *f, const struct facts *facts)
{
	int width = 0;

	for (size_t i = 0; i < facts->count; i++) {
		int n = (int)strlen(facts->fact[i].words);
		width = n > width ? n : width;
	}
	for (size_t at = 0, end; at < facts->count; at = end) {
		end = end_of_group(facts, at);
		if (at)
			fputc('\n', f);
		for (size_t i = at; i < end; i++)
			if (!is_missing(&facts->fact[i]))
				fprintf(f, "%-*s  %s\n", width, facts->fact[i].words,
					facts->fact[i].value);
		if (strchr(facts->fact[at].words, ' '))
			print_missing(f, facts, at, end, width);
	}
}

/* --- This host. --- */

/* Named at a time, of what a watch has room for: the rest is for what they lie upon. */
#define NICS_AT_ONCE (WATCH_NICS / 2)

/* What is asked for: a host of containers has hundreds of NICs. */
struct asked {
	char (*nic)[IF_NAMESIZE];
	size_t nics;
	char device[sizeof((struct env_scope){0}.device)];
};

static int add_nic(struct asked *a, const char *nic, struct error *e)
{
	for (size_t i = 0; i < a->nics; i++)
		if (strcmp(a->nic[i], nic) == 0)
			return 0;
	char(*more)[IF_NAMESIZE] = realloc(a->nic, (a->nics + 1) * sizeof(*more));
	if (!more)
		return error_set(e, ENOMEM, "out of memory for the NICs of this host");
	a->nic = more;
	snprintf(more[a->nics++], IF_NAMESIZE, "%s", nic);
	return 0;
}

/* The NICs that the portals of iscsi://[USER@]HOST[:PORT][,HOST...]/... are reached by. */
static int add_portals(struct asked *a, const char *spec, struct error *e)
{
	char hosts[512], nic[IF_NAMESIZE], *rest = hosts;

	snprintf(hosts, sizeof(hosts), "%s", spec + strlen(SCHEME));
	hosts[strcspn(hosts, "/")] = 0;
	char *at = strrchr(hosts, '@');
	if (at)
		rest = at + 1;
	for (char *host = strsep(&rest, ","); host; host = strsep(&rest, ",")) {
		bool six = host[0] == '[';
		char *name = six ? host + 1 : host;
		name[strcspn(name, six ? "]" : ":")] = 0;
		struct addrinfo *list, hints = {.ai_socktype = SOCK_STREAM};
		struct sockaddr_storage to = {0};
		int rc = getaddrinfo(name, "3260", &hints, &list);
		if (rc)
			return error_set(e, EINVAL, "%.300s: portal '%.60s': %s", spec, name,
					 gai_strerror(rc));
		memcpy(&to, list->ai_addr, list->ai_addrlen);
		freeaddrinfo(list);
		rc = route_to(&to, nic, NULL);
		if (rc)
			return error_errno(e, -rc, "%.300s: no route to '%.60s'", spec, name);
		rc = add_nic(a, nic, e);
		if (rc)
			return rc;
	}
	return 0;
}

/* Its NICs, where the kernel's initiator is below it, come along. */
static int add_device(struct asked *a, const char *spec, struct error *e)
{
	struct kernel_session *list = NULL;
	struct stat st;

	if (stat(spec, &st))
		return error_set(e, errno,
				 "'%.200s' is no NIC of this host, no run, and no target: %s", spec,
				 strerror(errno));
	bool block = S_ISBLK(st.st_mode);
	if (a->device[0])
		return error_set(e, EINVAL, "%.200s: one target at a time", spec);
	env_device_name("", block ? st.st_rdev : st.st_dev, a->device);
	int n = block ? kernel_iscsi_list(&guard_host, st.st_rdev, &list, NULL) : 0;
	int rc = 0;
	for (int i = 0; i < n && rc == 0; i++)
		if (list[i].facts.nic[0])
			rc = add_nic(a, list[i].facts.nic, e);
	free(list);
	return rc;
}

static int add_all(struct asked *a, struct error *e)
{
	struct if_nameindex *list = if_nameindex();
	int rc = 0;

	for (struct if_nameindex *i = list; i && i->if_index && rc == 0; i++)
		if (strcmp(i->if_name, "lo") != 0)
			rc = add_nic(a, i->if_name, e);
	if (list)
		if_freenameindex(list);
	return rc;
}

static int take_arguments(const struct options *o, struct asked *a, struct error *e)
{
	int rc = o->args == 0 ? add_all(a, e) : 0;

	for (int i = 0; i < o->args && rc == 0; i++) {
		if (secret_is_url(o->arg[i]))
			rc = add_portals(a, o->arg[i], e);
		else if (strlen(o->arg[i]) < IF_NAMESIZE && if_nametoindex(o->arg[i]))
			rc = add_nic(a, o->arg[i], e);
		else
			rc = add_device(a, o->arg[i], e);
	}
	return rc;
}

/* Adds what is set on some of the NICs, and all that is not a NIC's. */
static int read_some(const struct asked *a, size_t first, struct facts *f, struct error *e)
{
	struct env_scope scope = {.device = ""};
	struct env_watch *w;

	snprintf(scope.device, sizeof(scope.device), "%s", a->device);
	for (size_t i = first; i < a->nics && i < first + NICS_AT_ONCE; i++)
		env_scope_add(&scope, a->nic[i]);
	int rc = env_watch_open(&w, "", &scope, e);
	if (rc)
		return rc;
	const struct facts *some = env_watch_facts(w);
	for (size_t i = 0; i < some->count; i++)
		facts_set(f, some->fact[i].words, some->fact[i].value);
	env_watch_close(w);
	return f->short_of_memory ? error_set(e, ENOMEM, "out of memory for the settings") : 0;
}

static int tell_host(const struct options *o, struct error *e)
{
	struct asked a = {.nics = 0};
	struct facts f = {.count = 0};
	int rc = take_arguments(o, &a, e);

	/* Without a NIC, too. */
	for (size_t at = 0; rc == 0 && (at == 0 || at < a.nics); at += NICS_AT_ONCE)
		rc = read_some(&a, at, &f, e);
	if (rc == 0 && !to_stdout(o))
		print_facts(stdout, &f);
	if (rc == 0 && o->json) {
		json_t *doc = document();
		json_object_set_new(doc, "facts", facts_json(&f));
		rc = write_json(o, doc, e);
	}
	facts_free(&f);
	free(a.nic);
	return rc;
}

/* --- Kept runs. --- */

/* A NIC may be called 12, but none 12: and the kernel takes that for 12 where it looks for a name. */
static bool is_run(const char *text)
{
	size_t digits = strspn(text, "0123456789");

	if (!digits || (text[digits] && text[digits] != ':'))
		return false;
	return text[digits] == ':' || !if_nametoindex(text);
}

/* As it was at the end of the run, or when the segment that is named began. */
static int load_facts(struct store *s, const char *text, struct facts *f, struct error *e)
{
	struct stored_run run;
	const struct stored_segment *g = NULL;
	const char *name;
	int64_t id;
	int rc = cmd_parse_part(text, &id, &name, e);

	if (rc == 0)
		rc = store_load_circumstances(s, id, &run, e);
	if (rc)
		return rc;
	if (*name)
		rc = stored_segment_find(&run, name, &g, e);
	if (rc == 0) {
		json_t *environment = stored_environment(&run, g);
		facts_scan(f, json_object_get(environment, "facts"));
		json_decref(environment);
		if (f->count == 0)
			rc = error_set(
				e, ENODATA,
				json_object_get(run.settings, STORE_IMPORTED)
					? "run %lld was imported: of its host's settings "
					  "nothing is known"
					: "run %lld was kept by a lunscope that did not keep "
					  "settings",
				(long long)id);
	}
	stored_run_free(&run);
	return rc;
}

static void add_difference(const char *words, const char *from, const char *to, void *list)
{
	json_array_append_new(list, json_pack("{s:o, s:o, s:o}", "setting", export_text(words), "a",
					      from ? export_text(from) : json_null(), "b",
					      to ? export_text(to) : json_null()));
}

/* What has another value; then what was looked at in one of them only. */
static void print_differences(FILE *f, const struct options *o, const struct facts facts[2])
{
	json_t *side[2] = {facts_json(&facts[0]), facts_json(&facts[1])}, *list = json_array();
	char only[1024];
	size_t i;
	json_t *line;
	bool any = false;

	facts_differ(list, side[0], side[1]);
	json_array_foreach(list, i, line) fprintf(f, "%s\n", json_string_value(line));
	if (!json_array_size(list))
		fprintf(f, "The settings are the same.\n");
	for (int of = 0; of < 2; of++) {
		facts_of_one(only, sizeof(only), side[0], side[1], of);
		if (!only[0])
			continue;
		fprintf(f, "%sOnly in %s: %s\n", any ? "" : "\n", o->arg[of], only);
		any = true;
	}
	json_decref(list);
	json_decref(side[0]);
	json_decref(side[1]);
}

static int tell_runs(const struct options *o, struct error *e)
{
	struct facts f[2] = {{.count = 0}, {.count = 0}};
	struct store *s;
	FILE *out = to_stdout(o) ? NULL : stdout;
	json_t *doc = NULL;
	int rc = cmd_open_store(o, &s, e);

	if (rc)
		return rc;
	for (int i = 0; i < o->args && rc == 0; i++)
		rc = load_facts(s, o->arg[i], &f[i], e);
	store_close(s);
	if (rc == 0)
		doc = document();
	if (rc == 0 && o->args == 1) {
		if (out)
			print_facts(out, &f[0]);
		json_object_set_new(doc, "facts", facts_json(&f[0]));
	} else if (rc == 0) {
		json_t *list = json_array();
		facts_compare(&f[0], &f[1], add_difference, list);
		if (out)
			print_differences(out, o, f);
		json_object_set_new(doc, "differences", list);
	}
	if (rc == 0 && o->json)
		rc = write_json(o, doc, e);
	else
		json_decref(doc);
	facts_free(&f[0]);
	facts_free(&f[1]);
	return rc;
}

int cmd_env(const struct options *o)
{
	struct error e;
	int runs = 0;

	for (int i = 0; i < o->args; i++)
		runs += is_run(o->arg[i]);
	if (runs && (runs != o->args || runs > 2)) {
		error_set(&e, EINVAL,
			  "env takes a run or two, or else targets and NICs: lunscope env 12 13");
		return cmd_fail(EXIT_USAGE, &e);
	}
	if (o->json && outfile_check(o->json, "--json", &e))
		return cmd_fail(EXIT_USAGE, &e);
	int rc = runs ? tell_runs(o, &e) : tell_host(o, &e);
	return rc ? cmd_fail(EXIT_USAGE, &e) : EXIT_FINE;
}
