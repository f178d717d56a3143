/* kernel_iscsi_sysfs.c - what sysfs tells of a session of the kernel's iSCSI initiator.
 *
 * The classes iscsi_session and iscsi_connection are described nowhere but in the source that makes
 * them, drivers/scsi/scsi_transport_iscsi.c. A session's folder holds password, password_in and the
 * user names, readable for root: so the files of these classes are opened by one function only, and it
 * takes no name, but a place in the lists below.
 */
#include "kernel_iscsi_internal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guard/gates.h"
#include "tcp_diag.h"
#include "units.h"

/* clang-format off */
#define SESSION_FILES(X) \
	X(STATE, "state") X(TARGET, "targetname") X(PORTAL_GROUP, "tpgt") X(INTERFACE, "ifacename") \
	X(ERROR_LEVEL, "erl") X(FIRST_BURST, "first_burst_len") X(MAX_BURST, "max_burst_len") \
	X(IMMEDIATE, "immediate_data") X(INITIAL_R2T, "initial_r2t") X(MAX_R2T, "max_outstanding_r2t") \
	X(PDU_ORDER, "data_pdu_in_order") X(SEQUENCE_ORDER, "data_seq_in_order") \
	X(RECOVERY, "recovery_tmo") X(ABORT, "abort_tmo") X(LUN_RESET, "lu_reset_tmo") \
	X(TARGET_RESET, "tgt_reset_tmo")
#define CONNECTION_FILES(X) \
	X(LINK, "state") X(ADDRESS, "address") X(PORT, "port") X(LOCAL_PORT, "local_port") \
	X(FIRST_ADDRESS, "persistent_address") X(FIRST_PORT, "persistent_port") \
	X(HEADER_DIGEST, "header_digest") X(DATA_DIGEST, "data_digest") \
	X(MAX_RECEIVE, "max_recv_dlength") X(MAX_SEND, "max_xmit_dlength") \
	X(PING, "recv_tmo") X(PONG, "ping_tmo")
#define HOST_FILES(X) X(NETDEV, "netdev") X(IP, "ipaddress")
/* clang-format on */

enum file {
#define X(id, name) id,
	SESSION_FILES(X) CONNECTION_FILES(X) HOST_FILES(X)
#undef X
};

static const char *const file_name[] = {
#define X(id, name) [id] = name,
	SESSION_FILES(X) CONNECTION_FILES(X) HOST_FILES(X)
#undef X
};

/* recv_tmo is the silence after which the target is pinged, ping_tmo how long its answer may take
 * (iscsi_check_transport_timeouts() in drivers/scsi/libiscsi.c).
 *
 * Whose files are read. Of a session there is one connection, number 0: the kernel's initiators make no
 * more (MaxConnections=1). */
struct place {
	const struct guard_host *host;
	uint32_t sid, number; /* of the session and of its SCSI host */
};

/* The one way to a file of these classes. "" when it can't be read or says nothing. */
static char *attribute(const struct place *p, enum file f, char *out, size_t n)
{
	if (f < LINK)
		sysfs_read(p->host, out, n, "class/iscsi_session/session%u/%s", p->sid,
			   file_name[f]);
	else if (f < NETDEV)
		sysfs_read(p->host, out, n, "class/iscsi_connection/connection%u:0/%s", p->sid,
			   file_name[f]);
	else
		sysfs_read(p->host, out, n, "class/iscsi_host/host%u/%s", p->number, file_name[f]);
	if (strcmp(out, "(null)") == 0 || strcmp(out, "<NULL>") == 0)
		out[0] = 0;
	report_clean(out);
	return out;
}

/* A whole number that is not negative, else -1. */
static int64_t number_of(const char *text, int base)
{
	char *end;

	errno = 0;
	uint64_t v = strtoull(text, &end, base);
	if (end == text || *end || errno || text[0] == '-' || v > INT64_MAX)
		return -1;
	return (int64_t)v;
}

static int64_t attribute_number(const struct place *p, enum file f)
{
	char text[32];

	return number_of(attribute(p, f, text, sizeof(text)), 10);
}

/* Seconds; the kernel writes "off" for what never comes. */
static int64_t attribute_time(const struct place *p, enum file f)
{
	char text[32];

	attribute(p, f, text, sizeof(text));
	return strcmp(text, "off") == 0 ? KERNEL_OFF : number_of(text, 10);
}

bool session_transport(const struct guard_host *h, uint32_t host, uint64_t *handle)
{
	char module[32], *suffix;

	/* "iscsi_tcp" is the driver of transport "tcp"; others are called the same as theirs. */
	if (!sysfs_read(h, module, sizeof(module), "class/scsi_host/host%u/proc_name", host))
		return false;
	suffix = strncmp(module, "iscsi_", 6) == 0 ? module + 6 : module;
	if (strchr(suffix, '/'))
		return false;
	return sysfs_u64(h, handle, "class/iscsi_transport/%s/handle", suffix);
}

/* --- Parameters, by the names that they have in a login (RFC 7143, 13). --- */

static void add_number(struct backend_session *s, const char *key, int64_t v)
{
	if (v >= 0)
		units_append(s->parameters, sizeof(s->parameters), "%s%s=%" PRId64,
			     s->parameters[0] ? " " : "", key, v);
}

static void add_choice(struct backend_session *s, const char *key, int64_t v, const char *no,
		       const char *yes)
{
	if (v >= 0)
		units_append(s->parameters, sizeof(s->parameters), "%s%s=%s",
			     s->parameters[0] ? " " : "", key, v ? yes : no);
}

static void read_parameters(const struct place *p, struct backend_session *s, bool connected)
{
	/* Without a connection the digests read as off, whatever was negotiated. */
	if (connected) {
		add_choice(s, "HeaderDigest", attribute_number(p, HEADER_DIGEST), "None", "CRC32C");
		add_choice(s, "DataDigest", attribute_number(p, DATA_DIGEST), "None", "CRC32C");
	}
	/* What the target said in the login it takes is "Xmit" here, as in iscsiadm: each side declares
	 * its own, under one name. */
	add_number(s, "MaxRecvDataSegmentLength", attribute_number(p, MAX_RECEIVE));
	add_number(s, "MaxXmitDataSegmentLength", attribute_number(p, MAX_SEND));
	add_number(s, "MaxBurstLength", attribute_number(p, MAX_BURST));
	add_number(s, "FirstBurstLength", attribute_number(p, FIRST_BURST));
	add_choice(s, "ImmediateData", attribute_number(p, IMMEDIATE), "No", "Yes");
	add_choice(s, "InitialR2T", attribute_number(p, INITIAL_R2T), "No", "Yes");
	add_number(s, "MaxOutstandingR2T", attribute_number(p, MAX_R2T));
	add_number(s, "ErrorRecoveryLevel", attribute_number(p, ERROR_LEVEL));
	add_choice(s, "DataPDUInOrder", attribute_number(p, PDU_ORDER), "No", "Yes");
	add_choice(s, "DataSequenceInOrder", attribute_number(p, SEQUENCE_ORDER), "No", "Yes");
	add_number(s, "TargetPortalGroupTag", attribute_number(p, PORTAL_GROUP));
}

/* --- Addresses. --- */

/* A host name may stand where the address is that it was first logged in to. */
static void portal_words(const char *host, const char *port, char *out, size_t n)
{
	struct sockaddr_storage a;

	out[0] = 0;
	if (tcp_address(host, port, &a))
		tcp_address_words(&a, out, n);
	else if (host[0])
		snprintf(out, n, "%s%s%s", host, port[0] ? ":" : "", port);
}

/* While there is no connection its address and port can't be read. Where the host does not tell its own
 * address there is only the local port, and the socket has to tell (kernel_iscsi_net.c). */
static void read_addresses(const struct place *p, struct kernel_session *k, struct ends *e)
{
	struct backend_session *s = &k->session;
	char host[64], port[16];
	bool v6;

	attribute(p, ADDRESS, host, sizeof(host));
	attribute(p, PORT, port, sizeof(port));
	e->connected = host[0] && tcp_address(host, port, &e->remote);
	if (!host[0]) {
		attribute(p, FIRST_ADDRESS, host, sizeof(host));
		attribute(p, FIRST_PORT, port, sizeof(port));
		tcp_address(host, port, &e->remote);
	}
	portal_words(host, port, s->portal, sizeof(s->portal));
	v6 = e->remote.ss_family == AF_INET6;
	attribute(p, IP, host, sizeof(host));
	attribute(p, LOCAL_PORT, port, sizeof(port));
	if (!port[0])
		e->connected = false;
	else if (host[0] && tcp_address(host, port, &e->local))
		tcp_address_words(&e->local, s->local, sizeof(s->local));
	else if (!tcp_address(v6 ? "::" : "0.0.0.0", port, &e->local))
		e->connected = false;
	attribute(p, NETDEV, k->facts.nic, sizeof(k->facts.nic));
}

/* --- The disks. --- */

static int64_t device_number(const struct guard_host *h, const char *disk, const char *file,
			     int base)
{
	char text[32];

	sysfs_read(h, text, sizeof(text), "class/block/%s/device/%s", disk, file);
	return number_of(text, base);
}

/* Adds v, when it is known, to a sum that is unknown as long as nothing was added. */
static void add_known(int64_t *sum, int64_t v)
{
	if (v < 0)
		return;
	if (*sum < 0)
		*sum = 0;
	*sum = v > INT64_MAX - *sum ? INT64_MAX : *sum + v;
}

/* Commands that the disk has. Where the kernel does not count them by themselves it is the difference
 * of two running counts of 32 bits, the smaller one read first. */
static int64_t in_flight(const struct guard_host *h, const char *disk)
{
	int64_t busy = device_number(h, disk, "device_busy", 10);
	int64_t done = device_number(h, disk, "iodone_cnt", 16);
	int64_t asked = device_number(h, disk, "iorequest_cnt", 16);

	if (busy >= 0 || done < 0 || asked < 0)
		return busy;
	return (int64_t)(uint32_t)((uint64_t)asked - (uint64_t)done);
}

/* IOs, bytes and the time they took, of what the block layer counts (Documentation/block/stat.rst in the
 * kernel: reads, merged, sectors of 512 bytes, ms; the same of writes). */
static void add_counts(const struct guard_host *h, const char *disk, struct backend_session *s)
{
	uint64_t read[4], write[4];
	char text[256];

	if (!sysfs_read(h, text, sizeof(text), "class/block/%s/stat", disk) ||
	    sscanf(text,
		   "%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
		   " %" SCNu64 " %" SCNu64,
		   &read[0], &read[1], &read[2], &read[3], &write[0], &write[1], &write[2],
		   &write[3]) != 8)
		return;
	s->ios += read[0] + write[0];
	s->bytes += (read[2] + write[2]) * 512;
	s->wait_ns += (read[3] + write[3]) * UINT64_C(1000000);
}

/* How bad a state of a SCSI device is (drivers/scsi/scsi_sysfs.c has the names): works, waits, won't. */
static unsigned badness(const char *state)
{
	static const char *const waits[] = {"created", "blocked", "created-blocked", "quiesce"};

	if (strcmp(state, "running") == 0)
		return 0;
	for (size_t i = 0; i < sizeof(waits) / sizeof(*waits); i++)
		if (strcmp(state, waits[i]) == 0)
			return 1;
	return 2;
}

static void read_disk(const struct guard_host *h, const char *disk, struct kernel_session *k)
{
	struct kernel_facts *f = &k->facts;
	char state[sizeof(f->device)];
	int64_t busy = in_flight(h, disk), timeout = device_number(h, disk, "timeout", 10);

	units_append(f->disks, sizeof(f->disks), "%s%s", f->disks[0] ? " " : "", disk);
	if (!sysfs_read(h, state, sizeof(state), "class/block/%s/device/state", disk))
		strcpy(state, "gone");
	report_clean(state);
	if (!f->device[0] || badness(state) > badness(f->device))
		strcpy(f->device, state);
	add_known(&f->failed, device_number(h, disk, "ioerr_cnt", 16));
	add_known(&f->timed_out, device_number(h, disk, "iotmo_cnt", 16));
	add_known(&f->queue_depth, device_number(h, disk, "queue_depth", 10));
	if (timeout >= 0 && (f->command_s < 0 || timeout < f->command_s))
		f->command_s = timeout;
	if (busy > 0)
		k->session.inflight +=
			busy > UINT32_MAX / 2 - k->session.inflight ? 0 : (uint32_t)busy;
	add_counts(h, disk, &k->session);
}

/* --- The state. --- */

static void recovery_words(const struct kernel_facts *f, char *out, size_t n)
{
	if (f->recovery_s == KERNEL_OFF)
		snprintf(out, n, ", IOs wait until it is back (no recovery timeout)");
	else if (f->recovery_s >= 0)
		snprintf(out, n, ", recovery timeout %" PRId64 " s", f->recovery_s);
	else
		out[0] = 0;
}

/* A session that failed is logged in again by iscsid; its IOs wait that long. When the recovery timeout
 * is over it is FREE: they fail, and iscsid goes on trying. */
static void judge(struct kernel_session *k, const char *state, const char *link)
{
	const struct kernel_facts *f = &k->facts;
	struct backend_session *s = &k->session;
	unsigned bad = f->device[0] ? badness(f->device) : 0;
	bool again = strcmp(link, "bound") == 0 || strcmp(link, "up") == 0;
	char wait[80] = "";

	if (strcmp(state, "LOGGED_IN") == 0) {
		s->state = bad == 0 ? SESSION_UP : bad == 1 ? SESSION_LOGIN : SESSION_DOWN;
		if (bad)
			snprintf(s->why, sizeof(s->why), "logged in, %s %s", f->disks, f->device);
		return;
	}
	s->state = again ? SESSION_LOGIN : SESSION_DOWN;
	if (strcmp(state, "FAILED") == 0)
		recovery_words(f, wait, sizeof(wait));
	else if (strcmp(state, "FREE") == 0 && f->recovery_s >= 0)
		snprintf(wait, sizeof(wait), ", not back within %" PRId64 " s: IOs fail",
			 f->recovery_s);
	snprintf(s->why, sizeof(s->why), "%s%s%s%s", state[0] ? state : "state unknown",
		 f->device[0] ? ", device " : "", f->device, wait);
}

bool session_read(const struct guard_host *h, const struct kernel_disk *disk, size_t n,
		  struct kernel_session *out, struct ends *ends)
{
	struct place p = {.host = h, .sid = disk->sid, .number = disk->host};
	struct kernel_facts *f = &out->facts;
	char state[32], link[32];

	memset(out, 0, sizeof(*out));
	memset(ends, 0, sizeof(*ends));
	backend_tcp_clear(&out->session);
	out->session.number = f->sid = disk->sid;
	f->host = disk->host;
	f->failed = f->timed_out = f->queue_depth = f->command_s = -1;
	if (!sysfs_exists(h, "class/iscsi_session/session%u", disk->sid))
		return false;
	attribute(&p, STATE, state, sizeof(state));
	attribute(&p, LINK, link, sizeof(link));
	attribute(&p, TARGET, f->target, sizeof(f->target));
	attribute(&p, INTERFACE, f->interface, sizeof(f->interface));
	f->recovery_s = attribute_time(&p, RECOVERY);
	f->ping_s = attribute_time(&p, PING);
	f->pong_s = attribute_time(&p, PONG);
	f->abort_s = attribute_time(&p, ABORT);
	f->lun_reset_s = attribute_time(&p, LUN_RESET);
	f->target_reset_s = attribute_time(&p, TARGET_RESET);
	read_addresses(&p, out, ends);
	read_parameters(&p, &out->session, strcmp(link, "up") == 0);
	for (size_t i = 0; i < n; i++)
		if (disk[i].name[0])
			read_disk(h, disk[i].name, out);
	judge(out, state, link);
	return true;
}
