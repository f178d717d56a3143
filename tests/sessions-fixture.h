/* sessions-fixture.h - the paths to a LUN as the screen would see them: 1 is up and all is known of it, 2
 * is down, 3 was taken out, 4 is up, limited by the target, opened at a small MTU, and much of it is not
 * known. The figures are made up.
 */
#ifndef LUNSCOPE_SESSIONS_FIXTURE_H
#define LUNSCOPE_SESSIONS_FIXTURE_H

#include "sessions.h"

#define FIXTURE_PATHS 4

/* Times are told back from now_ns. */
void sessions_fixture(struct sessions *s, uint64_t now_ns);
/* Only the first of them, with no others to be compared with. */
void sessions_fixture_single(struct sessions *s, uint64_t now_ns);

#endif
