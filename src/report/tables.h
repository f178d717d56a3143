/* tables.h - a report's tables. */
#ifndef LUNSCOPE_REPORT_TABLES_H
#define LUNSCOPE_REPORT_TABLES_H

#include "report/model.h"
#include "report/out.h"

/* The runs, one a row. */
void table_runs(const struct out *o, const struct report *r);
/* Figure by figure, the first run as A and each other against it. */
void table_side_by_side(const struct out *o, const struct report *r);
/* In Iometer's columns: n runs from number `first` on. */
void table_iometer(const struct out *o, const struct report *r, size_t first, size_t n);
/* The same of the tests of run i, nothing where it is no series. */
void table_tests(const struct out *o, const struct report *r, size_t i);
/* A run's latencies, R, W and T. */
void table_latencies(const struct out *o, const struct report_run *r);
/* Its segments, two tables: work and CPU, latencies. */
void table_segments(const struct out *o, const struct report_run *r);
void table_marks(const struct out *o, const struct report_run *r);
/* What was asked for, and on what. */
void table_settings(const struct out *o, const struct report_run *r);
void table_inventory(const struct out *o, const struct report_run *r);
/* What is set on the host: by NIC, and the rest. */
void table_facts(const struct out *o, const struct report_run *r);

#endif
