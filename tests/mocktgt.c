/* mocktgt.c - the mock target's thread, its portals and connections, and its faults' switchboard. */
#include "tests/mocktgt.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>
#include "tests/digest.h"
#include "tests/mocktgt-wire.h"
#include "tests/proc.h"

#define INPUT (1u << 20)

static _Noreturn void die(const char *what)
{
	fprintf(stderr, "mocktgt: %s: %s\n", what, strerror(errno));
	exit(99);
}

/* --- PDUs that are no commands -------------------------------------------------------------------------- */

/* NOP-Out, 11.18: a ping, or the answer to one of ours. */
static void nop_out(struct conn *c, const uint8_t *bhs, const uint8_t *data, uint32_t n)
{
	uint32_t itt = get32(bhs + 16);

	if (itt == NOBODY) {
		c->m->seen.pings_answered++;
		return;
	}
	c->m->seen.pings++;
	if (fault_for(c->m, c->portal, MOCK_PINGS, false))
		return;
	uint8_t *h = pdu_new(c, 0x20, 0x80, itt);
	put32(h + 20, NOBODY);
	pdu_numbers(c, h, true);
	pdu_send_copy(c, h, data, n < c->segment ? n : c->segment);
}

/* NOP-In, 11.19. */
void nop_in(struct conn *c, uint32_t ttt)
{
	uint8_t *h = pdu_new(c, 0x20, 0x80, NOBODY);
	put32(h + 20, ttt);
	pdu_numbers(c, h, false);
	pdu_send(c, h, NULL, 0);
}

/* Logout, 11.14 and 11.15: the connection closes behind the answer. */
static void logout(struct conn *c, const uint8_t *bhs)
{
	if (fault_for(c->m, c->portal, MOCK_LOGOUTS, false)) {
		struct mock_seen *s = &c->m->seen;
		c->leaving = true;
		if (++s->leaving > s->most_leaving)
			s->most_leaving = s->leaving;
		return;
	}
	uint8_t *h = pdu_new(c, 0x26, 0x80, get32(bhs + 16));
	pdu_numbers(c, h, true);
	pdu_send(c, h, NULL, 0);
	c->phase = CLOSING;
	c->m->seen.logouts++;
}

/* Reject, 11.17: command not supported. */
static void reject(struct conn *c, const uint8_t *bhs)
{
	uint8_t *h = pdu_new(c, 0x3f, 0x80, NOBODY);
	violation(c, "opcode %02x", bhs[0] & 0x3f);
	h[2] = 5;
	pdu_numbers(c, h, true);
	pdu_send_copy(c, h, bhs, BHS);
}

/* Commands come in the order of their CmdSN, and only as many as the window lets in (4.2.2.1). */
static void number(struct conn *c, const uint8_t *bhs)
{
	uint32_t cmdsn = get32(bhs + 24);
	/* libiscsi 1.19 counts the StatSN that R2Ts and pings only show (11.8.3, 11.19), so it is ahead by
	 * one at times. */
	if ((int32_t)(get32(bhs + 28) - c->statsn) > 1)
		violation(c, "ExpStatSN %u, and StatSN is %u", get32(bhs + 28), c->statsn);
	if (cmdsn != c->expcmdsn)
		violation(c, "CmdSN %u, expected %u", cmdsn, c->expcmdsn);
	if (bhs[0] & 0x40) /* immediate */
		return;
	if ((int32_t)(cmdsn - c->maxcmdsn) > 0)
		violation(c, "CmdSN %u, and MaxCmdSN is %u", cmdsn, c->maxcmdsn);
	c->expcmdsn = cmdsn + 1;
}

static void handle(struct conn *c, const uint8_t *bhs, const uint8_t *data, uint32_t n)
{
	uint8_t op = bhs[0] & 0x3f;

	if (c->phase == LOGIN) {
		/* A text ends in a NUL; what doesn't is no text. */
		if (op != 0x03 || (n && data[n - 1]))
			c->dead = true;
		else
			login_pdu(c, bhs, (const char *)data, n);
		return;
	}
	if (n > c->m->o.segment)
		violation(c, "a segment of %u bytes, more than MaxRecvDataSegmentLength", n);
	if (op != 0x05 && op != 0x10)
		number(c, bhs);
	switch (op) {
	case 0x00: nop_out(c, bhs, data, n); break;
	case 0x01:
		if (c->discovery)
			reject(c, bhs);
		else
			scsi_command(c, bhs, data, n);
		break;
	case 0x02: scsi_task_management(c, bhs); break;
	case 0x04: text_pdu(c, bhs, (const char *)data, n && !data[n - 1] ? n : 0); break;
	case 0x05: scsi_data_out(c, bhs, data, n); break;
	case 0x06: logout(c, bhs); break;
	default: reject(c, bhs);
	}
}

/* --- Connections ---------------------------------------------------------------------------------------- */

/* Takes the PDUs out of the input, as long as there is room for what they lead to. */
static void parse(struct conn *c)
{
	size_t at = 0;
	while (!c->dead && c->phase != CLOSING && !c->blocked && c->in_length - at >= BHS) {
		const uint8_t *bhs = c->in + at;
		uint32_t n = get24(bhs + 5);
		size_t header = BHS + bhs[4] * 4u + (c->digest ? 4 : 0);
		size_t whole = header + (n + 3) / 4 * 4;
		if (whole > INPUT) {
			violation(c, "a PDU of %zu bytes", whole);
			c->dead = true;
			break;
		}
		if (c->in_length - at < whole)
			break;
		if (!pdu_room(c)) {
			if (pdu_flush(c))
				c->dead = true;
			continue;
		}
		if (c->digest) {
			uint32_t crc = digest_crc32c(bhs, header - 4);
			const uint8_t *d = bhs + header - 4;
			if (crc != (d[0] | d[1] << 8 | d[2] << 16 | (uint32_t)d[3] << 24)) {
				violation(c, "a wrong header digest");
				c->dead = true;
				break;
			}
		}
		handle(c, bhs, bhs + header, n);
		at += whole;
	}
	c->in_length -= at;
	memmove(c->in, c->in + at, c->in_length);
}

/* Listens for what the connection waits for. */
static void watch(struct conn *c)
{
	struct epoll_event e = {.events = c->blocked ? EPOLLOUT : EPOLLIN, .data.ptr = c};
	epoll_ctl(c->m->epoll, EPOLL_CTL_MOD, c->fd, &e);
}

void conn_settle(struct conn *c)
{
	bool was = c->blocked;
	if (!c->dead && pdu_flush(c))
		c->dead = true;
	if (c->phase == CLOSING && !c->blocked)
		c->dead = true;
	if (!c->dead && was != c->blocked)
		watch(c);
}

static void serve(struct conn *c)
{
	if (c->blocked) {
		conn_settle(c);
		if (c->blocked || c->dead)
			return;
	}
	size_t room = INPUT - c->in_length;
	ssize_t n = room ? recv(c->fd, c->in + c->in_length, room, MSG_DONTWAIT) : 0;
	if ((room && n == 0) || (n < 0 && errno != EAGAIN && errno != EINTR))
		c->dead = true;
	if (n > 0)
		c->in_length += (size_t)n;
	parse(c);
	conn_settle(c);
}

static void accept_one(struct mock *m, unsigned portal)
{
	int one = 1;
	int fd = accept4(m->listener[portal - 1], NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
	if (fd < 0)
		return;
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
	struct conn *c = calloc(1, sizeof *c);
	if (!c || !(c->in = malloc(INPUT)))
		abort();
	*c = (struct conn){.m = m, .fd = fd, .portal = portal, .in = c->in, .next = m->conns};
	/* The defaults of chapter 13, until something else is agreed. */
	c->segment = 8192;
	c->burst = m->o.burst;
	c->first_burst = m->o.first_burst < 65536 ? m->o.first_burst : 65536;
	c->initial_r2t = c->immediate = true;
	c->statsn = 1;
	m->conns = c;
	struct epoll_event e = {.events = EPOLLIN, .data.ptr = c};
	if (epoll_ctl(m->epoll, EPOLL_CTL_ADD, fd, &e))
		die("epoll");
}

static void destroy(struct conn *c)
{
	/* SO_LINGER with no time: an RST instead of a FIN (socket(7)). */
	if (c->reset)
		setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &(struct linger){1, 0},
			   sizeof(struct linger));
	/* A child that is between fork and exec has it too, and as long there would be events of it. */
	epoll_ctl(c->m->epoll, EPOLL_CTL_DEL, c->fd, NULL);
	close(c->fd);
	scsi_drop_tasks(c);
	free(c->in);
	free(c->arena);
	free(c->out);
	c->m->seen.leaving -= c->leaving;
	free(c);
}

static void sweep(struct mock *m)
{
	for (struct conn **p = &m->conns; *p;) {
		struct conn *c = *p;
		if (c->dead) {
			*p = c->next;
			destroy(c);
		} else {
			p = &c->next;
		}
	}
}

/* --- The thread ------------------------------------------------------------------------------------------- */

/* Does what is due; returns for how long to sleep, ms. */
static int timers(struct mock *m)
{
	double now = proc_now(), next = -1;

	if (!m->timers)
		return -1;
	for (struct conn *c = m->conns; c; c = c->next) {
		if (c->dead)
			continue;
		scsi_due(c, now);
		if (c->logout_by > 0 && c->logout_by <= now)
			c->dead = true;
		conn_settle(c);
		if (c->logout_by > 0 && (next < 0 || c->logout_by < next))
			next = c->logout_by;
		for (struct task *t = c->tasks; t; t = t->next)
			if (t->whole && !t->stuck && (next < 0 || t->due < next))
				next = t->due;
	}
	m->timers = next >= 0;
	double ms = (next - now) * 1000;
	return next < 0 ? -1 : ms < 1 ? 1 : (int)ms + 1;
}

static void *run(void *private)
{
	struct mock *m = private;
	struct epoll_event e[64];
	bool stop = false;

	pthread_mutex_lock(&m->lock);
	while (!stop) {
		int wait = timers(m);
		sweep(m);
		pthread_mutex_unlock(&m->lock);
		int n = epoll_wait(m->epoll, e, 64, wait);
		pthread_mutex_lock(&m->lock);
		for (int i = 0; i < n; i++) {
			uint64_t which = e[i].data.u64;
			/* No pointer is as small as a portal's number; 0 is the wake-up. */
			if (which == 0)
				stop = m->stopping, eventfd_read(m->stop, &which);
			else if (which <= MOCK_PORTALS)
				accept_one(m, (unsigned)which);
			else if (!((struct conn *)e[i].data.ptr)->dead)
				serve(e[i].data.ptr);
		}
	}
	pthread_mutex_unlock(&m->lock);
	return NULL;
}

int portal_listen(struct mock *m, unsigned portal)
{
	int one = 1;
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((uint16_t)m->port)};
	socklen_t n = sizeof a;
	int here = m->o.net ? net_visit(m->o.net, NET_TARGET) : -1;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	if (here >= 0)
		net_return(here);
	inet_pton(AF_INET, m->address[portal - 1], &a.sin_addr);
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
	if (fd < 0 || bind(fd, (struct sockaddr *)&a, n) || listen(fd, 64) ||
	    getsockname(fd, (struct sockaddr *)&a, &n)) {
		if (fd >= 0)
			close(fd);
		return -errno;
	}
	m->port = ntohs(a.sin_port);
	m->listener[portal - 1] = fd;
	struct epoll_event e = {.events = EPOLLIN, .data.u64 = portal};
	if (epoll_ctl(m->epoll, EPOLL_CTL_ADD, fd, &e))
		die("epoll");
	return 0;
}

/* The first portal gets a free port; if that is taken on another's address, once more. */
static void listen_everywhere(struct mock *m)
{
	for (int tries = 0; tries < 10; tries++) {
		unsigned i = 1;
		m->port = 0;
		while (i <= m->o.portals && !portal_listen(m, i))
			i++;
		if (i > m->o.portals)
			return;
		for (unsigned k = 0; k < m->o.portals; k++) {
			if (m->listener[k] >= 0)
				close(m->listener[k]);
			m->listener[k] = -1;
		}
	}
	die("no port to listen on");
}

static void make_luns(struct mock *m)
{
	static uint64_t serial;
	m->luns = m->o.luns ? m->o.luns : 1;
	for (unsigned i = 0; i < m->luns; i++) {
		const struct mock_lun *o = &m->o.lun[i];
		struct lun *l = &m->lun[i];
		l->block = o->block ? o->block : 512;
		l->blocks = o->blocks ? o->blocks : (64u << 20) / l->block;
		l->read_only = o->read_only;
		l->claims = o->claims;
		l->nameless = o->nameless;
		l->serialless = o->serialless;
		l->naa = o->naa ? o->naa : (uint64_t)getpid() << 16 | ++serial;
		l->room = l->blocks * l->block * 4;
		l->data = mmap(NULL, l->room, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (l->data == MAP_FAILED)
			die("memory for a LUN");
	}
}

static void or_default(uint32_t *v, uint32_t otherwise)
{
	if (!*v)
		*v = otherwise;
}

struct mock *mock_start(const struct mock_options *o)
{
	static const struct mock_options plain;
	struct mock *m = calloc(1, sizeof *m);
	if (!m)
		abort();
	m->o = o ? *o : plain;
	or_default(&m->o.portals, m->o.net ? m->o.net->links : 1);
	or_default(&m->o.segment, 262144);
	or_default(&m->o.burst, 262144);
	or_default(&m->o.first_burst, 262144);
	or_default(&m->o.window, 256);
	pthread_mutex_init(&m->lock, NULL);
	make_luns(m);
	m->epoll = epoll_create1(EPOLL_CLOEXEC);
	m->stop = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	struct epoll_event e = {.events = EPOLLIN, .data.u64 = 0};
	if (m->epoll < 0 || m->stop < 0 || epoll_ctl(m->epoll, EPOLL_CTL_ADD, m->stop, &e))
		die("epoll");
	for (unsigned i = 0; i < MOCK_PORTALS; i++) {
		m->listener[i] = -1;
		if (m->o.net)
			snprintf(m->address[i], sizeof m->address[i], "%s",
				 net_address(NET_TARGET, i + 1));
		else
			snprintf(m->address[i], sizeof m->address[i], "127.0.0.%u", i + 1);
	}
	listen_everywhere(m);
	errno = pthread_create(&m->thread, NULL, run, m);
	if (errno)
		die("thread");
	return m;
}

void mock_wake(struct mock *m)
{
	eventfd_write(m->stop, 1);
}

void mock_stop(struct mock *m)
{
	if (!m)
		return;
	pthread_mutex_lock(&m->lock);
	m->stopping = true;
	mock_wake(m);
	pthread_mutex_unlock(&m->lock);
	pthread_join(m->thread, NULL);
	for (struct conn *c = m->conns; c; c = c->next)
		c->dead = true;
	sweep(m);
	for (unsigned i = 0; i < MOCK_PORTALS; i++)
		if (m->listener[i] >= 0)
			close(m->listener[i]);
	close(m->epoll);
	close(m->stop);
	for (unsigned i = 0; i < m->luns; i++)
		munmap(m->lun[i].data, m->lun[i].room);
	pthread_mutex_destroy(&m->lock);
	free(m);
}
