/* kernel_stats.c - see kernel_stats.h.
 *
 * The messages are those of include/scsi/iscsi_if.h in the kernel's source, which is not among the
 * headers for programs; their layout has to stay as it is for iscsid. What the kernel does with them is
 * in iscsi_if_rx() and iscsi_if_get_stats() of drivers/scsi/scsi_transport_iscsi.c.
 */
#include "kernel_stats.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "netlink.h"

#define GROUP_ISCSID 1   /* ISCSI_NL_GRP_ISCSID, as a mask of groups */
#define GET_STATS    20  /* ISCSI_UEVENT_GET_STATS */
#define IF_ERROR     103 /* ISCSI_KEVENT_IF_ERROR */

/* struct iscsi_uevent, with what get_stats needs of its unions. */
struct event {
	uint32_t type, error;
	uint64_t transport;
	uint32_t session, connection;
	uint64_t asked[2], answered[2];
};
_Static_assert(sizeof(struct event) == 56, "struct iscsi_uevent has 56 bytes");

/* struct iscsi_stats_custom and struct iscsi_stats: statistics in the order of the iSCSI MIB. */
struct custom {
	char name[64];
	uint64_t value;
};
#define CUSTOM_MAX 32
struct stats {
	uint64_t octets_sent, octets_received;
	uint32_t nop_out, command, task_management, login, text, data_out, logout, snack;
	uint32_t nop_in, response, task_management_response, text_response, data_in,
		logout_response, r2t, async, reject;
	uint32_t digest_error, timeout_error;
	uint32_t customs;
};
_Static_assert(sizeof(struct stats) == 96, "struct iscsi_stats has 96 bytes");

#define ANSWER_MAX                                                        \
	(MNL_NLMSG_HDRLEN + sizeof(struct event) + sizeof(struct stats) + \
	 CUSTOM_MAX * sizeof(struct custom))

/* --- The answer. --- */

/* "eh_abort_cnt" among the transport's own; at has customs of them, as far as n bytes go. */
static uint64_t find_aborts(const char *at, size_t n, uint32_t customs)
{
	struct custom c;

	for (uint32_t i = 0; i < customs && i < CUSTOM_MAX && n >= sizeof(c);
	     i++, at += sizeof(c), n -= sizeof(c)) {
		memcpy(&c, at, sizeof(c));
		if (strncmp(c.name, "eh_abort_cnt", sizeof(c.name)) == 0)
			return c.value;
	}
	return 0;
}

static void take(struct kernel_stats *to, const struct stats *s)
{
	*to = (struct kernel_stats){
		.known = true,
		.bytes_sent = s->octets_sent,
		.bytes_received = s->octets_received,
		.commands = s->command,
		.data_out = s->data_out,
		.nop_out = s->nop_out,
		.task_management = s->task_management,
		.responses = s->response,
		.data_in = s->data_in,
		.r2t = s->r2t,
		.nop_in = s->nop_in,
		.async = s->async,
		.rejects = s->reject,
		.digest_errors = s->digest_error,
		.timeouts = s->timeout_error,
	};
}

/* The kernel puts an error, a negative errno, into an unsigned field. */
static int refusal(const struct event *ev)
{
	int err = (int)ev->error;

	return err < 0 && err >= -4095 ? err : -EPROTO;
}

int kernel_stats_parse(const void *message, size_t n, uint32_t session, uint32_t connection,
		       struct kernel_stats *to)
{
	const struct nlmsghdr *h = message;
	struct event ev;
	struct stats s;

	if (!netlink_ok(h, n) || mnl_nlmsg_get_payload_len(h) < sizeof(ev))
		return -EAGAIN;
	const char *at = mnl_nlmsg_get_payload(h);
	size_t left = mnl_nlmsg_get_payload_len(h) - sizeof(ev);
	memcpy(&ev, at, sizeof(ev));
	if (ev.session != session || ev.connection != connection)
		return -EAGAIN;
	if (ev.type == IF_ERROR)
		return refusal(&ev);
	if (ev.type != GET_STATS)
		return -EAGAIN;
	if (left < sizeof(s))
		return -EPROTO;
	memcpy(&s, at + sizeof(ev), sizeof(s));
	take(to, &s);
	to->aborts = find_aborts(at + sizeof(ev) + sizeof(s), left - sizeof(s), s.customs);
	return 0;
}

/* --- Asking. --- */

/* Whoever listens when the answer goes out: with nobody there, or no room left anywhere, the kernel
 * would try again and again. So this socket is in the group before anything is asked. */
int kernel_stats_open(void)
{
	struct sockaddr_nl here = {.nl_family = AF_NETLINK, .nl_groups = GROUP_ISCSID};
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ISCSI);

	if (fd < 0)
		return -errno;
	if (bind(fd, (struct sockaddr *)&here, sizeof(here)) == 0)
		return fd;
	int rc = -errno;
	close(fd);
	return rc;
}

static int ask(int fd, uint64_t transport, uint32_t session, uint32_t connection)
{
	char room[MNL_NLMSG_HDRLEN + sizeof(struct event)] __attribute__((aligned(8)));
	struct event ev = {.type = GET_STATS,
			   .transport = transport,
			   .session = session,
			   .connection = connection};
	struct nlmsghdr *h = mnl_nlmsg_put_header(room);

	h->nlmsg_type = GET_STATS;
	h->nlmsg_flags = NLM_F_REQUEST;
	memcpy(mnl_nlmsg_put_extra_header(h, sizeof(ev)), &ev, sizeof(ev));
	return send(fd, h, h->nlmsg_len, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

/* One datagram that the kernel itself has sent; 0 bytes: somebody else's. */
static ssize_t receive(int fd, void *room, size_t size)
{
	struct sockaddr_nl from = {0};
	socklen_t length = sizeof(from);
	ssize_t n = recvfrom(fd, room, size, MSG_DONTWAIT, (struct sockaddr *)&from, &length);

	if (n < 0)
		return -errno;
	return from.nl_family == AF_NETLINK && from.nl_pid != 0 ? 0 : n;
}

/* Throws away what has come so far, so that there is room. */
static void drain(int fd)
{
	char room[8];

	while (recv(fd, room, sizeof(room), MSG_DONTWAIT) >= 0 || errno == ENOBUFS)
		;
}

int kernel_stats_ask(int fd, uint64_t transport, uint32_t session, uint32_t connection,
		     struct kernel_stats *s)
{
	char room[ANSWER_MAX] __attribute__((aligned(8)));

	memset(s, 0, sizeof(*s));
	if (fd < 0)
		return -EBADF;
	drain(fd);
	int rc = ask(fd, transport, session, connection);
	/* The answer is there when send returns, among what others have caused. */
	while (rc == 0) {
		ssize_t n = receive(fd, room, sizeof(room));
		if (n < 0)
			return n == -EAGAIN ? -ENODATA : (int)n;
		rc = kernel_stats_parse(room, (size_t)n, session, connection, s);
		if (rc != -EAGAIN)
			return rc;
		rc = 0;
	}
	return rc;
}
