/* files.h - settings that are the text of a file below /proc/sys or /sys, read again and again.
 *
 * The files stay open: a look at one costs one system call.
 */
#ifndef LUNSCOPE_ENV_FILES_H
#define LUNSCOPE_ENV_FILES_H

#include <stdbool.h>
#include <sys/types.h>
#include "env/facts.h"

struct env_file {
	char words[FACT_WORDS];
	int fd;
	bool choice; /* "[mq-deadline] none": the one in brackets is what is set */
};

/* Zeroed = none. */
struct env_files {
	struct env_file *file;
	size_t count;
};

/* A file that is not there is left out: this kernel has no such setting. One that can't be opened has the
 * reason as its value. */
void env_files_add(struct env_files *s, const char *words, const char *path, bool choice);
/* Adds what they say now. */
void env_files_read(const struct env_files *s, struct facts *f);
void env_files_close(struct env_files *s);

/* --- Which files. --- */

/* The network's sysctls: "net.core.rmem_max", ... Those of the calling thread's network namespace. root as
 * in watch.h. */
void env_sysctls(struct env_files *s, const char *root);
/* Whether a fact's words are one of these. */
bool env_is_sysctl(const char *words);
/* Its file; root is shorter than n. Returns out. */
char *env_sysctl_path(char *out, size_t n, const char *root, const char *words);

/* The kernel's name of a block device, "" when there is none. */
void env_device_name(const char *root, dev_t rdev, char name[64]);
/* The queues of a block device (its kernel name) and of all that it stands on: "sda scheduler", ... */
void env_queues(struct env_files *s, const char *root, const char *device);
/* "scheduler", "nr_requests", ...: from 0 on; NULL behind the last. */
const char *env_queue_attribute(unsigned i);
/* Whether a fact's words end as those of a queue do: "scheduler". */
bool env_is_queue(const char *words);

#endif
