/* proc.h - run a program, with a time limit, and keep what it said. */
#ifndef LUNSCOPE_TEST_PROC_H
#define LUNSCOPE_TEST_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct proc_options {
	const char *const *env;	/* "NAME=value" sets, "NAME" unsets; ends in NULL; may be NULL */
	const char *dir;	/* working folder; NULL = the test's */
	const char *input;	/* stdin's contents; NULL = /dev/null */
	double limit_s;		/* killed after that; 0 = proc_patience() */
};

struct proc {
	pid_t pid;
	int status;	/* exit status; 128 + N when signal N ended it */
	bool timed_out;	/* it had to be killed */
	char *out, *err; /* NUL-terminated, of any length */
	size_t out_length, err_length;
	int out_fd, err_fd; /* while it runs */
	double deadline;    /* CLOCK_MONOTONIC seconds */
};

/* Starts argv[0] (looked for in PATH) and waits for it. 0, or -errno when it could not be started;
 * a program that isn't there ends with status 127 as in a shell. */
int proc_run(struct proc *p, const char *const argv[], const struct proc_options *o);
/* The same in two steps, with time in between for kill(p->pid, ...). */
int proc_start(struct proc *p, const char *const argv[], const struct proc_options *o);
void proc_wait(struct proc *p);
void proc_free(struct proc *p);

/* proc_run with the arguments spelled out: PROC(&p, "lunscope", "list"). */
#define PROC(p, ...) proc_run(p, (const char *const[]){__VA_ARGS__, NULL}, NULL)

/* The program under test: $LUNSCOPE, else ./lunscope. */
const char *lunscope_path(void);

/* How long to wait for something that must happen, in seconds: $TEST_PATIENCE, else 60. */
double proc_patience(void);
/* CLOCK_MONOTONIC in seconds. */
double proc_now(void);

#endif
