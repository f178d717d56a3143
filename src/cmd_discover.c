/* cmd_discover.c - `lunscope discover PORTAL...`: the targets behind iSCSI portals, and their LUNs. */
#include <errno.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cmd.h"
#include "config.h"
#include "export.h"
#include "found.h"
#include "outfile.h"
#include "secret.h"
#include "units.h"
#include "wait_note.h"

/* --- In words. --- */

/* How wide the columns of LUNs have to be. */
struct widths {
	int lun, size, vendor, model;
};

static void widen(int *width, const char *text)
{
	int length = (int)strlen(text);

	*width = length > *width ? length : *width;
}

static struct widths measure(const struct found *f)
{
	struct widths w = {0};
	char text[32];

	for (unsigned i = 0; i < f->targets; i++) {
		const struct found_target *t = &f->target[i];
		for (unsigned k = 0; k < t->luns; k++) {
			const struct backend_facts *a = &t->lun[k].facts;
			snprintf(text, sizeof(text), "%d", t->lun[k].lun);
			widen(&w.lun, text);
			widen(&w.size, units_size(text, sizeof(text), a->size));
			widen(&w.vendor, a->vendor);
			widen(&w.model, a->model);
		}
	}
	return w;
}

static void print_lun(const struct found_lun *l, const struct widths *w)
{
	const struct backend_facts *a = &l->facts;
	char size[32];

	printf("    LUN %-*d  ", w->lun, l->lun);
	if (l->known)
		printf("%*s  %-*s  %-*s  %s%s%s%s\n", w->size,
		       units_size(size, sizeof(size), a->size), w->vendor, a->vendor, w->model,
		       a->model, a->id[0] ? a->id : a->serial,
		       a->write_protected ? "  write protected" : "", a->reserved[0] ? "  " : "",
		       a->reserved);
	else
		printf("! %s\n", l->trouble);
}

static void print_target(const struct found_target *t, const struct widths *w)
{
	printf("%s at ", t->name);
	for (unsigned i = 0; i < t->portals; i++)
		printf("%s%s", i ? ", " : "", t->portal[i].address);
	putchar('\n');
	if (t->trouble[0])
		printf("    ! %s\n", t->trouble);
	else if (t->luns == 0)
		printf("    no disk\n");
	for (unsigned i = 0; i < t->luns; i++)
		print_lun(&t->lun[i], w);
}

static void print_all(const struct options *o, const struct found *f)
{
	struct widths w = measure(f);

	for (unsigned i = 0; i < f->targets; i++)
		print_target(&f->target[i], &w);
	if (f->targets == 0)
		printf("no target is offered to %s there\n",
		       o->login.initiator[0] ? o->login.initiator : "this host");
}

/* --- As JSON. --- */

static json_t *lun_json(const struct found_lun *l)
{
	const struct backend_facts *a = &l->facts;
	json_t *o =
		json_pack("{s:i, s:o}", "lun", l->lun, "trouble", export_known_text(l->trouble));

	if (!o || !l->known)
		return o;
	json_object_set_new(o, "size_bytes", json_integer((json_int_t)a->size));
	json_object_set_new(o, "logical_block_bytes", json_integer(a->logical_block));
	json_object_set_new(o, "physical_block_bytes", json_integer(a->physical_block));
	json_object_set_new(o, "vendor", export_text(a->vendor));
	json_object_set_new(o, "model", export_text(a->model));
	json_object_set_new(o, "serial", export_text(a->serial));
	json_object_set_new(o, "id", export_text(a->id));
	json_object_set_new(o, "write_protected", json_boolean(a->write_protected));
	json_object_set_new(o, "reserved", export_known_text(a->reserved));
	return o;
}

static json_t *target_json(const struct found_target *t)
{
	json_t *portals = json_array(), *luns = json_array();

	for (unsigned i = 0; i < t->portals; i++)
		json_array_append_new(portals, json_pack("{s:o, s:b}", "portal",
							 export_text(t->portal[i].address), "asked",
							 (int)t->portal[i].asked));
	for (unsigned i = 0; i < t->luns; i++)
		json_array_append_new(luns, lun_json(&t->lun[i]));
	return json_pack("{s:o, s:o, s:o, s:o}", "target", export_text(t->name), "portals", portals,
			 "trouble", export_known_text(t->trouble), "luns", luns);
}

static int write_json(const struct options *o, const struct found *f, struct error *e)
{
	json_t *targets = json_array(), *silent = json_array();

	for (unsigned i = 0; i < f->targets; i++)
		json_array_append_new(targets, target_json(&f->target[i]));
	for (unsigned i = 0; i < f->silents; i++)
		json_array_append_new(silent, json_pack("{s:o, s:o}", "portal",
							export_text(f->silent[i].portal), "trouble",
							export_text(f->silent[i].trouble)));
	json_t *doc = json_pack("{s:i, s:s, s:o, s:o}", "schema", EXPORT_SCHEMA, "lunscope",
				PACKAGE_VERSION, "targets", targets, "silent_portals", silent);
	int rc = doc ? export_write_json(doc, o->json, e)
		     : error_set(e, ENOMEM, "out of memory for the result");

	json_decref(doc);
	return rc;
}

/* --- The command. --- */

static bool troubled(const struct found *f)
{
	bool trouble = f->silents > 0;

	for (unsigned i = 0; i < f->targets; i++) {
		trouble |= f->target[i].trouble[0] != 0;
		for (unsigned k = 0; k < f->target[i].luns; k++)
			trouble |= !f->target[i].lun[k].known;
	}
	return trouble;
}

/* All portals that were named, as one text. */
static int join(char *out, size_t n, const struct options *o, struct error *e)
{
	size_t length = 0;

	for (int i = 0; i < o->args; i++)
		length += strlen(o->arg[i]) + 1;
	if (length >= n)
		return error_set(e, EINVAL, "at most %d portals can be asked at once", PATHS_MAX);
	out[0] = 0;
	for (int i = 0; i < o->args; i++)
		units_append(out, n, "%s%s", i ? " " : "", o->arg[i]);
	return 0;
}

static int ask(const struct options *o, struct found *f, struct error *e)
{
	struct backend_login login = o->login;
	char portals[PATHS_MAX * sizeof(f->silent->portal)];
	int rc = join(portals, sizeof(portals), o, e);

	secret_from_environment(&login);
	if (rc == 0) {
		wait_note_portals(portals, false);
		rc = found_ask(f, portals, &login, NULL, e);
		wait_note_portals(portals, true);
	}
	explicit_bzero(&login, sizeof(login));
	return rc;
}

static void print_silent(const struct found *f)
{
	for (unsigned i = 0; i < f->silents; i++)
		fprintf(stderr, "lunscope: %s\n", f->silent[i].trouble);
}

int cmd_discover(const struct options *o)
{
	bool to_stdout = o->json && strcmp(o->json, OPTIONS_STDOUT) == 0;
	struct found f = {0};
	struct error e;

	if (o->json && outfile_check(o->json, "--json", &e))
		return cmd_fail(EXIT_USAGE, &e);
	/* A portal that hangs up is an error to be told; a reader that does ends this as it would anything. */
	void (*before)(int) = signal(SIGPIPE, SIG_IGN);
	int rc = ask(o, &f, &e);
	signal(SIGPIPE, before);
	int status = rc ? EXIT_USAGE : troubled(&f) ? EXIT_IO_ERRORS : EXIT_FINE;
	if (rc == 0 && !to_stdout)
		print_all(o, &f);
	print_silent(&f);
	/* Else the trouble is not a portal's. */
	if (rc && f.silents == 0)
		cmd_fail(status, &e);
	if (rc == 0 && o->json && write_json(o, &f, &e))
		status = cmd_fail(EXIT_USAGE, &e);
	found_free(&f);
	return status;
}
