/* cpus.h - on which CPUs workers run: a list as taskset and fio write it, "0-3,8".
 *
 * A worker's buffers are touched by itself first, so on a host with several NUMA nodes its pages lie on
 * the node of the CPU that it is pinned to.
 */
#ifndef LUNSCOPE_CPUS_H
#define LUNSCOPE_CPUS_H

#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include "error.h"

/* "0-3,8"; "all" for an empty set. Returns out. */
char *cpus_format(char *out, size_t n, const cpu_set_t *set);
/* 0, or -EINVAL with words; "all" is the empty set. */
int cpus_parse(cpu_set_t *set, const char *text, struct error *e);
/* Those that this process may use: its affinity when it started. */
cpu_set_t cpus_allowed(void);
/* Where worker i runs: one CPU of the set, which its workers take in turn; home where the set is empty. */
cpu_set_t cpus_of_worker(const cpu_set_t *set, uint32_t i, const cpu_set_t *home);

#endif
