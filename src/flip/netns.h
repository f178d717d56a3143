/* netns.h - where a network namespace is to be found that somebody else's change was made in. */
#ifndef LUNSCOPE_FLIP_NETNS_H
#define LUNSCOPE_FLIP_NETNS_H

#include <limits.h>
#include <stdint.h>
#include <sys/types.h>

enum netns_where {
	NETNS_NAMED,   /* `ip netns` has a name for it */
	NETNS_PROCESS, /* a process is in it */
	NETNS_HIDDEN,  /* not found among those that this process may look at */
	NETNS_NOWHERE  /* not found, and nothing was hidden */
};

struct netns_found {
	enum netns_where where;
	char name[NAME_MAX + 1];
	pid_t pid;
};

/* By its inode; 0, which is known of none, is hidden. */
struct netns_found netns_find(uint64_t inode);

#endif
