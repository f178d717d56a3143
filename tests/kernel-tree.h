/* kernel-tree.h - a recorded /sys for tests of the kernel's iSCSI sessions, made from kernel-iscsi.txt. */
#ifndef LUNSCOPE_TEST_KERNEL_TREE_H
#define LUNSCOPE_TEST_KERNEL_TREE_H

#include "guard/guard.h"

/* Puts the sections ("healthy dm") over what is in the tree of the test, which is below scratch_dir(); the
 * recording is found by TEST_SRCDIR. */
void tree_put(const char *sections);
/* One file: its contents without the end of line, NULL = an empty file. path begins with '/'. */
void tree_file(const char *path, const char *contents);
/* With all that is below it. */
void tree_remove(const char *path);
/* Empties the tree. */
void tree_clear(void);
/* "DIR/sys/PATH", one at a time. */
const char *tree_path(const char *path);
/* The tree as the host to look at. */
const struct guard_host *tree_host(void);

#endif
