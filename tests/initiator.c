/* initiator.c - one libiscsi session, driven a command at a time. */
#include "tests/initiator.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <iscsi/iscsi.h>
#include <iscsi/scsi-lowlevel.h>
#include "tests/proc.h"

/* libiscsi keeps a pointer to it until its callback, which 1.19 doesn't always call, not even when the
 * context is destroyed. So it stays until then, and is freed afterwards. */
struct request {
	struct request *next;
	bool done;
	int status;
	struct scsi_task *task;
	struct scsi_iovec v;
	struct initiator *i;
};

static void finished(struct iscsi_context *c, int status, void *data, void *private)
{
	struct request *q = private;
	(void)data;
	q->done = true;
	q->status = status;
	/* The words are only right in here: a later call may replace them. */
	if (status != SCSI_STATUS_GOOD)
		snprintf(q->i->error, sizeof q->i->error, "%s", iscsi_get_error(c));
}

/* Turns the wheel until *done or until the time is over; false when the session is broken. */
static bool turn(struct initiator *i, const bool *done, double end)
{
	while (!(done && *done) && proc_now() < end) {
		struct pollfd f = {.fd = iscsi_get_fd(i->c),
				   .events = (short)iscsi_which_events(i->c)};
		double left = end - proc_now();
		int ms = left > 0.1 ? 100 : left > 0 ? (int)(left * 1000) + 1 : 0;
		if (poll(&f, 1, ms) < 0 && errno != EINTR)
			return false;
		if (iscsi_service(i->c, f.revents) < 0) {
			if (!*i->error) /* a callback knows better */
				snprintf(i->error, sizeof i->error, "%s", iscsi_get_error(i->c));
			return false;
		}
	}
	return true;
}

static struct request *request_new(struct initiator *i)
{
	struct request *q = calloc(1, sizeof *q);
	if (!q)
		abort();
	q->i = i;
	q->next = i->requests;
	i->requests = q;
	*i->error = 0;
	return q;
}

/* Waits for it and returns its status. */
static int finish(struct request *q)
{
	bool alive = turn(q->i, &q->done, proc_now() + q->i->patience);
	return q->done ? q->status : alive ? SCSI_STATUS_TIMEOUT : ANSWER_LEFT;
}

/* What could not even be begun. */
static int failed(struct initiator *i)
{
	snprintf(i->error, sizeof i->error, "%s", iscsi_get_error(i->c));
	return -1;
}

/* Connects and logs in, step by step: iscsi_full_connect_async() of 1.19 loses memory when a login hangs. */
static int log_in(struct initiator *i, const char *portal)
{
	for (int moves = 0; moves < 4; moves++) {
		struct request *q = request_new(i);
		if (iscsi_connect_async(i->c, portal, finished, q))
			return failed(i);
		if (finish(q) != SCSI_STATUS_GOOD)
			return -1;
		q = request_new(i);
		if (iscsi_login_async(i->c, finished, q))
			return failed(i);
		int status = finish(q);
		if (status != SCSI_STATUS_REDIRECT)
			return status == SCSI_STATUS_GOOD ? 0 : -1;
		iscsi_disconnect(i->c);
		portal = iscsi_get_target_address(i->c);
	}
	return -1;
}

int initiator_open(struct initiator *i, const char *url, const struct initiator_options *o)
{
	static const struct initiator_options plain;
	if (!o)
		o = &plain;
	memset(i, 0, sizeof *i);
	i->patience = o->timeout_s ? o->timeout_s : proc_patience();
	i->c = iscsi_create_context(o->name ? o->name : "iqn.2026-01.test.lunscope:initiator");
	if (!i->c)
		abort();
	iscsi_set_noautoreconnect(i->c, 1);
	iscsi_set_tcp_syncnt(i->c, 1);
	iscsi_set_session_type(i->c, ISCSI_SESSION_NORMAL);
	iscsi_set_header_digest(i->c, o->header_digest ? ISCSI_HEADER_DIGEST_CRC32C
						       : ISCSI_HEADER_DIGEST_NONE);
	if (o->ask_for_r2t) {
		iscsi_set_initial_r2t(i->c, ISCSI_INITIAL_R2T_YES);
		iscsi_set_immediate_data(i->c, ISCSI_IMMEDIATE_DATA_NO);
	}
	if (o->isid)
		iscsi_set_isid_random(i->c, o->isid, 0);
	struct iscsi_url *u = iscsi_parse_full_url(i->c, url);
	if (!u) {
		snprintf(i->error, sizeof i->error, "%s", iscsi_get_error(i->c));
		return -1;
	}
	i->lun = u->lun;
	iscsi_set_targetname(i->c, u->target);
	if (o->user_back)
		iscsi_set_target_username_pwd(i->c, o->user_back, o->secret_back);
	char portal[sizeof u->portal];
	snprintf(portal, sizeof portal, "%s", u->portal);
	iscsi_destroy_url(u);

	if (log_in(i, portal))
		return -1;
	/* A new session's first command is answered by the unit's power-on attention. */
	struct answer a = initiator_ready(i);
	for (int k = 0;
	     k < 3 && a.status == SCSI_STATUS_CHECK_CONDITION && a.key == SCSI_SENSE_UNIT_ATTENTION;
	     k++)
		a = initiator_ready(i);
	return a.status == SCSI_STATUS_GOOD ? 0 : -1;
}

void initiator_close(struct initiator *i)
{
	if (!i->c)
		return;
	if (iscsi_is_logged_in(i->c)) {
		struct request *q = request_new(i);
		if (!iscsi_logout_async(i->c, finished, q))
			finish(q);
	}
	iscsi_destroy_context(i->c);
	while (i->requests) {
		struct request *q = i->requests;
		i->requests = q->next;
		if (q->task)
			scsi_free_scsi_task(q->task);
		free(q);
	}
	i->c = NULL;
}

/* Sends the task and waits; the task stays until the session is closed. The buffer, if any, must
 * outlive the session: data may still come when the time is over. */
static struct answer command_with(struct initiator *i, struct scsi_task *task, void *buf,
				  uint32_t size)
{
	struct answer a = {.status = -1};
	struct request *q = request_new(i);

	if (!task)
		abort();
	q->task = task;
	q->v = (struct scsi_iovec){.iov_base = buf, .iov_len = size};
	if (buf && task->xfer_dir == SCSI_XFER_READ)
		scsi_task_set_iov_in(task, &q->v, 1);
	else if (buf)
		scsi_task_set_iov_out(task, &q->v, 1);
	if (iscsi_scsi_command_async(i->c, i->lun, task, finished, NULL, q)) {
		failed(i);
		return a;
	}
	a.status = finish(q);
	if (a.status == SCSI_STATUS_CHECK_CONDITION) {
		a.key = task->sense.key;
		a.ascq = task->sense.ascq;
	}
	a.residual_status = task->residual_status;
	a.residual = (uint32_t)task->residual;
	return a;
}

static struct answer command(struct initiator *i, struct scsi_task *task)
{
	return command_with(i, task, NULL, 0);
}

struct answer initiator_ready(struct initiator *i)
{
	struct scsi_task *task = scsi_cdb_testunitready();
	return command(i, task);
}

struct answer initiator_capacity(struct initiator *i, uint64_t *blocks, uint32_t *block)
{
	struct scsi_task *task = scsi_cdb_readcapacity16();
	struct answer a = command(i, task);
	struct scsi_readcapacity16 *c = a.status ? NULL : scsi_datain_unmarshall(task);
	if (c && blocks)
		*blocks = c->returned_lba + 1;
	if (c && block)
		*block = c->block_length;
	return a;
}

struct answer initiator_read(struct initiator *i, uint64_t lba, void *buf, uint32_t size,
			     uint32_t block)
{
	struct scsi_task *task = scsi_cdb_read16(lba, size, (int)block, 0, 0, 0, 0, 0);
	return command_with(i, task, buf, size);
}

struct answer initiator_write(struct initiator *i, uint64_t lba, const void *buf, uint32_t size,
			      uint32_t block)
{
	struct scsi_task *task = scsi_cdb_write16(lba, size, (int)block, 0, 0, 0, 0, 0);
	return command_with(i, task, (void *)buf, size);
}

bool initiator_unit_id(struct initiator *i, char *id, unsigned n)
{
	struct scsi_task *task =
		scsi_cdb_inquiry(1, SCSI_INQUIRY_PAGECODE_DEVICE_IDENTIFICATION, 255);
	struct answer a = command(i, task);
	struct scsi_inquiry_device_identification *p =
		a.status ? NULL : scsi_datain_unmarshall(task);
	bool found = false;
	for (struct scsi_inquiry_device_designator *d = p ? p->designators : NULL; d && !found;
	     d = d->next) {
		if (d->association != SCSI_ASSOCIATION_LOGICAL_UNIT)
			continue;
		found = true;
		size_t at = 0;
		*id = 0;
		/* Text as it is, the binary kinds (NAA, EUI-64) in hex. */
		for (int k = 0; k < d->designator_length && at + 3 < n; k++)
			at += (size_t)snprintf(id + at, n - at,
					       d->code_set == SCSI_CODESET_BINARY ? "%02x" : "%c",
					       (unsigned char)d->designator[k]);
	}
	return found;
}

int initiator_write_protected(struct initiator *i)
{
	struct scsi_task *task = scsi_cdb_modesense6(0, SCSI_MODESENSE_PC_CURRENT,
						     SCSI_MODEPAGE_RETURN_ALL_PAGES, 0, 255);
	struct answer a = command(i, task);
	/* SPC-4 7.5.5: the device-specific parameter; SBC-3 6.5.1: its top bit is WP. */
	int wp = a.status || task->datain.size < 4 ? -1 : task->datain.data[2] >> 7;
	return wp;
}

int initiator_luns(struct initiator *i)
{
	struct scsi_task *task = scsi_reportluns_cdb(0, 512);
	struct answer a = command(i, task);
	struct scsi_reportluns_list *l = a.status ? NULL : scsi_datain_unmarshall(task);
	int n = l ? (int)l->num : -1;
	return n;
}

bool initiator_ping(struct initiator *i)
{
	struct request *q = request_new(i);
	return !iscsi_nop_out_async(i->c, finished, (unsigned char *)"ping", 4, q) &&
	       finish(q) == SCSI_STATUS_GOOD;
}

bool initiator_listen(struct initiator *i, double seconds)
{
	return turn(i, NULL, proc_now() + seconds);
}

char *initiator_discover(const char *portal)
{
	struct initiator i = {.patience = proc_patience()};
	struct iscsi_discovery_address *all = NULL;
	char *text = NULL;

	i.c = iscsi_create_context("iqn.2026-01.test.lunscope:initiator");
	if (!i.c)
		abort();
	iscsi_set_noautoreconnect(i.c, 1);
	iscsi_set_timeout(i.c, (int)i.patience);
	iscsi_set_session_type(i.c, ISCSI_SESSION_DISCOVERY);
	if (!iscsi_connect_sync(i.c, portal) && !iscsi_login_sync(i.c))
		all = iscsi_discovery_sync(i.c);
	size_t n = 0;
	FILE *f = all ? open_memstream(&text, &n) : NULL;
	for (struct iscsi_discovery_address *a = all; f && a; a = a->next)
		for (struct iscsi_target_portal *p = a->portals; p; p = p->next)
			fprintf(f, "%s %s\n", a->target_name, p->portal);
	if (f)
		fclose(f);
	if (all)
		iscsi_free_discovery_data(i.c, all);
	if (iscsi_is_logged_in(i.c))
		iscsi_logout_sync(i.c);
	iscsi_destroy_context(i.c);
	return text;
}
