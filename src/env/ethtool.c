/* ethtool.c - see ethtool.h. Which message carries a setting, and as what, stands in one table; offloads,
 * which are bits with names, are in ethtool_features.c. */
#include "env/ethtool_internal.h"

#include <errno.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Attribute 1 of each message of the family is its header, which names the device. */
#define HEADER_ATTR ETHTOOL_A_LINKMODES_HEADER

/* --- The settings. --- */

enum form { FORM_SWITCH, FORM_NUMBER, FORM_SPEED };

struct item {
	const char *words;
	uint8_t get, reply, set; /* set 0: it can't be changed */
	uint16_t attr;
	enum form form;
};

#define GROUP(name) ETHTOOL_MSG_##name##_GET, ETHTOOL_MSG_##name##_GET_REPLY
#define KNOB(name)  GROUP(name), ETHTOOL_MSG_##name##_SET

/* Those of one message stand together. */
static const struct item items[] = {
	{"speed", GROUP(LINKMODES), 0, ETHTOOL_A_LINKMODES_SPEED, FORM_SPEED},
	{"pause autoneg", KNOB(PAUSE), ETHTOOL_A_PAUSE_AUTONEG, FORM_SWITCH},
	{"pause rx", KNOB(PAUSE), ETHTOOL_A_PAUSE_RX, FORM_SWITCH},
	{"pause tx", KNOB(PAUSE), ETHTOOL_A_PAUSE_TX, FORM_SWITCH},
	{"ring rx", KNOB(RINGS), ETHTOOL_A_RINGS_RX, FORM_NUMBER},
	{"ring tx", KNOB(RINGS), ETHTOOL_A_RINGS_TX, FORM_NUMBER},
	{"coalesce rx-usecs", KNOB(COALESCE), ETHTOOL_A_COALESCE_RX_USECS, FORM_NUMBER},
	{"coalesce rx-frames", KNOB(COALESCE), ETHTOOL_A_COALESCE_RX_MAX_FRAMES, FORM_NUMBER},
	{"coalesce tx-usecs", KNOB(COALESCE), ETHTOOL_A_COALESCE_TX_USECS, FORM_NUMBER},
	{"coalesce tx-frames", KNOB(COALESCE), ETHTOOL_A_COALESCE_TX_MAX_FRAMES, FORM_NUMBER},
	{"coalesce adaptive-rx", KNOB(COALESCE), ETHTOOL_A_COALESCE_USE_ADAPTIVE_RX, FORM_SWITCH},
	{"coalesce adaptive-tx", KNOB(COALESCE), ETHTOOL_A_COALESCE_USE_ADAPTIVE_TX, FORM_SWITCH},
	{"channels rx", GROUP(CHANNELS), 0, ETHTOOL_A_CHANNELS_RX_COUNT, FORM_NUMBER},
	{"channels tx", GROUP(CHANNELS), 0, ETHTOOL_A_CHANNELS_TX_COUNT, FORM_NUMBER},
	{"channels combined", GROUP(CHANNELS), 0, ETHTOOL_A_CHANNELS_COMBINED_COUNT, FORM_NUMBER},
};
#define ITEMS (sizeof(items) / sizeof(*items))

static const struct item *find(const char *words)
{
	for (size_t i = 0; i < ITEMS; i++)
		if (strcmp(items[i].words, words) == 0)
			return &items[i];
	return NULL;
}

bool ethtool_knows(const char *words, bool *settable)
{
	const struct item *item = find(words);

	*settable = item ? item->set != 0 : feature_known(words);
	return item || *settable;
}

/* --- Asking. --- */

static void take_group(const struct nlattr *group, uint32_t *monitor)
{
	char name[GENL_NAMSIZ] = "";
	uint32_t id = 0;
	const struct nlattr *a;

	mnl_attr_for_each_nested(a, group)
	{
		if (mnl_attr_get_type(a) == CTRL_ATTR_MCAST_GRP_NAME)
			ask_text(a, name, sizeof(name));
		else if (mnl_attr_get_type(a) == CTRL_ATTR_MCAST_GRP_ID)
			ask_u32(a, &id);
	}
	if (strcmp(name, ETHTOOL_MCGRP_MONITOR_NAME) == 0)
		*monitor = id;
}

static void take_family(const struct nlmsghdr *h, void *arg)
{
	struct ethtool *t = arg;
	const struct nlattr *a, *group;

	if (mnl_nlmsg_get_payload_len(h) < sizeof(struct genlmsghdr))
		return;
	mnl_attr_for_each(a, h, sizeof(struct genlmsghdr))
	{
		if (mnl_attr_get_type(a) == CTRL_ATTR_FAMILY_ID)
			ask_u16(a, &t->family);
		else if (mnl_attr_get_type(a) == CTRL_ATTR_MCAST_GROUPS)
			mnl_attr_for_each_nested(group, a) take_group(group, &t->monitor);
	}
}

static struct nlmsghdr *question(void *bytes, uint16_t family, uint8_t command, uint8_t version)
{
	struct nlmsghdr *h = mnl_nlmsg_put_header(bytes);
	struct genlmsghdr *g = mnl_nlmsg_put_extra_header(h, sizeof(*g));

	h->nlmsg_type = family;
	g->cmd = command;
	g->version = version;
	return h;
}

struct nlmsghdr *ethtool_question(struct ethtool *t, void *bytes, uint8_t command, const char *nic,
				  uint32_t flags)
{
	struct nlmsghdr *h = question(bytes, t->family, command, ETHTOOL_GENL_VERSION);
	struct nlattr *header = mnl_attr_nest_start(h, HEADER_ATTR);

	mnl_attr_put_strz(h, ETHTOOL_A_HEADER_DEV_NAME, nic);
	if (flags)
		mnl_attr_put_u32(h, ETHTOOL_A_HEADER_FLAGS, flags);
	mnl_attr_nest_end(h, header);
	return h;
}

int ethtool_ask(struct ethtool *t, struct nlmsghdr *h, ask_answer *answer, void *arg, char *reason)
{
	if (!t->family) {
		if (reason)
			snprintf(reason, ASK_REASON, "this kernel has no ethtool netlink");
		return -EOPNOTSUPP;
	}
	return ask_kernel(&t->ask, h, 0, answer, arg, reason);
}

int ethtool_open(struct ethtool *t, struct error *e)
{
	_Alignas(struct nlmsghdr) char bytes[ASK_BYTES];

	memset(t, 0, sizeof(*t));
	int rc = ask_open(&t->ask, NETLINK_GENERIC, e);
	if (rc)
		return rc;
	struct nlmsghdr *h = question(bytes, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, 1);
	mnl_attr_put_strz(h, CTRL_ATTR_FAMILY_NAME, ETHTOOL_GENL_NAME);
	rc = ask_kernel(&t->ask, h, 0, take_family, t, NULL);
	if (rc == 0 || rc == -ENOENT)
		return 0;
	ethtool_close(t);
	return error_errno(e, -rc, "netlink family ethtool");
}

void ethtool_close(struct ethtool *t)
{
	ask_close(&t->ask);
}

char *ethtool_reason(int rc, char *out, size_t n)
{
	if (rc == -EOPNOTSUPP)
		snprintf(out, n, "(not supported)");
	else
		snprintf(out, n, "(%s)", strerror(-rc));
	return out;
}

/* --- Answers. --- */

/* Its command; -1 when it is too short for one. */
static int command_of(const struct nlmsghdr *h)
{
	struct genlmsghdr g;

	if (mnl_nlmsg_get_payload_len(h) < sizeof(g))
		return -1;
	memcpy(&g, mnl_nlmsg_get_payload(h), sizeof(g));
	return g.cmd;
}

bool ethtool_nic_of(const struct nlmsghdr *h, char nic[16])
{
	const struct nlattr *a, *in;

	nic[0] = 0;
	if (command_of(h) < 0)
		return false;
	mnl_attr_for_each(a, h, sizeof(struct genlmsghdr))
	{
		if (mnl_attr_get_type(a) != HEADER_ATTR)
			continue;
		mnl_attr_for_each_nested(in,
					 a) if (mnl_attr_get_type(in) == ETHTOOL_A_HEADER_DEV_NAME)
			ask_text(in, nic, 16);
	}
	return nic[0] != 0;
}

static void value_words(const struct item *item, const struct nlattr *a, char *out, size_t n)
{
	uint32_t number = 0;
	uint8_t on = 0;

	if (item->form == FORM_SWITCH ? !ask_u8(a, &on) : !ask_u32(a, &number))
		snprintf(out, n, "(not known)");
	else if (item->form == FORM_SWITCH)
		snprintf(out, n, "%s", on ? "on" : "off");
	else if (item->form == FORM_NUMBER)
		snprintf(out, n, "%u", number);
	else if (number == 0 || number > INT32_MAX) /* SPEED_UNKNOWN is -1 */
		snprintf(out, n, "(not known)");
	else
		snprintf(out, n, "%u Mb/s", number);
}

static void take_items(const struct nlmsghdr *h, int command, const char *nic, struct facts *f)
{
	char value[FACT_VALUE];
	const struct nlattr *a;

	for (size_t i = 0; i < ITEMS; i++) {
		if (items[i].reply != command)
			continue;
		snprintf(value, sizeof(value), "(not supported)");
		mnl_attr_for_each(a, h, sizeof(struct genlmsghdr)) if (mnl_attr_get_type(a) ==
								       items[i].attr)
			value_words(&items[i], a, value, sizeof(value));
		facts_set_of(f, nic, items[i].words, value);
	}
}

void ethtool_take(const struct nlmsghdr *h, const char *nic, struct facts *f)
{
	int command = command_of(h);

	if (command == ETHTOOL_MSG_FEATURES_GET_REPLY)
		features_take(h, nic, f);
	else if (command >= 0)
		take_items(h, command, nic, f);
}

struct reading {
	const char *nic;
	struct facts *facts;
};

static void take_reply(const struct nlmsghdr *h, void *arg)
{
	const struct reading *r = arg;

	ethtool_take(h, r->nic, r->facts);
}

/* That there was no answer in time is no value of a setting. */
static int read_group(struct ethtool *t, const struct item *first, const char *nic, struct facts *f)
{
	_Alignas(struct nlmsghdr) char bytes[ASK_BYTES];
	char why[FACT_VALUE];
	struct reading r = {nic, f};

	int rc = ethtool_ask(t, ethtool_question(t, bytes, first->get, nic, 0), take_reply, &r,
			     NULL);
	if (rc == -ETIMEDOUT)
		return rc;
	for (size_t i = 0; rc && i < ITEMS; i++)
		if (items[i].get == first->get)
			facts_set_of(f, nic, items[i].words, ethtool_reason(rc, why, sizeof(why)));
	return 0;
}

int ethtool_read(struct ethtool *t, const char *nic, struct facts *f)
{
	_Alignas(struct nlmsghdr) char bytes[ASK_BYTES];
	char why[FACT_VALUE];
	struct reading r = {nic, f};

	int rc = 0;

	for (size_t i = 0; i < ITEMS && rc == 0; i++)
		if (i == 0 || items[i].get != items[i - 1].get)
			rc = read_group(t, &items[i], nic, f);
	if (rc)
		return rc;
	struct nlmsghdr *h = ethtool_question(t, bytes, ETHTOOL_MSG_FEATURES_GET, nic, 0);
	rc = ethtool_ask(t, h, take_reply, &r, NULL);
	if (rc && rc != -ETIMEDOUT)
		features_missing(nic, f, ethtool_reason(rc, why, sizeof(why)));
	return rc == -ETIMEDOUT ? rc : 0;
}

/* --- Changing. --- */

static int put_value(struct nlmsghdr *h, const struct item *item, const char *value, char *reason)
{
	char *end;

	if (item->form == FORM_SWITCH) {
		bool on = strcmp(value, "on") == 0;
		if (!on && strcmp(value, "off") != 0) {
			snprintf(reason, ASK_REASON, "it is on or off");
			return -EINVAL;
		}
		mnl_attr_put_u8(h, item->attr, on);
		return 0;
	}
	errno = 0;
	unsigned long number = strtoul(value, &end, 10);
	if (value[0] < '0' || value[0] > '9' || *end || errno || number > UINT32_MAX) {
		snprintf(reason, ASK_REASON, "it is a whole number");
		return -EINVAL;
	}
	mnl_attr_put_u32(h, item->attr, (uint32_t)number);
	return 0;
}

int ethtool_write(struct ethtool *t, const char *nic, const char *words, const char *value,
		  char *reason)
{
	_Alignas(struct nlmsghdr) char bytes[ASK_BYTES];
	const struct item *item = find(words);

	reason[0] = 0;
	if (feature_known(words))
		return feature_write(t, nic, words, value, reason);
	if (!item || !item->set) {
		snprintf(reason, ASK_REASON, "%s",
			 item ? "it can only be read" : "there is no such setting");
		return -EINVAL;
	}
	struct nlmsghdr *h = ethtool_question(t, bytes, item->set, nic, 0);
	int rc = put_value(h, item, value, reason);
	return rc ? rc : ethtool_ask(t, h, NULL, NULL, reason);
}

/* --- Pause frames. --- */

struct frames {
	uint64_t rx, tx;
	bool known_rx, known_tx;
};

static void take_frames(const struct nlmsghdr *h, void *arg)
{
	struct frames *f = arg;
	const struct nlattr *a, *in;

	if (command_of(h) != ETHTOOL_MSG_PAUSE_GET_REPLY)
		return;
	mnl_attr_for_each(a, h, sizeof(struct genlmsghdr))
	{
		if (mnl_attr_get_type(a) != ETHTOOL_A_PAUSE_STATS)
			continue;
		mnl_attr_for_each_nested(in, a)
		{
			if (mnl_attr_get_type(in) == ETHTOOL_A_PAUSE_STAT_RX_FRAMES)
				f->known_rx = ask_u64(in, &f->rx);
			else if (mnl_attr_get_type(in) == ETHTOOL_A_PAUSE_STAT_TX_FRAMES)
				f->known_tx = ask_u64(in, &f->tx);
		}
	}
}

bool ethtool_pause_frames(struct ethtool *t, const char *nic, uint64_t *rx, uint64_t *tx)
{
	_Alignas(struct nlmsghdr) char bytes[ASK_BYTES];
	struct frames f = {0};

	struct nlmsghdr *h =
		ethtool_question(t, bytes, ETHTOOL_MSG_PAUSE_GET, nic, ETHTOOL_FLAG_STATS);
	if (ethtool_ask(t, h, take_frames, &f, NULL) || (!f.known_rx && !f.known_tx))
		return false;
	*rx = f.rx;
	*tx = f.tx;
	return true;
}
