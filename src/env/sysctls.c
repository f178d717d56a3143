/* sysctls.c - the sysctls that a target's connections depend on; see files.h.
 *
 * The kernel tells nobody when one changes. Most of them are each network namespace's own.
 */
#include "env/files.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static const char *const names[] = {
	"net.core.netdev_max_backlog", "net.core.rmem_max",
	"net.core.wmem_max",           "net.ipv4.tcp_congestion_control",
	"net.ipv4.tcp_mtu_probing",    "net.ipv4.tcp_no_metrics_save",
	"net.ipv4.tcp_rmem",           "net.ipv4.tcp_sack",
	"net.ipv4.tcp_timestamps",     "net.ipv4.tcp_window_scaling",
	"net.ipv4.tcp_wmem",
};
#define NAMES (sizeof(names) / sizeof(*names))

bool env_is_sysctl(const char *words)
{
	for (size_t i = 0; i < NAMES; i++)
		if (strcmp(names[i], words) == 0)
			return true;
	return false;
}

char *env_sysctl_path(char *out, size_t n, const char *root, const char *words)
{
	int at = snprintf(out, n, "%s/proc/sys/", root);

	snprintf(out + at, n - (size_t)at, "%s", words);
	for (char *c = out + at; *c; c++)
		if (*c == '.')
			*c = '/';
	return out;
}

void env_sysctls(struct env_files *s, const char *root)
{
	char path[PATH_MAX];

	for (size_t i = 0; i < NAMES; i++)
		env_files_add(s, names[i], env_sysctl_path(path, sizeof(path), root, names[i]),
			      false);
}
