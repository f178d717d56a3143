/* tcp.c - what the kernel tells of a session's TCP connection. */
#include "backends/iscsi/iscsi.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
/* The kernel's own, which has more than the C library's. */
#include <linux/tcp.h>

static void address_words(const struct sockaddr_storage *a, char *out, size_t n)
{
	char host[INET6_ADDRSTRLEN] = "";

	if (a->ss_family == AF_INET) {
		const struct sockaddr_in *in = (const struct sockaddr_in *)a;
		inet_ntop(AF_INET, &in->sin_addr, host, sizeof(host));
		snprintf(out, n, "%s:%u", host, ntohs(in->sin_port));
	} else if (a->ss_family == AF_INET6) {
		const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)a;
		inet_ntop(AF_INET6, &in6->sin6_addr, host, sizeof(host));
		snprintf(out, n, "[%s]:%u", host, ntohs(in6->sin6_port));
	}
}

/* Returns how much of it the kernel wrote; 0 = nothing. */
static size_t get_info(int fd, struct tcp_info *i)
{
	socklen_t length = sizeof(*i);

	memset(i, 0, sizeof(*i));
	return getsockopt(fd, IPPROTO_TCP, TCP_INFO, i, &length) ? 0 : length;
}

void tcp_look(int fd, struct backend_session *s)
{
	struct sockaddr_storage local;
	struct tcp_info i;
	socklen_t length = sizeof(local);

	backend_tcp_clear(s);
	if (fd < 0)
		return;
	if (getsockname(fd, (struct sockaddr *)&local, &length) == 0)
		address_words(&local, s->local, sizeof(s->local));
	length = sizeof(s->congestion);
	if (getsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, s->congestion, &length))
		s->congestion[0] = 0;
	size_t written = get_info(fd, &i);
	if (written)
		backend_tcp_take(s, &i, written);
}

uint64_t tcp_silence_ns(int fd)
{
	struct tcp_info i;

	if (get_info(fd, &i) < offsetof(struct tcp_info, tcpi_last_ack_recv) + sizeof(uint32_t))
		return UINT64_MAX;
	uint32_t ms = i.tcpi_last_data_recv;
	/* Where all that we sent is there, a peer that works has no reason to say nothing. */
	if ((i.tcpi_unacked || i.tcpi_notsent_bytes) && i.tcpi_last_ack_recv < ms)
		ms = i.tcpi_last_ack_recv;
	return ms * MS_NS;
}

uint64_t tcp_past_gaps(int fd)
{
	struct tcp_info i;
	size_t known = get_info(fd, &i);

	if (known < offsetof(struct tcp_info, tcpi_rcv_ooopack) + sizeof(i.tcpi_rcv_ooopack))
		return 0;
	return (uint64_t)i.tcpi_rcv_ooopack + i.tcpi_sacked;
}
