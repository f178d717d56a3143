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

static void nothing_known(struct backend_session *s)
{
	s->rtt_us = s->rttvar_us = s->cwnd = s->retransmits = -1;
	s->mss = s->mss_cap = s->receive_mss = s->pmtu = -1;
	s->delivery_bytes_s = s->receive_rtt_us = -1;
	s->busy_us = s->peer_limited_us = s->buffer_limited_us = -1;
	s->segments_in = s->segments_out = s->data_segments_in = s->data_segments_out = -1;
	s->bytes_in = s->bytes_out = s->bytes_again = s->out_of_order = -1;
}

/* An older kernel tells less: of what it did not write nothing is known. */
#define KNOWN(field) \
	(length >= offsetof(struct tcp_info, field) + sizeof(i->field) ? (int64_t)i->field : -1)

void tcp_fill(const struct tcp_info *i, size_t length, struct backend_session *s)
{
	s->rtt_us = KNOWN(tcpi_rtt);
	s->rttvar_us = KNOWN(tcpi_rttvar);
	s->cwnd = KNOWN(tcpi_snd_cwnd);
	s->retransmits = KNOWN(tcpi_total_retrans);
	s->mss = KNOWN(tcpi_snd_mss);
	s->mss_cap = KNOWN(tcpi_advmss);
	s->receive_mss = KNOWN(tcpi_rcv_mss);
	s->pmtu = KNOWN(tcpi_pmtu);
	s->delivery_bytes_s = KNOWN(tcpi_delivery_rate);
	s->receive_rtt_us = KNOWN(tcpi_rcv_rtt);
	s->busy_us = KNOWN(tcpi_busy_time);
	s->peer_limited_us = KNOWN(tcpi_rwnd_limited);
	s->buffer_limited_us = KNOWN(tcpi_sndbuf_limited);
	s->segments_in = KNOWN(tcpi_segs_in);
	s->segments_out = KNOWN(tcpi_segs_out);
	s->data_segments_in = KNOWN(tcpi_data_segs_in);
	s->data_segments_out = KNOWN(tcpi_data_segs_out);
	s->bytes_in = KNOWN(tcpi_bytes_received);
	s->bytes_out = KNOWN(tcpi_bytes_sent);
	s->bytes_again = KNOWN(tcpi_bytes_retrans);
	s->out_of_order = KNOWN(tcpi_rcv_ooopack);
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

	nothing_known(s);
	if (fd < 0)
		return;
	if (getsockname(fd, (struct sockaddr *)&local, &length) == 0)
		address_words(&local, s->local, sizeof(s->local));
	length = sizeof(s->congestion);
	if (getsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, s->congestion, &length))
		s->congestion[0] = 0;
	size_t written = get_info(fd, &i);
	if (written)
		tcp_fill(&i, written, s);
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
