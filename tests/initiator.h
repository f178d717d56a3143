/* initiator.h - the least of an iSCSI initiator, for tests that look at a target and not at lunscope.
 *
 * One session by libiscsi, one command at a time, each with a time limit, never reconnecting by itself.
 */
#ifndef LUNSCOPE_TEST_INITIATOR_H
#define LUNSCOPE_TEST_INITIATOR_H

#include <stdbool.h>
#include <stdint.h>

struct iscsi_context;
struct request;

struct initiator_options {
	const char *user_back, *secret_back; /* the target must prove to be this one (mutual CHAP) */
	bool header_digest;		     /* demand CRC32C */
	bool ask_for_r2t;		     /* InitialR2T=Yes, ImmediateData=No */
	const char *name;		     /* NULL: one of the tests' own */
	uint32_t isid;			     /* random part of the ISID; 0 = libiscsi's choice */
	unsigned timeout_s;		     /* for each command; 0 = patience */
};

struct initiator {
	struct iscsi_context *c;
	int lun;
	double patience;
	struct request *requests;
	char error[512]; /* libiscsi's words for the last failure */
};

/* The session broke with the command in it, and libiscsi did not say so of the command itself. */
#define ANSWER_LEFT (-2)

/* How a command ended. */
struct answer {
	/* SCSI status; SCSI_STATUS_TIMEOUT (no answer in time), SCSI_STATUS_CANCELLED, SCSI_STATUS_ERROR;
	 * ANSWER_LEFT; -1: not even sent. */
	int status;
	int key, ascq; /* of a check condition */
	int residual_status;
	uint32_t residual;
};

/* Logs in to the URL's LUN. 0, or -1 with words in error. Either way initiator_close() ends it. */
int initiator_open(struct initiator *i, const char *url, const struct initiator_options *o);
void initiator_close(struct initiator *i);

struct answer initiator_ready(struct initiator *i); /* TEST UNIT READY */
/* READ CAPACITY (16); blocks and block may be NULL. */
struct answer initiator_capacity(struct initiator *i, uint64_t *blocks, uint32_t *block);
/* buf must outlive the session: after a time-out, data may still come. */
struct answer initiator_read(struct initiator *i, uint64_t lba, void *buf, uint32_t size,
			     uint32_t block);
struct answer initiator_write(struct initiator *i, uint64_t lba, const void *buf, uint32_t size,
			      uint32_t block);
/* The first designator of VPD page 83h that belongs to the logical unit, as text; false: none. */
bool initiator_unit_id(struct initiator *i, char *id, unsigned n);
/* MODE SENSE (6): the bit that says write-protected. -1: the command failed. */
int initiator_write_protected(struct initiator *i);
/* REPORT LUNS: how many, or -1. */
int initiator_luns(struct initiator *i);
/* A ping from this side; false when it was not answered. */
bool initiator_ping(struct initiator *i);
/* Handles what the target sends of its own accord until the time (s) is over; false when the session
 * broke meanwhile. */
bool initiator_listen(struct initiator *i, double seconds);

/* Targets that a discovery at this portal finds: "NAME ADDRESS\n" each; free it. NULL: it failed. */
char *initiator_discover(const char *portal);

#endif
