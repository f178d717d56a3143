/* watch_nics.c - the network's part of a watch: which NICs, what they are set to, and when to look again.
 *
 * Two sockets are in the kernel's groups that tell of changes: rtnetlink's RTNLGRP_LINK and the ethtool
 * family's "monitor". A message only says which NIC to read anew. When messages were lost (ENOBUFS), all are.
 */
#include "env/watch_internal.h"

#include <errno.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "env/nic_settings.h"
#include "env/pause.h"
#include "env/rtnl.h"
#include "netlink.h"

struct watched {
	char name[16];
	uint32_t index; /* 0: there is no such NIC now */
	bool below, up;
	uint32_t upon; /* bits: places of those that its packets pass through */
	bool sums;     /* its counters are the sum of theirs */
	bool moved;    /* its link has, so read it anew ... */
	bool set;      /* ... or a setting of its driver has */
	struct facts facts;
	struct pause_source pause;
	bool pauses;
	uint64_t pause_rx, pause_tx;
};

struct nic_watch {
	struct nic_desk desk;
	int links, monitor; /* sockets that tell; -1 = there is none */
	struct env_scope scope;
	bool other_nics; /* there may be others to watch */
	struct watched nic[WATCH_NICS];
	unsigned count, looks;
};

/* --- Sockets. --- */

/* Without it nobody tells, and the next best is what was known at the start. */
static int join(int bus, uint32_t group)
{
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, bus);
	struct sockaddr_nl here = {.nl_family = AF_NETLINK};

	if (fd >= 0 && bind(fd, (struct sockaddr *)&here, sizeof(here)) == 0 &&
	    setsockopt(fd, SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, &group, sizeof(group)) == 0)
		return fd;
	int err = errno;
	if (fd >= 0)
		close(fd);
	return -err;
}

int nic_watch_open(struct nic_watch **out, struct error *e)
{
	struct nic_watch *n = calloc(1, sizeof(*n));

	if (!n)
		return error_set(e, ENOMEM, "out of memory to watch NICs");
	n->links = n->monitor = -1;
	int rc = nic_desk_open(&n->desk, e);
	if (rc == 0 && (n->links = join(NETLINK_ROUTE, RTNLGRP_LINK)) < 0)
		rc = error_errno(e, -n->links, "no notifications of network links");
	if (rc == 0 && n->desk.ethtool.monitor &&
	    (n->monitor = join(NETLINK_GENERIC, n->desk.ethtool.monitor)) < 0)
		rc = error_errno(e, -n->monitor, "no notifications of NIC settings");
	if (rc) {
		nic_watch_close(n);
		return rc;
	}
	*out = n;
	return 0;
}

void nic_watch_close(struct nic_watch *n)
{
	if (!n)
		return;
	for (unsigned i = 0; i < WATCH_NICS; i++)
		facts_free(&n->nic[i].facts);
	if (n->links >= 0)
		close(n->links);
	if (n->monitor >= 0)
		close(n->monitor);
	nic_desk_close(&n->desk);
	free(n);
}

void nic_watch_poll(const struct nic_watch *n, struct pollfd p[2])
{
	p[0] = (struct pollfd){.fd = n->links, .events = POLLIN};
	p[1] = (struct pollfd){.fd = n->monitor, .events = POLLIN};
}

/* --- Which. --- */

struct links {
	struct rtnl_link *link;
	size_t count;
	bool short_of_memory; /* some are missing */
};

static void keep(const struct rtnl_link *l, void *arg)
{
	struct links *all = arg;

	if (!(all->count & (all->count - 1))) {
		size_t room = all->count ? 2 * all->count : 1;
		struct rtnl_link *more = realloc(all->link, room * sizeof(*more));
		if (!more) {
			all->short_of_memory = true;
			return;
		}
		all->link = more;
	}
	all->link[all->count++] = *l;
}

static const struct rtnl_link *find_link(const struct links *all, const char *name)
{
	for (size_t i = 0; i < all->count; i++)
		if (strcmp(all->link[i].name, name) == 0)
			return &all->link[i];
	return NULL;
}

/* What another one's packets pass through: a bond's ports, what a VLAN is on; of a bridge the hardware
 * only, as guests have ports, too. */
static bool lies_upon(const struct rtnl_link *upper, const struct rtnl_link *l)
{
	static const char *const on_one[] = {"vlan", "macvlan", "ipvlan"};

	if (l->master == upper->index)
		return strcmp(upper->kind, "bridge") != 0 || !l->kind[0];
	for (size_t i = 0; i < sizeof(on_one) / sizeof(*on_one); i++)
		if (strcmp(upper->kind, on_one[i]) == 0)
			return upper->link == l->index;
	return false;
}

static long place_of(const struct watched *list, unsigned count, const char *name)
{
	for (unsigned i = 0; i < count; i++)
		if (strcmp(list[i].name, name) == 0)
			return (long)i;
	return -1;
}

static bool has(const struct watched *list, unsigned count, const char *name)
{
	return place_of(list, count, name) >= 0;
}

static unsigned add(struct watched *list, unsigned count, const char *name,
		    const struct rtnl_link *l, bool below)
{
	if (count == WATCH_NICS || has(list, count, name))
		return count;
	struct watched *w = &list[count];
	memcpy(w->name, name, sizeof(w->name));
	w->index = l ? l->index : 0;
	w->below = below;
	w->moved = w->set = true;
	return count + 1;
}

/* What was known of them before stays known: of one that has gone and come back, too, so that it is seen what
 * has changed meanwhile. */
static void take_over(struct watched *w, struct watched *old, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		if (strcmp(old[i].name, w->name) != 0)
			continue;
		if (old[i].index == w->index) {
			bool below = w->below;
			*w = old[i];
			w->below = below;
		} else {
			w->facts = old[i].facts;
			w->set = false;
		}
		memset(&old[i].facts, 0, sizeof(old[i].facts));
	}
}

/* Whose packets pass through whose, and whose counters are but those of its ports. */
static void relate(struct nic_watch *n, const struct links *all)
{
	for (unsigned i = 0; i < n->count; i++) {
		struct watched *w = &n->nic[i];
		const struct rtnl_link *upper = find_link(all, w->name);
		w->upon = 0;
		w->sums = upper &&
			  (strcmp(upper->kind, "bond") == 0 || strcmp(upper->kind, "team") == 0);
		for (size_t k = 0; upper && k < all->count; k++) {
			const struct rtnl_link *l = &all->link[k];
			if (l == upper || !lies_upon(upper, l))
				continue;
			long at = place_of(n->nic, n->count, l->name);
			if (at >= 0)
				w->upon |= UINT32_C(1) << at;
			w->sums &= at >= 0; /* of those that are not watched it alone tells */
		}
		w->sums &= w->upon != 0;
	}
}

static void choose_among(struct nic_watch *n, const struct links *all)
{
	struct watched old[WATCH_NICS];
	unsigned old_count = n->count;

	memcpy(old, n->nic, sizeof(old));
	memset(n->nic, 0, sizeof(n->nic));
	n->count = 0;
	for (unsigned i = 0; i < WATCH_NICS && n->scope.nic[i][0]; i++)
		n->count = add(n->nic, n->count, n->scope.nic[i], find_link(all, n->scope.nic[i]),
			       false);
	for (unsigned i = 0; i < n->count; i++) {
		const struct rtnl_link *upper = find_link(all, n->nic[i].name);
		for (size_t k = 0; upper && k < all->count; k++)
			if (lies_upon(upper, &all->link[k]))
				n->count = add(n->nic, n->count, all->link[k].name, &all->link[k],
					       true);
	}
	/* A port that was taken away is nobody's until it is back. */
	for (unsigned i = 0; i < old_count; i++)
		if (old[i].below && (!old[i].index || !find_link(all, old[i].name)))
			n->count = add(n->nic, n->count, old[i].name, NULL, true);
	for (unsigned i = 0; i < n->count; i++)
		take_over(&n->nic[i], old, old_count);
	for (unsigned i = 0; i < old_count; i++)
		facts_free(&old[i].facts);
	relate(n, all);
}

/* Where the kernel does not answer, as while it sets up a NIC for long, all is as it was until it does. */
static void choose(struct nic_watch *n)
{
	struct links all = {0};

	if (rtnl_links(&n->desk.rtnl, keep, &all) == 0 && !all.short_of_memory) {
		n->other_nics = false;
		choose_among(n, &all);
	}
	free(all.link);
}

/* --- Reading. --- */

/* Without a link there is no speed, and some drivers forget what pause frames were agreed upon until it is
 * there again: that nobody has changed. */
static void keep_what_rests(struct watched *w, struct facts *fresh)
{
	static const char *const rests[] = {"speed", "pause autoneg", "pause rx", "pause tx"};
	char words[FACT_WORDS];

	for (size_t i = 0; i < (w->set ? 1 : sizeof(rests) / sizeof(*rests)); i++) {
		snprintf(words, sizeof(words), "%s %s", w->name, rests[i]);
		const char *before = facts_get(&w->facts, words);
		const char *now = facts_get(fresh, words);
		bool unknown = now && strcmp(now, "(not known)") == 0;
		if (before && (!w->up || unknown))
			facts_set(fresh, words, before);
	}
}

/* What it was set to last is what it is compared with when it is back. */
static void note_gone(struct nic_watch *n, struct watched *w)
{
	char words[FACT_WORDS];

	snprintf(words, sizeof(words), "%s link", w->name);
	facts_set(&w->facts, words, "gone");
	n->other_nics |= w->index != 0;
	w->index = 0;
	w->up = w->moved = w->set = false;
}

/* What can't be read now is read at the next look; until then it is as it was. */
static void read_nic(struct nic_watch *n, struct watched *w)
{
	char words[FACT_WORDS];
	struct facts fresh = {0};
	int rc = w->index ? nic_desk_read(&n->desk, w->name, &fresh, NULL) : -ENODEV;

	if (rc) {
		facts_free(&fresh);
		if (rc == -ENODEV)
			note_gone(n, w);
		return;
	}
	snprintf(words, sizeof(words), "%s link", w->name);
	const char *link = facts_get(&fresh, words);
	w->up = link && strcmp(link, "up") == 0;
	keep_what_rests(w, &fresh);
	facts_free(&w->facts);
	w->facts = fresh;
	w->moved = w->set = false;
}

static void read_pauses(struct nic_watch *n)
{
	int fd = mnl_socket_get_fd(n->desk.rtnl.socket);

	for (unsigned i = 0; i < n->count; i++) {
		struct watched *w = &n->nic[i];
		w->pauses = w->index && pause_frames(&w->pause, &n->desk.ethtool, fd, w->name,
						     &w->pause_rx, &w->pause_tx);
	}
}

static void read_changed(struct nic_watch *n)
{
	if (n->other_nics)
		choose(n);
	for (unsigned i = 0; i < n->count; i++)
		if (n->nic[i].moved || n->nic[i].set)
			read_nic(n, &n->nic[i]);
}

void nic_watch_scope(struct nic_watch *n, const struct env_scope *s)
{
	n->scope = *s;
	n->other_nics = true;
	read_changed(n);
	read_pauses(n);
}

/* --- Notifications. --- */

static void take_link(struct nic_watch *n, const struct nlmsghdr *h)
{
	struct rtnl_link l;
	bool known = false;

	if (!rtnl_link_parse(h, &l))
		return;
	for (unsigned i = 0; i < n->count; i++) {
		struct watched *w = &n->nic[i];
		if (w->index == l.index) {
			w->moved = known = true;
			/* It has gone, or has another name. */
			n->other_nics |= l.gone || strcmp(w->name, l.name) != 0;
		} else if (w->index && w->index == l.master) {
			n->other_nics |= !has(n->nic, n->count, l.name);
		}
	}
	/* One that was gone is back. */
	n->other_nics |= !known && has(n->nic, n->count, l.name);
}

static void take_setting(struct nic_watch *n, const struct nlmsghdr *h)
{
	char name[16];

	if (h->nlmsg_type != n->desk.ethtool.family || !ethtool_nic_of(h, name))
		return;
	for (unsigned i = 0; i < n->count; i++)
		if (strcmp(n->nic[i].name, name) == 0)
			n->nic[i].set = true;
}

static void take_all(struct nic_watch *n)
{
	n->other_nics = true;
	for (unsigned i = 0; i < n->count; i++)
		n->nic[i].moved = n->nic[i].set = true;
}

static void drain(struct nic_watch *n, int fd,
		  void (*take)(struct nic_watch *n, const struct nlmsghdr *h))
{
	_Alignas(struct nlmsghdr) char bytes[65536];

	for (;;) {
		ssize_t got = recv(fd, bytes, sizeof(bytes), MSG_DONTWAIT);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 && errno == ENOBUFS) {
			take_all(n);
			continue;
		}
		if (got <= 0)
			return;
		const struct nlmsghdr *h = (const void *)bytes;
		for (size_t left = (size_t)got; left && netlink_ok(h, left);) {
			size_t step = MNL_ALIGN((size_t)h->nlmsg_len);
			take(n, h);
			h = (const void *)((const char *)h + step);
			left -= step;
		}
	}
}

void nic_watch_look(struct nic_watch *n, bool counters)
{
	drain(n, n->links, take_link);
	if (n->monitor >= 0)
		drain(n, n->monitor, take_setting);
	read_changed(n);
	/* Once a second is enough, as they are shown per second. */
	if (counters && ++n->looks % 2 == 0)
		read_pauses(n);
}

void nic_watch_facts(const struct nic_watch *n, struct facts *f)
{
	for (unsigned i = 0; i < n->count; i++)
		for (size_t k = 0; k < n->nic[i].facts.count; k++)
			facts_set(f, n->nic[i].facts.fact[k].words, n->nic[i].facts.fact[k].value);
}

unsigned nic_watch_list(const struct nic_watch *n, struct env_nic out[WATCH_NICS])
{
	for (unsigned i = 0; i < n->count; i++) {
		const struct watched *w = &n->nic[i];
		out[i] = (struct env_nic){.below = w->below,
					  .upon = w->upon,
					  .sums = w->sums,
					  .pauses = w->pauses,
					  .pause_rx = w->pause_rx,
					  .pause_tx = w->pause_tx};
		memcpy(out[i].name, w->name, sizeof(out[i].name));
	}
	return n->count;
}
