/* options.h - the command line: the one list of options behind parser and --help; the manual page
 * (man/fill.c) and the shells' completions (completions/) are made from it.
 */
#ifndef LUNSCOPE_OPTIONS_H
#define LUNSCOPE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "trigger.h"
#include "ab.h"
#include "backends/backend.h"
#include "conf.h"
#include "crew.h"
#include "env/watch.h"
#include "error.h"
#include "goal.h"
#include "guard/guard.h"
#include "iometer/csv_columns.h"
#include "setting.h"
#include "target.h"
#include "units.h"
#include "workload.h"

/* Which commands an option is for. */
enum {
	FOR_LIVE = 1,
	FOR_RUN = 2,
	FOR_STORE = 4,
	FOR_FIND = 8,
	FOR_CURVE = 16,
	FOR_DISCOVER = 32,
	FOR_COMPARE = 64,
	FOR_SESSIONS = 128,
	FOR_ENV = 256,
	FOR_RESTORE = 512,
	FOR_AB = 1024,
	FOR_SPECS = 2048,
	FOR_IOMETER = 4096,
	FOR_REPORT = 8192,
	FOR_TABLE = 16384,
	FOR_NOTE = 32768,
	FOR_DELETE = 65536,
	FOR_LOADS = FOR_FIND | FOR_CURVE,
	FOR_HEADLESS = FOR_RUN | FOR_LOADS | FOR_AB,
	FOR_IO = FOR_LIVE | FOR_HEADLESS,
	FOR_NET = FOR_IO | FOR_DISCOVER,
};

/* id, option, argument ("" = none), commands, heading it stands under, what it does */
/* clang-format off */
#define OPTION_TABLE(X) \
	X(OPT_WORKERS, "workers", "N", FOR_IO | FOR_IOMETER, "Workload", "threads, each with its own queue (1)") \
	X(OPT_OUTSTANDING, "outstanding", "N", FOR_IO | FOR_IOMETER, "Workload", "IOs in flight per worker (8)") \
	X(OPT_BLOCK, "block", "SIZE", FOR_IO, "Workload", "bytes per IO (4k)") \
	X(OPT_READ, "read", "PCT", FOR_IO, "Workload", "share of reads, the rest are writes (100)") \
	X(OPT_RANDOM, "random", "PCT", FOR_IO, "Workload", "share of random offsets, the rest go on in sequence (100)") \
	X(OPT_RATE, "rate", "IOPS", FOR_IO, "Workload", "IOs per second of all workers together, or max (max)") \
	X(OPT_RANGE, "range", "START:LENGTH", FOR_IO, "Workload", "part of the target that is used (all of it)") \
	X(OPT_SHARE_RANGE, "share-range", "", FOR_IO, "Workload", "every worker uses the whole range, as Iometer does; else it is split") \
	X(OPT_SEED, "seed", "N", FOR_IO, "Workload", "start of the random sequence (1)") \
	X(OPT_BACKEND, "backend", "NAME", FOR_IO | FOR_IOMETER, "Target", "how IO is done: see lunscope backends (auto)") \
	X(OPT_BUFFERED, "buffered", "", FOR_IO | FOR_IOMETER, "Target", "through the page cache instead of O_DIRECT (backend sync)") \
	X(OPT_CREATE, "create", "SIZE", FOR_IO | FOR_IOMETER, "Target", "make the file when it does not exist; this run may write it") \
	X(OPT_INITIATOR, "initiator", "NAME", FOR_NET | FOR_IOMETER, "iSCSI", "the name to log in with (this host's)") \
	X(OPT_CHAP_SECRET_FILE, "chap-secret-file", "FILE", FOR_NET | FOR_IOMETER, "iSCSI", "CHAP secret of the user in iscsi://USER@..., in its first line") \
	X(OPT_CHAP_TARGET_USER, "chap-target-user", "NAME", FOR_NET | FOR_IOMETER, "iSCSI", "mutual CHAP: the name that the target proves") \
	X(OPT_CHAP_TARGET_SECRET_FILE, "chap-target-secret-file", "FILE", FOR_NET | FOR_IOMETER, "iSCSI", "mutual CHAP: the target's secret, in its first line") \
	X(OPT_HEADER_DIGEST, "header-digest", "", FOR_NET | FOR_IOMETER, "iSCSI", "ask for a CRC32C over each header") \
	X(OPT_NIC, "nic", "NIC[,...]", FOR_IO | FOR_IOMETER, "iSCSI", "leave by these NICs: one a portal, or several for one, a path each") \
	X(OPT_IO_HOLD, "io-hold", "TIME", FOR_IO | FOR_IOMETER, "iSCSI", "how long IOs wait when no path is left; 0: they fail at once (30s)") \
	X(OPT_PATHS, "paths", "POLICY", FOR_IO | FOR_IOMETER, "iSCSI", "of several portals: least, round-robin, failover or pinned:N (least)") \
	X(OPT_FOR, "for", "TIME", FOR_RUN | FOR_IOMETER, "Run", "how long to measure (10s)") \
	X(OPT_WARMUP, "warmup", "TIME", FOR_RUN | FOR_IOMETER, "Run", "how long to run before measuring (0s)") \
	X(OPT_WATCH, "watch", "NIC[,...]", FOR_IO | FOR_IOMETER, "Run", "NICs to watch beside those that the target's paths are over") \
	X(OPT_STOP_ON_ERROR, "stop-on-error", "", FOR_IO | FOR_IOMETER, "Run", "the first failed IO ends the run") \
	X(OPT_CHECK, "check", "", FOR_IOMETER, "Iometer", "only say what would be run") \
	X(OPT_MAP, "map", "NAME=TARGET", FOR_IOMETER, "Iometer", "which target a name of the file stands for; may be repeated") \
	X(OPT_ICF, "icf", "FILE", FOR_IOMETER, "Iometer", "write the set-up as a file that Iometer reads, and run nothing") \
	X(OPT_RESULTS, "results", "FILE", FOR_IOMETER, "Iometer", "append the results to a results.csv") \
	X(OPT_LAYOUT, "layout", "VERSION", FOR_IOMETER, "Iometer", "columns of results.csv: 1.1.0 or 2006 (1.1.0)") \
	X(OPT_GOAL, "goal", "GOAL", FOR_FIND, "Find and curve", "what the latency is to be, as 'p99<5ms' or 'mean<800us'") \
	X(OPT_OF, "of", "IOS", FOR_LOADS, "Find and curve", "whose latency: read, write or all (find: read; curve: all)") \
	X(OPT_BY, "by", "KNOB", FOR_LOADS, "Find and curve", "what is turned: outstanding or rate (find: outstanding; curve: rate)") \
	X(OPT_FROM, "from", "N", FOR_FIND, "Find and curve", "the least to try (1)") \
	X(OPT_TO, "to", "N", FOR_FIND, "Find and curve", "the most to try (what the engine can)") \
	X(OPT_POINTS, "points", "N", FOR_CURVE, "Find and curve", "steps of the curve (10 by rate, 8 by outstanding)") \
	X(OPT_STEP_TIME, "step-time", "TIME", FOR_LOADS, "Find and curve", "how long a step is measured, after a quarter of it to settle (3s)") \
	X(OPT_FLIP, "flip", "'SETTING A B'", FOR_AB, "A/B", "what lunscope sets by itself, as 'eth2 mtu 1500 9000'; may be repeated") \
	X(OPT_NAME_A, "name-a", "NAME", FOR_AB, "A/B", "what A is called; without --flip also what you are asked to set") \
	X(OPT_NAME_B, "name-b", "NAME", FOR_AB, "A/B", "the same for B") \
	X(OPT_PAIRS, "pairs", "N", FOR_AB, "A/B", "segments of each, an even number: 4 is ABBABAAB (4)") \
	X(OPT_SEGMENT, "segment", "TIME", FOR_AB, "A/B", "how long each is measured (20s)") \
	X(OPT_WRITE, "write", "", FOR_IO | FOR_IOMETER, "Writing", "writes are wanted: lets the write guard look and ask") \
	X(OPT_I_OWN, "i-own", "ID", FOR_HEADLESS | FOR_IOMETER, "Writing", "consent, by the identity that the guard shows; may be repeated") \
	X(OPT_DESTROY, "destroy", "", FOR_HEADLESS | FOR_IOMETER, "Writing", "consent to destroy the data or signatures that were found") \
	X(OPT_WHOLE, "whole", "", FOR_IO | FOR_IOMETER, "Writing", "write anywhere, not only in the 1 GiB window") \
	X(OPT_LIST, "list", "", FOR_RESTORE, "Restore", "only say what would be put back") \
	X(OPT_FORCE, "force", "", FOR_RESTORE | FOR_REPORT | FOR_DELETE, "Restore", "put back also what somebody else has set since; report: replace any file; delete: do not ask") \
	X(OPT_FORGET, "forget", "", FOR_RESTORE, "Restore", "strike off what can't be put back, as what it was set on is gone") \
	X(OPT_JSON, "json", "FILE", FOR_HEADLESS | FOR_DISCOVER | FOR_COMPARE | FOR_SESSIONS | FOR_ENV | FOR_RESTORE | FOR_SPECS | FOR_IOMETER | FOR_TABLE, "Results", "write everything as JSON; - is standard output") \
	X(OPT_CSV, "csv", "FILE", FOR_HEADLESS | FOR_IOMETER | FOR_REPORT | FOR_TABLE, "Results", "write one line a second as CSV (report: one for each segment, table: for each run); - is standard output") \
	X(OPT_SIDE_BY_SIDE, "side-by-side", "", FOR_TABLE, "Results", "a row for each test, with its runs beside each other") \
	X(OPT_UNITS, "units", "MiB|MB", FOR_IO | FOR_COMPARE | FOR_IOMETER | FOR_TABLE, "Results", "rates in MiB/s or MB/s (MiB)") \
	X(OPT_STORE, "store", "FILE", FOR_IO | FOR_STORE | FOR_COMPARE | FOR_ENV | FOR_IOMETER | FOR_REPORT | FOR_TABLE | FOR_NOTE | FOR_DELETE, "Results", "the run store to use") \
	X(OPT_SETTLE, "settle", "TIME", FOR_COMPARE | FOR_AB | FOR_REPORT | FOR_TABLE, "Results", "what is left out on both sides of a mark; ab: behind a change (3s)") \
	X(OPT_NO_STORE, "no-store", "", FOR_IO | FOR_IOMETER, "Results", "do not keep this run") \
	X(OPT_OUTPUT, "output", "FILE", FOR_REPORT, "Results", "write the report as one HTML page (-o); - is standard output") \
	X(OPT_MD, "md", "FILE", FOR_REPORT | FOR_TABLE, "Results", "write the report or the table as Markdown; - is standard output") \
	X(OPT_NAME, "name", "NAME", FOR_NOTE, "Results", "what the run is called; '' takes it away") \
	X(OPT_TAG, "tag", "TAG[,...]", FOR_NOTE, "Results", "the run's tags, in the place of those it has; '' takes them away") \
	X(OPT_NOTE, "note", "TEXT", FOR_NOTE, "Results", "what is to be known of the run; '' takes it away") \
	X(OPT_THEME, "theme", "NAME", FOR_LIVE, "Screen", "colour theme, by name or path (default)") \
	X(OPT_GLYPHS, "glyphs", "LEVEL", FOR_LIVE, "Screen", "ascii, dec, vt, half, eighth or braille (what the terminal can)") \
	X(OPT_COLOR, "color", "WHEN", FOR_LIVE, "Screen", "auto, always or never (auto)") \
	X(OPT_NO_REP, "no-rep", "", FOR_LIVE, "Screen", "for terminals that swallow repeated characters") \
	X(OPT_BASELINE, "baseline", "RUN", FOR_LIVE, "Screen", "a stored run that is drawn behind the live one (none)") \
	X(OPT_FPS, "fps", "N", FOR_LIVE, "Screen", "frames a second, 1 to 20 (4)") \
	X(OPT_TRIGGER, "trigger", "TEXT", FOR_LIVE, "Screen", "what freezes the display, as 'p99>20ms for 3s' (none)") \
	X(OPT_BAUD, "baud", "N", FOR_LIVE, "Screen", "bits a second of the line to the screen (a serial port's own; else no limit)") \
	X(OPT_MOUSE, "mouse", "", FOR_LIVE, "Screen", "clicks and the wheel act; Shift then selects text") \
	X(OPT_FOOTER, "footer", "KEYS", FOR_LIVE, "Screen", "keys in the last row: fkeys, letters or auto (auto)") \
	X(OPT_NO_SYNC, "no-sync", "", FOR_LIVE, "Screen", "never ask the terminal to show a frame as a whole") \
	X(OPT_QUIET_KERNEL, "quiet-kernel", "", FOR_LIVE, "Screen", "keep the kernel's messages off the console meanwhile (root)") \
	X(OPT_HELP, "help", "", FOR_NET | FOR_STORE | FOR_COMPARE | FOR_SESSIONS | FOR_ENV | FOR_RESTORE | FOR_SPECS | FOR_IOMETER | FOR_REPORT | FOR_TABLE | FOR_NOTE | FOR_DELETE, "Other", "this text") \
	X(OPT_VERSION, "version", "", FOR_NET | FOR_STORE | FOR_COMPARE | FOR_SESSIONS | FOR_ENV | FOR_RESTORE | FOR_SPECS | FOR_IOMETER | FOR_REPORT | FOR_TABLE | FOR_NOTE | FOR_DELETE, "Other", "the version")
/* clang-format on */

enum option_id {
#define X(id, ...) id,
	OPTION_TABLE(X)
#undef X
		OPT_COUNT
};

/* Behind them come the settings that have an option of their own: the one of setting s is
 * OPT_COUNT + s - KNOB_COUNT. */
#define OPTIONS_ALL (OPT_COUNT + SETTING_COUNT - KNOB_COUNT)

struct option_info {
	const char *name, *argument;
	unsigned commands;
	const char *heading, *help;
};

/* Number i of OPTIONS_ALL; name NULL where a setting has no option. */
struct option_info option_at(int i);

#define OPTIONS_MAPS 256

struct options {
	struct workload workload;
	const char *backend;
	bool buffered;
	uint64_t create_size;
	struct backend_login login; /* with the secrets of files and URLs */
	const char *chap_secret_file, *chap_target_secret_file;
	struct backend_paths paths;
	uint64_t for_ns, warmup_ns;
	struct env_scope watch; /* NICs */
	bool stop_on_error;
	struct goal goal;	/* of: what --of said */
	enum knob by;
	uint64_t from, to;
	uint64_t points, step_ns;
	uint64_t settle_ns;
	bool check;
	const char *map[OPTIONS_MAPS]; /* --map, as they were given */
	unsigned maps;
	const char *results, *icf;
	enum iometer_layout layout;
	struct ab_flip flip[AB_FLIPS_MAX];
	unsigned flips;
	const char *side[2];	/* --name-a and --name-b */
	uint64_t pairs, segment_ns;
	bool write, destroy;
	bool list, force, forget; /* of restore */
	const char *i_own[TARGETS_MAX]; /* --i-own, which may be repeated */
	unsigned owned;
	struct guard_window window;
	const char *json, *csv, *output, *md;
	enum rate_unit unit;
	const char *store;
	bool no_store;
	bool side_by_side; /* of table */
	const char *name, *tag, *note; /* of a run; NULL: not given */
	const char *theme, *glyphs, *color;
	bool no_rep;
	uint64_t baseline; /* a stored run; 0: none */
	double fps;
	struct trigger trigger; /* given[OPT_TRIGGER] */
	const char *trigger_text;
	uint64_t baud;
	bool mouse;
	const char *footer;
	bool no_sync;
	bool quiet_kernel;
	bool help, version;
	bool given[OPTIONS_ALL];
	int args;	   /* what is left: command, target, run number */
	char **arg;
};

/* Parses argv (which is reordered, and from which secrets are taken out). 0, or -EINVAL with a line that names the culprit. */
int options_parse(struct options *o, int argc, char **argv, struct error *e);
/* Option i of OPTIONS_ALL as the command line has it. 0, or -EINVAL with a line that names it. */
int options_set(struct options *o, int i, const char *arg, struct error *e);
/* Takes what [screen] says where the command line and the environment say nothing; c must outlive o. The first
 * name that is not known, in words, goes into unknown ("": none). -EINVAL with file, line and remedy. */
int options_take_conf(struct options *o, const struct conf *c, char *unknown, unsigned long n,
		      struct error *e);
/* Refuses an option that the command has no use for, and a setting that would have no effect. */
int options_check(const struct options *o, unsigned command, const char *command_name,
		  struct error *e);
/* The options' part of --help. */
void options_help(void);

/* What an output named "-" becomes. */
#define OPTIONS_STDOUT "/dev/stdout"

/* The program as it was called: "lunscope" from the PATH, else with its folder. */
const char *options_program(void);
/* "kept as run 7: lunscope show 7", with the --store that was given. */
void options_print_kept(FILE *f, const struct options *o, int64_t run);
/* The command line that would repeat a run, into out: "lunscope run TARGET --workers 4 ...", with the
 * backend that was used, whoever chose it. for_ns 0: the live form, without "run" and --for. */
/* A blank and a word, quoted where a shell would else read it as another. */
void options_append_word(char *out, unsigned long n, const char *word);
char *options_command(char *out, unsigned long n, const struct options *o,
		      const struct workload *w, const struct target *t, uint64_t for_ns);

/* The live form to show: with the backend that was asked for, and none where that was left to lunscope. */
char *options_command_shown(char *out, unsigned long n, const struct options *o,
			    const struct workload *w, const struct target *t);

/* The same for ab. */
char *options_command_ab(char *out, unsigned long n, const struct options *o,
			 const struct workload *w, const struct target *t);

/* The same for find and curve. */
char *options_command_load(char *out, unsigned long n, const struct options *o,
			   const struct workload *w, const struct target *t, const char *command);

#endif
