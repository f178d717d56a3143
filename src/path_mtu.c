/* path_mtu.c - see path_mtu.h. */
#include "path_mtu.h"

#include <stdio.h>
#include <string.h>

#include "units.h"

/* What IP and TCP take without any options (RFC 791, RFC 8200, RFC 9293), and with time stamps (RFC 7323). */
static int64_t least_headers(const struct path_view *p)
{
	return p->all.local[0] == '[' ? 60 : 40;
}

static int64_t most_headers(const struct path_view *p)
{
	return least_headers(p) + 12;
}

bool path_mtu_unused(const struct path_view *p)
{
	int64_t cap = p->all.mss_cap, mtu = p->nic_mtu;

	/* The NIC's MTU alone is no promise: the route may have a smaller one. */
	return p->up && cap > 0 && mtu > 0 && p->all.pmtu >= mtu &&
	       cap + 2 * most_headers(p) <= mtu;
}

bool path_mtu_exceeded(const struct path_view *p)
{
	int64_t cap = p->all.mss_cap, mtu = p->nic_mtu;

	return p->up && cap > 0 && mtu > 0 && cap + least_headers(p) > mtu;
}

bool path_mtu_words(char *out, size_t n, const struct path_view *p)
{
	const char *nic = p->nic[0] ? p->nic : "NIC";
	long long mtu = p->nic_mtu, cap = p->all.mss_cap;

	const char *meaning;

	if (path_mtu_unused(p))
		meaning = ", and keep to that until they log in anew";
	else if (path_mtu_exceeded(p))
		meaning = "; if large IOs stall, suspect a larger MTU at the other end";
	else
		return false;
	snprintf(out, n, "%s mtu %lld: its sessions were opened for MSS %lld%s", nic, mtu, cap,
		 meaning);
	return true;
}

char *path_mtu_all(char *out, size_t n, const struct sessions *s)
{
	char words[160];

	out[0] = 0;
	for (unsigned i = 0; i < s->paths && i < PATHS_MAX; i++) {
		bool again = false;
		for (unsigned k = 0; k < i; k++)
			again |= strcmp(s->path[k].nic, s->path[i].nic) == 0 &&
				 path_mtu_words(words, sizeof(words), &s->path[k]);
		if (!again && path_mtu_words(words, sizeof(words), &s->path[i]))
			units_append(out, n, "%s%s", out[0] ? "; " : "", words);
	}
	return out;
}
