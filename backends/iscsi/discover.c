/* discover.c - what a portal offers: its targets (SendTargets), and the LUNs of each (REPORT LUNS).
 *
 * A portal tells of itself only, or of all others too, as the target likes; LUNs are asked for at the
 * portal that was named.
 */
#include "backends/iscsi/iscsi.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All that can be named: see lun_number(). */
#define LUNS_MAX 16384u

#define OP_REPORT_LUNS 0xa0

struct target_found {
	char name[224];
	char portals[400]; /* "10.0.0.1:3260, 10.0.1.1:3260" */
	bool odd;	   /* the name was none (RFC 3722), and is not what the portal said */
};

struct targets {
	struct target_found *list;
	unsigned count;
	bool done, good;
};

static void add_target(struct targets *t, const struct iscsi_discovery_address *a)
{
	struct target_found *found = &t->list[t->count++];
	size_t used = 0;

	snprintf(found->name, sizeof(found->name), "%s", a->target_name);
	error_tame(found->name);
	found->odd = strcmp(found->name, a->target_name) != 0;
	found->portals[0] = 0;
	for (const struct iscsi_target_portal *p = a->portals; p; p = p->next) {
		size_t length = strcspn(p->portal, ",");
		if (used + length + 3 < sizeof(found->portals))
			used += (size_t)snprintf(found->portals + used,
						 sizeof(found->portals) - used, "%s%.*s",
						 used ? ", " : "", (int)length, p->portal);
	}
	error_tame(found->portals);
}

static void targets_told(struct iscsi_context *c, int status, void *data, void *private_data)
{
	struct targets *t = private_data;
	unsigned n = 0;
	(void)c;

	t->done = true;
	t->good = status == SCSI_STATUS_GOOD;
	if (!t->good)
		return;
	for (const struct iscsi_discovery_address *a = data; a; a = a->next)
		n++;
	t->list = calloc(n + 1, sizeof(*t->list));
	t->good = t->list != NULL;
	for (const struct iscsi_discovery_address *a = data; a && t->list; a = a->next)
		add_target(t, a);
}

static bool cancelled(const struct session *s)
{
	return s->cancel && atomic_load(s->cancel);
}

static int send_targets(struct session *s, struct targets *t, struct error *e)
{
	uint64_t limit = iscsi_now_ns() + COMMAND_LIMIT_NS;

	if (iscsi_discovery_async(s->c, targets_told, t))
		return error_set(e, EIO, "portal %s: %s", s->peer->portal, iscsi_get_error(s->c));
	while (!t->done && !s->failed && !cancelled(s) && iscsi_now_ns() < limit) {
		struct pollfd p = {session_fd(s), (short)session_events(s), 0};
		poll(&p, 1, 100);
		session_service(s, p.revents);
	}
	if (t->good)
		return 0;
	if (!t->done && !s->failed)
		return error_set(e, ETIMEDOUT, "portal %s did not answer SendTargets in time",
				 s->peer->portal);
	return error_set(e, EIO, "portal %s gave no answer to SendTargets that can be read: %.200s",
			 s->peer->portal, session_why(s));
}

/* One number of the list (SAM-5, 4.7): peripheral or flat addressing; -1 for anything else. */
static int lun_number(const uint8_t *p)
{
	switch (p[0] >> 6) {
	case 0: return p[0] ? -1 : p[1];
	case 1: return (p[0] & 63) << 8 | p[1];
	}
	return -1;
}

static int report_luns(struct session *s, uint8_t *data, size_t room, struct reply *r,
		       struct error *e)
{
	uint8_t cdb[12] = {OP_REPORT_LUNS};
	char words[120];

	for (int i = 0; i < 4; i++)
		cdb[6 + i] = (uint8_t)(room >> (24 - 8 * i));
	*r = (struct reply){.data = data, .room = room};
	int rc = session_command(s, 0, cdb, sizeof(cdb), r, e);
	if (rc == 0 && (r->end.status != SCSI_STATUS_GOOD || r->length < 8))
		rc = error_set(e, EIO, "REPORT LUNS: %s",
			       scsi_end_words(&r->end, words, sizeof(words)));
	return rc;
}

static void ask_lun(struct session *s, const struct backend_found *target, int lun,
		    backend_found_fn *found, void *arg)
{
	struct backend_found one = *target;
	struct backend_facts f;
	struct error e;
	int rc = lun_ask(s, lun, &f, &e);

	/* Controllers and the like are no targets of ours. */
	if (rc == -ENOTBLK)
		return;
	one.lun = lun;
	one.facts = rc ? NULL : &f;
	one.trouble = rc ? e.text : NULL;
	one.err = rc;
	found(&one, arg);
}

static void ask_luns(struct session *s, const struct backend_found *target, backend_found_fn *found,
		     void *arg)
{
	uint8_t *data = calloc(1, 8 + LUNS_MAX * 8);
	struct backend_found failed = *target;
	struct error e = {""};
	struct reply r;

	int rc = data ? report_luns(s, data, 8 + LUNS_MAX * 8, &r, &e) : -ENOMEM;
	if (rc) {
		failed.trouble = e.text[0] ? e.text : "out of memory";
		failed.err = rc;
		found(&failed, arg);
	} else {
		size_t length = be32(data) < r.length - 8 ? be32(data) : r.length - 8;
		found(target, arg);
		for (size_t at = 0; at + 8 <= length; at += 8)
			if (lun_number(data + 8 + at) >= 0)
				ask_lun(s, target, lun_number(data + 8 + at), found, arg);
	}
	free(data);
}

static void ask_target(const struct iscsi_peer *portal, const struct target_found *t,
		       const atomic_bool *cancel, backend_found_fn *found, void *arg)
{
	struct iscsi_peer *peer = malloc(sizeof(*peer));
	struct backend_found one = {
		.portal = t->portals, .asked = portal->portal, .target = t->name, .lun = -1};
	struct session s = {.cancel = cancel};
	struct error e = {"out of memory"};
	int rc = -ENOMEM;

	if (t->odd) {
		rc = error_set(&e, EINVAL,
			       "its name is too long, or has characters that no name may have");
	} else if (peer) {
		*peer = *portal;
		snprintf(peer->at.target, sizeof(peer->at.target), "%s", t->name);
		rc = session_open(&s, peer, false, &e);
	}
	if (rc) {
		one.trouble = e.text;
		one.err = rc;
		found(&one, arg);
	} else {
		ask_luns(&s, &one, found, arg);
		session_logout(&s);
	}
	if (peer)
		explicit_bzero(peer, sizeof(*peer));
	free(peer);
}

/* The portal's targets; where one was named, that one. */
static int list_targets(const struct iscsi_peer *peer, const atomic_bool *cancel, struct targets *t,
			struct error *e)
{
	struct session s = {.cancel = cancel};

	if (peer->at.target[0]) {
		t->list = calloc(1, sizeof(*t->list));
		if (!t->list)
			return error_set(e, ENOMEM, "iscsi: out of memory");
		snprintf(t->list[0].name, sizeof(t->list[0].name), "%s", peer->at.target);
		snprintf(t->list[0].portals, sizeof(t->list[0].portals), "%s", peer->portal);
		t->count = 1;
		return 0;
	}
	int rc = session_open(&s, peer, true, e);
	if (rc)
		return rc;
	rc = send_targets(&s, t, e);
	session_logout(&s);
	return rc;
}

int iscsi_discover(const struct backend_open *how, backend_found_fn *found, void *arg,
		   struct error *e)
{
	struct iscsi_peer *peer = malloc(sizeof(*peer));
	struct targets t = {0};
	const atomic_bool *cancel = how->cancel;
	int rc = peer ? iscsi_peer_init(peer, how, 0, true, e)
		      : error_set(e, ENOMEM, "iscsi: out of memory");

	if (rc == 0)
		rc = list_targets(peer, cancel, &t, e);
	for (unsigned i = 0; rc == 0 && i < t.count && !(cancel && atomic_load(cancel)); i++)
		ask_target(peer, &t.list[i], cancel, found, arg);
	if (cancel && atomic_load(cancel))
		rc = error_set(e, ECANCELED, "portal %s: asking it was called off", how->spec);
	if (peer)
		explicit_bzero(peer, sizeof(*peer));
	free(peer);
	free(t.list);
	return rc;
}

/* --- What there is instead. --- */

struct names {
	char text[200];
	unsigned more; /* there was no room for */
};

static void add_name(struct names *l, const char *name)
{
	size_t used = strlen(l->text);

	if (l->more || used + strlen(name) + 3 > sizeof(l->text))
		l->more++;
	else
		snprintf(l->text + used, sizeof(l->text) - used, "%s%s", used ? ", " : "", name);
}

static void tell_names(const struct names *l, struct error *e)
{
	size_t used = strlen(e->text), room = sizeof(e->text) - used;

	if (l->text[0] && l->more)
		snprintf(e->text + used, room, "; it has %s and %u more", l->text, l->more);
	else if (l->text[0])
		snprintf(e->text + used, room, "; it has %s", l->text);
}

void iscsi_tell_targets(const struct iscsi_peer *portal, const atomic_bool *cancel, struct error *e)
{
	struct iscsi_peer *peer = malloc(sizeof(*peer));
	struct targets t = {0};
	struct names names = {0};
	struct error ignored;

	if (peer) {
		*peer = *portal;
		peer->at.target[0] = 0;
		if (list_targets(peer, cancel, &t, &ignored) == 0)
			for (unsigned i = 0; i < t.count; i++)
				add_name(&names, t.list[i].name);
		explicit_bzero(peer, sizeof(*peer));
	}
	tell_names(&names, e);
	free(peer);
	free(t.list);
}

static void add_lun(const struct backend_found *found, void *arg)
{
	char name[24];

	snprintf(name, sizeof(name), "LUN %d", found->lun);
	if (found->lun >= 0)
		add_name(arg, name);
}

void iscsi_tell_luns(struct session *s, struct error *e)
{
	struct backend_found target = {.portal = s->peer->portal,
				       .asked = s->peer->portal,
				       .target = s->peer->at.target,
				       .lun = -1};
	struct names names = {0};

	ask_luns(s, &target, add_lun, &names);
	tell_names(&names, e);
}
