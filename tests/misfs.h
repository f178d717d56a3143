/* misfs.h - a file system with one file in it, which misbehaves to order and writes down what
 * reached it.
 *
 * The kernel's FUSE protocol, spoken on a thread of the test itself: nothing is simulated in the
 * program under test, whose system calls get the answers that a bad disk, server or file system
 * would give. The mount is this process's own (see private_mounts) and gone with it.
 */
#ifndef LUNSCOPE_TEST_MISFS_H
#define LUNSCOPE_TEST_MISFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MISFS_REFUSE UINT32_MAX

struct misfs_order {
	uint64_t size;	  /* what the file is said to hold; 0 = there is none until one is made */
	uint64_t end;	  /* behind this nothing is read; 0 = size */
	uint32_t block;	  /* IOs with O_DIRECT that are no multiples fail with EINVAL; 0 = any go;
			   * MISFS_REFUSE = none */
	uint32_t portion; /* so much is transferred of an IO with O_DIRECT, not more; 0 = all */
};

/* An IO with O_DIRECT that reached the file. */
struct misfs_io {
	bool write;
	uint32_t size;
	uint64_t offset;
};

/* A mount namespace of this process's own; a cmocka group setup. */
int private_mounts(void **state);
/* NULL where it can be mounted, else the reason for skip(). */
const char *misfs_missing(void);
/* Mounts it anew in the scratch folder; 0 or -errno. misfs_file() is the path of its file. */
int misfs_mount(const struct misfs_order *o);
const char *misfs_file(void);
/* The IOs so far, in the order in which they came; at most max. */
size_t misfs_ios(struct misfs_io *out, size_t max);
/* No IO is answered any more. */
void misfs_silence(void);
/* Does nothing where nothing is mounted. */
void misfs_unmount(void);

#endif
