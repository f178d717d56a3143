/* nic_settings.c - see nic_settings.h. */
#include "env/nic_settings.h"

#include <errno.h>
#include <linux/netlink.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "env/ethtool.h"
#include "env/rtnl.h"

int nic_desk_open(struct nic_desk *d, struct error *e)
{
	memset(d, 0, sizeof(*d));
	int rc = ask_open(&d->rtnl, NETLINK_ROUTE, e);
	if (rc == 0)
		rc = ethtool_open(&d->ethtool, e);
	if (rc)
		nic_desk_close(d);
	return rc;
}

void nic_desk_close(struct nic_desk *d)
{
	ask_close(&d->rtnl);
	ethtool_close(&d->ethtool);
}

int nic_desk_read(struct nic_desk *d, const char *nic, struct facts *f, struct error *e)
{
	char words[FACT_WORDS];
	struct rtnl_link l;
	int rc = rtnl_link_ask(&d->rtnl, nic, &l, NULL);

	if (rc == -ENODEV)
		return error_set(e, ENODEV, "there is no NIC '%.20s' (ip link has their names)",
				 nic);
	if (rc)
		return error_errno(e, -rc, "%s", nic);
	snprintf(words, sizeof(words), "%s mtu", l.name);
	facts_setf(f, words, "%u", l.mtu);
	snprintf(words, sizeof(words), "%s link", l.name);
	facts_set(f, words, l.up ? "up" : "down");
	rc = ethtool_read(&d->ethtool, l.name, f);
	return rc ? error_errno(e, -rc, "%s", nic) : 0;
}

int nic_settings_read(const char *nic, struct facts *f, struct error *e)
{
	struct nic_desk d;
	int rc = nic_desk_open(&d, e);

	if (rc)
		return rc;
	rc = nic_desk_read(&d, nic, f, e);
	nic_desk_close(&d);
	return rc;
}

/* --- Changing. --- */

static int write_mtu(struct nic_desk *d, const char *nic, const char *value, char *reason)
{
	char *end;

	errno = 0;
	unsigned long mtu = strtoul(value, &end, 10);
	if (value[0] < '0' || value[0] > '9' || *end || errno || mtu > INT32_MAX) {
		snprintf(reason, ASK_REASON, "it is a number of bytes");
		return -EINVAL;
	}
	return rtnl_set_mtu(&d->rtnl, nic, (uint32_t)mtu, reason);
}

static int explain(int rc, const char *words, const char *value, const char *reason,
		   struct error *e)
{
	/* To root it is the kernel that says no. */
	if (rc == -EPERM && geteuid() != 0)
		return error_set(e, EPERM, "%s: not permitted: changing it needs root", words);
	if (rc == -ENODEV)
		return error_set(e, ENODEV, "%s: there is no such NIC", words);
	if (reason[0])
		return error_set(e, -rc, "%s can't be set to %s: %s", words, value, reason);
	if (rc == -EOPNOTSUPP)
		return error_set(e, EOPNOTSUPP,
				 "%s can't be set to %s: not supported by the driver", words,
				 value);
	return error_errno(e, -rc, "%s can't be set to %s", words, value);
}

bool nic_settings_possible(const char *words)
{
	char nic[IF_NAMESIZE];
	const char *what = fact_split(words, nic, sizeof(nic));
	bool settable;

	if (!what)
		return false;
	return strcmp(what, "mtu") == 0 || (ethtool_knows(what, &settable) && settable);
}

int nic_settings_write(const char *words, const char *value, struct error *e)
{
	char nic[IF_NAMESIZE], reason[ASK_REASON] = "";
	const char *what = fact_split(words, nic, sizeof(nic));
	struct nic_desk d;

	if (!what)
		return error_set(e, EINVAL, "'%.60s' is no setting of a NIC", words);
	int rc = nic_desk_open(&d, e);
	if (rc)
		return rc;
	if (strcmp(what, "mtu") == 0)
		rc = write_mtu(&d, nic, value, reason);
	else
		rc = ethtool_write(&d.ethtool, nic, what, value, reason);
	nic_desk_close(&d);
	return rc ? explain(rc, words, value, reason, e) : 0;
}
