/* differ_facts.h - which watched settings differ (env/facts.h), each told once however many it is set on. */
#ifndef LUNSCOPE_DIFFER_FACTS_H
#define LUNSCOPE_DIFFER_FACTS_H

#include <jansson.h>

/* Adds to list: {"eth2 mtu": "1500", ...} against another such. "eth2, eth3 mtu: 1500 > 9000" where several
 * were changed alike. NICs that only one side has are a difference of their own ("NICs: eth2 > eth3"); where
 * that is one on each side, or one queue, what it is set to is compared with the other's. A setting that only
 * one side knows is none: there nobody looked. */
void facts_differ(json_t *list, const json_t *a, const json_t *b);
/* Which NICs and queues side 0 (a) or 1 (b) alone has and that are compared with none of the other's, with how
 * many settings: "eth2 (22 settings), sda (5 settings)"; "": none. Returns out. */
char *facts_of_one(char *out, size_t n, const json_t *a, const json_t *b, int side);

#endif
