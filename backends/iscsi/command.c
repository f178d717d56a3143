/* command.c - a SCSI command outside of the queues: sent, and waited for where its caller has nothing else to
 * do.
 */
#include "backends/iscsi/iscsi.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

/* A new session gets several of them: for the reset, for changed parameters, for changed LUNs. */
#define ATTENTIONS_MAX 8
#define BUSY_WAIT_MS   50

static void command_done(struct iscsi_context *c, int status, void *data, void *private_data)
{
	struct scsi_task *task = data;
	struct reply *r = private_data;
	(void)c;

	r->end = scsi_end_of(status, task);
	r->task = NULL;
	r->pending = false;
	r->done = true;
	if (task && task->datain.size > 0 && status == SCSI_STATUS_GOOD) {
		r->length =
			(size_t)task->datain.size < r->room ? (size_t)task->datain.size : r->room;
		memcpy(r->data, task->datain.data, r->length);
	}
	if (task)
		scsi_free_scsi_task(task);
}

int session_send(struct session *s, int lun, const uint8_t *cdb, int cdb_size, struct reply *r)
{
	unsigned char copy[SCSI_CDB_MAX_SIZE];
	int direction = r->room ? SCSI_XFER_READ : SCSI_XFER_NONE;

	memcpy(copy, cdb, (size_t)cdb_size);
	struct scsi_task *task = scsi_create_task(cdb_size, copy, direction, (int)r->room);
	if (!task)
		return -ENOMEM;
	r->done = false;
	r->pending = true;
	r->length = 0;
	r->task = task;
	if (iscsi_scsi_command_async(s->c, lun, task, command_done, NULL, r) == 0)
		return 0;
	reply_drop(r);
	return -EIO;
}

void reply_drop(struct reply *r)
{
	if (r->pending)
		scsi_free_scsi_task(r->task);
	r->task = NULL;
	r->pending = false;
}

static int command_once(struct session *s, int lun, const uint8_t *cdb, int cdb_size,
			struct reply *r, struct error *e)
{
	uint64_t limit = iscsi_now_ns() + COMMAND_LIMIT_NS;

	if (s->failed || s->state != STATE_UP)
		return session_failed(s, e);
	if (session_send(s, lun, cdb, cdb_size, r))
		return error_set(e, EIO, "libiscsi: %s", iscsi_get_error(s->c));
	while (!r->done && !s->failed && iscsi_now_ns() < limit)
		session_wait(s, limit);
	if (r->done && r->end.status != SCSI_STATUS_CANCELLED)
		return 0;
	if (!s->failed && !r->done) {
		char words[200];
		snprintf(words, sizeof(words), "%s: a command was not answered within %u s",
			 s->peer->portal, (unsigned)(COMMAND_LIMIT_NS / SEC_NS));
		session_fail(s, ETIMEDOUT, words);
	}
	/* Takes back what r waits for. */
	session_close(s);
	reply_drop(r);
	return session_failed(s, e);
}

int session_command(struct session *s, int lun, const uint8_t *cdb, int cdb_size, struct reply *r,
		    struct error *e)
{
	int rc;

	for (unsigned i = 0;; i++) {
		rc = command_once(s, lun, cdb, cdb_size, r, e);
		bool attention =
			rc == 0 && r->end.status == SCSI_STATUS_CHECK_CONDITION && r->end.key == 6;
		bool busy = rc == 0 && (r->end.status == SCSI_STATUS_BUSY ||
					r->end.status == SCSI_STATUS_TASK_SET_FULL);
		if ((!attention && !busy) || i == ATTENTIONS_MAX)
			return rc;
		if (busy)
			poll(NULL, 0, BUSY_WAIT_MS << (i < 4 ? i : 4));
	}
}
