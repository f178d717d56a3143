/* loss.c - the facts of the last loss of a session: since when it was silent, what it took with it, and when
 * that was made good.
 *
 * An order that comes back cancelled is stranded until it is done, on whatever path: it has a bit for each
 * path that was lost with it. So the common order costs nothing here.
 */
#include "backends/iscsi/path.h"

static void let_go(struct path *p)
{
	for (uint32_t i = 0; i < p->orders && p->stranded_open; i++)
		if (p->order[i].stranded & 1u << p->index) {
			p->order[i].stranded &= ~(1u << p->index);
			p->stranded_open--;
		}
}

void loss_strand(struct path *p, struct order *o)
{
	/* Those of the loss before are counted no more. */
	if (!p->stranded++)
		let_go(p);
	o->stranded |= 1u << p->index;
	p->stranded_open++;
}

/* Nor will more be known of those of the loss before: as far as it goes, they are done. */
void loss_forget(struct path *p)
{
	if (p->stranded) {
		let_go(p);
		pthread_mutex_lock(&p->target->lock);
		if (p->loss.noticed_ns && !p->loss.moved_ns)
			p->loss.moved_ns = iscsi_now_ns();
		pthread_mutex_unlock(&p->target->lock);
	}
	p->stranded = 0;
}

void loss_begin(struct path *p, uint64_t now)
{
	p->lost_ns = now;
	p->loss = (struct backend_loss){
		.silent_ns = p->heard_ns,
		.noticed_ns = now,
		.stranded = p->stranded,
		.moved_ns = p->stranded ? 0 : now,
	};
	if (!p->stranded)
		let_go(p);
	p->stranded = 0;
}

void loss_end(struct path *p, uint64_t now)
{
	if (p->loss.noticed_ns && !p->loss.back_ns)
		p->loss.back_ns = now;
	if (p->lost_ns)
		p->outage_ns = now - p->lost_ns;
	p->lost_ns = 0;
}

void loss_settle(struct order *o)
{
	struct path *all = o->path->all;
	uint64_t now = iscsi_now_ns();

	pthread_mutex_lock(&o->path->target->lock);
	for (unsigned i = 0; o->stranded; i++) {
		struct path *p = &all[i];
		if (!(o->stranded & 1u << i))
			continue;
		o->stranded &= ~(1u << i);
		if (p->loss.longest_ns < now - o->first_ns)
			p->loss.longest_ns = now - o->first_ns;
		if (--p->stranded_open == 0)
			p->loss.moved_ns = now;
	}
	pthread_mutex_unlock(&o->path->target->lock);
}
