/* nic.c - network interfaces that paths leave by: which path takes which, and whether it can. */
#include "backends/iscsi/iscsi.h"

#include <errno.h>
#include <net/if.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int nic_check(const char *name, struct error *e)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return error_errno(e, errno, "NIC %s: no socket to try it with", name);
	int rc = setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, name, (socklen_t)strlen(name));
	int err = rc ? errno : 0;
	close(fd);
	if (err == ENODEV)
		return error_set(e, ENODEV,
				 "there is no NIC %s here: ip link lists those there are", name);
	/* Since Linux 5.7 whoever has a socket may bind it; before, and in a container without the
	 * capability, not. */
	if (err == EPERM)
		return error_set(e, EPERM,
				 "NIC %s: this user may not bind to it: run as root, or with the "
				 "capability CAP_NET_RAW",
				 name);
	return err ? error_errno(e, err, "NIC %s can't be bound to", name) : 0;
}

bool nic_is_bound(int fd, const char *name)
{
	char bound[IFNAMSIZ] = "";
	socklen_t n = sizeof(bound);

	if (!name[0])
		return true;
	return getsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, bound, &n) == 0 &&
	       strcmp(bound, name) == 0;
}

int nic_paths(const struct backend_paths *how, unsigned portals, const char *spec, struct error *e)
{
	if (how->nics > 1 && portals > 1 && how->nics != portals)
		return error_set(e, EINVAL,
				 "%.300s: %u NICs for %u portals: name one for each portal, in "
				 "their order, or one for all",
				 spec, how->nics, portals);
	return (int)(how->nics > portals ? how->nics : portals);
}

unsigned nic_portal_of(unsigned portals, unsigned i)
{
	return portals > 1 ? i : 0;
}

const char *iscsi_nic(const struct backend_paths *how, unsigned i)
{
	return !how->nics ? "" : how->nics > 1 ? how->nic[i] : how->nic[0];
}
