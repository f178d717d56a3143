/* pause.c - see pause.h. Drivers that do not answer in the kernel's words have the counters among their own
 * statistics (`ethtool -S`), each under a name of its own choice.
 */
#include "env/pause.h"

#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#define STATS_MAX 20000 /* more than any driver has */

/* Drivers that tell xon and xoff apart have both in the kernel's sources; xoff is what stops the sender. */
static const char *const rx_names[] = {
	"rx_flow_control_xoff", /* e1000e, igb, ixgbe */
	"rx_pause_ctrl_phy",    /* mlx5 */
	"rx_xoff_pause_rcvd",   /* tg3 */
	"link_xoff_rx.nic",     /* ice */
	"port.link_xoff_rx",    /* i40e */
	"rx_pause_frames",      /* bnxt, be2net, cxgb4, qede */
	"rx_pause",
};
static const char *const tx_names[] = {
	"tx_flow_control_xoff", "tx_pause_ctrl_phy", "tx_xoff_sent", "link_xoff_tx.nic",
	"port.link_xoff_tx",    "tx_pause_frames",   "tx_pause",
};

unsigned pause_place(const char *names, unsigned n, bool tx)
{
	const char *const *wanted = tx ? tx_names : rx_names;
	size_t count =
		tx ? sizeof(tx_names) / sizeof(*tx_names) : sizeof(rx_names) / sizeof(*rx_names);

	for (size_t w = 0; w < count; w++)
		for (unsigned i = 0; i < n; i++)
			if (strncmp(names + (size_t)i * ETH_GSTRING_LEN, wanted[w],
				    ETH_GSTRING_LEN) == 0)
				return i + 1;
	return 0;
}

static bool command(int fd, const char *nic, void *data)
{
	struct ifreq r = {0};

	snprintf(r.ifr_name, sizeof(r.ifr_name), "%.15s", nic);
	r.ifr_data = data;
	return ioctl(fd, SIOCETHTOOL, &r) == 0;
}

static unsigned count_stats(int fd, const char *nic)
{
	struct {
		struct ethtool_sset_info info;
		uint32_t count;
	} q = {.info = {.cmd = ETHTOOL_GSSET_INFO, .sset_mask = 1ull << ETH_SS_STATS}};

	if (!command(fd, nic, &q) || !q.info.sset_mask || q.count > STATS_MAX)
		return 0;
	return q.count;
}

/* Where they stand, if anywhere. */
static void find_places(struct pause_source *s, int fd, const char *nic)
{
	s->kind = PAUSE_NONE;
	s->count = count_stats(fd, nic);
	if (!s->count)
		return;
	/* Room for more, as in read_places(). */
	struct ethtool_gstrings *names =
		calloc(1, sizeof(*names) + 2 * (size_t)s->count * ETH_GSTRING_LEN);
	if (!names)
		return;
	names->cmd = ETHTOOL_GSTRINGS;
	names->string_set = ETH_SS_STATS;
	names->len = s->count;
	if (command(fd, nic, names) && names->len == s->count) {
		s->rx = pause_place((const char *)names->data, s->count, false);
		s->tx = pause_place((const char *)names->data, s->count, true);
	}
	free(names);
	if (s->rx || s->tx)
		s->kind = PAUSE_STRINGS;
}

/* A driver may have other statistics than it had: the kernel says how many, and fills no more than these;
 * the room is for twice as many, as it does not look at what we have room for. */
static bool read_places(struct pause_source *s, int fd, const char *nic, uint64_t *rx, uint64_t *tx)
{
	if (count_stats(fd, nic) != s->count) {
		memset(s, 0, sizeof(*s));
		return false;
	}
	struct ethtool_stats *q = calloc(1, sizeof(*q) + 2 * (size_t)s->count * sizeof(q->data[0]));
	if (!q)
		return false;
	q->cmd = ETHTOOL_GSTATS;
	q->n_stats = s->count;
	bool done = command(fd, nic, q) && q->n_stats == s->count;
	if (done) {
		*rx = s->rx ? q->data[s->rx - 1] : 0;
		*tx = s->tx ? q->data[s->tx - 1] : 0;
	}
	free(q);
	return done;
}

bool pause_frames(struct pause_source *s, struct ethtool *t, int fd, const char *nic, uint64_t *rx,
		  uint64_t *tx)
{
	if (s->kind == PAUSE_NEW || s->kind == PAUSE_NETLINK) {
		bool known = ethtool_pause_frames(t, nic, rx, tx);
		if (known || s->kind == PAUSE_NETLINK) {
			s->kind = PAUSE_NETLINK;
			return known;
		}
		find_places(s, fd, nic);
	}
	return s->kind == PAUSE_STRINGS && read_places(s, fd, nic, rx, tx);
}
