/* path.h - what belongs to /dev.
 *
 * Nothing is ever created among the device nodes: a mistyped name would become a file there, and
 * fill the host's memory. A folder belongs to /dev by the file system it is on, since that can be
 * bound to any other place, and by its path. /dev/shm is an ordinary tmpfs, unless it is a mere
 * folder of /dev.
 */
#ifndef LUNSCOPE_PATH_H
#define LUNSCOPE_PATH_H

#include <stdbool.h>
#include <sys/types.h>

/* Whether something new at path would belong to /dev. Of folders that don't exist either, the
 * nearest one above that does decides. */
bool path_below_dev(const char *path);
/* Whether what is at path (links followed) and on the file system dev belongs to /dev. */
bool path_on_dev(const char *path, dev_t dev);

#endif
