/* ethtool_features.c - offloads: what a NIC does for the kernel's network stack.
 *
 * The kernel has a bit with a name for each, and a name can cover several of them: segmentation of TCP
 * over IPv4 and over IPv6, checksums likewise or of both by one bit. What is asked is in verbose form, as
 * numbers of bits are not the same in all kernels (Documentation/networking/ethtool-netlink.rst, bit sets).
 */
#include "env/ethtool_internal.h"

#include <errno.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <stdio.h>
#include <string.h>

struct feature {
	const char *words;
	const char *both, *ipv4,
		*ipv6; /* bits: for any packet, for one kind only; NULL = there is none */
};

/* Names of bits: net/ethtool/common.c in the kernel. */
static const struct feature features[] = {
	{"tso", NULL, "tx-tcp-segmentation", "tx-tcp6-segmentation"},
	{"gso", "tx-generic-segmentation", NULL, NULL},
	{"gro", "rx-gro", NULL, NULL},
	{"lro", "rx-lro", NULL, NULL},
	{"rx checksum", "rx-checksum", NULL, NULL},
	{"tx checksum", "tx-checksum-ip-generic", "tx-checksum-ipv4", "tx-checksum-ipv6"},
};
#define FEATURES (sizeof(features) / sizeof(*features))

#define ONLY_IPV4 "IPv4 only"
#define ONLY_IPV6 "IPv6 only"

enum { BOTH = 1, IPV4 = 2, IPV6 = 4 };

/* Which of a feature's bits are on, which are wished for, and which the driver lets be changed. */
struct state {
	uint8_t active[FEATURES], wanted[FEATURES], changeable[FEATURES];
};

static const struct feature *find(const char *words)
{
	for (size_t i = 0; i < FEATURES; i++)
		if (strcmp(features[i].words, words) == 0)
			return &features[i];
	return NULL;
}

bool feature_known(const char *words)
{
	return find(words) != NULL;
}

/* --- Reading. --- */

static bool is(const char *bit, const char *name)
{
	return bit && strcmp(bit, name) == 0;
}

static void note_bit(uint8_t set[FEATURES], const char *name)
{
	for (size_t i = 0; i < FEATURES; i++)
		set[i] |= (uint8_t)((is(features[i].both, name) ? BOTH : 0) |
				    (is(features[i].ipv4, name) ? IPV4 : 0) |
				    (is(features[i].ipv6, name) ? IPV6 : 0));
}

/* A set that comes with a mask lists what the mask has, and says of each bit whether it is in the set. */
static void take_bit(const struct nlattr *bit, bool masked, uint8_t set[FEATURES])
{
	char name[64] = "";
	bool in = !masked;
	const struct nlattr *a;

	mnl_attr_for_each_nested(a, bit)
	{
		if (mnl_attr_get_type(a) == ETHTOOL_A_BITSET_BIT_NAME)
			ask_text(a, name, sizeof(name));
		else if (mnl_attr_get_type(a) == ETHTOOL_A_BITSET_BIT_VALUE)
			in = true;
	}
	if (in)
		note_bit(set, name);
}

static void take_set(const struct nlattr *bits, uint8_t set[FEATURES])
{
	bool masked = true;
	const struct nlattr *a, *bit;

	mnl_attr_for_each_nested(a, bits) if (mnl_attr_get_type(a) == ETHTOOL_A_BITSET_NOMASK)
		masked = false;
	mnl_attr_for_each_nested(a, bits) if (mnl_attr_get_type(a) == ETHTOOL_A_BITSET_BITS)
		mnl_attr_for_each_nested(bit, a) take_bit(bit, masked, set);
}

static void take_state(const struct nlmsghdr *h, void *arg)
{
	struct state *s = arg;
	const struct nlattr *a;

	if (mnl_nlmsg_get_payload_len(h) < sizeof(struct genlmsghdr))
		return;
	mnl_attr_for_each(a, h, sizeof(struct genlmsghdr))
	{
		if (mnl_attr_get_type(a) == ETHTOOL_A_FEATURES_ACTIVE)
			take_set(a, s->active);
		else if (mnl_attr_get_type(a) == ETHTOOL_A_FEATURES_WANTED)
			take_set(a, s->wanted);
		else if (mnl_attr_get_type(a) == ETHTOOL_A_FEATURES_HW)
			take_set(a, s->changeable);
	}
}

/* Of one kind of packet only where the other could be on, too. */
static const char *value_of(uint8_t active, uint8_t changeable)
{
	uint8_t could = active | changeable;

	if (!active)
		return "off";
	if (active == IPV4 && could & IPV6)
		return ONLY_IPV4;
	if (active == IPV6 && could & IPV4)
		return ONLY_IPV6;
	return "on";
}

void features_take(const struct nlmsghdr *h, const char *nic, struct facts *f)
{
	struct state s = {0};

	take_state(h, &s);
	for (size_t i = 0; i < FEATURES; i++)
		facts_set_of(f, nic, features[i].words, value_of(s.active[i], s.changeable[i]));
}

void features_missing(const char *nic, struct facts *f, const char *why)
{
	for (size_t i = 0; i < FEATURES; i++)
		facts_set_of(f, nic, features[i].words, why);
}

/* --- Changing. --- */

static int read_state(struct ethtool *t, const char *nic, struct state *s, char *reason)
{
	_Alignas(struct nlmsghdr) char bytes[ASK_BYTES];

	memset(s, 0, sizeof(*s));
	struct nlmsghdr *h = ethtool_question(t, bytes, ETHTOOL_MSG_FEATURES_GET, nic, 0);
	return ethtool_ask(t, h, take_state, s, reason);
}

static int parse_value(const char *value, uint8_t *wanted)
{
	if (strcmp(value, "on") == 0)
		*wanted = BOTH | IPV4 | IPV6;
	else if (strcmp(value, "off") == 0)
		*wanted = 0;
	else if (strcmp(value, ONLY_IPV4) == 0)
		*wanted = IPV4;
	else if (strcmp(value, ONLY_IPV6) == 0)
		*wanted = IPV6;
	else
		return -EINVAL;
	return 0;
}

static void put_bit(struct nlmsghdr *h, const char *name, bool on)
{
	struct nlattr *bit = mnl_attr_nest_start(h, ETHTOOL_A_BITSET_BITS_BIT);

	mnl_attr_put_strz(h, ETHTOOL_A_BITSET_BIT_NAME, name);
	if (on)
		mnl_attr_put(h, ETHTOOL_A_BITSET_BIT_VALUE, 0, NULL);
	mnl_attr_nest_end(h, bit);
}

static int set_bits(struct ethtool *t, const char *nic, const struct feature *f, uint8_t which,
		    uint8_t wanted, char *reason)
{
	_Alignas(struct nlmsghdr) char bytes[ASK_BYTES];
	struct nlmsghdr *h =
		ethtool_question(t, bytes, ETHTOOL_MSG_FEATURES_SET, nic, ETHTOOL_FLAG_OMIT_REPLY);
	struct nlattr *set = mnl_attr_nest_start(h, ETHTOOL_A_FEATURES_WANTED);
	struct nlattr *bits = mnl_attr_nest_start(h, ETHTOOL_A_BITSET_BITS);

	if (which & BOTH)
		put_bit(h, f->both, wanted & BOTH);
	if (which & IPV4)
		put_bit(h, f->ipv4, wanted & IPV4);
	if (which & IPV6)
		put_bit(h, f->ipv6, wanted & IPV6);
	mnl_attr_nest_end(h, bits);
	mnl_attr_nest_end(h, set);
	return ethtool_ask(t, h, NULL, NULL, reason);
}

/* The kernel takes a wish that the driver does not follow for granted, and says nothing: so it is looked
 * at again. Such a wish must not stay, either: it would come true by itself as soon as what it hangs on is
 * there. */
int feature_write(struct ethtool *t, const char *nic, const char *words, const char *value,
		  char *reason)
{
	const struct feature *f = find(words);
	size_t at = (size_t)(f - features);
	struct state s;
	uint8_t wanted;

	if (parse_value(value, &wanted)) {
		snprintf(reason, ASK_REASON, "it is on or off");
		return -EINVAL;
	}
	int rc = read_state(t, nic, &s, reason);
	if (rc)
		return rc;
	uint8_t which = s.changeable[at];
	/* What is active may still not be what is wished for, where it hangs on another offload: a wish is
	 * only changed when it is to make a difference. */
	if (strcmp(value_of(s.active[at], which), value) == 0)
		return 0;
	if (!which) {
		snprintf(reason, ASK_REASON, "the driver has it fixed at %s",
			 value_of(s.active[at], which));
		return -EOPNOTSUPP;
	}
	uint8_t before = s.wanted[at];
	rc = set_bits(t, nic, f, which, wanted, reason);
	if (rc)
		return rc;
	rc = read_state(t, nic, &s, reason);
	if (rc == 0 && strcmp(value_of(s.active[at], s.changeable[at]), value) == 0)
		return 0;
	set_bits(t, nic, f, which, before, NULL);
	if (rc)
		return rc;
	snprintf(reason, ASK_REASON, "the driver leaves it at %s: it may hang on another offload",
		 value_of(s.active[at], s.changeable[at]));
	return -EOPNOTSUPP;
}
