/* found.c - see found.h. */
#include "found.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "units.h"

#define SEPARATORS " \t,"

struct asking {
	struct found *f;
	const struct backend_login *login;
	bool no_memory;
};

/* --- Putting together. --- */

static struct found_target *find_target(const struct found *f, const char *name)
{
	for (unsigned i = 0; i < f->targets; i++)
		if (strcmp(f->target[i].name, name) == 0)
			return &f->target[i];
	return NULL;
}

/* Not by realloc(), which would leave secrets behind. */
static struct found_target *new_target(struct found *f, const char *name)
{
	struct found_target *more = calloc(f->targets + 1, sizeof(*more));

	if (!more)
		return NULL;
	if (f->targets) {
		memcpy(more, f->target, f->targets * sizeof(*more));
		explicit_bzero(f->target, f->targets * sizeof(*more));
	}
	free(f->target);
	f->target = more;
	more += f->targets++;
	snprintf(more->name, sizeof(more->name), "%s", name);
	return more;
}

static void add_portal(struct found_target *t, const char *address, size_t length, bool asked)
{
	struct found_portal *p = t->portal, *end = t->portal + t->portals;

	for (; p < end; p++)
		if (strlen(p->address) == length && memcmp(p->address, address, length) == 0)
			break;
	if (length == 0 || length >= sizeof(p->address) || p == t->portal + FOUND_PORTALS)
		return;
	if (p == end) {
		snprintf(p->address, sizeof(p->address), "%.*s", (int)length, address);
		t->portals++;
	}
	p->asked |= asked;
	p->marked |= asked;
}

static void add_portals(struct found_target *t, const struct backend_found *b)
{
	add_portal(t, b->asked, strlen(b->asked), true);
	for (const char *p = b->portal; *p;) {
		size_t length = strcspn(p, SEPARATORS);
		add_portal(t, p, length, false);
		p += length + strspn(p + length, SEPARATORS);
	}
}

/* Known by one portal is known. */
static void add_target(struct asking *a, const struct backend_found *b)
{
	struct found_target *t = find_target(a->f, b->target);
	bool first = !t;

	if (first)
		t = new_target(a->f, b->target);
	if (!t) {
		a->no_memory = true;
		return;
	}
	add_portals(t, b);
	t->login = *a->login;
	if (!first && (b->trouble || !t->trouble[0]))
		return;
	snprintf(t->trouble, sizeof(t->trouble), "%s", b->trouble ? b->trouble : "");
	t->err = b->err;
}

static struct found_lun *lun_of(struct found_target *t, int number)
{
	for (unsigned i = 0; i < t->luns; i++)
		if (t->lun[i].lun == number)
			return &t->lun[i];
	struct found_lun *more = realloc(t->lun, (t->luns + 1) * sizeof(*more));
	if (!more)
		return NULL;
	t->lun = more;
	more += t->luns++;
	*more = (struct found_lun){.lun = number};
	return more;
}

static void add_lun(struct asking *a, const struct backend_found *b)
{
	struct found_target *t = find_target(a->f, b->target);
	struct found_lun *l = t ? lun_of(t, b->lun) : NULL;

	if (!l)
		a->no_memory = true;
	if (!l || l->known)
		return;
	l->known = b->facts != NULL;
	if (b->facts)
		l->facts = *b->facts;
	snprintf(l->trouble, sizeof(l->trouble), "%s", b->trouble ? b->trouble : "");
}

static void add(const struct backend_found *b, void *arg)
{
	if (b->lun < 0)
		add_target(arg, b);
	else
		add_lun(arg, b);
}

/* --- Asking. --- */

static void add_silent(struct found *f, const char *portal, const struct error *e)
{
	struct found_silent *s = &f->silent[f->silents++];

	snprintf(s->portal, sizeof(s->portal), "%s", portal);
	snprintf(s->trouble, sizeof(s->trouble), "%s", e->text);
}

static int ask_portal(struct asking *a, const struct backend *iscsi, const char *portal,
		      const atomic_bool *cancel, struct error *e)
{
	struct backend_open how = {.spec = portal, .fd = -1, .login = a->login, .cancel = cancel};
	struct error first;
	int rc = iscsi->discover(&how, add, a, &first);

	if (rc == 0)
		return 0;
	if (a->f->silents == 0 && e)
		*e = first;
	add_silent(a->f, portal, &first);
	return rc;
}

static int ask_all(struct asking *a, const struct backend *iscsi, const char *portals,
		   const atomic_bool *cancel, struct error *e)
{
	unsigned asked = 0, answered = 0;
	int first = 0;

	for (const char *p = portals + strspn(portals, SEPARATORS); *p;) {
		char portal[sizeof(a->f->silent->portal)];
		size_t length = strcspn(p, SEPARATORS);
		if (asked++ == PATHS_MAX)
			return error_set(e, EINVAL, "at most %d portals can be asked at once",
					 PATHS_MAX);
		if (length >= sizeof(portal))
			return error_set(e, EINVAL, "portal %.40s...: is too long", p);
		snprintf(portal, sizeof(portal), "%.*s", (int)length, p);
		p += length + strspn(p + length, SEPARATORS);
		int rc = ask_portal(a, iscsi, portal, cancel, e);
		if (rc == -ECANCELED)
			return rc;
		answered += rc == 0;
		first = first ? first : rc;
	}
	if (!asked)
		return error_set(e, EINVAL, "a portal is wanted: HOST or HOST:PORT");
	return answered ? 0 : first;
}

int found_ask(struct found *f, const char *portals, const struct backend_login *login,
	      const atomic_bool *cancel, struct error *e)
{
	const struct backend *iscsi = backend_find("iscsi");
	struct asking a = {.f = f, .login = login};

	*f = (struct found){0};
	if (!iscsi)
		return error_set(e, ENOSYS,
				 "this lunscope was built without iSCSI: apt-get install "
				 "libiscsi-dev, configure and build again");
	int rc = ask_all(&a, iscsi, portals, cancel, e);
	if (rc == 0 && a.no_memory)
		rc = error_set(e, ENOMEM, "out of memory for what the portals tell");
	return rc;
}

void found_take(struct found *f, struct found *of)
{
	for (unsigned i = 0; i < of->targets; i++) {
		struct found_target *from = &of->target[i], *to = find_target(f, from->name);
		if (!to)
			continue;
		free(to->lun);
		to->lun = from->lun;
		to->luns = from->luns;
		to->err = from->err;
		memcpy(to->trouble, from->trouble, sizeof(to->trouble));
		to->login = from->login;
		from->lun = NULL;
		from->luns = 0;
	}
	found_free(of);
}

/* What has a meaning of its own in a URL is written as %XX. */
static void append_name(char *out, size_t n, const char *name)
{
	for (; *name; name++) {
		bool plain = isgraph((unsigned char)*name) && !strchr("%?@#", *name);
		units_append(out, n, plain ? "%c" : "%%%02X", (unsigned char)*name);
	}
}

char *found_url(char *out, size_t n, const struct found_target *t, int lun)
{
	const char *comma = "";

	snprintf(out, n, "iscsi://");
	for (unsigned i = 0; i < t->portals; i++) {
		if (!t->portal[i].marked)
			continue;
		units_append(out, n, "%s%s", comma, t->portal[i].address);
		comma = ",";
	}
	units_append(out, n, "/");
	append_name(out, n, t->name);
	units_append(out, n, "/%d", lun);
	return out;
}

void found_free(struct found *f)
{
	for (unsigned i = 0; i < f->targets; i++)
		free(f->target[i].lun);
	if (f->target)
		explicit_bzero(f->target, f->targets * sizeof(*f->target));
	free(f->target);
	*f = (struct found){0};
}
