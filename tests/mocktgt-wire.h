/* mocktgt-wire.h - what the parts of the mock target share: connections, commands, PDUs.
 *
 * Section numbers are those of RFC 7143. Everything here happens under the target's lock.
 */
#ifndef LUNSCOPE_TEST_MOCKTGT_WIRE_H
#define LUNSCOPE_TEST_MOCKTGT_WIRE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>
#include "tests/mocktgt.h"

#define BHS 48	     /* basic header segment, 11.2.1 */
#define NOBODY ~0u   /* the reserved task tag ffffffffh */
#define FAULTS_MAX 32
#define TRANSFER_MAX (4u << 20) /* bytes in one command */

struct lun {
	uint8_t *data;
	uint64_t blocks, room; /* room: bytes of memory */
	uint32_t block;
	bool read_only, nameless, serialless;
	uint64_t naa, claims;
};

/* A SCSI command that has no answer yet. */
struct task {
	struct task *next;
	uint8_t bhs[BHS];
	uint32_t itt;
	unsigned lun;
	bool io, write; /* io: READ or WRITE */
	uint64_t offset;
	uint32_t length;   /* what the CDB says, bytes */
	uint32_t expected; /* what the initiator expects to be transferred */
	uint32_t received, asked; /* data of a write: here already; asked for up to there */
	uint32_t ttt, r2tsn;
	bool unasked; /* more of it comes without being asked for */
	bool whole;   /* nothing is missing: it could be answered */
	bool stuck, faulty;
	double due; /* not answered before */
	uint8_t status, key;
	uint16_t ascq;
	struct mock_injection fault; /* when faulty */
};

enum phase { LOGIN, FULL_FEATURE, CLOSING };

struct conn {
	struct conn *next;
	struct mock *m;
	int fd;
	unsigned portal;
	enum phase phase;
	bool dead, reset; /* to be closed; with an RST */

	uint8_t *in;
	size_t in_length;
	/* Queued output: headers and small payloads lie in the arena, large ones in a LUN's memory. Both are
	 * empty again each time everything has gone out. */
	uint8_t *arena;
	size_t arena_used;
	struct iovec *out;
	unsigned n_out, sent;
	bool blocked;	   /* the socket is full, so nothing is read either */
	bool spoil_digest; /* of the next PDU */

	/* Login. */
	bool discovery, proven, declared, challenged;
	char initiator[224];
	uint8_t isid[6];
	uint16_t tsih;
	uint8_t chap_id, challenge[16];
	bool digest, digest_granted;
	uint32_t segment, burst, first_burst; /* segment: what the initiator takes */
	bool initial_r2t, immediate;

	uint32_t statsn, expcmdsn, maxcmdsn;
	unsigned waiting;
	uint32_t ttt; /* the last one given out */
	double logout_by;
	bool leaving; /* its logout is stuck */
	struct task *tasks;
	uint16_t attention[MOCK_LUNS]; /* pending unit attention; 0 = none */
};

struct mock {
	pthread_mutex_t lock;
	pthread_t thread;
	struct mock_options o;
	int port, epoll, stop, listener[MOCK_PORTALS];
	bool stopping;
	char address[MOCK_PORTALS][32];
	struct conn *conns;
	struct lun lun[MOCK_LUNS];
	unsigned luns;
	uint16_t tsih;
	bool timers; /* something may be due */
	struct mock_injection fault[FAULTS_MAX];
	unsigned faults;
	struct mock_seen seen;
};

/* Big-endian fields, as everywhere in iSCSI and SCSI. */
static inline void put16(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)(v >> 8), p[1] = (uint8_t)v;
}
static inline void put32(uint8_t *p, uint32_t v)
{
	put16(p, v >> 16), put16(p + 2, v);
}
static inline void put64(uint8_t *p, uint64_t v)
{
	put32(p, (uint32_t)(v >> 32)), put32(p + 4, (uint32_t)v);
}
static inline uint32_t get16(const uint8_t *p)
{
	return (uint32_t)(p[0] << 8 | p[1]);
}
static inline uint32_t get24(const uint8_t *p)
{
	return (uint32_t)p[0] << 16 | get16(p + 1);
}
static inline uint32_t get32(const uint8_t *p)
{
	return get16(p) << 16 | get16(p + 2);
}
static inline uint64_t get64(const uint8_t *p)
{
	return (uint64_t)get32(p) << 32 | get32(p + 4);
}

/* --- mocktgt-pdu.c --- */

/* A fresh header, zeroed but for these. */
uint8_t *pdu_new(struct conn *c, uint8_t opcode, uint8_t flags, uint32_t itt);
/* StatSN (which it uses up or only shows), ExpCmdSN, MaxCmdSN. */
void pdu_numbers(struct conn *c, uint8_t *h, bool advance);
/* Queues it with its data, which must stay where it is until it has gone out; _copy keeps its own. */
void pdu_send(struct conn *c, uint8_t *h, const void *data, uint32_t n);
void pdu_send_copy(struct conn *c, uint8_t *h, const void *data, uint32_t n);
/* Whether the answers to one more PDU surely fit. */
bool pdu_room(const struct conn *c);
/* Writes what is queued; -1 when the connection is broken. */
int pdu_flush(struct conn *c);

/* --- mocktgt-login.c --- */

void login_pdu(struct conn *c, const uint8_t *bhs, const char *text, uint32_t n);
void text_pdu(struct conn *c, const uint8_t *bhs, const char *text, uint32_t n);

/* --- mocktgt-scsi.c --- */

void scsi_command(struct conn *c, const uint8_t *bhs, const uint8_t *data, uint32_t n);
void scsi_data_out(struct conn *c, const uint8_t *bhs, const uint8_t *data, uint32_t n);
void scsi_task_management(struct conn *c, const uint8_t *bhs);
/* Answers what is due. */
void scsi_due(struct conn *c, double now);
void scsi_drop_tasks(struct conn *c);

/* --- mocktgt.c --- */

/* NOP-In of the target's own accord: a ping, or (ttt NOBODY) only news of the window. */
void nop_in(struct conn *c, uint32_t ttt);
/* Sends what is queued; what is done with is marked dead. */
void conn_settle(struct conn *c);
/* 0 or -errno. */
int portal_listen(struct mock *m, unsigned portal);
/* After a change from outside: the thread looks at its timers and its dead. */
void mock_wake(struct mock *m);

/* --- mocktgt-knobs.c --- */

/* The fault that this one meets, or NULL. */
const struct mock_injection *fault_for(struct mock *m, unsigned portal, enum mock_of of,
				       bool write);
/* A fault that fits a login only. */
const struct mock_injection *fault_of_login(struct mock *m, unsigned portal, enum mock_fault fault);
__attribute__((format(printf, 2, 3))) void violation(struct conn *c, const char *format, ...);

#endif
