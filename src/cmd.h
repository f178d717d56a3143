/* cmd.h - the commands: one cmd_NAME.c each, thin; main.c has the table. */
#ifndef LUNSCOPE_CMD_H
#define LUNSCOPE_CMD_H

#include <stdio.h>
#include "options.h"
#include "run.h"
#include "target.h"

/* Exit statuses, the same everywhere. */
enum {
	EXIT_FINE = 0,
	EXIT_IO_ERRORS = 1,
	EXIT_LEFT = 1, /* restore: not all could be put back */
	EXIT_USAGE = 2,
	EXIT_GUARD = 3,
};

int cmd_live(const struct options *o);
int cmd_run(const struct options *o);
int cmd_find(const struct options *o);
int cmd_curve(const struct options *o);
int cmd_ab(const struct options *o);
int cmd_list(const struct options *o);
int cmd_show(const struct options *o);
int cmd_note(const struct options *o);
int cmd_delete(const struct options *o);
int cmd_compare(const struct options *o);
int cmd_import(const struct options *o);
int cmd_table(const struct options *o);
int cmd_report(const struct options *o);
int cmd_env(const struct options *o);
int cmd_iometer(const struct options *o);
int cmd_backends(const struct options *o);
int cmd_targets(const struct options *o);
int cmd_discover(const struct options *o);
int cmd_sessions(const struct options *o);
int cmd_specs(const struct options *o);
int cmd_restore(const struct options *o);

/* "lunscope: " and the message on stderr; returns status. */
int cmd_fail(int status, const struct error *e);
/* The status for a negative errno: EXIT_GUARD for the guard's refusals, else EXIT_USAGE. */
int cmd_status(int rc);
/* What of the options a target needs. */
struct target_options cmd_target_options(const struct options *o);
/* target_open() before there is a screen: while a file is made, tells on a terminal how far it is. 0,
 * -errno with words, or the number of the signal that ended it (INT, TERM, HUP): nothing is left then. */
int cmd_open_target(struct target *t, const char *spec, const struct target_options *how,
		    struct error *e);

/* After a run: IOs that were not back in time, with their age, and a target that has shrunk; a line each,
 * behind prefix. */
void cmd_print_trouble(FILE *f, const char *prefix, const struct target *t, uint64_t lost,
		       const struct snapshot *s);

/* What became of a setting that was to be put back, as flips_told_fn has it: a line or two. */
void cmd_print_restored(FILE *f, const char *words, const char *from, const char *to,
			const char *trouble);

/* Defaults that fit the target: outstanding where the backend has a limit and none was given. */
struct workload cmd_workload(const struct options *o, const struct target *t);

/* The store that is meant, for reading. */
int cmd_open_store(const struct options *o, struct store **s, struct error *e);
/* -EINVAL with words where a file that is to be written is that store; option names it. */
int cmd_check_no_store(const struct options *o, const char *path, const char *option, struct error *e);
/* "12" or "12:b": the number, and what stands behind the colon ("" without one). */
int cmd_parse_part(const char *text, int64_t *run, const char **segment, struct error *e);

#endif
