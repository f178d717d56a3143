/* export.h - a run as JSON and CSV.
 *
 * The JSON document, schema 1:
 *
 *     {"schema": 1, "lunscope": "0.1",
 *      "settings":    export_settings(),
 *      "environment": export_environment(),
 *      "samples":     export_samples(),    one object a second; what is left over at the end,
 *                                          less than half of one, is in the last
 *      "marks":       export_marks(),
 *      "segments":    export_segments(),   each with its own summary figures and histograms; "steady":
 *                                          whether its IOPS were (steady.h), null where it was too
 *                                          short to tell
 *      "comparison":  before and after the last mark of the summary's stretch: compare_json() with
 *                     "a_segment", "b_segment" (numbers) and "differences" (what differs between
 *                     them, in words); null without a mark
 *      "histograms":  {"read": export_hist(), "write": ..., "due": ...},  of the summary's stretch
 *      "policy", "paths", "imbalance", "wire", "sessions":
 *                     of a LUN, and of a block device over the kernel's iSCSI initiator:
 *                     sessions_export(), sums and rates of the summary's stretch, and the
 *                     sessions as they were at the end
 *      "summary":     summary_json(), and "generations": what became of each change of the knobs:
 *                     [{"number", "time_ns", "first_io_ns", "settled_ns", "submitted", "completed",
 *                     "errors"}, ...]; the first IO of the new values and the end of the last of the
 *                     old ones are ns after time_ns, null where it never came to that}
 *
 * Names carry their unit (_ns, _s, _bytes, mib_s); what has none is a count. Times of day are ns
 * since 1970 (time_ns) and, where a person reads them, ISO 8601. What is not known is null. A
 * histogram is {"count", "sum_ns", "min_ns", "max_ns", "buckets": [[low_ns, high_ns, count],
 * ...]}, low <= latency < high, empty buckets left out; the last one there can be also holds all
 * that took longer. "due" is of reads and writes together, from when a rate had them due; empty
 * without one, as "rate" in samples and summaries is null: offered IOs fell due, started ones
 * were handed over, backlog is due and not started at the end. "gap" says that a path was out in some
 * part of the second, "gap_s" in how much of it: no mean counts that part, and a summary has what was
 * left out of it in "outage", null where nothing was. "net" is of the NICs that the target's paths are over,
 * null without any: bytes and packets as their drivers count them, TCP segments that the host sent again,
 * pause frames or null where no driver counts them, in dt_s. A mark of kind "environment" tells of settings
 * of the host that changed; it, and an event of a link, has the new values in "facts" {words: value}, which
 * is null in others. The environment has all of them as they were at first in "facts", and in "nics" the
 * NICs that were watched. Within a schema members are only added. Text that is no UTF-8 (a path may be
 * anything) has '?' for the bytes that are not.
 *
 * Every function that returns json_t returns a new reference, NULL without memory.
 */
#ifndef LUNSCOPE_EXPORT_H
#define LUNSCOPE_EXPORT_H

#include <stdint.h>
#include <jansson.h>
#include "error.h"
#include "hist.h"
#include "target.h"
#include "timeline.h"
#include "workload.h"

#define EXPORT_SCHEMA 1

/* A string, whatever its bytes. */
json_t *export_text(const char *text);
/* The same, null for "". */
json_t *export_known_text(const char *text);
/* null for what is negative, as it is where a figure is not known. */
json_t *export_known(int64_t v);

/* {"workers", "outstanding", "block_bytes", ...}: every field of struct workload; null where it
 * gives way to access lines. */
json_t *export_workload(const struct workload *w);
/* The reverse; 0, or -EINVAL when a field is missing or of another type. */
int export_workload_scan(struct workload *w, const json_t *object);

/* As --paths takes it: "least", "pinned:2". */
void export_policy_words(char *out, size_t n, const struct backend_paths *p);

/* The settings object: {"mode", "command", "engine", "target": {"name", "path", "kind",
 * "model", "size_bytes", "logical_block_bytes", "physical_block_bytes", "direct", "may_write",
 * "write_start_bytes", "write_length_bytes"}, "workload": {...}, and of a LUN "paths": {"policy", "hold_ns",
 * "nics", "header_digest"}}. mode is "live" or "headless". */
json_t *export_settings(const struct workload *w, const struct target *t, const char *mode,
			const char *command);

/* Of a run on n > 1 targets: "targets", all of them as "target" has the first. */
void export_more_targets(json_t *settings, const struct target *const *target, unsigned n);

/* The host as it is now: {"host", "kernel", "machine", "cpu": {"model", "count"}, "memory_bytes",
 * "lunscope", "time", "time_ns", "queue": {"device", "scheduler", ...} or null}. root is "" on a
 * real host; a test hands in a folder with a recorded proc/ and sys/. The queue is that of the
 * block device t (of its disk, for a partition), or of the device that the file t lies on. */
json_t *export_environment(const char *root, const struct target *t, uint64_t wall);

json_t *export_hist(const struct hist *h);

/* Arrays; what ended after from_ns (0 = everything). offset_ns is wall minus monotonic time,
 * start_ns the time from which elapsed_s counts. */
json_t *export_samples(struct timeline *t, uint64_t from_ns, uint64_t start_ns, int64_t offset_ns);
json_t *export_marks(struct timeline *t, uint64_t start_ns, int64_t offset_ns);
json_t *export_segments(struct timeline *t, const char *engine, uint64_t start_ns,
			int64_t offset_ns);

/* Puts the document together; takes over settings ... summary (which may not be NULL). */
json_t *export_document(json_t *settings, json_t *environment, json_t *samples, json_t *marks,
			json_t *segments, const struct hist hist[HISTS], json_t *summary);

/* Writes a document (one member, or one element of a member that is an array, a line), or the
 * seconds that ended after from_ns as CSV with one header line, as a whole file (outfile.h). 0, or
 * -errno with words that name the path. */
int export_write_json(const json_t *document, const char *path, struct error *e);
int export_write_csv(struct timeline *t, uint64_t from_ns, uint64_t start_ns, int64_t offset_ns,
		     const char *path, struct error *e);

#endif
