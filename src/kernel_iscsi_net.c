/* kernel_iscsi_net.c - what the network side of this host tells of a session of the kernel's iSCSI
 * initiator: its TCP connection, the NIC that it leaves by, what it has counted. */
#include "kernel_iscsi_internal.h"

#include <net/if.h>
#include <netinet/in.h>
#include <unistd.h>

#include "guard/gates.h"
#include "nic.h"
#include "route.h"
#include "tcp_diag.h"

struct kernel_net net_open(const struct guard_host *h)
{
	struct kernel_net n = {.stats = -1, .diag = tcp_diag_open()};

	/* The numbers of sessions in a recorded tree are those of another host. */
	if (sight_real(h))
		n.stats = kernel_stats_open();
	return n;
}

void net_close(struct kernel_net *n)
{
	if (n->stats >= 0)
		close(n->stats);
	if (n->diag >= 0)
		close(n->diag);
	n->stats = n->diag = -1;
}

static struct sockaddr_storage without_address(const struct sockaddr_storage *a)
{
	struct sockaddr_storage out = *a;

	if (a->ss_family == AF_INET)
		((struct sockaddr_in *)&out)->sin_addr.s_addr = INADDR_ANY;
	else
		((struct sockaddr_in6 *)&out)->sin6_addr = in6addr_any;
	return out;
}

/* What is bound to a NIC is only found by the NIC's number. */
static bool look_at_tcp(struct kernel_net *n, struct kernel_session *s, struct ends *e, bool deep)
{
	unsigned interface = s->facts.nic[0] ? if_nametoindex(s->facts.nic) : 0;

	if (!e->connected || n->diag < 0)
		return true;
	if (tcp_address_is_set(&e->local) &&
	    tcp_diag_look(n->diag, &e->local, &e->remote, interface, &s->session) == 0)
		return true;
	if (!deep)
		return false;
	struct sockaddr_storage local = without_address(&e->local);
	if (tcp_diag_look(n->diag, &local, &e->remote, interface, &s->session))
		return false;
	e->local = local;
	return true;
}

/* Where the initiator's interface does not name it: the one that has the address which is connected
 * from, else the one that the portal is reached by. */
static void find_nic(struct kernel_session *s, const struct ends *e)
{
	if (!s->facts.nic[0] && s->session.local[0])
		nic_of(s->session.local, s->session.portal, s->facts.nic);
	if (!s->facts.nic[0])
		route_to(&e->remote, s->facts.nic, NULL);
}

bool net_look(struct kernel_net *n, const struct guard_host *h, struct kernel_session *s,
	      struct ends *ends, bool deep)
{
	uint64_t transport;
	bool done = look_at_tcp(n, s, ends, deep);

	find_nic(s, ends);
	if (n->stats >= 0 && session_transport(h, s->facts.host, &transport))
		kernel_stats_ask(n->stats, transport, s->facts.sid, 0, &s->facts.stats);
	return done;
}
