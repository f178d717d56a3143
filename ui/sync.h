/* sync.h - synchronised output (DEC private mode 2026): a terminal that has it shows a frame as a whole, however
 * many writes it takes to arrive.
 *
 * Only after asking (DECRQM): a terminal that knows the mode answers that it is set or reset, others that they don't
 * or nothing at all. The answer comes among the keys, whenever it comes; until then frames go out as they are.
 */
#ifndef LUNSCOPE_SYNC_H
#define LUNSCOPE_SYNC_H

#include <stdbool.h>

#define SYNC_QUESTION	"\033[?2026$p"
#define SYNC_IS_UNKNOWN "\033[?2026;0$y"
#define SYNC_IS_SET	"\033[?2026;1$y"
#define SYNC_IS_RESET	"\033[?2026;2$y"
#define SYNC_IS_ALWAYS	"\033[?2026;3$y" /* as if there were none: it can't be turned on and off */
#define SYNC_IS_NEVER	"\033[?2026;4$y"
#define SYNC_BEGIN	"\033[?2026h"
#define SYNC_END	"\033[?2026l"

/* Whether it is a terminal of a kind that can be asked: others would print the question. */
bool sync_askable(const char *term);

#endif
