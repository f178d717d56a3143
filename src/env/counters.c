/* counters.c - see counters.h. */
#include "env/counters.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A line is about 130 bytes; a host with more interfaces than fit has those that came first seen. */
#define DEV_BYTES  (256 << 10)
#define SNMP_BYTES 16384

static int open_file(const char *root, const char *name)
{
	char path[PATH_MAX];

	/* /proc/net is the main thread's. */
	snprintf(path, sizeof(path), "%s/proc/%s/%s", root, root[0] ? "net" : "thread-self/net",
		 name);
	return open(path, O_RDONLY | O_CLOEXEC);
}

void counters_open(struct counters *c, const char *root)
{
	c->dev = open_file(root, "dev");
	c->snmp = open_file(root, "snmp");
}

void counters_close(struct counters *c)
{
	if (c->dev >= 0)
		close(c->dev);
	if (c->snmp >= 0)
		close(c->snmp);
	c->dev = c->snmp = -1;
}

/* The kernel hands out a page at a time. NULL without memory or file. */
static char *read_all(int fd, size_t room)
{
	size_t used = 0;
	char *text = fd >= 0 ? malloc(room) : NULL;

	while (text && used + 1 < room) {
		ssize_t n = pread(fd, text + used, room - 1 - used, (off_t)used);
		if (n <= 0)
			break;
		used += (size_t)n;
	}
	if (text)
		text[used] = 0;
	return text;
}

/* --- /proc/net/dev --- */

/* "rx: bytes packets errs drop fifo frame compressed multicast, tx: bytes packets errs drop fifo colls
 * carrier compressed" */
static void scan_line(const char *figures, struct nic_counters *c)
{
	uint64_t v[16];
	char *end;

	for (int i = 0; i < 16; i++) {
		v[i] = strtoull(figures, &end, 10);
		if (end == figures)
			return;
		figures = end;
	}
	*c = (struct nic_counters){.there = true,
				   .rx_bytes = v[0],
				   .rx_packets = v[1],
				   .rx_errors = v[2] + v[4],
				   .rx_drops = v[3],
				   .tx_bytes = v[8],
				   .tx_packets = v[9],
				   .tx_errors = v[10] + v[12],
				   .tx_drops = v[11]};
}

void counters_scan_dev(const char *text, const struct env_nic *nic, unsigned n,
		       struct nic_counters *out)
{
	memset(out, 0, n * sizeof(*out));
	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += strspn(line, "\n ");
		size_t length = strcspn(line, ":\n");
		if (line[length] != ':')
			continue;
		for (unsigned i = 0; i < n; i++)
			if (strlen(nic[i].name) == length && memcmp(nic[i].name, line, length) == 0)
				scan_line(line + length + 1, &out[i]);
	}
}

void counters_read(const struct counters *c, const struct env_nic *nic, unsigned n,
		   struct nic_counters *out)
{
	char *text = read_all(c->dev, DEV_BYTES);

	counters_scan_dev(text ? text : "", nic, n, out);
	free(text);
}

void counters_once(const struct env_nic *nic, unsigned n, uint32_t carries, uint32_t *bytes,
		   uint32_t *faults)
{
	*bytes = carries;
	*faults = 0;
	for (unsigned i = 0; i < n; i++) {
		uint32_t own = UINT32_C(1) << i, both = nic[i].upon & carries;
		if (!nic[i].sums)
			*faults |= own;
		if (!(carries & own) || !both)
			continue;
		*bytes &= ~(nic[i].sums ? both : own);
	}
}

/* --- /proc/net/snmp --- */

/* Two lines: what stands where, and the figures. */
bool counters_scan_snmp(const char *text, uint64_t *segments)
{
	const char *names = strstr(text, "Tcp:"),
		   *values = names ? strstr(names + 4, "Tcp:") : NULL;

	while (values && names < values) {
		names += strcspn(names, " \n");
		values += strcspn(values, " \n");
		if (*names != ' ' || *values != ' ')
			return false;
		names++;
		values++;
		if (strncmp(names, "RetransSegs", 11) == 0)
			return sscanf(values, "%" SCNu64, segments) == 1;
	}
	return false;
}

bool counters_retransmits(const struct counters *c, uint64_t *segments)
{
	char *text = read_all(c->snmp, SNMP_BYTES);
	bool known = text && counters_scan_snmp(text, segments);

	free(text);
	return known;
}
