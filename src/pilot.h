/* pilot.h - turns the knobs of a run through a goal search or a load-latency curve.
 *
 * It has no thread: whoever holds it calls pilot_tick() when the run has new figures (run_event_fd),
 * always from the same thread. Each step is a segment of its own with a mark: the knob is turned, the
 * figures settle, then the mark is set and measuring begins; afterwards the mark's words say what was
 * found. A knob that somebody else turns meanwhile ends it: the operator has the last word.
 *
 * Time in which a path was out does not count, so that a step with such a gap takes longer. Where it turns out
 * only later that a step had one, that step is done once more.
 */
#ifndef LUNSCOPE_PILOT_H
#define LUNSCOPE_PILOT_H

#include "curve.h"
#include "run.h"
#include "search.h"

enum pilot_state {
	PILOT_TURNING,
	PILOT_SETTLING,
	PILOT_MEASURING,
	PILOT_DONE,	 /* there is a result */
	PILOT_CANCELLED, /* by the operator, or the run has ended */
};

struct pilot {
	enum pilot_state state;
	bool curving;	     /* curve counts, else search */
	struct search search;
	struct curve curve;
	char words[MARK_TEXT]; /* over: what came of it, or why it was cancelled */

	/* --- The pilot's own. --- */
	struct run *run;
	char engine[32];
	struct workload before, applied;
	struct load_order order;
	bool turned;	     /* the knob was another before this step */
	bool stillborn;	     /* over when it began, as every load was refused; not told yet */
	uint64_t since_ns;   /* when the knob was turned, or measuring began */
	uint32_t segment, mark;
	char letter;
	struct sample total, gap; /* of the step so far: what counts, and what is left out */
	struct hist hist[HISTS];
	struct snapshot snap;
	struct {
		struct search search; /* before it */
		struct curve curve;
		uint64_t from_ns, until_ns; /* when it was measured; 0: it can't be taken back */
		uint64_t gap_ns; /* of that, what was known to be left out */
		uint32_t mark;
	} last; /* the step that was taken last */
};

/* Begins on a run. engine: the backend's name, for the summaries. 0; -EINVAL when the workload has no
 * such IOs, is paused or the bounds are none; -ENOMEM. */
int pilot_search(struct pilot **p, struct run *r, const struct search_config *c, const char *engine,
		 struct error *e);
int pilot_curve(struct pilot **p, struct run *r, const struct curve_config *c, const char *engine,
		struct error *e);
void pilot_free(struct pilot *p);

/* Goes on; true when it is over with this call, or was when it began. The run must be there until then. */
bool pilot_tick(struct pilot *p);
/* Ends it: the knob goes back to where it was, unless somebody else has turned it. */
void pilot_cancel(struct pilot *p, const char *why);
bool pilot_over(const struct pilot *p);

/* The loads that were tried, and whose latency it is about (SUM_READ, ...). */
const struct load_log *pilot_log(const struct pilot *p);
int pilot_of(const struct pilot *p);
enum knob pilot_by(const struct pilot *p);
/* "search, step 4: outstanding 16, about 12 s left" */
char *pilot_progress(char *out, size_t n, const struct pilot *p);

#endif
