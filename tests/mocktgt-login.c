/* mocktgt-login.c - the mock target's login: negotiation, CHAP, redirects; and SendTargets. */
#include "tests/mocktgt-wire.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include "tests/digest.h"

/* Status class and detail, 11.13.5. */
enum {
	MOVED_TEMPORARILY = 0x0101,
	INITIATOR_ERROR = 0x0200,
	AUTHENTICATION_FAILURE = 0x0201,
	NOT_FOUND = 0x0203,
	MISSING_PARAMETER = 0x0207,
	NO_SUCH_SESSION = 0x020a,
};

/* Key=Value texts, each with its NUL (6.1). */
struct text {
	char s[8192];
	uint32_t n;
};

__attribute__((format(printf, 2, 3))) static void say(struct text *t, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int n = vsnprintf(t->s + t->n, sizeof t->s - t->n, format, args);
	va_end(args);
	if (n < 0 || t->n + (uint32_t)n + 1 > sizeof t->s)
		abort();
	t->n += (uint32_t)n + 1;
}

/* The value of a key, or NULL. text ends in a NUL. */
static const char *value_of(const char *text, uint32_t n, const char *key)
{
	size_t length = strlen(key);
	for (const char *p = text; p < text + n; p += strlen(p) + 1)
		if (!strncmp(p, key, length) && p[length] == '=')
			return p + length + 1;
	return NULL;
}

static bool offers(const char *list, const char *what)
{
	size_t n = strlen(what);
	for (const char *p = list; p; p = (p = strchr(p, ',')) ? p + 1 : NULL)
		if (!strncmp(p, what, n) && (!p[n] || p[n] == ','))
			return true;
	return false;
}

static uint8_t *reply(struct conn *c, const uint8_t *bhs, uint8_t flags, unsigned status)
{
	uint8_t *h = pdu_new(c, 0x23, flags, get32(bhs + 16)); /* Login Response, 11.13 */
	memcpy(h + 8, bhs + 8, 6);                             /* ISID */
	put16(h + 14, c->tsih);
	put16(h + 36, status);
	pdu_numbers(c, h, true);
	return h;
}

static void refuse(struct conn *c, const uint8_t *bhs, unsigned status)
{
	pdu_send(c, reply(c, bhs, (uint8_t)(bhs[1] & 0x0c), status), NULL, 0);
	c->phase = CLOSING;
	c->m->seen.logins_failed++;
}

/* --- CHAP (12.1.3, RFC 1994) ------------------------------------------------------------------------ */

static int hex(char ch)
{
	return ch >= '0' && ch <= '9'   ? ch - '0'
	       : ch >= 'a' && ch <= 'f' ? ch - 'a' + 10
	       : ch >= 'A' && ch <= 'F' ? ch - 'A' + 10
					: -1;
}

/* A "large binary value" in hex (6.1); how many bytes, or -1. */
static int from_hex(const char *s, uint8_t *out, int max)
{
	if (s[0] != '0' || (s[1] | 32) != 'x')
		return -1;
	size_t digits = strlen(s += 2);
	int n = 0;
	if (digits % 2) /* a leading zero was left out */
		out[n++] = (uint8_t)hex(*s++);
	for (; *s && n < max; s += 2) {
		if (hex(s[0]) < 0 || hex(s[1]) < 0)
			return -1;
		out[n++] = (uint8_t)(hex(s[0]) << 4 | hex(s[1]));
	}
	return *s ? -1 : n;
}

static void say_hex(struct text *t, const char *key, const uint8_t *p, int n)
{
	char s[1024] = "";
	for (int i = 0; i < n; i++)
		snprintf(s + 2 * i, 3, "%02x", p[i]);
	say(t, "%s=0x%s", key, s);
}

/* RFC 1994 4.1: the sum over identifier, secret and challenge. */
static void chap_sum(uint8_t id, const char *secret, const uint8_t *challenge, int n,
		     uint8_t sum[16])
{
	uint8_t all[1 + 256 + 1024];
	size_t length = strlen(secret);
	all[0] = id;
	memcpy(all + 1, secret, length);
	memcpy(all + 1 + length, challenge, (size_t)n);
	digest_md5(all, 1 + length + (size_t)n, sum);
}

static void challenge(struct conn *c, struct text *t)
{
	uint8_t random[17];
	if (getrandom(random, sizeof random, 0) != sizeof random)
		abort();
	c->chap_id = random[16];
	memcpy(c->challenge, random, sizeof c->challenge);
	c->challenged = true;
	say(t, "CHAP_A=5"); /* MD5 */
	say(t, "CHAP_I=%u", c->chap_id);
	say_hex(t, "CHAP_C", c->challenge, sizeof c->challenge);
}

/* The initiator's answer, and ours when it asks for one; false: it isn't who it says. */
static bool answer(struct conn *c, const char *in, uint32_t n, struct text *t)
{
	const struct mock_options *o = &c->m->o;
	const char *name = value_of(in, n, "CHAP_N"), *sum = value_of(in, n, "CHAP_R");
	const char *id = value_of(in, n, "CHAP_I"), *asks = value_of(in, n, "CHAP_C");
	uint8_t want[16], got[16], theirs[1024];

	if (!c->challenged || !name || !sum)
		return false;
	chap_sum(c->chap_id, o->secret, c->challenge, sizeof c->challenge, want);
	if (strcmp(name, o->user) || from_hex(sum, got, 16) != 16 || memcmp(want, got, 16))
		return false;
	c->proven = true;
	if (!id || !asks)
		return true;
	int length = from_hex(asks, theirs, sizeof theirs);
	if (!o->user_back || length < 1)
		return false;
	chap_sum((uint8_t)atoi(id), o->secret_back, theirs, length, want);
	if (fault_of_login(c->m, c->portal, MOCK_BAD_CHAP))
		want[7] ^= 0x20;
	say(t, "CHAP_N=%s", o->user_back);
	say_hex(t, "CHAP_R", want, 16);
	return true;
}

/* CSG 0. Returns the status, 0 = go on. */
static unsigned security(struct conn *c, const char *in, uint32_t n, struct text *t)
{
	const char *methods = value_of(in, n, "AuthMethod"), *kinds = value_of(in, n, "CHAP_A");

	if (methods && !offers(methods, c->m->o.user ? "CHAP" : "None"))
		return AUTHENTICATION_FAILURE;
	if (methods)
		say(t, "AuthMethod=%s", c->m->o.user ? "CHAP" : "None");
	if (kinds && !offers(kinds, "5"))
		return AUTHENTICATION_FAILURE;
	if (kinds)
		challenge(c, t);
	if (value_of(in, n, "CHAP_R") && !answer(c, in, n, t))
		return AUTHENTICATION_FAILURE;
	return 0;
}

/* --- Operational keys (13) ---------------------------------------------------------------------------- */

static uint32_t smaller(const char *theirs, uint32_t ours)
{
	uint32_t v = (uint32_t)strtoul(theirs, NULL, 0);
	return v < ours ? v : ours;
}

static void negotiate(struct conn *c, const char *key, const char *v, struct text *t)
{
	/* Needs no answer: it declares something. */
	static const char *const silent[] = {"InitiatorName", "InitiatorAlias", "TargetName",
					     "SessionType", "AuthMethod"};
	static const struct {
		const char *key, *value;
	} fixed[] = {
		{"DataDigest", "None"},      {"MaxConnections", "1"},
		{"DataPDUInOrder", "Yes"},   {"DataSequenceInOrder", "Yes"},
		{"MaxOutstandingR2T", "1"},  {"ErrorRecoveryLevel", "0"},
		{"DefaultTime2Retain", "0"}, {"IFMarker", "No"},
		{"OFMarker", "No"},
	};
	const struct mock_options *o = &c->m->o;

	for (size_t i = 0; i < sizeof silent / sizeof *silent; i++)
		if (!strcmp(key, silent[i]))
			return;
	for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
		if (!strcmp(key, fixed[i].key)) {
			say(t, "%s=%s", key, fixed[i].value);
			return;
		}
	if (!strcmp(key, "HeaderDigest")) {
		c->digest_granted = o->header_digest && offers(v, "CRC32C");
		say(t, "HeaderDigest=%s",
		    c->digest_granted   ? "CRC32C"
		    : offers(v, "None") ? "None"
					: "Reject");
	} else if (!strcmp(key, "InitialR2T")) { /* either side may insist */
		c->initial_r2t = o->initial_r2t || !strcmp(v, "Yes");
		say(t, "InitialR2T=%s", c->initial_r2t ? "Yes" : "No");
	} else if (!strcmp(key, "ImmediateData")) { /* both must agree */
		c->immediate = !o->no_immediate && !strcmp(v, "Yes");
		say(t, "ImmediateData=%s", c->immediate ? "Yes" : "No");
	} else if (!strcmp(key, "MaxBurstLength")) {
		c->burst = smaller(v, o->burst);
		say(t, "MaxBurstLength=%u", c->burst);
	} else if (!strcmp(key, "FirstBurstLength")) {
		c->first_burst = smaller(v, o->first_burst);
		say(t, "FirstBurstLength=%u", c->first_burst);
	} else if (!strcmp(key, "MaxRecvDataSegmentLength")) {
		c->segment = (uint32_t)strtoul(v, NULL, 0);
	} else if (!strcmp(key, "DefaultTime2Wait")) {
		say(t, "DefaultTime2Wait=%s", v);
	} else {
		say(t, "%s=NotUnderstood", key);
	}
}

/* CSG 1. */
static void operational(struct conn *c, const char *in, uint32_t n, struct text *t)
{
	for (const char *p = in; p < in + n; p += strlen(p) + 1) {
		char key[64];
		size_t length = strcspn(p, "=");
		if (!length || !p[length] || length >= sizeof key)
			continue;
		memcpy(key, p, length);
		key[length] = 0;
		negotiate(c, key, p + length + 1, t);
	}
	if (!c->declared)
		say(t, "MaxRecvDataSegmentLength=%u", c->m->o.segment);
	c->declared = true;
}

/* --- The exchange ------------------------------------------------------------------------------------- */

/* The first request says who wants to go where (6.3, 13.4, 13.5, 13.21). */
static unsigned introduce(struct conn *c, const uint8_t *bhs, const char *in, uint32_t n)
{
	const char *name = value_of(in, n, "InitiatorName");
	const char *type = value_of(in, n, "SessionType");
	const char *target = value_of(in, n, "TargetName");

	memcpy(c->isid, bhs + 8, 6);
	c->expcmdsn = get32(bhs + 24);
	c->maxcmdsn = c->expcmdsn - 1;
	if (!name)
		return MISSING_PARAMETER;
	snprintf(c->initiator, sizeof c->initiator, "%s", name);
	if (get16(bhs + 14))
		return NO_SUCH_SESSION; /* one connection a session */
	c->discovery = type && !strcmp(type, "Discovery");
	if (!c->discovery && !target)
		return MISSING_PARAMETER;
	if (!c->discovery && strcmp(target, MOCK_IQN))
		return NOT_FOUND;
	return 0;
}

/* 6.3.5: the same initiator port logged in anew, so its old session is over. */
static void reinstate(struct conn *c)
{
	for (struct conn *o = c->m->conns; o; o = o->next)
		if (o != c && !o->dead && o->phase == FULL_FEATURE && !o->discovery &&
		    !c->discovery && !memcmp(o->isid, c->isid, 6) &&
		    !strcmp(o->initiator, c->initiator)) {
			o->dead = o->reset = true;
			c->m->seen.reinstated++;
		}
}

static void enter_full_feature(struct conn *c)
{
	c->phase = FULL_FEATURE;
	c->digest = c->digest_granted;
	c->m->seen.logins++;
	for (unsigned i = 0; i < c->m->luns; i++)
		c->attention[i] = 0x2900; /* power on, reset, or bus device reset occurred */
	reinstate(c);
}

static bool redirected(struct conn *c, const uint8_t *bhs)
{
	const struct mock_injection *f = fault_of_login(c->m, c->portal, MOCK_REDIRECT);
	struct text t = {.n = 0};
	if (!f)
		return false;
	say(&t, "TargetAddress=%s:%d", c->m->address[f->to - 1], c->m->port);
	pdu_send_copy(c, reply(c, bhs, (uint8_t)(bhs[1] & 0x0c), MOVED_TEMPORARILY), t.s, t.n);
	c->phase = CLOSING;
	c->m->seen.logins_failed++;
	return true;
}

void login_pdu(struct conn *c, const uint8_t *bhs, const char *in, uint32_t n)
{
	bool transit = bhs[1] & 0x80;
	unsigned stage = bhs[1] >> 2 & 3, next = bhs[1] & 3, status = 0;
	struct text t = {.n = 0};

	if (bhs[1] & 0x40) {
		violation(c, "the mock takes no login text in parts");
		refuse(c, bhs, INITIATOR_ERROR);
		return;
	}
	if (!*c->initiator) {
		status = introduce(c, bhs, in, n);
		if (!status && fault_of_login(c->m, c->portal, MOCK_STUCK))
			return;
		const struct mock_injection *f =
			status ? NULL : fault_of_login(c->m, c->portal, MOCK_REFUSE);
		if (f)
			status = f->login_status;
		if (!status && redirected(c, bhs))
			return;
		if (!status && !c->discovery)
			say(&t, "TargetPortalGroupTag=1"); /* 13.9 */
	}
	if (!status && stage == 0)
		status = security(c, in, n, &t);
	if (!status && stage == 1 && c->m->o.user && !c->proven)
		status = AUTHENTICATION_FAILURE;
	if (status) {
		refuse(c, bhs, status);
		return;
	}
	if (stage == 1)
		operational(c, in, n, &t);
	if (stage == 0 && c->m->o.user && !c->proven)
		transit = false;
	bool last = transit && next == 3;
	if (last)
		c->tsih = ++c->m->tsih ? c->m->tsih : ++c->m->tsih;
	pdu_send_copy(c,
		      reply(c, bhs, (uint8_t)(transit ? 0x80 | stage << 2 | next : stage << 2), 0),
		      t.s, t.n);
	if (last)
		enter_full_feature(c);
}

/* Text Request (11.10), of which SendTargets (appendix C) is all there is. */
void text_pdu(struct conn *c, const uint8_t *bhs, const char *in, uint32_t n)
{
	struct text t = {.n = 0};
	if (value_of(in, n, "SendTargets")) {
		say(&t, "TargetName=%s", MOCK_IQN);
		for (unsigned i = 0; i < c->m->o.portals; i++)
			if (c->m->listener[i] >= 0)
				say(&t, "TargetAddress=%s:%d,1", c->m->address[i], c->m->port);
		if (c->m->o.also)
			say(&t, "TargetName=%s", c->m->o.also);
		for (unsigned i = 0; i < c->m->o.more; i++)
			say(&t, "TargetName=iqn.x:%u", i);
	}
	uint8_t *h = pdu_new(c, 0x24, 0x80, get32(bhs + 16));
	put32(h + 20, NOBODY);
	pdu_numbers(c, h, true);
	pdu_send_copy(c, h, t.s, t.n);
}
