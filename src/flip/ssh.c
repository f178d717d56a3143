/* ssh.c - see ssh.h. */
#include "flip/ssh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "env/rtnl.h"
#include "nic.h"

#define NAME        "SSH_CONNECTION="
#define ANCESTORS   32
#define ENVIRONMENT (256 << 10)

/* --- Which session. --- */

/* In an environment as /proc has it: texts with a 0 behind each. */
static bool find_in(const char *text, size_t n, char *out, size_t room)
{
	for (size_t at = 0; at < n; at += strnlen(text + at, n - at) + 1)
		if (strncmp(text + at, NAME, sizeof(NAME) - 1) == 0) {
			snprintf(out, room, "%s", text + at + sizeof(NAME) - 1);
			return out[0] != 0;
		}
	return false;
}

static bool in_environment(pid_t pid, char *out, size_t n)
{
	char path[48];
	bool found = false;

	snprintf(path, sizeof(path), "/proc/%d/environ", pid);
	FILE *f = fopen(path, "re");
	char *text = f ? malloc(ENVIRONMENT + 1) : NULL;
	if (text) {
		size_t length = fread(text, 1, ENVIRONMENT, f);
		text[length] = 0;
		found = find_in(text, length, out, n);
	}
	free(text);
	if (f)
		fclose(f);
	return found;
}

/* "PID (NAME) STATE PARENT ...": a name may have anything in it, but the last bracket is its end. */
static pid_t parent_of(pid_t pid)
{
	char path[48], line[512];
	int parent = 0;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	FILE *f = fopen(path, "re");
	if (!f)
		return 0;
	const char *end = fgets(line, sizeof(line), f) ? strrchr(line, ')') : NULL;
	if (!end || sscanf(end + 1, " %*c %d", &parent) != 1)
		parent = 0;
	fclose(f);
	return parent;
}

bool ssh_connection(char *out, size_t n)
{
	const char *own = getenv("SSH_CONNECTION");
	pid_t pid = getppid();

	out[0] = 0;
	if (own && own[0]) {
		snprintf(out, n, "%s", own);
		return true;
	}
	for (int i = 0; i < ANCESTORS && pid > 1; i++, pid = parent_of(pid))
		if (in_environment(pid, out, n))
			return true;
	return false;
}

/* --- Which NIC. --- */

static void end_point(char *out, size_t n, const char *address, const char *port)
{
	snprintf(out, n, strchr(address, ':') ? "[%s]:%s" : "%s:%s", address, port);
}

void ssh_nic_of(const char *connection, char nic[16])
{
	char client[64], client_port[8], server[64], server_port[8], local[80], remote[80];

	nic[0] = 0;
	if (sscanf(connection, "%63s %7s %63s %7s", client, client_port, server, server_port) != 4)
		return;
	end_point(local, sizeof(local), server, server_port);
	end_point(remote, sizeof(remote), client, client_port);
	nic_of(local, remote, nic);
}

bool ssh_is_over(const char *ssh_nic, const char *nic)
{
	static const char *const upon[] = {"vlan", "macvlan", "ipvlan"};
	struct ask rtnl;
	struct rtnl_link over, l;
	bool is = false;

	if (!ssh_nic[0] || !nic[0])
		return false;
	if (strcmp(ssh_nic, nic) == 0)
		return true;
	if (ask_open(&rtnl, NETLINK_ROUTE, NULL))
		return false;
	if (rtnl_link_ask(&rtnl, ssh_nic, &over, NULL) == 0 &&
	    rtnl_link_ask(&rtnl, nic, &l, NULL) == 0) {
		is = l.master && l.master == over.index;
		/* Of a cable "link" is its other end, which may be in another namespace. */
		for (size_t i = 0; i < sizeof(upon) / sizeof(*upon); i++)
			is |= strcmp(over.kind, upon[i]) == 0 && over.link == l.index;
	}
	ask_close(&rtnl);
	return is;
}
