/* mocktgt-scsi.c - the mock target's disks: SCSI commands, their data, and how they go wrong. */
#include "tests/mocktgt-wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include "tests/proc.h"

enum { GOOD = 0, CHECK_CONDITION = 2, BUSY = 8, TASK_SET_FULL = 0x28 };
enum { UNIT_ATTENTION = 6, ILLEGAL_REQUEST = 5, DATA_PROTECT = 7 };

/* --- Answers ---------------------------------------------------------------------------------------- */

/* It waits no longer; still to be freed. */
static void retire(struct conn *c, struct task *t)
{
	struct task **p = &c->tasks;
	while (*p != t)
		p = &(*p)->next;
	*p = t->next;
	c->waiting--;
	c->m->seen.waiting--;
}

static void drop(struct conn *c, struct task *t)
{
	retire(c, t);
	free(t);
	c->m->seen.dropped++;
}

/* Bits and count of the residual (11.4.5), given what the CDB is about and what is expected. */
static void residual(uint8_t *h, uint32_t expected, uint32_t length)
{
	if (length < expected)
		h[1] |= 2, put32(h + 44, expected - length);
	else if (length > expected)
		h[1] |= 4, put32(h + 44, length - expected);
}

/* SCSI Response, 11.4; with sense data in the fixed format (SPC-4 4.5.3) for a check condition. */
static void respond(struct conn *c, struct task *t, uint32_t transferred)
{
	uint8_t sense[2 + 18] = {0, 18, 0x70};
	bool check = t->status == CHECK_CONDITION;

	sense[4] = t->key;
	sense[9] = 10;
	put16(sense + 14, t->ascq);
	retire(c, t);
	uint8_t *h = pdu_new(c, 0x21, 0x80, t->itt);
	h[3] = t->status;
	pdu_numbers(c, h, true);
	residual(h, t->expected, transferred);
	pdu_send_copy(c, h, sense, check ? sizeof sense : 0);
	c->m->seen.answered++;
	free(t);
}

/* Data-In (11.7) in segments and bursts as agreed; the last one carries the status. length: what the
 * command is about; n: how much of it is really sent, up to what is expected. */
static void send_data(struct conn *c, struct task *t, const void *data, uint32_t length, bool copy)
{
	bool faulty = t->faulty;
	enum mock_fault f = t->fault.fault;
	uint32_t n = MIN(length, t->expected), told = length;

	if (faulty && f == MOCK_RESET) {
		/* The header promises all of it; half of the first segment comes. */
		uint32_t part = MIN(n, c->segment);
		uint8_t *h = pdu_new(c, 0x25, 0, t->itt);
		pdu_numbers(c, h, false);
		put32(h + 20, NOBODY);
		pdu_send_copy(c, h, data, part);
		c->out[c->n_out - 1].iov_len = part / 2;
		c->phase = CLOSING;
		c->reset = true;
		return;
	}
	if (faulty && (f == MOCK_SHORT || f == MOCK_UNDERFLOW)) {
		n /= 2;
		told = f == MOCK_SHORT ? length : n;
	}
	if (!n) {
		respond(c, t, told);
		return;
	}
	retire(c, t);
	for (uint32_t at = 0, dsn = 0; at < n; dsn++) {
		uint32_t part = MIN(n - at, c->segment);
		/* F also ends a burst (11.7.1). */
		uint32_t burst = c->burst - at % c->burst;
		part = MIN(part, burst);
		bool last = at + part == n;
		uint8_t *h = pdu_new(c, 0x25, last ? 0x81 : part == burst ? 0x80 : 0, t->itt);
		put32(h + 20, NOBODY);
		pdu_numbers(c, h, last);
		put32(h + 36, dsn);
		put32(h + 40, at);
		if (last)
			residual(h, t->expected, told);
		else
			put32(h + 24, 0);
		(copy ? pdu_send_copy : pdu_send)(c, h, (const uint8_t *)data + at, part);
		at += part;
	}
	c->m->seen.answered++;
	free(t);
}

/* --- Commands that tell of the unit (SPC-4, SBC-3) ---------------------------------------------------- */

static uint32_t page_83(const struct lun *l, uint8_t *b)
{
	b[1] = 0x83;
	put16(b + 2, 12);
	b[4] = 1; /* binary */
	b[5] = 3; /* NAA, of the logical unit */
	b[7] = 8;
	put64(b + 8, 3ull << 60 | (l->naa & ~0ull >> 4)); /* locally assigned */
	return 16;
}

static uint32_t inquiry(const struct lun *l, const uint8_t *cdb, uint8_t *b, bool *bad)
{
	if (!(cdb[1] & 1)) {
		if (!l)
			b[0] = 0x7f; /* nothing there */
		b[2] = 6;
		b[3] = 0x02;
		b[4] = 31;
		b[7] = 0x02; /* command queueing */
		memcpy(b + 8, "LUNSCOPEMOCK DISK       1   ", 28);
		return 36;
	}
	if (!l || (l->nameless && cdb[2] == 0x83) || (l->serialless && cdb[2] == 0x80)) {
		*bad = true;
		return 0;
	}
	switch (b[1] = cdb[2]) {
	case 0x00:
		b[3] = 4;
		memcpy(b + 4, "\x00\x80\x83\xb0", 4);
		return 8;
	case 0x80:
		b[3] = 16;
		snprintf((char *)b + 4, 17, "%016llx", (unsigned long long)l->naa);
		return 20;
	case 0x83: return page_83(l, b);
	case 0xb0: /* block limits: the longest transfer */
		put16(b + 2, 60);
		put32(b + 8, TRANSFER_MAX / l->block);
		return 64;
	default: *bad = true; return 0;
	}
}

static uint32_t read_capacity(const struct lun *l, bool sixteen, uint8_t *b)
{
	uint64_t last = l->blocks - 1;
	if (!sixteen) {
		put32(b, last > 0xfffffffe ? ~0u : (uint32_t)last);
		put32(b + 4, l->block);
		return 8;
	}
	put64(b, l->claims ? l->claims : last);
	put32(b + 8, l->block);
	return 32;
}

/* Headers only, no pages; the top bit of the device-specific parameter is WP (SBC-3 6.5.1). */
static uint32_t mode_sense(const struct lun *l, bool ten, uint8_t *b)
{
	uint8_t wp = l->read_only ? 0x80 : 0;
	if (ten) {
		put16(b, 6);
		b[3] = wp;
		return 8;
	}
	b[0] = 3;
	b[2] = wp;
	return 4;
}

static uint32_t report_luns(const struct mock *m, uint8_t *b)
{
	put32(b, m->luns * 8);
	for (unsigned i = 0; i < m->luns; i++)
		b[8 + i * 8 + 1] = (uint8_t)i;
	return 8 + m->luns * 8;
}

static void fail(struct task *t, uint8_t key, uint16_t ascq)
{
	t->status = CHECK_CONDITION;
	t->key = key;
	t->ascq = ascq;
}

/* The commands that move no blocks. */
static void tell(struct conn *c, struct task *t)
{
	const uint8_t *cdb = t->bhs + 32;
	const struct lun *l = t->lun < c->m->luns ? &c->m->lun[t->lun] : NULL;
	uint8_t b[512] = {0};
	uint32_t n = 0, room = 0;
	bool bad = false;

	switch (cdb[0]) {
	case 0x00: /* TEST UNIT READY */
	case 0x35: /* SYNCHRONIZE CACHE (10) */
	case 0x91: /* SYNCHRONIZE CACHE (16) */ respond(c, t, 0); return;
	case 0x03: /* REQUEST SENSE: none */
		b[0] = 0x70;
		b[7] = 10;
		n = 18, room = cdb[4];
		break;
	case 0x12: n = inquiry(l, cdb, b, &bad), room = get16(cdb + 3); break;
	case 0x1a: n = mode_sense(l, false, b), room = cdb[4]; break;
	case 0x5a: n = mode_sense(l, true, b), room = get16(cdb + 7); break;
	case 0x25: n = read_capacity(l, false, b), room = 8; break;
	case 0x9e: /* SERVICE ACTION IN (16) */
		bad = (cdb[1] & 0x1f) != 0x10;
		n = read_capacity(l, true, b), room = get32(cdb + 10);
		break;
	case 0xa0: n = report_luns(c->m, b), room = get32(cdb + 6); break;
	default:
		fail(t, ILLEGAL_REQUEST, 0x2000); /* invalid command operation code */
		respond(c, t, 0);
		return;
	}
	if (bad) {
		fail(t, ILLEGAL_REQUEST, 0x2400); /* invalid field in CDB */
		respond(c, t, 0);
		return;
	}
	send_data(c, t, b, MIN(n, room), true);
}

/* --- The life of a command ------------------------------------------------------------------------------ */

static void finish(struct conn *c, struct task *t)
{
	const struct lun *l = &c->m->lun[t->lun];
	enum mock_fault f = t->fault.fault;

	if (t->faulty && f == MOCK_BAD_DIGEST)
		c->spoil_digest = c->digest;
	if (t->faulty && f == MOCK_RESET && (!t->io || t->write)) {
		c->phase = CLOSING;
		c->reset = true;
		return;
	}
	if (t->status)
		respond(c, t, 0);
	else if (!t->io)
		tell(c, t);
	else if (t->write)
		respond(c, t, t->length);
	else
		send_data(c, t, l->data + t->offset, t->length, false);
}

/* Nothing is missing any more. */
static void ready(struct conn *c, struct task *t)
{
	t->whole = true;
	if (t->stuck)
		return;
	if (t->due > 0) {
		c->m->timers = true;
		return;
	}
	finish(c, t);
}

void scsi_due(struct conn *c, double now)
{
	struct task *next;
	for (struct task *t = c->tasks; t && c->phase == FULL_FEATURE; t = next) {
		next = t->next;
		if (!t->whole || t->stuck || t->due > now)
			continue;
		if (!pdu_room(c))
			return;
		finish(c, t);
	}
}

void scsi_drop_tasks(struct conn *c)
{
	while (c->tasks)
		drop(c, c->tasks);
}

/* READ and WRITE: where and how much. */
static void decode(struct mock *m, struct task *t)
{
	const uint8_t *cdb = t->bhs + 32;
	uint64_t lba;
	uint32_t blocks;

	switch (cdb[0]) {
	case 0x28: /* READ (10) */
	case 0x2a: /* WRITE (10) */ lba = get32(cdb + 2), blocks = get16(cdb + 7); break;
	case 0x88: /* READ (16) */
	case 0x8a: /* WRITE (16) */ lba = get64(cdb + 2), blocks = get32(cdb + 10); break;
	default: return;
	}
	t->io = true;
	t->write = (cdb[0] & 0x0f) == 0x0a;
	if (t->lun >= m->luns)
		return;
	const struct lun *l = &m->lun[t->lun];
	if (lba > l->blocks || blocks > l->blocks - lba)
		fail(t, ILLEGAL_REQUEST, 0x2100); /* LBA out of range */
	else if (blocks > TRANSFER_MAX / l->block)
		fail(t, ILLEGAL_REQUEST, 0x2400);
	else if (t->write && l->read_only)
		fail(t, DATA_PROTECT, 0x2700); /* write protected */
	t->offset = lba * l->block;
	t->length = blocks * l->block;
}

/* What stands in the way of any command, in the order of SAM-5 5.14 and SPC-4 6.4.1: a unit that isn't
 * there; then what the unit has to say first. */
static void attend(struct conn *c, struct task *t)
{
	uint8_t op = t->bhs[32];
	bool always = op == 0x12 || op == 0xa0; /* INQUIRY, REPORT LUNS */
	if (always)
		return;
	if (t->lun >= c->m->luns) {
		fail(t, ILLEGAL_REQUEST, 0x2500); /* logical unit not supported */
	} else if (c->attention[t->lun] && op != 0x03) {
		fail(t, UNIT_ATTENTION, c->attention[t->lun]);
		c->attention[t->lun] = 0;
	}
}

static void afflict(struct conn *c, struct task *t)
{
	const struct mock_injection *f =
		fault_for(c->m, c->portal, t->io ? MOCK_IO : MOCK_COMMANDS, t->write);
	if (!f)
		return;
	t->faulty = true;
	t->fault = *f;
	switch (f->fault) {
	case MOCK_BUSY: t->status = BUSY; break;
	case MOCK_TASK_SET_FULL: t->status = TASK_SET_FULL; break;
	case MOCK_CHECK: fail(t, f->key, f->ascq); break;
	case MOCK_DELAY: t->due = proc_now() + f->ms / 1e3; break;
	case MOCK_STUCK: t->stuck = true; break;
	default: break;
	}
}

/* Ready To Transfer (11.8): the next burst. */
static void ask(struct conn *c, struct task *t)
{
	uint32_t n = MIN(t->length - t->received, c->burst);
	uint8_t *h = pdu_new(c, 0x31, 0x80, t->itt);

	t->ttt = ++c->ttt & 0x7fffffff;
	t->asked = t->received + n;
	memcpy(h + 8, t->bhs + 8, 8);
	put32(h + 20, t->ttt);
	pdu_numbers(c, h, false);
	put32(h + 36, t->r2tsn++);
	put32(h + 40, t->received);
	put32(h + 44, n);
	pdu_send(c, h, NULL, 0);
}

/* A part of a write's data has come. */
static void store(struct conn *c, struct task *t, const uint8_t *data, uint32_t n)
{
	if (n > t->length - t->received) {
		violation(c, "%u bytes more than the write is about",
			  n - (t->length - t->received));
		n = t->length - t->received;
	}
	if (!t->status)
		memcpy(c->m->lun[t->lun].data + t->offset + t->received, data, n);
	t->received += n;
}

/* Waits for the rest of a write's data, asks for it, or goes on. One that fails asks for no more. */
static void advance(struct conn *c, struct task *t)
{
	if (t->unasked)
		return;
	if (t->status || t->received == t->length)
		ready(c, t);
	else if (t->received == t->asked)
		ask(c, t);
}

static unsigned lun_of(const uint8_t *bhs)
{
	/* SAM-5 4.7.3: single level, peripheral device addressing. */
	return bhs[8] || get32(bhs + 10) || get16(bhs + 14) ? MOCK_LUNS : bhs[9];
}

static void begin_write(struct conn *c, struct task *t, const uint8_t *data, uint32_t n)
{
	bool final = t->bhs[1] & 0x80;
	if (n && !c->immediate)
		violation(c, "immediate data, and ImmediateData=No was agreed");
	if (!final && c->initial_r2t)
		violation(c, "unsolicited data, and InitialR2T=Yes was agreed");
	if (n > c->first_burst)
		violation(c, "%u bytes of immediate data, more than FirstBurstLength", n);
	if (t->expected < t->length && !t->status)
		fail(t, ILLEGAL_REQUEST, 0x2400);
	t->unasked = !final;
	store(c, t, data, n);
	t->asked = t->received;
	advance(c, t);
}

/* SCSI Command, 11.3. */
void scsi_command(struct conn *c, const uint8_t *bhs, const uint8_t *data, uint32_t n)
{
	struct mock_seen *s = &c->m->seen;
	struct task *t = calloc(1, sizeof *t);
	if (!t)
		abort();
	memcpy(t->bhs, bhs, BHS);
	t->itt = get32(bhs + 16);
	t->lun = lun_of(bhs);
	t->expected = get32(bhs + 20);
	for (struct task *o = c->tasks; o; o = o->next)
		if (o->itt == t->itt)
			violation(c, "task tag %08x is in use", t->itt);
	/* In order of arrival: what is stuck or delayed is released so. */
	struct task **end = &c->tasks;
	while (*end)
		end = &(*end)->next;
	*end = t;

	c->waiting++;
	s->waiting++;
	s->commands++;
	s->most_waiting = MAX(s->most_waiting, c->waiting);
	decode(c->m, t);
	attend(c, t);
	if (t->io) {
		*(t->write ? &s->writes : &s->reads) += 1;
		(t->write ? s->writes_at : s->reads_at)[c->portal - 1]++;
	}
	if (!t->status)
		afflict(c, t);
	if (t->io && t->write)
		begin_write(c, t, data, n);
	else
		ready(c, t);
}

/* SCSI Data-Out, 11.7. */
void scsi_data_out(struct conn *c, const uint8_t *bhs, const uint8_t *data, uint32_t n)
{
	uint32_t itt = get32(bhs + 16), ttt = get32(bhs + 20);
	struct task *t = c->tasks;
	while (t && t->itt != itt)
		t = t->next;
	if (!t || !t->write) {
		violation(c, "data for task %08x, which isn't a write under way", itt);
		return;
	}
	if (get32(bhs + 40) != t->received)
		violation(c, "data at offset %u, expected at %u", get32(bhs + 40), t->received);
	if (t->unasked ? ttt != NOBODY : ttt != t->ttt)
		violation(c, "data with transfer tag %08x", ttt);
	store(c, t, data, n);
	if (t->unasked && t->received > c->first_burst)
		violation(c, "%u bytes unasked, more than FirstBurstLength", t->received);
	if (!t->unasked && t->received > t->asked)
		violation(c, "data beyond what was asked for");
	if (!(bhs[1] & 0x80))
		return;
	if (t->unasked)
		t->asked = t->received;
	else if (t->received != t->asked)
		violation(c, "a sequence ended at %u instead of %u", t->received, t->asked);
	t->unasked = false;
	advance(c, t);
}

/* Task Management Function, 11.5 and 11.6. */
void scsi_task_management(struct conn *c, const uint8_t *bhs)
{
	enum { ABORT_TASK = 1, ABORT_TASK_SET = 2, LUN_RESET = 5 };
	enum { COMPLETE = 0, NO_SUCH_TASK = 1, NOT_SUPPORTED = 5 };
	unsigned function = bhs[1] & 0x7f, lun = lun_of(bhs);
	uint8_t result = function == ABORT_TASK ? NO_SUCH_TASK : COMPLETE;
	struct task *next;

	if (function != ABORT_TASK && function != ABORT_TASK_SET && function != LUN_RESET)
		result = NOT_SUPPORTED;
	for (struct task *t = result == NOT_SUPPORTED ? NULL : c->tasks; t; t = next) {
		next = t->next;
		if (function == ABORT_TASK ? t->itt != get32(bhs + 20) : t->lun != lun)
			continue;
		drop(c, t);
		result = COMPLETE;
	}
	uint8_t *h = pdu_new(c, 0x22, 0x80, get32(bhs + 16));
	h[2] = result;
	pdu_numbers(c, h, true);
	pdu_send(c, h, NULL, 0);
}
