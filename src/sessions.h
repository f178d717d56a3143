/* sessions.h - the connections to a target that is reached over a network, as the run shows them. */
#ifndef LUNSCOPE_SESSIONS_H
#define LUNSCOPE_SESSIONS_H

#include <jansson.h>
#include <stdint.h>
#include "backends/backend.h"
#include "target.h"
#include "timeline.h"

#define SESSIONS_MAX 16 /* looked at one by one */

struct sessions {
	unsigned count, up;
	uint64_t drops;
	struct backend_session session[SESSIONS_MAX];
};

/* Asks the backend, which never waits for the network. Nothing where the target has no sessions. */
void sessions_look(struct sessions *s, const struct target *t);
/* Marks what has come and gone between two looks. */
void sessions_tell(const struct sessions *before, const struct sessions *now, struct timeline *t,
		   uint64_t t_ns, uint32_t generation);
/* [{"state", "portal", "local", "parameters": {...}, ..., "tcp": {...}}, ...]; what is not known is null. */
json_t *sessions_json(const struct sessions *s);

const char *session_state_name(enum backend_session_state state); /* "down", "logging in", "up" */

#endif
