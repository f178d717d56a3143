/* tcp_diag.c - see tcp_diag.h. */
#include "tcp_diag.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "netlink.h"

#define ESTABLISHED 1 /* TCP_ESTABLISHED in the kernel's include/net/tcp_states.h */

/* --- Addresses. --- */

bool tcp_address(const char *host, const char *port, struct sockaddr_storage *out)
{
	struct sockaddr_in *in = (struct sockaddr_in *)out;
	struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)out;
	char *end = (char *)port;
	unsigned long n = *port ? strtoul(port, &end, 10) : 0;

	memset(out, 0, sizeof(*out));
	if (*end || n > UINT16_MAX || *port == '-')
		return false;
	if (inet_pton(AF_INET, host, &in->sin_addr) == 1) {
		in->sin_family = AF_INET;
		in->sin_port = htons((uint16_t)n);
	} else if (inet_pton(AF_INET6, host, &in6->sin6_addr) == 1) {
		in6->sin6_family = AF_INET6;
		in6->sin6_port = htons((uint16_t)n);
	}
	return out->ss_family != AF_UNSPEC;
}

char *tcp_address_words(const struct sockaddr_storage *a, char *out, size_t n)
{
	const struct sockaddr_in *in = (const struct sockaddr_in *)a;
	const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)a;
	char host[INET6_ADDRSTRLEN] = "";

	out[0] = 0;
	if (a->ss_family == AF_INET && inet_ntop(AF_INET, &in->sin_addr, host, sizeof(host)))
		snprintf(out, n, "%s:%u", host, ntohs(in->sin_port));
	if (a->ss_family == AF_INET6 && inet_ntop(AF_INET6, &in6->sin6_addr, host, sizeof(host)))
		snprintf(out, n, "[%s]:%u", host, ntohs(in6->sin6_port));
	return out;
}

bool tcp_address_parse(const char *words, struct sockaddr_storage *out)
{
	const char *colon = strrchr(words, ':');
	bool v6 = words[0] == '[' && colon && colon > words && colon[-1] == ']';
	char host[INET6_ADDRSTRLEN];

	memset(out, 0, sizeof(*out));
	if (!colon)
		return false;
	snprintf(host, sizeof(host), "%.*s", (int)(colon - words) - 2 * v6, words + v6);
	return tcp_address(host, colon + 1, out);
}

uint16_t tcp_address_port(const struct sockaddr_storage *a)
{
	if (a->ss_family == AF_INET)
		return ((const struct sockaddr_in *)a)->sin_port;
	return a->ss_family == AF_INET6 ? ((const struct sockaddr_in6 *)a)->sin6_port : 0;
}

/* Where address and port lie, and how long the address is. */
static const void *parts(const struct sockaddr_storage *a, size_t *n, uint16_t *port)
{
	const struct sockaddr_in *in = (const struct sockaddr_in *)a;
	const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)a;

	*port = a->ss_family == AF_INET ? in->sin_port : in6->sin6_port;
	*n = a->ss_family == AF_INET ? sizeof(in->sin_addr) : sizeof(in6->sin6_addr);
	return a->ss_family == AF_INET ? (const void *)&in->sin_addr : &in6->sin6_addr;
}

bool tcp_address_is_set(const struct sockaddr_storage *a)
{
	static const char none[sizeof(struct in6_addr)];
	size_t n;
	uint16_t port;
	const void *address = parts(a, &n, &port);

	return memcmp(address, none, n) != 0;
}

/* Both begin where a socket's identity has them, in network order. */
static void set_parts(struct sockaddr_storage *a, uint8_t family, const void *address,
		      uint16_t port)
{
	struct sockaddr_in *in = (struct sockaddr_in *)a;
	struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)a;

	memset(a, 0, sizeof(*a));
	a->ss_family = family;
	if (family == AF_INET) {
		memcpy(&in->sin_addr, address, sizeof(in->sin_addr));
		in->sin_port = port;
	} else {
		memcpy(&in6->sin6_addr, address, sizeof(in6->sin6_addr));
		in6->sin6_port = port;
	}
}

/* --- The answer. --- */

static int take_attribute(const struct nlattr *a, void *session)
{
	struct backend_session *s = session;
	size_t n = mnl_attr_get_payload_len(a);

	if (mnl_attr_get_type(a) == INET_DIAG_INFO)
		backend_tcp_take(s, mnl_attr_get_payload(a), n);
	if (mnl_attr_get_type(a) == INET_DIAG_CONG && n > 0)
		snprintf(s->congestion, sizeof(s->congestion), "%.*s", (int)n,
			 (const char *)mnl_attr_get_payload(a));
	return MNL_CB_OK;
}

static bool is_remote(const struct inet_diag_msg *m, const struct sockaddr_storage *remote)
{
	size_t n;
	uint16_t port;
	const void *address = parts(remote, &n, &port);

	return m->idiag_family == remote->ss_family && m->id.idiag_dport == port &&
	       memcmp(m->id.idiag_dst, address, n) == 0;
}

static const struct nlmsghdr *next(const struct nlmsghdr *h)
{
	return (const void *)((const char *)h + MNL_ALIGN((size_t)h->nlmsg_len));
}

int tcp_diag_parse(const void *answer, size_t n, const struct sockaddr_storage *remote,
		   struct sockaddr_storage *local, struct backend_session *s)
{
	const struct nlmsghdr *h = answer;
	struct inet_diag_msg m;

	for (; netlink_ok(h, n); n -= MNL_ALIGN((size_t)h->nlmsg_len), h = next(h)) {
		if (h->nlmsg_type == NLMSG_DONE)
			return -ENOENT;
		if (h->nlmsg_type == NLMSG_ERROR)
			return netlink_error(h);
		if (h->nlmsg_type != SOCK_DIAG_BY_FAMILY ||
		    mnl_nlmsg_get_payload_len(h) < sizeof(m))
			continue;
		memcpy(&m, mnl_nlmsg_get_payload(h), sizeof(m));
		if (!is_remote(&m, remote))
			continue;
		if (m.idiag_state != ESTABLISHED)
			return -ENOENT;
		set_parts(local, m.idiag_family, m.id.idiag_src, m.id.idiag_sport);
		tcp_address_words(local, s->local, sizeof(s->local));
		mnl_attr_parse(h, sizeof(m), take_attribute, s);
		return 0;
	}
	return -EAGAIN;
}

/* --- Asking. --- */

int tcp_diag_open(void)
{
	struct timeval patience = {.tv_sec = 1};
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);

	if (fd < 0)
		return -errno;
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	return fd;
}

static int ask(int fd, const struct sockaddr_storage *local, const struct sockaddr_storage *remote,
	       unsigned interface, bool all)
{
	char room[MNL_NLMSG_HDRLEN + sizeof(struct inet_diag_req_v2)]
		__attribute__((aligned(NLMSG_ALIGNTO)));
	struct nlmsghdr *h = mnl_nlmsg_put_header(room);
	struct inet_diag_req_v2 *r = mnl_nlmsg_put_extra_header(h, sizeof(*r));
	const void *address;
	size_t n;

	h->nlmsg_type = SOCK_DIAG_BY_FAMILY;
	h->nlmsg_flags = (uint16_t)(NLM_F_REQUEST | (all ? NLM_F_DUMP : 0));
	r->sdiag_family = (uint8_t)remote->ss_family;
	r->sdiag_protocol = IPPROTO_TCP;
	r->idiag_ext = 1 << (INET_DIAG_INFO - 1) | 1 << (INET_DIAG_CONG - 1);
	r->idiag_states = 1u << ESTABLISHED;
	r->id.idiag_if = interface;
	r->id.idiag_cookie[0] = r->id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
	address = parts(remote, &n, &r->id.idiag_dport);
	memcpy(r->id.idiag_dst, address, n);
	address = parts(local, &n, &r->id.idiag_sport);
	memcpy(r->id.idiag_src, address, n);
	return send(fd, h, h->nlmsg_len, 0) < 0 ? -errno : 0;
}

/* What is left of an earlier answer, or of the rest of this one. */
static void drain(int fd)
{
	char room[64];

	while (recv(fd, room, sizeof(room), MSG_DONTWAIT | MSG_TRUNC) > 0)
		;
}

static int listen_for(int fd, const struct sockaddr_storage *remote, struct sockaddr_storage *local,
		      struct backend_session *s)
{
	char room[32768] __attribute__((aligned(NLMSG_ALIGNTO)));
	int rc = -EAGAIN;

	while (rc == -EAGAIN) {
		ssize_t n = recv(fd, room, sizeof(room), 0);
		if (n < 0)
			return errno == EAGAIN ? -ETIMEDOUT : -errno;
		rc = tcp_diag_parse(room, (size_t)n, remote, local, s);
	}
	return rc;
}

int tcp_diag_look(int fd, struct sockaddr_storage *local, const struct sockaddr_storage *remote,
		  unsigned interface, struct backend_session *s)
{
	backend_tcp_clear(s);
	if (fd < 0 || local->ss_family != remote->ss_family)
		return -EINVAL;
	drain(fd);
	int rc = ask(fd, local, remote, interface, !tcp_address_is_set(local));
	if (rc == 0)
		rc = listen_for(fd, remote, local, s);
	return rc;
}
