/* run_mtu.c - an event for connections that were opened with another MTU than their NIC has now: after a flip
 * figures would be of the old segments, and nobody would know why nothing has changed.
 */
#include <string.h>

#include "path_mtu.h"
#include "run_env.h"
#include "run_internal.h"

/* Whether that was said already, of this or of another path by the same NIC; remembers it. */
static bool is_news(struct mtu_told *told, const struct sessions *s, unsigned at)
{
	const struct path_view *p = &s->path[at];
	bool news = told[at].mtu != p->nic_mtu || told[at].cap != p->all.mss_cap;

	told[at] = (struct mtu_told){p->nic_mtu, p->all.mss_cap};
	for (unsigned i = 0; i < at; i++)
		news &= strcmp(s->path[i].nic, p->nic) != 0 || told[i].mtu != p->nic_mtu ||
			told[i].cap != p->all.mss_cap;
	return news;
}

void run_mtu_look(struct run *r, const struct sessions *s)
{
	char text[MARK_TEXT];

	for (unsigned i = 0; i < s->paths && i < PATHS_MAX; i++)
		if (path_mtu_words(text, sizeof(text), &s->path[i]) && is_news(r->env.told, s, i))
			timeline_mark(r->timeline, MARK_EVENT, r->before->t_ns, r->snap.generation,
				      NULL, text);
}
