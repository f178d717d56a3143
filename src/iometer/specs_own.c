/* specs_own.c - the user's own specifications: read, saved, deleted.
 *
 * The file is an .icf file with specifications and nothing else; a whole set-up that somebody put there
 * stays one.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "conf.h"
#include "iometer/icf.h"
#include "iometer/specs.h"
#include "iometer/specs_own.h"

/* Beside the config file. */
static int own_path(char path[PATH_MAX], struct error *e)
{
	int rc = conf_own_path(path, e);
	char *slash = rc ? NULL : strrchr(path, '/');

	if (!slash) {
		path[0] = '\0';
		return rc;
	}
	if ((size_t)(slash - path) + sizeof("/specs") > PATH_MAX)
		return error_set(e, ENAMETOOLONG, "%.200s...: the path is too long", path);
	strcpy(slash, "/specs");
	return 0;
}

int specs_own_read(struct iometer_setup *s, char path[PATH_MAX], struct iometer_warnings *w,
		   struct error *e)
{
	iometer_setup_init(s);
	if (own_path(path, NULL) || (access(path, F_OK) && errno == ENOENT))
		return 0;
	return iometer_read(s, path, w, e);
}

static int put(FILE *out, FILE *old, const void *what)
{
	const struct iometer_setup *s = what;

	(void)old;
	return s->managers || s->run_s || s->description[0]
		       ? iometer_write(s, out, NULL)
		       : iometer_write_specs(s->spec, s->specs, out, NULL);
}

/* A name that is lunscope's, or a set's, would never be found, or hide the other. */
static int check_free(const char *name, struct error *e)
{
	struct specs all;
	int rc = specs_load(&all, e);

	while (rc == 0 && all.count && all.row[all.count - 1].from == SPECS_OWN)
		all.count--;
	if (rc == 0 && (specs_find(&all, name) || specs_set_of(name) < SPECS_SETS))
		rc = error_set(e, EEXIST,
			       "'%s' is one that lunscope brings along: choose another "
			       "name",
			       name);
	specs_free(&all);
	return rc;
}

/* Which one; s->specs if none. */
static size_t index_of(const struct iometer_setup *s, const char *name)
{
	size_t i = 0;

	while (i < s->specs && strcasecmp(s->spec[i].name, name) != 0)
		i++;
	return i;
}

static int set(struct iometer_setup *s, const struct iometer_spec *spec, struct error *e)
{
	size_t i = index_of(s, spec->name);

	if (i == s->specs && !iometer_add_spec(s))
		return error_set(e, ENOMEM, "out of memory for the specification");
	s->spec[i] = *spec;
	return 0;
}

int specs_save(const struct iometer_spec *spec, bool others, struct error *e)
{
	struct iometer_setup s;
	char path[PATH_MAX];
	int rc = specs_check(spec, e);

	if (rc == 0 && !spec->count)
		rc = error_set(e, EINVAL, "'%s' has no lines: nothing would be done", spec->name);
	if (rc == 0)
		rc = check_free(spec->name, e);
	if (rc == 0)
		rc = own_path(path, e);
	if (rc)
		return rc;
	rc = specs_own_read(&s, path, NULL, e);
	if (rc == 0)
		rc = set(&s, spec, e);
	if (rc == 0)
		rc = conf_replace(path, put, &s, others, e);
	iometer_setup_free(&s);
	return rc;
}

int specs_delete(const char *name, bool others, struct error *e)
{
	struct iometer_setup s;
	char path[PATH_MAX];
	int rc = own_path(path, e);

	if (rc)
		return rc;
	rc = specs_own_read(&s, path, NULL, e);
	size_t i = rc ? 0 : index_of(&s, name);
	if (rc == 0 && i == s.specs)
		rc = error_set(e, ENOENT, "'%s' is none of your own specifications", name);
	if (rc == 0) {
		memmove(&s.spec[i], &s.spec[i + 1], (s.specs - i - 1) * sizeof(*s.spec));
		s.specs--;
		rc = conf_replace(path, put, &s, others, e);
	}
	iometer_setup_free(&s);
	return rc;
}
