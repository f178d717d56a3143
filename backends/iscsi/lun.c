/* lun.c - what a LUN says of itself: its name, size, whether it may be written, and who has reserved it.
 */
#include "backends/iscsi/iscsi.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define OP_TEST_UNIT_READY  0x00
#define OP_INQUIRY          0x12
#define OP_MODE_SENSE_6     0x1a
#define OP_READ_CAPACITY_10 0x25
#define OP_READ_10          0x28
#define OP_PERSISTENT_IN    0x5e
#define OP_READ_16          0x88
#define OP_SERVICE_IN_16    0x9e

#define SA_READ_CAPACITY_16 0x10
#define PR_READ_KEYS        0x00
#define PR_READ_RESERVATION 0x01

/* Of one read outside of the queues. */
#define READ_PART (256u << 10)

static bool good(const struct reply *r)
{
	return r->end.status == SCSI_STATUS_GOOD;
}

/* A LUN that knows no such command or page says so; that is an answer too. */
static bool unknown(const struct reply *r)
{
	return r->end.status == SCSI_STATUS_CHECK_CONDITION && r->end.key == 5 &&
	       r->end.ascq != 0x2500;
}

static int bad_answer(const struct session *s, int lun, const char *what, const struct reply *r,
		      struct error *e)
{
	char words[160];

	if (r->end.status == SCSI_STATUS_CHECK_CONDITION && r->end.ascq == 0x2500)
		return error_set(e, ENXIO,
				 "target %.160s has no LUN %d: lunscope discover %s lists those it "
				 "has (5/25/00)",
				 s->peer->at.target, lun, s->peer->portal);
	return error_set(e, scsi_end_errno(&r->end), "%.200s: %s: %s", s->peer->spec, what,
			 good(r) ? "the answer is too short"
				 : scsi_end_words(&r->end, words, sizeof(words)));
}

static int inquire(struct session *s, int lun, uint8_t page, struct reply *r, struct error *e)
{
	uint8_t cdb[6] = {OP_INQUIRY, page ? 1 : 0, page, (uint8_t)(r->room >> 8), (uint8_t)r->room,
			  0};

	return session_command(s, lun, cdb, sizeof(cdb), r, e);
}

static int ask_standard(struct session *s, int lun, struct backend_facts *f, struct error *e)
{
	uint8_t data[252] = {0};
	struct reply r = {.data = data, .room = sizeof(data)};
	int rc = inquire(s, lun, 0, &r, e);

	if (rc)
		return rc;
	if (!good(&r) || r.length < 36)
		return bad_answer(s, lun, "INQUIRY", &r, e);
	/* A qualifier of 3: the target has no such LUN (SPC-4, 6.6.2). */
	if (data[0] >> 5 == 3) {
		r.end = (struct scsi_end){SCSI_STATUS_CHECK_CONDITION, 5, 0x2500};
		return bad_answer(s, lun, "INQUIRY", &r, e);
	}
	scsi_text(data + 8, 8, f->vendor, sizeof(f->vendor));
	scsi_text(data + 16, 16, f->model, sizeof(f->model));
	if ((data[0] & 31) != 0)
		return error_set(e, ENOTBLK,
				 "LUN %d of %.160s is no disk (SCSI device type %d, %s): take "
				 "another LUN",
				 lun, s->peer->at.target, data[0] & 31, f->model);
	return 0;
}

static int ask_names(struct session *s, int lun, struct backend_facts *f, struct error *e)
{
	uint8_t data[1024] = {0};
	struct reply r = {.data = data, .room = sizeof(data)};
	int rc = inquire(s, lun, 0x83, &r, e);

	if (rc)
		return rc;
	f->id[0] = f->serial[0] = 0;
	if (good(&r))
		scsi_page83_id(data, r.length, f->id, sizeof(f->id));
	else if (!unknown(&r))
		return bad_answer(s, lun, "INQUIRY page 83h", &r, e);
	memset(data, 0, sizeof(data));
	rc = inquire(s, lun, 0x80, &r, e);
	if (rc == 0 && good(&r))
		scsi_page80_serial(data, r.length, f->serial, sizeof(f->serial));
	return rc;
}

int lun_send_inquiry(struct session *s, int lun, uint8_t page, struct reply *r)
{
	uint8_t cdb[6] = {OP_INQUIRY, page ? 1 : 0, page, (uint8_t)(r->room >> 8), (uint8_t)r->room,
			  0};

	return session_send(s, lun, cdb, sizeof(cdb), r);
}

int lun_send_capacity(struct session *s, int lun, struct reply *r)
{
	uint8_t cdb[10] = {OP_READ_CAPACITY_10};

	r->room = 8;
	return session_send(s, lun, cdb, sizeof(cdb), r);
}

int lun_send_capacity_16(struct session *s, int lun, struct reply *r)
{
	uint8_t cdb[16] = {OP_SERVICE_IN_16, SA_READ_CAPACITY_16, [13] = 32};

	r->room = 32;
	return session_send(s, lun, cdb, sizeof(cdb), r);
}

static int size_of(const struct session *s, int lun, uint64_t last_block, struct backend_facts *f,
		   struct error *e)
{
	if (f->logical_block < 512 || f->logical_block > 65536 ||
	    (f->logical_block & (f->logical_block - 1)))
		return error_set(e, EINVAL, "%.200s: LUN %d has blocks of %u bytes", s->peer->spec,
				 lun, f->logical_block);
	/* Offsets in it are signed. */
	if (last_block >= INT64_MAX / f->logical_block)
		return error_set(e, EFBIG, "%.200s: LUN %d says that its last block is %llu",
				 s->peer->spec, lun, (unsigned long long)last_block);
	f->size = (last_block + 1) * f->logical_block;
	return 0;
}

/* 1 when the LUN does not know the long form. */
static int ask_capacity_16(struct session *s, int lun, struct backend_facts *f, struct error *e)
{
	uint8_t data[32] = {0};
	uint8_t cdb[16] = {OP_SERVICE_IN_16, SA_READ_CAPACITY_16, [13] = sizeof(data)};
	struct reply r = {.data = data, .room = sizeof(data)};
	int rc = session_command(s, lun, cdb, sizeof(cdb), &r, e);

	if (rc)
		return rc;
	if (unknown(&r))
		return 1;
	if (!good(&r) || r.length < 12)
		return bad_answer(s, lun, "READ CAPACITY", &r, e);
	f->logical_block = be32(data + 8);
	f->physical_block = f->logical_block << (r.length > 13 ? data[13] & 15 : 0);
	return size_of(s, lun, be64(data), f, e);
}

static int ask_capacity_10(struct session *s, int lun, struct backend_facts *f, struct error *e)
{
	uint8_t data[8] = {0};
	uint8_t cdb[10] = {OP_READ_CAPACITY_10};
	struct reply r = {.data = data, .room = sizeof(data)};
	int rc = session_command(s, lun, cdb, sizeof(cdb), &r, e);

	if (rc)
		return rc;
	if (!good(&r) || r.length < 8)
		return bad_answer(s, lun, "READ CAPACITY", &r, e);
	f->logical_block = f->physical_block = be32(data + 4);
	return size_of(s, lun, be32(data), f, e);
}

static int ask_capacity(struct session *s, int lun, struct backend_facts *f, struct error *e)
{
	int rc = ask_capacity_16(s, lun, f, e);

	return rc == 1 ? ask_capacity_10(s, lun, f, e) : rc;
}

static int ask_ready(struct session *s, int lun, struct error *e)
{
	uint8_t cdb[6] = {OP_TEST_UNIT_READY};
	struct reply r = {0};
	int rc = session_command(s, lun, cdb, sizeof(cdb), &r, e);

	return rc || good(&r) ? rc : bad_answer(s, lun, "TEST UNIT READY", &r, e);
}

/* Bit 7 of the device-specific parameter (SBC-3, 6.4.1). A LUN that does not tell is found out by its
 * answer to the first write. */
static int ask_protection(struct session *s, int lun, struct backend_facts *f, struct error *e)
{
	uint8_t data[192] = {0};
	uint8_t cdb[6] = {OP_MODE_SENSE_6, 0x08, 0x3f, 0, sizeof(data)};
	struct reply r = {.data = data, .room = sizeof(data)};
	int rc = session_command(s, lun, cdb, sizeof(cdb), &r, e);

	f->write_protected = rc == 0 && good(&r) && r.length >= 4 && (data[2] & 0x80);
	return rc;
}

static int persistent_in(struct session *s, int lun, uint8_t action, struct reply *r,
			 struct error *e)
{
	uint8_t cdb[10] = {OP_PERSISTENT_IN,
			   action, [7] = (uint8_t)(r->room >> 8), [8] = (uint8_t)r->room};

	return session_command(s, lun, cdb, sizeof(cdb), r, e);
}

/* We never register, so every key is somebody else's. */
static int ask_reservation(struct session *s, int lun, struct backend_facts *f, struct error *e)
{
	static const char *const types[16] = {
		[1] = "write exclusive",
		[3] = "exclusive access",
		[5] = "write exclusive, registrants only",
		[6] = "exclusive access, registrants only",
		[7] = "write exclusive, all registrants",
		[8] = "exclusive access, all registrants",
	};
	uint8_t data[264] = {0};
	struct reply r = {.data = data, .room = sizeof(data)};
	int rc = persistent_in(s, lun, PR_READ_RESERVATION, &r, e);

	f->reserved[0] = 0;
	if (rc)
		return rc;
	if (r.end.status == SCSI_STATUS_RESERVATION_CONFLICT) {
		snprintf(f->reserved, sizeof(f->reserved), "it is reserved by another initiator");
		return 0;
	}
	if (good(&r) && r.length >= 24 && be32(data + 4) >= 16) {
		const char *type = types[data[21] & 15];
		snprintf(f->reserved, sizeof(f->reserved),
			 "it is reserved by another initiator (%s, key %016llx)",
			 type ? type : "unknown type", (unsigned long long)be64(data + 8));
		return 0;
	}
	memset(data, 0, sizeof(data));
	rc = persistent_in(s, lun, PR_READ_KEYS, &r, e);
	if (rc == 0 && good(&r) && r.length >= 8 && be32(data + 4) >= 8)
		snprintf(f->reserved, sizeof(f->reserved),
			 "%u other initiator%s registered for reservations (key %016llx)",
			 be32(data + 4) / 8, be32(data + 4) >= 16 ? "s have" : " has",
			 (unsigned long long)(r.length >= 16 ? be64(data + 8) : 0));
	return rc;
}

int lun_ask_again(struct session *s, int lun, struct backend_facts *f, struct error *e)
{
	int rc = ask_names(s, lun, f, e);

	if (rc == 0)
		rc = ask_capacity(s, lun, f, e);
	if (rc == 0)
		rc = ask_protection(s, lun, f, e);
	if (rc == 0)
		rc = ask_reservation(s, lun, f, e);
	return rc;
}

int lun_ask(struct session *s, int lun, struct backend_facts *f, struct error *e)
{
	memset(f, 0, sizeof(*f));
	int rc = ask_standard(s, lun, f, e);
	if (rc == 0)
		rc = ask_ready(s, lun, e);
	return rc ? rc : lun_ask_again(s, lun, f, e);
}

static int read_part(struct session *s, int lun, uint32_t block, uint8_t *buf, uint32_t n,
		     uint64_t offset, struct error *e)
{
	uint64_t at = offset / block;
	uint32_t count = n / block;
	uint8_t cdb[16] = {OP_READ_16};
	struct reply r = {.data = buf, .room = n};
	int size = 16;

	if (at + count <= UINT32_MAX) {
		size = 10;
		cdb[0] = OP_READ_10;
		for (int i = 0; i < 4; i++)
			cdb[2 + i] = (uint8_t)(at >> (24 - 8 * i));
		cdb[7] = (uint8_t)(count >> 8);
		cdb[8] = (uint8_t)count;
	} else {
		for (int i = 0; i < 8; i++)
			cdb[2 + i] = (uint8_t)(at >> (56 - 8 * i));
		for (int i = 0; i < 4; i++)
			cdb[10 + i] = (uint8_t)(count >> (24 - 8 * i));
	}
	int rc = session_command(s, lun, cdb, size, &r, e);
	if (rc)
		return rc;
	return good(&r) && r.length == n ? 0 : bad_answer(s, lun, "READ", &r, e);
}

int lun_read(struct session *s, int lun, uint32_t block, void *buf, uint32_t n, uint64_t offset,
	     struct error *e)
{
	if (n % block || offset % block)
		return error_set(e, EINVAL, "%s: not whole blocks", s->peer->spec);
	for (uint32_t done = 0; done < n;) {
		uint32_t part = n - done < READ_PART ? n - done : READ_PART;
		int rc = read_part(s, lun, block, (uint8_t *)buf + done, part, offset + done, e);
		if (rc)
			return rc;
		done += part;
	}
	return 0;
}
