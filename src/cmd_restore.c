/* cmd_restore.c - `lunscope restore`: puts back the settings of this host that a lunscope has changed which
 * was killed, or crashed, before it could do so itself.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cmd.h"
#include "config.h"
#include "export.h"
#include "flip/flip.h"
#include "outfile.h"
#include "units.h"

#define COMMAND_TEXT 512
#define WHERE_TEXT   1024

struct restore {
	FILE *out; /* where words go; a document on standard output is for a program to read */
	struct flip_entry *entry;
	unsigned count;
	bool damaged;     /* some of the journal can't be read */
	json_t *settings; /* of the document */
};

/* --- Telling. --- */

static json_t *or_null(const char *text)
{
	return text ? export_text(text) : json_null();
}

static void keep(struct restore *r, const char *words, const char *from, const char *to,
		 const char *command, bool restored, const char *trouble)
{
	json_array_append_new(r->settings,
			      json_pack("{s:o, s:o, s:o, s:o, s:b, s:o}", "setting",
					export_text(words), "from", or_null(from), "to",
					export_text(to), "command", export_text(command),
					"restored", restored, "trouble", or_null(trouble)));
}

void cmd_print_restored(FILE *f, const char *words, const char *from, const char *to,
			const char *trouble)
{
	char command[COMMAND_TEXT];

	flip_command(command, sizeof(command), words, to);
	if (trouble)
		fprintf(f, "! %s\n  %s would set it back\n", trouble, command);
	else if (from && strcmp(from, to) == 0)
		fprintf(f, "%s is %s already\n", words, to);
	else
		fprintf(f, "%s %s > %s: %s\n", words, from ? from : "?", to, command);
}

static void told(const char *words, const char *from, const char *to, const char *trouble,
		 void *arg)
{
	struct restore *r = arg;
	char command[COMMAND_TEXT];

	flip_command(command, sizeof(command), words, to);
	cmd_print_restored(r->out, words, from, to, trouble);
	keep(r, words, from, to, command, !trouble, trouble);
}

/* The next entry of another host whose changes have not been told yet. */
static bool first_of_host(const struct restore *r, unsigned at)
{
	for (unsigned i = 0; i < at; i++)
		if (r->entry[i].elsewhere && strcmp(r->entry[i].host, r->entry[at].host) == 0)
			return false;
	return r->entry[at].elsewhere;
}

/* Hosts that share a home directory share the journal: "3 changes of host stor1 are left to it". */
static void tell_other_hosts(struct restore *r)
{
	char words[160], command[COMMAND_TEXT];

	for (unsigned i = 0; i < r->count; i++) {
		const struct flip_entry *f = &r->entry[i];
		unsigned n = 0;
		if (!f->elsewhere)
			continue;
		snprintf(words, sizeof(words), "it is of host %s, and left to it", f->host);
		keep(r, f->words, NULL, f->from,
		     flip_command(command, sizeof(command), f->words, f->from), false, words);
		if (!first_of_host(r, i))
			continue;
		for (unsigned k = i; k < r->count; k++)
			n += r->entry[k].elsewhere && strcmp(r->entry[k].host, f->host) == 0;
		fprintf(r->out, "%u change%s of host %s %s left to it\n", n, n == 1 ? "" : "s",
			f->host, n == 1 ? "is" : "are");
	}
}

/* What can't be undone from here, though it may be in force. */
static unsigned tell_elsewhere(struct restore *r, const struct flips *flips)
{
	unsigned n = 0;

	for (unsigned i = 0; i < r->count; i++) {
		const struct flip_entry *f = &r->entry[i];
		char where[WHERE_TEXT], words[FACT_WORDS + 2 * FACT_VALUE + WHERE_TEXT + 32];
		char command[COMMAND_TEXT];
		if (!f->stale || f->rebooted || f->elsewhere)
			continue;
		n++;
		snprintf(words, sizeof(words), "%s %s > %s was changed %s", f->words, f->from,
			 f->to, flips_where_words(where, sizeof(where), flips, f));
		fprintf(r->out, "! %s\n", words);
		keep(r, f->words, NULL, f->from,
		     flip_command(command, sizeof(command), f->words, f->from), false, words);
	}
	return n;
}

static void list_one(const struct restore *r, const struct flip_entry *f)
{
	char when[32], now[FACT_VALUE], command[COMMAND_TEXT];
	time_t t = (time_t)(f->wall / NS_PER_SEC);
	struct tm tm;
	struct error e;

	strftime(when, sizeof(when), "%F %T", localtime_r(&t, &tm));
	fprintf(r->out, "%s  %s %s > %s  by pid %d%s%s%s\n", when, f->words, f->from, f->to, f->pid,
		f->elsewhere ? " of host " : "", f->elsewhere ? f->host : "",
		f->elsewhere  ? ": left to it"
		: f->rebooted ? ", before this host was booted: gone"
		: f->stale    ? ", in another network namespace"
			      : "");
	if (f->stale)
		return;
	if (flip_read(f->words, now, sizeof(now), &e))
		fprintf(r->out, "  %s\n", e.text);
	else
		fprintf(r->out, "  it is %s now; %s would set it back\n", now,
			flip_command(command, sizeof(command), f->words, f->from));
}

/* --- The journal. --- */

static int read_entries(struct restore *r, const struct flips *f, struct error *e)
{
	for (unsigned room = 64;; room *= 2) {
		struct flip_entry *more = realloc(r->entry, room * sizeof(*more));
		if (!more)
			return error_set(e, ENOMEM, "out of memory for the journal");
		r->entry = more;
		r->count = flips_list(f, more, room);
		if (r->count < room)
			return 0;
	}
}

static int write_document(struct restore *r, const char *path, struct error *e)
{
	json_t *doc = json_pack("{s:i, s:s, s:O}", "schema", EXPORT_SCHEMA, "lunscope",
				PACKAGE_VERSION, "settings", r->settings);
	int rc = doc ? export_write_json(doc, path, e)
		     : error_set(e, ENOMEM, "out of memory for the result");

	json_decref(doc);
	return rc;
}

/* Nothing at all, as far as can be read. */
static void tell_nothing(const struct restore *r)
{
	fprintf(r->out, "lunscope has changed nothing%s that is still to be put back\n",
		r->damaged ? " that can be read of" : "");
}

/* What a damaged line told of may be in force. */
static int status_of(const struct restore *r, unsigned left)
{
	return left || r->damaged ? EXIT_LEFT : EXIT_FINE;
}

static int list(struct restore *r)
{
	char command[COMMAND_TEXT];

	for (unsigned i = 0; i < r->count; i++) {
		const struct flip_entry *f = &r->entry[i];
		list_one(r, f);
		keep(r, f->words, f->to, f->from,
		     flip_command(command, sizeof(command), f->words, f->from), false, NULL);
	}
	if (!r->count)
		tell_nothing(r);
	return status_of(r, 0);
}

static void told_forgotten(const struct flip_entry *n, void *arg)
{
	struct restore *r = arg;
	char command[COMMAND_TEXT];

	fprintf(r->out, "%s %s > %s is struck off: what it was set on is gone\n", n->words, n->from,
		n->to);
	keep(r, n->words, NULL, n->from, flip_command(command, sizeof(command), n->words, n->from),
	     false, "struck off: what it was set on is gone");
}

/* Strikes off what can't be put back any more, before what can is. */
static int forget(struct restore *r, struct flips *f, struct error *e)
{
	bool damaged = r->damaged;
	unsigned n = flips_forget(f, told_forgotten, r);

	r->damaged = flips_damaged(f);
	if (damaged && !r->damaged)
		fprintf(r->out, "what could not be read of the journal is struck off\n");
	else if (!n)
		fprintf(r->out, "nothing is to be struck off: see lunscope restore --list\n");
	return read_entries(r, f, e);
}

/* Which of those that are left --force, or --forget, is for. */
static void tell_remedies(const struct restore *r, const struct flips *f)
{
	struct flip_entry n;
	bool set = false, gone = false;
	char now[FACT_VALUE];

	for (unsigned i = 0; i < r->count; i++) {
		if (r->entry[i].stale || !flips_newest(f, r->entry[i].words, &n))
			continue;
		int rc = flip_read(n.words, now, sizeof(now), NULL);
		set |= rc == 0;
		gone |= rc == -ENODEV || rc == -ENOENT;
	}
	if (set && geteuid() == 0)
		fprintf(r->out, "What somebody else has set since is put back with --force.\n");
	if (gone)
		fprintf(r->out, "What will not come back is struck off with --forget.\n");
}

static int put_back(struct restore *r, const struct options *o)
{
	struct flips *f;
	struct error e = {""};
	int rc = flips_open(&f, NULL, &e);

	if (rc)
		return cmd_fail(rc == -EBUSY ? EXIT_LEFT : EXIT_USAGE, &e);
	if (o->forget)
		rc = forget(r, f, &e);
	unsigned left = rc ? 0 : flips_undo_all(f, o->force, told, r, &e);
	if (rc == 0 && left && !o->force)
		tell_remedies(r, f);
	left += tell_elsewhere(r, f);
	tell_other_hosts(r);
	flips_close(f);
	return rc ? cmd_fail(EXIT_USAGE, &e) : status_of(r, left);
}

static void tell_remark(struct restore *r, const struct flips *f)
{
	r->damaged = flips_damaged(f);
	if (flips_remark(f)[0])
		fprintf(stderr, "lunscope: the journal of changed settings: %s%s\n",
			flips_remark(f),
			r->damaged ? ": what it told of may be in force, and has to be looked for "
				     "by hand; then lunscope restore --forget"
				   : "");
}

static int restore(struct restore *r, const struct options *o, struct error *e)
{
	struct flips *f;
	int rc = flips_look(&f, NULL, e);

	if (rc)
		return cmd_fail(EXIT_USAGE, e);
	tell_remark(r, f);
	rc = read_entries(r, f, e);
	flips_close(f);
	if (rc)
		return cmd_fail(EXIT_USAGE, e);
	if (o->list)
		return list(r);
	if (r->count || (o->forget && r->damaged))
		return put_back(r, o);
	if (geteuid() != 0) {
		error_set(e, EPERM,
			  "restore: settings are changed, and put back, by root: %s (sudo lunscope "
			  "restore)",
			  strerror(EPERM));
		return cmd_fail(EXIT_USAGE, e);
	}
	return list(r);
}

int cmd_restore(const struct options *o)
{
	struct restore r = {.out = stdout, .settings = json_array()};
	struct error e;

	if (o->json && outfile_check(o->json, "--json", &e))
		return cmd_fail(EXIT_USAGE, &e);
	if (o->json && strcmp(o->json, OPTIONS_STDOUT) == 0)
		r.out = stderr;
	int status = restore(&r, o, &e);
	if (o->json && status != EXIT_USAGE && write_document(&r, o->json, &e))
		status = cmd_fail(EXIT_USAGE, &e);
	free(r.entry);
	json_decref(r.settings);
	return status;
}
