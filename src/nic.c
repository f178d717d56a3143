/* nic.c - see nic.h. */
#include "nic.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <ifaddrs.h>
#include <limits.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* An address seldom moves to another interface, and a driver may take a while to tell the speed. */
#define LOOK_NS UINT64_C(5000000000)
/* How many interfaces can lie upon each other. */
#define STACK_MAX 8

/* --- Whose address. --- */

struct address {
	int family; /* AF_UNSPEC = none */
	uint8_t bytes[16];
	char scope[IF_NAMESIZE];
};

/* IPv4 in IPv6's clothes (RFC 4291, 2.5.5.2) is IPv4. */
static void unmap(struct address *a)
{
	static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};

	if (a->family != AF_INET6 || memcmp(a->bytes, mapped, sizeof(mapped)) != 0)
		return;
	a->family = AF_INET;
	memmove(a->bytes, a->bytes + 12, 4);
}

static struct address parse(const char *text)
{
	struct address a = {.family = AF_UNSPEC};
	char host[80];
	bool six = text[0] == '[';

	snprintf(host, sizeof(host), "%s", six ? text + 1 : text);
	host[strcspn(host, six ? "]" : ":")] = 0;
	char *scope = strchr(host, '%');
	if (scope) {
		*scope = 0;
		snprintf(a.scope, sizeof(a.scope), "%.15s", scope + 1);
	}
	int family = six ? AF_INET6 : AF_INET;
	if (inet_pton(family, host, a.bytes) == 1)
		a.family = family;
	unmap(&a);
	return a;
}

static struct address address_of(const struct sockaddr *s)
{
	struct address a = {.family = AF_UNSPEC};

	if (s && s->sa_family == AF_INET) {
		a.family = AF_INET;
		memcpy(a.bytes, &((const struct sockaddr_in *)s)->sin_addr, 4);
	} else if (s && s->sa_family == AF_INET6) {
		a.family = AF_INET6;
		memcpy(a.bytes, &((const struct sockaddr_in6 *)s)->sin6_addr, 16);
	}
	return a;
}

/* All of 127.0.0.0/8 is the loopback's (RFC 1122, 3.2.1.3), though it has but one address. */
static bool in_loopback(const struct ifaddrs *i, const struct address *a)
{
	return a->family == AF_INET && a->bytes[0] == 127 && i->ifa_flags & IFF_LOOPBACK;
}

static bool has(const struct ifaddrs *i, const struct address *a)
{
	struct address own = address_of(i->ifa_addr);

	if (a->family == AF_UNSPEC || own.family != a->family)
		return false;
	if (in_loopback(i, a))
		return true;
	/* Link-local addresses are each link's own: several may have the same. */
	if (a->scope[0] && strcmp(a->scope, i->ifa_name) != 0)
		return false;
	return memcmp(own.bytes, a->bytes, a->family == AF_INET ? 4 : 16) == 0;
}

void nic_of(const char *local, const char *portal, char name[16])
{
	struct address from = parse(local), to = parse(portal);
	struct ifaddrs *list, *loopback = NULL;
	unsigned owners = 0;
	bool own_portal = false;

	name[0] = 0;
	if (from.family == AF_UNSPEC || getifaddrs(&list))
		return;
	for (struct ifaddrs *i = list; i; i = i->ifa_next) {
		if (i->ifa_flags & IFF_LOOPBACK && !loopback)
			loopback = i;
		own_portal |= has(i, &to);
		if (!has(i, &from) || strcmp(name, i->ifa_name) == 0)
			continue;
		owners++;
		snprintf(name, 16, "%s", i->ifa_name);
	}
	if (own_portal && loopback)
		snprintf(name, 16, "%s", loopback->ifa_name);
	else if (owners != 1)
		name[0] = 0;
	freeifaddrs(list);
}

/* --- What it is. --- */

static int64_t read_number(const char *root, const char *name, const char *file)
{
	char path[PATH_MAX];
	long long v = -1;

	snprintf(path, sizeof(path), "%s/sys/class/net/%s/%s", root, name, file);
	FILE *f = fopen(path, "re");
	if (!f)
		return -1;
	/* Of an interface that is down the read fails. */
	if (fscanf(f, "%lld", &v) != 1)
		v = -1;
	fclose(f);
	return v;
}

/* Hardware has a device; a bond, a bridge or a VLAN lies upon others, whose speed is its own. */
static bool has_hardware(const char *root, const char *name, unsigned depth)
{
	char path[PATH_MAX];
	bool found = false;

	snprintf(path, sizeof(path), "%s/sys/class/net/%s/device", root, name);
	if (access(path, F_OK) == 0)
		return true;
	*strrchr(path, '/') = 0;
	DIR *d = depth < STACK_MAX ? opendir(path) : NULL;
	if (!d)
		return false;
	for (struct dirent *e = readdir(d); e && !found; e = readdir(d))
		if (strncmp(e->d_name, "lower_", 6) == 0)
			found = has_hardware(root, e->d_name + 6, depth + 1);
	closedir(d);
	return found;
}

/* Documentation/ABI/testing/sysfs-class-net: Mb/s, and -1 for what is not known. */
void nic_ask(struct nic *n, const char *root)
{
	int64_t speed = read_number(root, n->name, "speed");

	n->bits_s = speed > 0 && speed < INT32_MAX ? speed * 1000000 : -1;
	n->nominal = n->bits_s > 0 && !has_hardware(root, n->name, 0);
}

static int64_t ask_mtu(const char *name)
{
	struct ifreq r = {0};
	int64_t mtu = -1;
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -1;
	snprintf(r.ifr_name, sizeof(r.ifr_name), "%s", name);
	if (ioctl(fd, SIOCGIFMTU, &r) == 0)
		mtu = r.ifr_mtu;
	close(fd);
	return mtu;
}

/* A thread in another network namespace than the one that /sys was mounted in sees there interfaces that
 * it can't use. */
static bool sysfs_is_ours(const char *name)
{
	return read_number("", name, "ifindex") == (int64_t)if_nametoindex(name);
}

const struct nic *nics_find(struct nics *n, unsigned place, const char *local, const char *portal,
			    const char *bound, uint64_t now_ns)
{
	struct nic *nic = &n->place[place].nic;
	bool same = strcmp(n->place[place].local, local) == 0 &&
		    strcmp(n->place[place].portal, portal) == 0;

	if (!same || !n->place[place].looked_ns || now_ns > n->place[place].looked_ns + LOOK_NS) {
		snprintf(n->place[place].local, sizeof(n->place[place].local), "%s", local);
		snprintf(n->place[place].portal, sizeof(n->place[place].portal), "%s", portal);
		n->place[place].looked_ns = now_ns;
		*nic = (struct nic){.bits_s = -1};
		if (bound[0])
			snprintf(nic->name, sizeof(nic->name), "%.15s", bound);
		else
			nic_of(local, portal, nic->name);
		if (nic->name[0] && sysfs_is_ours(nic->name))
			nic_ask(nic, "");
	}
	nic->mtu = nic->name[0] ? ask_mtu(nic->name) : -1;
	return nic;
}
