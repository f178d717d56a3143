/* ask.c - see ask.h. The forms are those of Documentation/userspace-api/netlink/intro.rst. */
#include "env/ask.h"

#include <errno.h>
#include <linux/netlink.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "netlink.h"

/* The longest answer is a NIC's features by name: about 8 KiB. */
#define RECEIVE_BYTES 65536
/* The kernel answers while the question is being sent; this is for one that never does. */
#define PATIENCE_S 5

int ask_open(struct ask *a, int bus, struct error *e)
{
	int on = 1;

	a->seq = 0;
	a->socket = mnl_socket_open2(bus, SOCK_CLOEXEC);
	if (!a->socket)
		return error_errno(e, errno, "no netlink socket");
	if (mnl_socket_bind(a->socket, 0, MNL_SOCKET_AUTOPID) < 0) {
		int err = errno;
		ask_close(a);
		return error_errno(e, err, "netlink socket");
	}
	struct timeval patience = {.tv_sec = PATIENCE_S};
	setsockopt(mnl_socket_get_fd(a->socket), SOL_SOCKET, SO_RCVTIMEO, &patience,
		   sizeof(patience));
	/* Kernels that can't give reasons in words refuse these, and then there are none. */
	mnl_socket_setsockopt(a->socket, NETLINK_EXT_ACK, &on, sizeof(on));
	mnl_socket_setsockopt(a->socket, NETLINK_CAP_ACK, &on, sizeof(on));
	return 0;
}

void ask_close(struct ask *a)
{
	if (a->socket)
		mnl_socket_close(a->socket);
	a->socket = NULL;
}

/* --- Attributes. --- */

static bool take(const struct nlattr *a, void *v, size_t n)
{
	if (mnl_attr_get_payload_len(a) != n)
		return false;
	memcpy(v, mnl_attr_get_payload(a), n);
	return true;
}

bool ask_u8(const struct nlattr *a, uint8_t *v)
{
	return take(a, v, sizeof(*v));
}

bool ask_u16(const struct nlattr *a, uint16_t *v)
{
	return take(a, v, sizeof(*v));
}

bool ask_u32(const struct nlattr *a, uint32_t *v)
{
	return take(a, v, sizeof(*v));
}

bool ask_u64(const struct nlattr *a, uint64_t *v)
{
	return take(a, v, sizeof(*v));
}

void ask_text(const struct nlattr *a, char *out, size_t n)
{
	size_t length = strnlen(mnl_attr_get_payload(a), mnl_attr_get_payload_len(a));

	if (length >= n)
		length = n - 1;
	memcpy(out, mnl_attr_get_payload(a), length);
	out[length] = 0;
}

/* --- Answers. --- */

/* The kernel's words stand behind what they are about: the question's header and, where it does not say
 * that it left that out, the rest of the question. */
static void take_reason(const struct nlmsghdr *h, char *reason)
{
	struct nlmsgerr err;
	size_t all = mnl_nlmsg_get_payload_len(h), before = sizeof(err);
	const struct nlattr *a;

	if (!(h->nlmsg_flags & NLM_F_ACK_TLVS) || all < sizeof(err))
		return;
	memcpy(&err, mnl_nlmsg_get_payload(h), sizeof(err));
	if (!(h->nlmsg_flags & NLM_F_CAPPED)) {
		if (err.msg.nlmsg_len < sizeof(err.msg))
			return;
		before += MNL_ALIGN((size_t)err.msg.nlmsg_len) - sizeof(err.msg);
	}
	if (before > all)
		return;
	mnl_attr_for_each(a, h, before) if (mnl_attr_get_type(a) == NLMSGERR_ATTR_MSG)
		ask_text(a, reason, ASK_REASON);
}

/* 0 is the acknowledgement of what was done. */
static int result_of(const struct nlmsghdr *h)
{
	int32_t code;

	if (mnl_nlmsg_get_payload_len(h) < sizeof(struct nlmsgerr))
		return -EPROTO;
	memcpy(&code, mnl_nlmsg_get_payload(h), sizeof(code));
	return code == 0 ? 0 : netlink_error(h);
}

bool ask_parse(const void *received, size_t n, uint32_t seq, ask_answer *answer, void *arg,
	       bool *done, int *result, char *reason)
{
	const struct nlmsghdr *h = received;

	while (n > 0 && !*done) {
		if (!netlink_ok(h, n))
			return false;
		size_t step = MNL_ALIGN((size_t)h->nlmsg_len);
		if (h->nlmsg_seq == seq && h->nlmsg_type == NLMSG_ERROR) {
			*result = result_of(h);
			*done = true;
			if (reason)
				take_reason(h, reason);
		} else if (h->nlmsg_seq == seq && h->nlmsg_type == NLMSG_DONE) {
			*done = true;
		} else if (h->nlmsg_seq == seq && h->nlmsg_type >= NLMSG_MIN_TYPE && answer) {
			answer(h, arg);
		}
		h = (const void *)((const char *)h + step);
		n -= step;
	}
	return true;
}

int ask_kernel(struct ask *a, struct nlmsghdr *question, uint16_t flags, ask_answer *answer,
	       void *arg, char *reason)
{
	_Alignas(struct nlmsghdr) char received[RECEIVE_BYTES];
	bool done = false;
	int result = 0;

	if (reason)
		reason[0] = 0;
	question->nlmsg_flags = NLM_F_REQUEST | (flags ? flags : NLM_F_ACK);
	question->nlmsg_seq = ++a->seq;
	if (mnl_socket_sendto(a->socket, question, question->nlmsg_len) < 0)
		return -errno;
	while (!done) {
		ssize_t n = mnl_socket_recvfrom(a->socket, received, sizeof(received));
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno == EAGAIN ? -ETIMEDOUT : -errno;
		if (!ask_parse(received, (size_t)n, a->seq, answer, arg, &done, &result, reason))
			return -EPROTO;
	}
	return result;
}
