/* sessions-fixture.c - see sessions-fixture.h. */
#include <stdio.h>
#include <string.h>
#include "sessions-fixture.h"
#include "units.h"

#define GBIT 1000000000ll

/* Nothing is known of it but where it leads. */
static struct path_view unknown_path(unsigned number, const char *portal)
{
	struct path_view p = {.number = number,
			      .sessions = 8,
			      .nic_mtu = -1,
			      .link_bits_s = -1,
			      .iops = -1,
			      .bytes_s = -1,
			      .latency_ns = -1,
			      .received_s = -1,
			      .sent_s = -1,
			      .again_s = -1,
			      .frames_s = -1,
			      .frame_bytes = -1,
			      .share = -1,
			      .peer_limited = -1};
	struct backend_session *b = &p.all;

	b->number = number;
	b->path = number - 1;
	snprintf(b->portal, sizeof(b->portal), "%s", portal);
	b->rtt_us = b->rttvar_us = b->cwnd = b->retransmits = b->mss = b->mss_cap = -1;
	b->receive_mss = b->pmtu = b->delivery_bytes_s = b->receive_rtt_us = -1;
	b->busy_us = b->peer_limited_us = b->buffer_limited_us = -1;
	b->segments_in = b->segments_out = b->data_segments_in = b->data_segments_out = -1;
	b->bytes_in = b->bytes_out = b->bytes_again = b->out_of_order = -1;
	return p;
}

static struct path_view known_path(uint64_t now_ns)
{
	struct path_view p = unknown_path(1, "10.9.0.10:3260");
	struct backend_session *b = &p.all;

	p.up = p.sessions;
	b->state = SESSION_UP;
	snprintf(b->local, sizeof(b->local), "10.9.0.1:44312");
	snprintf(b->parameters, sizeof(b->parameters),
		 "HeaderDigest=CRC32C DataDigest=None MaxRecvDataSegmentLength=262144 "
		 "MaxBurstLength=262144 FirstBurstLength=65536 InitialR2T=Yes ImmediateData=Yes "
		 "MaxOutstandingR2T=1 ErrorRecoveryLevel=0 TargetPortalGroupTag=1 "
		 "DefaultTime2Wait=2");
	snprintf(b->congestion, sizeof(b->congestion), "cubic");
	snprintf(b->lost, sizeof(b->lost), "no answer to two pings");
	snprintf(p.nic, sizeof(p.nic), "ens1f0");
	p.nic_mtu = 9000;
	p.link_bits_s = 10 * GBIT;
	p.iops = 71300;
	p.bytes_s = 292e6;
	p.latency_ns = 1.7e6;
	p.frames_s = 68400;
	p.frame_bytes = 4144;
	p.share = 0.62;
	p.peer_limited = 0.03;
	b->inflight = 128;
	b->ios = 34000000;
	b->drops = 2;
	b->relogins = 1;
	b->outage_ns = 2410 * NS_PER_MS;
	b->loss.noticed_ns = now_ns - 94 * NS_PER_SEC;
	b->loss.silent_ns = b->loss.noticed_ns - NS_PER_SEC;
	b->loss.back_ns = b->loss.noticed_ns + b->outage_ns;
	b->loss.moved_ns = b->loss.noticed_ns + 57 * NS_PER_MS;
	b->loss.stranded = 16;
	b->loss.longest_ns = 1200 * NS_PER_MS;
	b->rtt_us = 92;
	b->rttvar_us = 31;
	b->cwnd = 42;
	b->retransmits = 3;
	b->mss = b->mss_cap = b->receive_mss = 8948;
	b->pmtu = 9000;
	b->delivery_bytes_s = 1160000000;
	b->receive_rtt_us = 110;
	b->busy_us = 731000000;
	b->bytes_out = 40000000000;
	b->bytes_again = 26844;
	b->out_of_order = 7;
	return p;
}

static struct path_view down_path(void)
{
	struct path_view p = unknown_path(2, "10.9.1.10:3260");
	struct backend_session *b = &p.all;

	b->state = SESSION_DOWN;
	b->drops = 1;
	b->outage_ns = 12300 * NS_PER_MS;
	snprintf(p.nic, sizeof(p.nic), "ens1f1");
	snprintf(b->why, sizeof(b->why), "portal 10.9.1.10:3260 refuses connections");
	return p;
}

static struct path_view out_path(void)
{
	struct path_view p = unknown_path(3, "10.9.2.10:3260");

	p.out = p.all.out = true;
	p.all.state = SESSION_DOWN;
	snprintf(p.nic, sizeof(p.nic), "ens2f0");
	return p;
}

static struct path_view slow_path(void)
{
	struct path_view p = unknown_path(4, "10.9.3.10:3260");
	struct backend_session *b = &p.all;

	p.up = 7;
	b->state = SESSION_UP;
	snprintf(b->local, sizeof(b->local), "10.9.3.1:44318");
	snprintf(p.nic, sizeof(p.nic), "ens2f1");
	p.nic_mtu = 9000;
	p.iops = 43700;
	p.bytes_s = 179e6;
	p.latency_ns = 2.9e6;
	p.share = 0.38;
	b->inflight = 16;
	b->held = 3;
	b->limit = 16;
	b->window_limited = true;
	b->full = 12;
	b->mss = b->mss_cap = 1448;
	b->pmtu = 9000;
	return p;
}

void sessions_fixture(struct sessions *s, uint64_t now_ns)
{
	memset(s, 0, sizeof(*s));
	s->paths = FIXTURE_PATHS;
	s->path[0] = known_path(now_ns);
	s->path[1] = down_path();
	s->path[2] = out_path();
	s->path[3] = slow_path();
	for (unsigned i = 0; i < SESSIONS_MAX; i++) {
		s->session[i] = s->path[i % FIXTURE_PATHS].all;
		s->session[i].number = i + 1;
	}
	s->listed = SESSIONS_MAX;
	s->count = 32;
	s->up = 15;
	s->drops = 3;
	snprintf(s->imbalance, sizeof(s->imbalance),
		 "path 4 does 38 %% of the IOs where half is its share: its MSS is 1448, not 8948");
	s->wire = (struct wire){.ceiling_bytes_s = 2470000000,
				.used = 0.19,
				.links = 2,
				.frames_s = 187000,
				.frame_bytes = 2519};
	snprintf(s->wire.text, sizeof(s->wire.text),
		 "449 MiB/s: 19 %% of two 10 Gb/s links, 187k frames/s of 2519 bytes");
	snprintf(s->wire.brief, sizeof(s->wire.brief), "%.100s", s->wire.text);
}

void sessions_fixture_single(struct sessions *s, uint64_t now_ns)
{
	memset(s, 0, sizeof(*s));
	s->paths = 1;
	s->path[0] = known_path(now_ns);
	s->path[0].share = 1;
	s->count = s->up = 8;
	snprintf(s->wire.text, sizeof(s->wire.text),
		 "278 MiB/s: 24 %% of one 10 Gb/s link, 68.4k frames/s of 4144 bytes");
	snprintf(s->wire.brief, sizeof(s->wire.brief), "%.100s", s->wire.text);
}
