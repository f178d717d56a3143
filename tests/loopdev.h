/* loopdev.h - loop devices for tests: made over a file, always given back (see scratch.h). */
#ifndef LUNSCOPE_TEST_LOOPDEV_H
#define LUNSCOPE_TEST_LOOPDEV_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

struct loopdev {
	int number;
	char node[32];		/* "/dev/loop3" */
	char name[16];		/* "loop3" */
	char backing[PATH_MAX];
};

struct loopdev_options {
	uint32_t sector;	/* logical block size; 0 = 512 */
	bool direct;		/* the loop driver reads and writes its file with O_DIRECT */
	bool partscan;
	bool read_only;
};

/* The kernel's own count, /sys/block/loopN/stat. */
struct blockstat {
	uint64_t read_ios, read_bytes, write_ios, write_bytes;
	uint64_t inflight;
};

/* NULL where loop devices can be made, else the reason for skip(): no root, no /dev/loop-control. */
const char *loopdev_missing(void);

/* Attaches a free loop device to the file. 0 or -errno. */
int loopdev_attach(struct loopdev *l, const char *file, const struct loopdev_options *o);
/* The same over a fresh scratch file of that size, full of data. */
int loopdev_make(struct loopdev *l, const char *name, uint64_t size,
		 const struct loopdev_options *o);
/* The same for a cmocka test, which skips where there are no loop devices and fails where it can't be
 * made; sector 0 = 512. */
void loopdev_need(struct loopdev *l, uint64_t size, uint32_t sector);
/* Unmounts what a test has mounted there, "" for nothing; who looks at all mounts may hold it for a moment. */
void loopdev_unmount(char *where);
/* Gives it back, waiting for it to let go of its file; the file stays in the scratch folder. */
int loopdev_free(struct loopdev *l);
/* Tells the kernel that the file's size has changed. */
int loopdev_resized(struct loopdev *l);
int loopdev_stat(const struct loopdev *l, struct blockstat *s);

#endif
