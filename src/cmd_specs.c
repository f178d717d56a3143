/* cmd_specs.c - `lunscope specs [NAME]`: the access specifications that are ready, lunscope's and the user's. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cmd.h"
#include "config.h"
#include "export.h"
#include "iometer/spec_words.h"
#include "iometer/specs.h"
#include "outfile.h"

/* What of the list was asked for: all, one set, or one. */
struct wanted {
	enum specs_from set;          /* SPECS_SETS = of any */
	const struct specs_row *only; /* NULL = more than one */
};

static int find_wanted(const struct specs *l, const char *name, struct wanted *w, struct error *e)
{
	*w = (struct wanted){.set = SPECS_SETS};
	if (!name)
		return 0;
	w->set = specs_set_of(name);
	if (w->set == SPECS_SETS)
		w->only = specs_find(l, name);
	if (w->set == SPECS_SETS && !w->only)
		return error_set(
			e, ENOENT,
			"no specification or set '%s': those that there are: lunscope specs", name);
	return 0;
}

static bool is_wanted(const struct wanted *w, const struct specs_row *row)
{
	return w->only ? w->only == row : w->set == SPECS_SETS || w->set == row->from;
}

static void print_head(const struct specs *l, enum specs_from from)
{
	printf("%s (%s)%s%s\n", specs_set_words(from), specs_set_name(from),
	       from == SPECS_OWN ? ": " : "", from == SPECS_OWN ? l->path : "");
}

/* By set; each on its line, or, where some were named, with its lines. */
static void print_list(const struct specs *l, const struct wanted *w)
{
	enum specs_from last = SPECS_SETS;
	bool whole = w->only || w->set != SPECS_SETS;
	char brief[96];

	for (size_t i = 0; i < l->count; i++) {
		const struct specs_row *row = &l->row[i];
		if (!is_wanted(w, row))
			continue;
		if (row->from != last && !w->only)
			print_head(l, row->from);
		last = row->from;
		spec_brief(brief, sizeof(brief), &row->spec);
		if (!whole) {
			printf("  %-40s %s\n", row->spec.name, brief);
			continue;
		}
		printf("%s (%s): %s\n", row->spec.name, specs_set_name(row->from), brief);
		spec_print_lines(stdout, &row->spec);
	}
	if (last == SPECS_SETS && l->path[0])
		printf("%s has no specifications\n", l->path);
}

static json_t *row_json(const struct specs_row *row)
{
	json_t *spec = spec_json(&row->spec);

	json_object_set_new(spec, "set", json_string(specs_set_name(row->from)));
	return spec;
}

static int write_json(const char *path, const struct specs *l, const struct wanted *w,
		      struct error *e)
{
	json_t *specs = json_array();
	json_t *doc =
		json_pack("{s:i, s:s, s:o, s:o}", "schema", EXPORT_SCHEMA, "lunscope",
			  PACKAGE_VERSION, "own_file", export_known_text(l->path), "specs", specs);

	for (size_t i = 0; i < l->count && doc; i++)
		if (is_wanted(w, &l->row[i]))
			json_array_append_new(specs, row_json(&l->row[i]));
	int rc = doc ? export_write_json(doc, path, e)
		     : error_set(e, ENOMEM, "out of memory for the result");
	json_decref(doc);
	return rc;
}

static void print_warnings(const struct specs *l)
{
	for (size_t i = 0; i < l->warnings.count; i++)
		fprintf(stderr, "lunscope: %s:%u: %s\n", l->path, l->warnings.list[i].line,
			l->warnings.list[i].text);
}

int cmd_specs(const struct options *o)
{
	bool to_stdout = o->json && strcmp(o->json, OPTIONS_STDOUT) == 0;
	struct specs l;
	struct wanted w;
	struct error e;

	if (o->json && outfile_check(o->json, "--json", &e))
		return cmd_fail(EXIT_USAGE, &e);
	int rc = specs_load(&l, &e);
	if (rc == 0)
		rc = find_wanted(&l, o->args ? o->arg[0] : NULL, &w, &e);
	if (rc == 0)
		print_warnings(&l);
	if (rc == 0 && !to_stdout)
		print_list(&l, &w);
	if (rc == 0 && o->json)
		rc = write_json(o->json, &l, &w, &e);
	specs_free(&l);
	return rc ? cmd_fail(EXIT_USAGE, &e) : EXIT_FINE;
}
