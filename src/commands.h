/* commands.h - the one list of commands behind the program, its usage and the shells' completion. */
#ifndef LUNSCOPE_COMMANDS_H
#define LUNSCOPE_COMMANDS_H

#include "backends/backend.h"
#include "env/watch.h"
#include "options.h"
#include "report/report.h"
#include "report/table.h"

#define DELETE_RUNS 1000

/* name (the function is cmd_NAME), arguments in words, options, least number of arguments, and so many
 * more, what it does */
/* clang-format off */
#define COMMAND_TABLE(X) \
	X(run, "TARGET...", FOR_RUN, 1, TARGETS_MAX - 1, "measure without a screen and print the result") \
	X(iometer, "FILE|SET [TARGET...]", FOR_IOMETER, 1, TARGETS_MAX, "Iometer's tests: a set-up file, or a set of specifications") \
	X(find, "TARGET", FOR_FIND, 1, 0, "the largest depth or rate that meets a latency goal") \
	X(curve, "TARGET", FOR_CURVE, 1, 0, "the load-latency curve, from little load to all there is") \
	X(ab, "TARGET", FOR_AB, 1, 0, "one setting against another, in turn: what the difference is") \
	X(list, "", FOR_STORE, 0, 0, "the runs that are kept") \
	X(show, "ID", FOR_STORE, 1, 0, "one run: settings, marks, figures") \
	X(note, "RUN", FOR_NOTE, 1, 0, "names, tags or notes for a kept run; without an option: those it has") \
	X(delete, "RUN...", FOR_DELETE, 1, DELETE_RUNS - 1, "delete kept runs; asks first") \
	X(compare, "RUN[:SEGMENT[,...]] [RUN[:SEGMENT[,...]]]", FOR_COMPARE, 1, 1, "what is different between two runs, or before and after the last mark") \
	X(table, "RUN[:SEGMENT]...", FOR_TABLE, 1, TABLE_RUNS - 1, "Iometer's table of any kept runs, each against the first: old, new, ratio, verdict") \
	X(import, "FILE", FOR_STORE, 1, 0, "Iometer's results.csv: each of its tests becomes a run that is kept") \
	X(report, "RUN...", FOR_REPORT, 1, REPORT_RUNS - 1, "runs as one HTML page, as Markdown, as CSV") \
	X(env, "[TARGET|NIC... | RUN [RUN]]", FOR_ENV, 0, WATCH_NICS, "what is set on this host, or was in a kept run, or differs between two") \
	X(targets, "", 0, 0, 0, "the block devices of this host, and what speaks against writing") \
	X(sessions, "[TARGET]", FOR_SESSIONS, 0, 1, "the kernel's iSCSI sessions, of the host or beneath a target") \
	X(discover, "PORTAL...", FOR_DISCOVER, 1, PATHS_MAX - 1, "the targets and LUNs behind iSCSI portals") \
	X(specs, "[NAME]", FOR_SPECS, 0, 1, "the access specifications that are ready, by name, or one with its lines") \
	X(restore, "", FOR_RESTORE, 0, 0, "put back settings of this host that a lunscope changed and could not put back") \
	X(backends, "", 0, 0, 0, "how IO can be done")
/* clang-format on */

#endif
