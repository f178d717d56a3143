/* netns.c - two network namespaces and the cables between them, by iproute2 and a few ioctls. */
#include "tests/netns.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sched.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include "tests/proc.h"

static int this_namespace(void)
{
	int fd = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* A new namespace, held by a descriptor; the calling thread is back in outside afterwards. */
static int make_side(int outside)
{
	if (unshare(CLONE_NEWNET))
		return -errno;
	int fd = this_namespace();
	if (setns(outside, CLONE_NEWNET)) {
		int r = -errno;
		if (fd >= 0)
			close(fd);
		return r;
	}
	return fd;
}

const char *net_missing(void)
{
	struct proc p;
	if (geteuid() != 0)
		return "needs root for network namespaces";
	int outside = this_namespace();
	int side = outside < 0 ? outside : make_side(outside);
	if (outside >= 0)
		close(outside);
	if (side < 0)
		return "needs network namespaces (unshare refused)";
	close(side);
	PROC(&p, "ip", "-V");
	bool there = p.status == 0;
	proc_free(&p);
	return there ? NULL : "needs ip (package iproute2)";
}

int net_visit(const struct net *n, enum net_side side)
{
	int here = this_namespace();
	if (here < 0 || !setns(n->inside[side], CLONE_NEWNET))
		return here;
	int r = -errno;
	close(here);
	return r;
}

void net_return(int here)
{
	if (setns(here, CLONE_NEWNET))
		fprintf(stderr, "netns: no way back: %s\n", strerror(errno));
	close(here);
}

/* Runs `ip` in that side's namespace with the commands of a batch, one a line. */
__attribute__((format(printf, 3, 4))) static int ip(const struct net *n, enum net_side side,
						    const char *format, ...)
{
	char batch[2048];
	const char *argv[] = {"ip", "-batch", "-", NULL};
	struct proc_options o = {.input = batch};
	struct proc p;
	va_list args;
	va_start(args, format);
	vsnprintf(batch, sizeof batch, format, args);
	va_end(args);

	int here = net_visit(n, side);
	if (here < 0)
		return here;
	int r = proc_run(&p, argv, &o);
	net_return(here);
	if (r)
		return r;
	if (p.status) {
		fprintf(stderr, "netns: ip said: %s", p.err);
		r = -EIO;
	}
	proc_free(&p);
	return r;
}

/* By ioctl, as `ethtool -K` would need a package more. A kernel without one of them has it off. */
static void offload_off(const char *name)
{
	static const uint32_t what[] = {ETHTOOL_STSO, ETHTOOL_SGSO, ETHTOOL_SGRO};
	struct ifreq q = {0};
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return;
	snprintf(q.ifr_name, sizeof q.ifr_name, "%s", name);
	for (size_t i = 0; i < sizeof what / sizeof *what; i++) {
		struct ethtool_value v = {.cmd = what[i], .data = 0};
		q.ifr_data = (char *)&v;
		ioctl(fd, SIOCETHTOOL, &q);
	}
	close(fd);
}

static void set_sysctl(const char *path, const char *value)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	if (write(fd, value, strlen(value)) < 0)
		fprintf(stderr, "netns: %s: %s\n", path, strerror(errno));
	close(fd);
}

/* A neighbour's address goes with the carrier, and packets wait while it is looked for. They arrive when the
 * cable is plugged again within 3 s, whatever has become of their connection, which no program can prevent:
 * a write in them would be done after newer ones. With no room all but the newest packet are dropped. */
static void forget_what_waits(const char *name)
{
	char path[96];
	snprintf(path, sizeof path, "/proc/sys/net/ipv4/neigh/%s/unres_qlen_bytes", name);
	set_sysctl(path, "0");
}

/* What only a thread inside can set. */
static int tune(const struct net *n, enum net_side side)
{
	int here = net_visit(n, side);
	if (here < 0)
		return here;
	set_sysctl("/proc/sys/net/ipv4/tcp_congestion_control", "reno");
	for (unsigned i = 1; i <= n->links; i++) {
		char name[IFNAMSIZ];
		snprintf(name, sizeof name, "p%u", i);
		offload_off(name);
		forget_what_waits(name);
	}
	net_return(here);
	return 0;
}

/* A link is up some moments after it was told to be: the carrier says when. */
static int wait_carrier(const struct net *n)
{
	int here = net_visit(n, NET_INITIATOR);
	if (here < 0)
		return here;
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	int r = fd < 0 ? -errno : 0;
	double end = proc_now() + proc_patience();

	for (unsigned i = 1; r == 0 && i <= n->links;) {
		struct ifreq q = {0};
		snprintf(q.ifr_name, sizeof q.ifr_name, "p%u", i);
		if (ioctl(fd, SIOCGIFFLAGS, &q))
			r = -errno;
		else if (q.ifr_flags & IFF_RUNNING)
			i++;
		else if (proc_now() > end)
			r = -ETIMEDOUT;
		else
			nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
	}
	if (fd >= 0)
		close(fd);
	net_return(here);
	return r;
}

int net_make(struct net *n, unsigned links, unsigned mtu)
{
	*n = (struct net){.links = links, .inside = {-1, -1}};
	int r = n->outside = this_namespace();
	for (int side = 0; r >= 0 && side < 2; side++)
		r = n->inside[side] = make_side(n->outside);
	for (int side = 0; r >= 0 && side < 2; side++)
		r = ip(n, side, "link set lo up\n");
	for (unsigned i = 1; r >= 0 && i <= links; i++) {
		if (!mtu)
			mtu = 1500;
		/* IPv6 would only add chatter of its own; its addresses are never used. */
		r = ip(n, NET_TARGET,
		       "link add p%u mtu %u type veth peer name p%u mtu %u netns /proc/%d/fd/%d\n"
		       "addr add %s/24 dev p%u\n"
		       "link set p%u addrgenmode none\nlink set p%u up\n",
		       i, mtu, i, mtu, getpid(), n->inside[NET_INITIATOR],
		       net_address(NET_TARGET, i), i, i, i);
		if (r >= 0)
			r = ip(n, NET_INITIATOR,
			       "addr add %s/24 dev p%u\n"
			       "link set p%u addrgenmode none\nlink set p%u up\n",
			       net_address(NET_INITIATOR, i), i, i, i);
	}
	for (int side = 0; r >= 0 && side < 2; side++)
		r = tune(n, side);
	if (r >= 0)
		r = wait_carrier(n);
	if (r < 0)
		net_free(n);
	return r < 0 ? r : 0;
}

void net_free(struct net *n)
{
	if (!n->inside[NET_INITIATOR] && !n->inside[NET_TARGET])
		return; /* zeroed */
	net_leave(n);
	for (int side = 0; side < 2; side++)
		if (n->inside[side] >= 0)
			close(n->inside[side]);
	if (n->outside >= 0)
		close(n->outside);
	*n = (struct net){.outside = -1, .inside = {-1, -1}};
}

int net_enter(const struct net *n, enum net_side side)
{
	return setns(n->inside[side], CLONE_NEWNET) ? -errno : 0;
}

int net_leave(const struct net *n)
{
	return n->outside < 0 || setns(n->outside, CLONE_NEWNET) ? -errno : 0;
}

const char *net_address(enum net_side side, unsigned link)
{
	static const char *const address[2][NET_LINKS] = {
		[NET_INITIATOR] = {"10.77.1.2", "10.77.2.2", "10.77.3.2", "10.77.4.2"},
		[NET_TARGET] = {"10.77.1.1", "10.77.2.1", "10.77.3.1", "10.77.4.1"},
	};
	return address[side][link - 1];
}

int net_mtu_end(const struct net *n, enum net_side side, unsigned link, unsigned mtu)
{
	return ip(n, side, "link set p%u mtu %u\n", link, mtu);
}

int net_mtu(const struct net *n, unsigned link, unsigned mtu)
{
	int r = net_mtu_end(n, NET_TARGET, link, mtu);
	return r ? r : net_mtu_end(n, NET_INITIATOR, link, mtu);
}

int net_cable(const struct net *n, unsigned link, bool up)
{
	return ip(n, NET_TARGET, "link set p%u %s\n", link, up ? "up" : "down");
}

/* The neighbour gets a hardware address that nobody has: no packet filter and no queueing discipline
 * is needed, which not every kernel has. */
int net_blackhole(const struct net *n, unsigned link, bool on)
{
	for (int side = 0; side < 2; side++) {
		const char *to = net_address(side == NET_TARGET ? NET_INITIATOR : NET_TARGET, link);
		int r = on ? ip(n, side,
				"neigh replace %s lladdr 02:00:00:00:00:01 dev p%u nud permanent\n",
				to, link)
			   : ip(n, side, "neigh del %s dev p%u\n", to, link);
		if (r)
			return r;
	}
	return 0;
}
