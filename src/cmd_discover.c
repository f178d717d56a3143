/* cmd_discover.c - `lunscope discover PORTAL`: the targets behind an iSCSI portal, and their LUNs. */
#include <errno.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cmd.h"
#include "config.h"
#include "export.h"
#include "outfile.h"
#include "secret.h"

struct listing {
	FILE *f; /* NULL: nothing is printed */
	json_t *targets;
	json_t *luns; /* of the target told last */
	unsigned found, troubled;
};

static void print_target(FILE *f, const struct backend_found *t)
{
	fprintf(f, "%s at %s\n", t->target, t->portal);
	if (t->trouble)
		fprintf(f, "    ! %s\n", t->trouble);
}

static void print_lun(FILE *f, const struct backend_found *l)
{
	char size[32];
	const struct backend_facts *a = l->facts;

	if (!a)
		fprintf(f, "    LUN %-3d ! %s\n", l->lun, l->trouble);
	else
		fprintf(f, "    LUN %-3d %10s  %-8s %-16s %s%s%s%s\n", l->lun,
			units_size(size, sizeof(size), a->size), a->vendor, a->model,
			a->id[0] ? a->id : a->serial, a->write_protected ? "  write protected" : "",
			a->reserved[0] ? "  " : "", a->reserved);
}

static json_t *text_or_null(const char *text)
{
	return text && text[0] ? export_text(text) : json_null();
}

static json_t *lun_json(const struct backend_found *l)
{
	const struct backend_facts *a = l->facts;
	json_t *o = json_pack("{s:i, s:o}", "lun", l->lun, "trouble", text_or_null(l->trouble));

	if (!o || !a)
		return o;
	json_object_set_new(o, "size_bytes", json_integer((json_int_t)a->size));
	json_object_set_new(o, "logical_block_bytes", json_integer(a->logical_block));
	json_object_set_new(o, "physical_block_bytes", json_integer(a->physical_block));
	json_object_set_new(o, "vendor", export_text(a->vendor));
	json_object_set_new(o, "model", export_text(a->model));
	json_object_set_new(o, "serial", export_text(a->serial));
	json_object_set_new(o, "id", export_text(a->id));
	json_object_set_new(o, "write_protected", json_boolean(a->write_protected));
	json_object_set_new(o, "reserved", text_or_null(a->reserved));
	return o;
}

/* A target is told before its LUNs. */
static void add_target(struct listing *l, const struct backend_found *t)
{
	l->luns = json_array();
	json_array_append_new(l->targets,
			      json_pack("{s:o, s:o, s:o, s:o}", "target", export_text(t->target),
					"portals", export_text(t->portal), "trouble",
					text_or_null(t->trouble), "luns", l->luns));
}

static void found(const struct backend_found *f, void *arg)
{
	struct listing *l = arg;

	l->troubled += f->trouble != NULL;
	if (f->lun < 0) {
		l->found++;
		add_target(l, f);
		if (l->f)
			print_target(l->f, f);
		return;
	}
	if (l->luns)
		json_array_append_new(l->luns, lun_json(f));
	if (l->f)
		print_lun(l->f, f);
}

static int discover(const struct options *o, struct listing *l, struct error *e)
{
	const struct backend *iscsi = backend_find("iscsi");
	struct backend_login login = o->login;
	struct backend_open how = {.spec = o->arg[0], .fd = -1, .login = &login};

	if (!iscsi)
		return error_set(e, ENOSYS,
				 "this lunscope was built without iSCSI: apt-get install "
				 "libiscsi-dev, configure and build again");
	secret_from_environment(&login);
	int rc = iscsi->discover(&how, found, l, e);
	explicit_bzero(&login, sizeof(login));
	return rc;
}

static int write_json(const struct options *o, struct listing *l, struct error *e)
{
	json_t *doc =
		json_pack("{s:i, s:s, s:o, s:O}", "schema", EXPORT_SCHEMA, "lunscope",
			  PACKAGE_VERSION, "portal", export_text(o->arg[0]), "targets", l->targets);
	int rc = doc ? export_write_json(doc, o->json, e)
		     : error_set(e, ENOMEM, "out of memory for the result");

	json_decref(doc);
	return rc;
}

int cmd_discover(const struct options *o)
{
	bool to_stdout = o->json && strcmp(o->json, OPTIONS_STDOUT) == 0;
	struct listing l = {.f = to_stdout ? NULL : stdout, .targets = json_array()};
	struct error e;

	if (!l.targets)
		return EXIT_USAGE;
	/* A portal that hangs up is an error to be told. */
	signal(SIGPIPE, SIG_IGN);
	if (o->json && outfile_check(o->json, "--json", &e)) {
		json_decref(l.targets);
		return cmd_fail(EXIT_USAGE, &e);
	}
	int rc = discover(o, &l, &e);
	if (rc == 0 && l.f && !l.found)
		fprintf(l.f, "no target is offered to %s at this portal\n",
			o->login.initiator[0] ? o->login.initiator : "this host");
	if (rc == 0 && o->json)
		rc = write_json(o, &l, &e);
	json_decref(l.targets);
	if (rc)
		return cmd_fail(EXIT_USAGE, &e);
	return l.troubled ? EXIT_IO_ERRORS : EXIT_FINE;
}
