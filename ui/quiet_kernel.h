/* quiet_kernel.h - the kernel's messages stay off the console while the screen is up.
 *
 * Used by term.c, and by rescue.c when the program dies. Linux has one level for all its consoles
 * (the first number in /proc/sys/kernel/printk): messages below it in importance are kept in the log
 * alone.
 */
#ifndef LUNSCOPE_QUIET_KERNEL_H
#define LUNSCOPE_QUIET_KERNEL_H

#include "error.h"

/* Whether the level may be set here: 0 or -errno with words. Touches nothing. */
int quiet_kernel_check(struct error *e);
/* Lets only emergencies through from here on; harmless when that was begun. 0 or -errno with words. */
int quiet_kernel_begin(struct error *e);
/* Puts back the level that was, unless somebody has set another meanwhile; harmless when nothing was
 * begun. Async-signal-safe. */
void quiet_kernel_end(void);

#endif
