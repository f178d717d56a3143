/* report.h - a report of runs: as one page, as Markdown, as CSV. */
#ifndef LUNSCOPE_REPORT_H
#define LUNSCOPE_REPORT_H

#include <stdbool.h>
#include <stdio.h>
#include "report/model.h"

extern const char report_style[];

/* One self-contained HTML page, in UTF-8. Charts are gnuplot's: -ENOENT with words where there is none. */
int report_html(FILE *f, struct report *r, uint64_t settle_ns, struct error *e);
/* The same without its figures, as Markdown (CommonMark, with GitHub's tables). */
int report_markdown(FILE *f, struct report *r, uint64_t settle_ns, struct error *e);
/* A header line and a row for each run (segment "all") and each of its segments. Names carry their unit;
 * what is not known is empty. */
int report_csv(FILE *f, const struct report *r, struct error *e);

enum report_kind { REPORT_HTML, REPORT_MARKDOWN, REPORT_CSV, REPORT_KINDS };
/* Whether what stands at path may be replaced: there is nothing, or an empty file, or a report of this kind.
 * -EEXIST with words. What can't be read is left to who writes it. */
int report_may_replace(const char *path, enum report_kind kind, struct error *e);

#endif
