/* tcp.c - what the kernel wrote of a TCP connection (struct tcp_info), taken into a session: a backend asks
 * its own socket, and who shows connections of others asks by sock_diag.
 */
#include "backends/backend.h"

#include <string.h>
#include <sys/socket.h>
/* The kernel's own, which has more than the C library's. */
#include <linux/tcp.h>

void backend_tcp_clear(struct backend_session *s)
{
	s->congestion[0] = 0;
	s->rtt_us = s->rttvar_us = s->cwnd = s->retransmits = -1;
	s->mss = s->mss_cap = s->receive_mss = s->pmtu = -1;
	s->delivery_bytes_s = s->receive_rtt_us = -1;
	s->busy_us = s->peer_limited_us = s->buffer_limited_us = -1;
	s->segments_in = s->segments_out = s->data_segments_in = s->data_segments_out = -1;
	s->bytes_in = s->bytes_out = s->bytes_again = s->out_of_order = -1;
}

static int64_t bounded(uint64_t v)
{
	return v > INT64_MAX ? INT64_MAX : (int64_t)v;
}

void backend_tcp_take(struct backend_session *s, const void *info, size_t n)
{
	struct tcp_info i;

	memset(&i, 0, sizeof(i));
	memcpy(&i, info, n < sizeof(i) ? n : sizeof(i));
#define TAKE(to, field) \
	s->to = n >= offsetof(struct tcp_info, field) + sizeof(i.field) ? bounded(i.field) : -1
	TAKE(rtt_us, tcpi_rtt);
	TAKE(rttvar_us, tcpi_rttvar);
	TAKE(cwnd, tcpi_snd_cwnd);
	TAKE(retransmits, tcpi_total_retrans);
	TAKE(mss, tcpi_snd_mss);
	TAKE(mss_cap, tcpi_advmss);
	TAKE(receive_mss, tcpi_rcv_mss);
	TAKE(pmtu, tcpi_pmtu);
	TAKE(delivery_bytes_s, tcpi_delivery_rate);
	TAKE(receive_rtt_us, tcpi_rcv_rtt);
	TAKE(busy_us, tcpi_busy_time);
	TAKE(peer_limited_us, tcpi_rwnd_limited);
	TAKE(buffer_limited_us, tcpi_sndbuf_limited);
	TAKE(segments_in, tcpi_segs_in);
	TAKE(segments_out, tcpi_segs_out);
	TAKE(data_segments_in, tcpi_data_segs_in);
	TAKE(data_segments_out, tcpi_data_segs_out);
	TAKE(bytes_in, tcpi_bytes_received);
	TAKE(bytes_out, tcpi_bytes_sent);
	TAKE(bytes_again, tcpi_bytes_retrans);
	TAKE(out_of_order, tcpi_rcv_ooopack);
#undef TAKE
}
