/* cpus.c - see cpus.h. */
#include "cpus.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

char *cpus_format(char *out, size_t n, const cpu_set_t *set)
{
	size_t used = 0;

	if (CPU_COUNT(set) == 0) {
		snprintf(out, n, "all");
		return out;
	}
	out[0] = '\0';
	for (int from = 0; from < CPU_SETSIZE && used < n; from++) {
		if (!CPU_ISSET(from, set))
			continue;
		int to = from;
		while (to + 1 < CPU_SETSIZE && CPU_ISSET(to + 1, set))
			to++;
		used += (size_t)snprintf(out + used, n - used, "%s%d", used ? "," : "", from);
		if (to > from && used < n)
			used += (size_t)snprintf(out + used, n - used, "-%d", to);
		from = to;
	}
	return out;
}

/* "7" or "0-3" at *p, which moves behind it. */
static int parse_span(cpu_set_t *set, const char **p)
{
	char *end;
	unsigned long from = strtoul(*p, &end, 10), to = from;

	if (end == *p || **p == '-' || **p == '+')
		return -EINVAL;
	if (*end == '-') {
		const char *second = end + 1;
		to = strtoul(second, &end, 10);
		if (end == second || *second == '-' || *second == '+')
			return -EINVAL;
	}
	if (to < from || to >= CPU_SETSIZE)
		return -EINVAL;
	for (; from <= to; from++)
		CPU_SET(from, set);
	*p = end;
	return 0;
}

int cpus_parse(cpu_set_t *set, const char *text, struct error *e)
{
	const char *p = text;

	CPU_ZERO(set);
	if (strcasecmp(text, "all") == 0)
		return 0;
	while (parse_span(set, &p) == 0 && *p == ',')
		p++;
	if (p == text || *p || p[-1] == ',')
		return error_set(e, EINVAL, "cpus '%s': write a list as 0-3,8 (up to %d), or all",
				 text, CPU_SETSIZE - 1);
	return 0;
}

static cpu_set_t allowed;

static void read_allowed(void)
{
	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		CPU_SET(0, &allowed);
}

cpu_set_t cpus_allowed(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, read_allowed);
	return allowed;
}

cpu_set_t cpus_of_worker(const cpu_set_t *set, uint32_t i, const cpu_set_t *home)
{
	int count = CPU_COUNT(set);
	cpu_set_t one;

	if (count == 0)
		return *home;
	CPU_ZERO(&one);
	int skip = (int)(i % (uint32_t)count);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, set) && skip-- == 0)
			CPU_SET(cpu, &one);
	return one;
}
