/* mocktgt-knobs.c - what a test does to the mock target: arms faults, pulls portals, looks at counts. */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "tests/mocktgt-wire.h"
#include "tests/proc.h"

void violation(struct conn *c, const char *format, ...)
{
	struct mock_seen *s = &c->m->seen;
	va_list args;
	if (s->violations++)
		return;
	va_start(args, format);
	vsnprintf(s->violation, sizeof s->violation, format, args);
	va_end(args);
}

/* --- Faults ------------------------------------------------------------------------------------------- */

static bool fits(const struct mock_injection *f, unsigned portal, enum mock_of of, bool write)
{
	if (f->portal && f->portal != portal)
		return false;
	switch (f->of) {
	case MOCK_IO: return of == MOCK_IO;
	case MOCK_READS: return of == MOCK_IO && !write;
	case MOCK_WRITES: return of == MOCK_IO && write;
	case MOCK_COMMANDS: return of == MOCK_IO || of == MOCK_COMMANDS;
	default: return f->of == of;
	}
}

/* It fits: whether its turn has come. One that is used up is no longer armed. */
static bool strikes(struct mock *m, struct mock_injection *f)
{
	if (f->skip) {
		f->skip--;
		return false;
	}
	if (!f->count)
		return false;
	if (f->count != MOCK_ALWAYS)
		f->count--;
	m->seen.injected++;
	return true;
}

const struct mock_injection *fault_for(struct mock *m, unsigned portal, enum mock_of of, bool write)
{
	for (unsigned i = 0; i < m->faults; i++)
		if (fits(&m->fault[i], portal, of, write) && strikes(m, &m->fault[i]))
			return &m->fault[i];
	return NULL;
}

const struct mock_injection *fault_of_login(struct mock *m, unsigned portal, enum mock_fault fault)
{
	for (unsigned i = 0; i < m->faults; i++)
		if (m->fault[i].fault == fault && fits(&m->fault[i], portal, MOCK_LOGINS, false) &&
		    strikes(m, &m->fault[i]))
			return &m->fault[i];
	return NULL;
}

/* --- For the tests ------------------------------------------------------------------------------------------ */

const char *mock_address(const struct mock *m, unsigned portal)
{
	return m->address[portal - 1];
}

int mock_port(const struct mock *m)
{
	return m->port;
}

const char *mock_url(const struct mock *m, unsigned portal, const char *who, int lun)
{
	static char url[8][512];
	static unsigned turn;
	char *s = url[turn++ % 8];
	snprintf(s, sizeof url[0], "iscsi://%s%s%s:%d/" MOCK_IQN "/%d", who, *who ? "@" : "",
		 mock_address(m, portal), m->port, lun);
	return s;
}

const uint8_t *mock_data(struct mock *m, int lun)
{
	return m->lun[lun].data;
}

void mock_inject(struct mock *m, const struct mock_injection *i)
{
	pthread_mutex_lock(&m->lock);
	if (m->faults == FAULTS_MAX) {
		fprintf(stderr, "mocktgt: too many faults are armed\n");
		abort();
	}
	struct mock_injection *f = &m->fault[m->faults++];
	*f = *i;
	if (!f->count)
		f->count = 1;
	if (f->fault == MOCK_REDIRECT || f->fault == MOCK_REFUSE || f->fault == MOCK_BAD_CHAP)
		f->of = MOCK_LOGINS;
	pthread_mutex_unlock(&m->lock);
}

void mock_heal(struct mock *m)
{
	pthread_mutex_lock(&m->lock);
	m->faults = 0;
	pthread_mutex_unlock(&m->lock);
}

void mock_release(struct mock *m)
{
	pthread_mutex_lock(&m->lock);
	for (struct conn *c = m->conns; c; c = c->next)
		for (struct task *t = c->tasks; t; t = t->next) {
			t->stuck = false;
			t->due = 0;
		}
	m->timers = true;
	mock_wake(m);
	pthread_mutex_unlock(&m->lock);
}

/* Does it to each session at that portal, and sends what comes of it. */
static void each_session(struct mock *m, unsigned portal, void (*act)(struct conn *, unsigned),
			 unsigned value)
{
	pthread_mutex_lock(&m->lock);
	for (struct conn *c = m->conns; c; c = c->next)
		if (!c->dead && c->phase == FULL_FEATURE && (!portal || c->portal == portal)) {
			act(c, value);
			conn_settle(c);
		}
	mock_wake(m);
	pthread_mutex_unlock(&m->lock);
}

static void ping_one(struct conn *c, unsigned unused)
{
	(void)unused;
	nop_in(c, ++c->ttt & 0x7fffffff);
}

void mock_ping(struct mock *m, unsigned portal)
{
	each_session(m, portal, ping_one, 0);
}

/* Async Message, 11.9: event 1, the target asks for a logout within Parameter3 seconds. */
static void ask_one_to_log_out(struct conn *c, unsigned seconds)
{
	uint8_t *h = pdu_new(c, 0x32, 0x80, NOBODY);
	pdu_numbers(c, h, true);
	h[36] = 1;
	put16(h + 42, seconds);
	pdu_send(c, h, NULL, 0);
	c->logout_by = proc_now() + seconds;
	c->m->timers = true;
}

void mock_ask_logout(struct mock *m, unsigned portal, unsigned seconds)
{
	each_session(m, portal, ask_one_to_log_out, seconds);
}

static void cut(struct mock *m, unsigned portal)
{
	for (struct conn *c = m->conns; c; c = c->next)
		if (!portal || c->portal == portal)
			c->dead = c->reset = true;
	mock_wake(m);
}

void mock_cut(struct mock *m, unsigned portal)
{
	pthread_mutex_lock(&m->lock);
	cut(m, portal);
	pthread_mutex_unlock(&m->lock);
}

void mock_portal(struct mock *m, unsigned portal, bool up)
{
	pthread_mutex_lock(&m->lock);
	for (unsigned i = 1; i <= m->o.portals; i++) {
		int *fd = &m->listener[i - 1];
		if (portal && portal != i)
			continue;
		if (up && *fd < 0 && portal_listen(m, i))
			abort(); /* somebody took its port meanwhile */
		if (!up && *fd >= 0) {
			close(*fd);
			*fd = -1;
			cut(m, i);
		}
	}
	pthread_mutex_unlock(&m->lock);
}

void mock_resize(struct mock *m, int lun, uint64_t blocks)
{
	pthread_mutex_lock(&m->lock);
	struct lun *l = &m->lun[lun];
	if (!blocks || blocks * l->block > l->room)
		abort();
	l->blocks = blocks;
	for (struct conn *c = m->conns; c; c = c->next)
		c->attention[lun] = 0x2a09; /* capacity data has changed */
	pthread_mutex_unlock(&m->lock);
}

void mock_read_only(struct mock *m, int lun, bool on)
{
	pthread_mutex_lock(&m->lock);
	m->lun[lun].read_only = on;
	pthread_mutex_unlock(&m->lock);
}

void mock_become(struct mock *m, int lun, uint64_t naa)
{
	pthread_mutex_lock(&m->lock);
	m->lun[lun].naa = naa;
	pthread_mutex_unlock(&m->lock);
}

static void tell_window(struct conn *c, unsigned unused)
{
	(void)unused;
	nop_in(c, NOBODY);
}

void mock_window(struct mock *m, unsigned window)
{
	pthread_mutex_lock(&m->lock);
	m->o.window = window;
	pthread_mutex_unlock(&m->lock);
	each_session(m, 0, tell_window, 0);
}

void mock_look(struct mock *m, struct mock_seen *s)
{
	pthread_mutex_lock(&m->lock);
	*s = m->seen;
	s->sessions = 0;
	for (struct conn *c = m->conns; c; c = c->next)
		s->sessions += !c->dead && c->phase == FULL_FEATURE && !c->discovery;
	pthread_mutex_unlock(&m->lock);
}
