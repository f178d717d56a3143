/* kernel_iscsi_read.c - the sessions that some disks of the kernel's iSCSI initiator are of, read once,
 * and what is known of one as JSON. */
#include "kernel_iscsi_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "guard/gates.h"
#include "units.h"

/* --- Reading. --- */

int sessions_read(const struct guard_host *h, const struct kernel_disks *d, prepare_fn *prepare,
		  void *arg, struct kernel_session **list)
{
	struct kernel_session *s = calloc(d->count + 1, sizeof(*s));
	struct kernel_net net;
	struct ends ends;
	int n = 0;

	*list = s;
	if (!s || d->out_of_memory) {
		free(s);
		*list = NULL;
		return -ENOMEM;
	}
	if (!d->count)
		return 0;
	net = net_open(h);
	for (size_t i = 0, end; i < d->count; i = end) {
		for (end = i + 1; end < d->count && d->disk[end].sid == d->disk[i].sid; end++)
			;
		if (!session_read(h, d->disk + i, end - i, &s[n], &ends))
			continue;
		s[n].facts.read_ns = clock_ns();
		net_look(&net, h, &s[n], &ends, prepare(d->disk[i].sid, &ends, arg));
		n++;
	}
	net_close(&net);
	return n;
}

static bool always(uint32_t sid, struct ends *e, void *arg)
{
	(void)sid;
	(void)e;
	(void)arg;
	return true;
}

int kernel_iscsi_list(const struct guard_host *h, dev_t device, struct kernel_session **list,
		      struct error *e)
{
	struct kernel_disks d = {0};
	char name[NODE_NAME];

	sight_clear();
	if (!device)
		disks_all(h, &d);
	else if (sysfs_name(h, device, name))
		disks_below(h, name, &d);
	int n = sessions_read(h, &d, always, NULL, list);
	disks_free(&d);
	/* What could not be seen of sysfs here is not what the write guard goes by. */
	sight_clear();
	return n < 0 ? error_set(e, ENOMEM, "out of memory for the sessions") : n;
}

/* --- JSON. --- */

static json_t *seconds(int64_t v)
{
	return v == KERNEL_OFF ? json_string("off") : export_known(v);
}

static json_t *words(const char *list)
{
	json_t *a = json_array();

	for (size_t n; a && *list; list += n + (list[n] == ' ')) {
		n = strcspn(list, " ");
		json_array_append_new(a, json_stringn(list, n));
	}
	return a;
}

static json_t *stats_json(const struct kernel_stats *s)
{
	if (!s->known)
		return json_null();
	return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, "
			 "s:I}",
			 "sent_bytes", (json_int_t)s->bytes_sent, "received_bytes",
			 (json_int_t)s->bytes_received, "commands", (json_int_t)s->commands,
			 "data_out", (json_int_t)s->data_out, "nop_out", (json_int_t)s->nop_out,
			 "task_management", (json_int_t)s->task_management, "responses",
			 (json_int_t)s->responses, "data_in", (json_int_t)s->data_in, "r2t",
			 (json_int_t)s->r2t, "nop_in", (json_int_t)s->nop_in, "async",
			 (json_int_t)s->async, "rejects", (json_int_t)s->rejects, "digest_errors",
			 (json_int_t)s->digest_errors, "timeouts", (json_int_t)s->timeouts,
			 "aborts", (json_int_t)s->aborts);
}

json_t *kernel_iscsi_json(const struct kernel_facts *f)
{
	json_t *timeouts =
		json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "recovery", seconds(f->recovery_s),
			  "ping", seconds(f->ping_s), "ping_answer", seconds(f->pong_s), "abort",
			  seconds(f->abort_s), "lun_reset", seconds(f->lun_reset_s), "target_reset",
			  seconds(f->target_reset_s), "command", seconds(f->command_s));

	return json_pack("{s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "sid",
			 (json_int_t)f->sid, "scsi_host", (json_int_t)f->host, "target",
			 export_known_text(f->target), "interface", export_known_text(f->interface),
			 "disks", words(f->disks), "device_state", export_known_text(f->device),
			 "nic", export_known_text(f->nic), "failed", export_known(f->failed),
			 "timed_out", export_known(f->timed_out), "queue_depth",
			 export_known(f->queue_depth), "timeouts_s", timeouts, "pdus",
			 stats_json(&f->stats));
}
