/* tcp.c - what the kernel tells of a session's TCP connection. */
#include "backends/iscsi/iscsi.h"

#include <arpa/inet.h>
#include <netinet/in.h>
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

void tcp_look(int fd, struct backend_session *s)
{
	struct sockaddr_storage local;
	struct tcp_info i;
	socklen_t length = sizeof(local);

	s->rtt_us = s->rttvar_us = s->cwnd = s->retransmits = -1;
	s->mss = s->mss_cap = s->receive_mss = s->pmtu = -1;
	if (fd < 0)
		return;
	if (getsockname(fd, (struct sockaddr *)&local, &length) == 0)
		address_words(&local, s->local, sizeof(s->local));
	length = sizeof(s->congestion);
	if (getsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, s->congestion, &length))
		s->congestion[0] = 0;
	memset(&i, 0, sizeof(i));
	length = sizeof(i);
	if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &i, &length))
		return;
	s->rtt_us = i.tcpi_rtt;
	s->rttvar_us = i.tcpi_rttvar;
	s->cwnd = i.tcpi_snd_cwnd;
	s->retransmits = i.tcpi_total_retrans;
	s->mss = i.tcpi_snd_mss;
	s->mss_cap = i.tcpi_advmss;
	s->receive_mss = i.tcpi_rcv_mss;
	s->pmtu = i.tcpi_pmtu;
}
