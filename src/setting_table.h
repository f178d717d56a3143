/* setting_table.h - the list of all settings beyond the knobs, a row each, in the order of the
 * dialog. The functions of setting NAME are in `const struct setting_ops setting_NAME`.
 *
 * id, ops, option ("" = it has none of its own), its argument, name in marks, full name, what it
 * says in help, what to type
 */
#ifndef LUNSCOPE_SETTING_TABLE_H
#define LUNSCOPE_SETTING_TABLE_H

/* clang-format off */
#define SETTING_TABLE(X) \
	X(SETTING_ALIGN, align, "align", "SIZE", "align", "Alignment", "offsets are multiples of it, or of the block", "a size, as 4k, or block") \
	X(SETTING_START, start, "", "", "range start", "Range start", "where on the target the range begins", "a size, as 0 or 10G") \
	X(SETTING_LENGTH, length, "", "", "range length", "Range length", "how much from there on, or to the end", "a size, as 1G, or end") \
	X(SETTING_SHARE, share, "", "", "range", "Range is", "split among the workers, or shared by all", "split or shared") \
	X(SETTING_SPREAD, spread, "spread", "LAW", "spread", "Spread", "where random IOs go, as zipf:1.1 or hot:80/20", "uniform, zipf:1.1, pareto:0.2 or hot:80/20") \
	X(SETTING_STREAMS, streams, "streams", "N", "streams", "Streams", "sequential streams per worker, taking turns", "a number, as 4") \
	X(SETTING_LOG, log, "log", "PCT", "log", "Log", "share of IOs that append to a log: writes", "a percentage, as 20") \
	X(SETTING_LINES, lines, "lines", "LINES", "lines", "Access lines", "kinds of IO with shares, instead of the knobs", "as 4k 80% read 70; 64k 20% random 0; or none") \
	X(SETTING_SEQUENCE, sequence, "sequence", "same|on", "sequence", "Sequence", "begins anew with each mark, or goes on", "same or on") \
	X(SETTING_ARRIVAL, arrival, "arrival", "WHEN", "arrival", "Arrival", "with a rate, IOs fall due evenly, or at random", "constant or poisson") \
	X(SETTING_BURST, burst, "burst", "N", "burst", "Burst", "IOs of a worker after each think time", "a number, as 16") \
	X(SETTING_THINK, think, "think", "TIME", "think", "Think time", "a worker's wait before each burst, or none", "a time, as 500us or 10ms, or none") \
	X(SETTING_DATA, data, "data", "KIND", "data", "Data", "what writes carry: random, zero, ones, aa55...", "random, zero, ones, aa, 55, aa55, a5, hex:C0DE") \
	X(SETTING_COMPRESS, compress, "compress", "PCT", "compress", "Compressible", "share of each 512 bytes that compresses away", "a percentage, as 50") \
	X(SETTING_DEDUPE, dedupe, "dedupe", "PCT", "dedupe", "Duplicates", "share of 4 KiB pieces that repeat others", "a percentage, as 50") \
	X(SETTING_CPUS, cpus, "cpus", "LIST", "cpus", "CPUs", "workers stay on these, one each, in turn", "a list, as 0-3,8, or all") \
	X(SETTING_SPIN, spin, "spin", "TIME", "spin", "Spin", "look for completions so long before sleeping", "a time, as 20us, or off, or auto") \
	/* The end of the table. */
/* clang-format on */

#endif
