/* check.c - the look at what is behind a session, before anything is sent there: a new one may lead to another
 * LUN of the same name, and over one that is up an answer may tell that it has changed.
 *
 * A worldwide name says which LUN it is. One that has none is told by all that it says of itself, its size
 * included: a serial number alone is the same on all LUNs of some targets, and a write to the wrong one is worse
 * than a path that stays down.
 */
#include "backends/iscsi/path.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define NAME_PAGE   0x83
#define SERIAL_PAGE 0x80
/* Vendor and product in the standard data (SPC-4, 6.6.2). */
#define VENDOR_AT 8
#define MODEL_AT  16
#define MODEL_END 32

#define NAMELESS "it has no worldwide name by which it could be told"

static void send_check(struct path *p)
{
	struct path_check *c = &p->check;
	struct session *s = &p->session;
	int lun = p->peer->at.lun, rc = 0;

	c->reply = (struct reply){.data = c->data, .room = sizeof(c->data)};
	memset(c->data, 0, sizeof(c->data));
	switch (c->step) {
	case CHECK_NAME: rc = lun_send_inquiry(s, lun, NAME_PAGE, &c->reply); break;
	case CHECK_SERIAL: rc = lun_send_inquiry(s, lun, SERIAL_PAGE, &c->reply); break;
	case CHECK_MODEL: rc = lun_send_inquiry(s, lun, 0, &c->reply); break;
	case CHECK_SIZE: rc = lun_send_capacity_16(s, lun, &c->reply); break;
	case CHECK_BLOCK: rc = lun_send_capacity(s, lun, &c->reply); break;
	case CHECK_DONE: break;
	}
	if (rc)
		p->broken = true;
}

static bool fail(struct path *p, const char *words)
{
	error_set(&p->session.why, ESTALE, "%.60s: %.180s", p->peer->portal, words);
	p->broken = true;
	return false;
}

/* "another LUN is there (serial number 'B', not 'A')" */
static bool is_same(struct path *p, const char *what, const char *now, const char *before)
{
	char words[200];

	if (strcmp(now, before) == 0)
		return true;
	snprintf(words, sizeof(words), "another LUN is there (%s%s'%.50s', not '%.50s')", what,
		 what[0] ? " " : "", now, before);
	return fail(p, words);
}

static bool take_name(struct path *p, const struct reply *r)
{
	char id[160], words[100];

	scsi_page83_id(p->check.data, r->length, id, sizeof(id));
	if (id[0] || !p->target->id[0])
		return is_same(p, "", id, p->target->id);
	snprintf(words, sizeof(words), "the LUN '%.60s' is there no more", p->target->id);
	return fail(p, words);
}

static bool take_serial(struct path *p, const struct reply *r)
{
	char serial[sizeof(p->target->serial)];

	scsi_page80_serial(p->check.data, r->end.status ? 0 : r->length, serial, sizeof(serial));
	return is_same(p, "serial number", serial, p->target->serial);
}

static bool take_model(struct path *p, const struct reply *r)
{
	const uint8_t *d = p->check.data;
	char vendor[sizeof(p->target->vendor)], model[sizeof(p->target->model)], words[160];

	if (r->end.status || r->length < MODEL_END)
		return fail(p, r->end.status ? scsi_end_words(&r->end, words, sizeof(words))
					     : "it does not say what it is");
	scsi_text(d + VENDOR_AT, MODEL_AT - VENDOR_AT, vendor, sizeof(vendor));
	scsi_text(d + MODEL_AT, MODEL_END - MODEL_AT, model, sizeof(model));
	return is_same(p, "vendor", vendor, p->target->vendor) &&
	       is_same(p, "product", model, p->target->model);
}

static bool same_size(struct path *p, uint64_t last_block, uint64_t before)
{
	char words[200];

	if (last_block == before)
		return true;
	snprintf(words, sizeof(words),
		 "the LUN has %llu blocks now, not %llu, and " NAMELESS ": it may be another one",
		 (unsigned long long)last_block + 1, (unsigned long long)before + 1);
	return fail(p, words);
}

static uint64_t last_block_of(const struct iscsi_target *t)
{
	return t->size / t->block - 1;
}

/* A LUN that does not know the long form is asked by the short one. */
static bool take_size(struct path *p, const struct reply *r)
{
	if (r->end.status || r->length < 12)
		return true;
	p->check.sized = true;
	return same_size(p, be64(p->check.data), last_block_of(p->target));
}

static bool take_block(struct path *p, const struct reply *r)
{
	const uint8_t *d = p->check.data;
	char words[160];

	if (r->end.status != SCSI_STATUS_GOOD || be32(d + 4) != p->target->block)
		return fail(p, r->end.status ? scsi_end_words(&r->end, words, sizeof(words))
					     : "its blocks have another size now");
	if (p->target->id[0] || p->check.sized)
		return true;
	return same_size(p, be32(d), last_block_of(p->target));
}

/* With a name there is nothing else to be told by. */
static int next_step(const struct path *p)
{
	if (p->check.step == CHECK_NAME && p->target->id[0])
		return CHECK_BLOCK;
	return p->check.step + 1;
}

/* The answer to the step that was sent. True when there is none left. */
static bool take_check(struct path *p)
{
	struct path_check *c = &p->check;
	const struct reply *r = &c->reply;
	bool again = (r->end.status == SCSI_STATUS_CHECK_CONDITION && r->end.key == 6) ||
		     r->end.status == SCSI_STATUS_BUSY;
	bool same = true;

	session_heed(&p->session);
	if (again && c->tries++ < ATTENTIONS_MAX) {
		send_check(p);
		return false;
	}
	switch (c->step) {
	case CHECK_NAME: same = take_name(p, r); break;
	case CHECK_SERIAL: same = take_serial(p, r); break;
	case CHECK_MODEL: same = take_model(p, r); break;
	case CHECK_SIZE: same = take_size(p, r); break;
	case CHECK_BLOCK: same = take_block(p, r); break;
	case CHECK_DONE: break;
	}
	if (!same)
		return false;
	c->step = next_step(p);
	if (c->step != CHECK_DONE)
		send_check(p);
	return c->step == CHECK_DONE;
}

void check_begin(struct path *p)
{
	p->check.step = CHECK_NAME;
	p->check.tries = 0;
	p->check.sized = false;
	p->check.reply = (struct reply){0};
	p->doubted = false;
}

bool check_tend(struct path *p, uint64_t now)
{
	if (p->check.reply.done)
		return take_check(p);
	if (!p->check.reply.pending)
		send_check(p);
	else if (now > p->session.limit_ns)
		fail(p, "it does not say in time what it is");
	return false;
}
