/* follow.c - whether a driver has followed a change; see flip_internal.h.
 *
 * Flow control is agreed upon with the other side of the cable while the link comes up: some drivers (ixgbe)
 * take the wish, drop the link, and tell the old values until it is back. Others drop it only after they have
 * answered. So a driver gets time before it is said not to follow, and without a link nothing is said.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "env/rtnl.h"
#include "flip/flip_internal.h"
#include "units.h"

#define STEP_NS  (NS_PER_SEC / 10)
#define LINK_NS  (10 * NS_PER_SEC) /* for the link to come back */
#define GRACE_NS (2 * NS_PER_SEC)  /* for the driver, with the link up */

bool flip_needs_link(const char *words)
{
	char name[64];
	const char *what = flip_kind(words) == FLIP_NIC ? flip_split(words, name) : NULL;

	return what && strncmp(what, "pause ", 6) == 0;
}

int flip_follow_by(const struct flip_eye *eye, const char *to, char *now, size_t n, struct error *e)
{
	uint64_t since = eye->clock(eye->arg), end = since + LINK_NS;
	bool was_up = true;

	for (;;) {
		int rc = eye->read(eye->arg, now, n, e);
		if (rc || strcmp(now, to) == 0)
			return rc;
		enum flip_link link = eye->link(eye->arg);
		uint64_t t = eye->clock(eye->arg);
		if (link == FLIP_LINK_UP && !was_up)
			since = t;
		was_up = link == FLIP_LINK_UP;
		if (link == FLIP_LINK_NONE || (was_up && (t >= since + GRACE_NS || t >= end)))
			return 0;
		if (link == FLIP_LINK_OFF || t >= end)
			return -EINPROGRESS;
		eye->pause(eye->arg, STEP_NS);
	}
}

/* --- Of this host. --- */

static int read_now(void *arg, char *now, size_t n, struct error *e)
{
	return flip_read(arg, now, n, e);
}

static enum flip_link link_now(void *arg)
{
	char name[64];
	struct rtnl_link l;
	struct ask rtnl;

	if (!flip_needs_link(arg) || ask_open(&rtnl, NETLINK_ROUTE, NULL))
		return FLIP_LINK_NONE;
	flip_split(arg, name);
	int rc = rtnl_link_ask(&rtnl, name, &l, NULL);
	ask_close(&rtnl);
	if (rc)
		return FLIP_LINK_NONE;
	return l.up ? FLIP_LINK_UP : l.enabled ? FLIP_LINK_DOWN : FLIP_LINK_OFF;
}

static uint64_t clock_now(void *arg)
{
	(void)arg;
	return clock_ns();
}

static void wait_for(void *arg, uint64_t ns)
{
	struct timespec t = {(time_t)(ns / NS_PER_SEC), (long)(ns % NS_PER_SEC)};

	(void)arg;
	nanosleep(&t, NULL);
}

int flip_follow(const char *words, const char *to, char *now, size_t n, struct error *e)
{
	char own[FACT_WORDS];
	const struct flip_eye eye = {read_now, link_now, clock_now, wait_for, own};

	snprintf(own, sizeof(own), "%s", words);
	int rc = flip_follow_by(&eye, to, now, n, e);
	if (rc != -EINPROGRESS)
		return rc;
	return error_set(
		e, EINPROGRESS,
		"%s: the kernel took %s and tells %s while the link is not up: it stands in "
		"the journal until that can be seen",
		words, to, now);
}

bool flip_believed(const char *words)
{
	char own[FACT_WORDS];

	snprintf(own, sizeof(own), "%s", words);
	enum flip_link link = link_now(own);
	return link == FLIP_LINK_NONE || link == FLIP_LINK_UP;
}
