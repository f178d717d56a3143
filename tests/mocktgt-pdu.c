/* mocktgt-pdu.c - how the mock target's PDUs are put together and onto the wire. */
#include "tests/mocktgt-wire.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "tests/digest.h"

#define ARENA  (2u << 20)
#define IOVECS (3 * (ARENA / 64))
/* The largest answer: a read of TRANSFER_MAX in segments of 512 bytes, the least there may be (13.12). */
#define LARGEST ((TRANSFER_MAX / 512) * 64 + 8192)

bool pdu_room(const struct conn *c)
{
	return c->arena_used + LARGEST <= ARENA && c->n_out + LARGEST / 64 * 3 <= IOVECS;
}

static uint8_t *take(struct conn *c, size_t n)
{
	if (!c->arena) {
		c->arena = malloc(ARENA);
		c->out = malloc(IOVECS * sizeof *c->out);
	}
	if (!c->arena || !c->out || c->arena_used + n > ARENA)
		abort();
	uint8_t *p = c->arena + c->arena_used;
	c->arena_used += n;
	return p;
}

static void push(struct conn *c, const void *data, size_t n)
{
	if (c->n_out == IOVECS)
		abort();
	c->out[c->n_out++] = (struct iovec){(void *)data, n};
}

uint8_t *pdu_new(struct conn *c, uint8_t opcode, uint8_t flags, uint32_t itt)
{
	uint8_t *h = take(c, BHS + 4); /* and its digest */
	memset(h, 0, BHS);
	h[0] = opcode;
	h[1] = flags;
	put32(h + 16, itt);
	return h;
}

/* MaxCmdSN: a command that waits takes a place of the window, and its answer gives it back; what has
 * been granted is never taken back (4.2.2.1). */
void pdu_numbers(struct conn *c, uint8_t *h, bool advance)
{
	uint32_t most = c->expcmdsn + c->m->o.window - c->waiting - 1;
	if ((int32_t)(most - c->maxcmdsn) > 0)
		c->maxcmdsn = most;
	put32(h + 24, c->statsn);
	c->statsn += advance;
	put32(h + 28, c->expcmdsn);
	put32(h + 32, c->maxcmdsn);
}

void pdu_send(struct conn *c, uint8_t *h, const void *data, uint32_t n)
{
	static const uint8_t zeros[4];
	size_t header = BHS;

	h[5] = (uint8_t)(n >> 16);
	put16(h + 6, n);
	if (c->digest) {
		uint32_t crc = digest_crc32c(h, BHS);
		if (c->spoil_digest)
			crc ^= 0x10;
		for (int i = 0; i < 4; i++)
			h[BHS + i] = (uint8_t)(crc >> 8 * i);
		header += 4;
	}
	c->spoil_digest = false;
	push(c, h, header);
	if (n)
		push(c, data, n);
	if (n % 4)
		push(c, zeros, 4 - n % 4);
}

void pdu_send_copy(struct conn *c, uint8_t *h, const void *data, uint32_t n)
{
	uint8_t *own = take(c, n);
	memcpy(own, data, n);
	pdu_send(c, h, own, n);
}

int pdu_flush(struct conn *c)
{
	c->blocked = false;
	while (c->sent < c->n_out) {
		unsigned n = c->n_out - c->sent;
		ssize_t w = writev(c->fd, c->out + c->sent, n > 1024 ? 1024 : (int)n);
		if (w < 0 && errno == EINTR)
			continue;
		if (w < 0 && errno == EAGAIN) {
			c->blocked = true;
			return 0;
		}
		if (w < 0)
			return -1;
		while (w > 0) {
			struct iovec *v = &c->out[c->sent];
			size_t part = (size_t)w < v->iov_len ? (size_t)w : v->iov_len;
			v->iov_base = (uint8_t *)v->iov_base + part;
			v->iov_len -= part;
			w -= (ssize_t)part;
			if (!v->iov_len)
				c->sent++;
		}
	}
	c->sent = c->n_out = 0;
	c->arena_used = 0;
	return 0;
}
