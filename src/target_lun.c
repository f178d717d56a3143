/* target_lun.c - a target that only its backend can reach, and that it tells about: an iSCSI LUN. */
#include "target_internal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "secret.h"

static void describe_lun(struct target *t, const struct backend_facts *f)
{
	const char *slash = strrchr(t->spec, '/'), *colon = strrchr(t->spec, ':');
	const char *name = colon && colon > strstr(t->spec, "://") + 2 ? colon + 1 : t->spec;

	t->size = f->size;
	t->logical_block = f->logical_block;
	t->physical_block = f->physical_block;
	snprintf(t->model, sizeof(t->model), "%s%s%s%s%s", f->vendor, f->vendor[0] ? " " : "",
		 f->model, f->serial[0] ? " " : "", f->serial);
	snprintf(t->id, sizeof(t->id), "%s", f->id);
	/* "disks/1" of iqn.2026-01.com.example:disks/1; where the name has no such part, its end. */
	if (slash && name > slash)
		name = slash + 1;
	snprintf(t->name, sizeof(t->name), "%.*s", (int)strcspn(name, "?"), name);
}

int target_open_lun(struct target *t, const struct target_options *o, struct error *e)
{
	struct backend_login login = {0};
	struct backend_facts f;

	t->kind = TARGET_LUN;
	t->direct = true;
	if (o->login)
		login = *o->login;
	int rc = secret_take(t->spec, &login, e);
	secret_from_environment(&login);
	t->backend = backend_find("iscsi");
	if (rc == 0 && !t->backend)
		rc = error_set(e, ENOSYS,
			       "%s: this lunscope was built without iSCSI: apt-get install "
			       "libiscsi-dev, configure and build again",
			       t->spec);
	if (rc == 0 && o->backend && strcmp(o->backend, BACKEND_AUTO) != 0 &&
	    strcmp(o->backend, t->backend->name) != 0)
		rc = error_set(e, EINVAL, "backend %s cannot drive %s (%s)", o->backend, t->spec,
			       target_kind_name(t->kind));
	if (rc == 0 && o->buffered)
		rc = error_set(
			e, EINVAL,
			"%s: there is no page cache before an iSCSI LUN: leave --buffered out",
			t->spec);
	struct backend_open how = {
		.spec = t->spec,
		.fd = -1,
		.direct = true,
		.login = &login,
		.paths = o->paths,
		.cancel = o->progress ? &o->progress->cancel : NULL,
	};
	t->paths = o->paths;
	t->header_digest = login.header_digest;
	if (rc == 0)
		rc = t->backend->open(&how, &t->handle, e);
	explicit_bzero(&login, sizeof(login));
	if (rc == 0)
		rc = t->backend->facts(t->handle, false, &f, e);
	if (rc == 0)
		describe_lun(t, &f);
	return rc;
}

struct guard_lun target_lun(const struct target *t)
{
	return (struct guard_lun){.spec = t->spec, .backend = t->backend, .handle = t->handle};
}
