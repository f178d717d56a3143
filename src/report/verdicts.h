/* verdicts.h - what is different between segments, and between runs, and how sure that is: as compare has it. */
#ifndef LUNSCOPE_REPORT_VERDICTS_H
#define LUNSCOPE_REPORT_VERDICTS_H

#include "report/model.h"
#include "report/out.h"

/* Of a run with marks: by pairs where it was measured in turn, and each segment against the one before it. */
int verdicts_of_run(const struct out *o, struct report_run *r, uint64_t settle_ns, struct error *e);
/* Each run against the first, segment by segment where both have as many. */
int verdicts_of_runs(const struct out *o, struct report *r, uint64_t settle_ns, struct error *e);
/* Whether verdicts_of_run() has anything to say. */
bool verdicts_any(struct report_run *r);

#endif
