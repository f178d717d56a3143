/* main.c - parses the command line and calls a command. */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "commands.h"
#include "config.h"

struct command {
	const char *name, *argument;
	unsigned options;
	int args, more; /* arguments behind the name; and so many more, if wanted */
	int (*run)(const struct options *o);
	const char *help;
};

static const struct command commands[] = {
#define X(name, argument, options, args, more, help) \
	{#name, argument, options, args, more, cmd_##name, help},
	COMMAND_TABLE(X)
#undef X
};
#define COMMANDS (sizeof(commands) / sizeof(*commands))

static void print_help(void)
{
	printf("lunscope - an oscilloscope for storage\n\n"
	       "Usage: lunscope [OPTION]... [TARGET]     the live screen; without TARGET it asks\n"
	       "       lunscope COMMAND [OPTION]...\n\n"
	       "A target is a block device, a file, iscsi://[USER@]PORTAL/TARGET/LUN, or null:\n"
	       "(null:200us answers after that time).\n"
	       "Reading is the default; nothing is written without --write and consent, but for a\n"
	       "file that this run makes itself (--create).\n\n"
	       "Commands:\n");
	for (size_t i = 0; i < COMMANDS; i++) {
		char left[64];
		snprintf(left, sizeof(left), "%s%s%s", commands[i].name,
			 commands[i].argument[0] ? " " : "", commands[i].argument);
		printf("  %-22s %s\n", left, commands[i].help);
	}
	options_help();
	printf("\nExit status: 0 fine, 1 IO errors were seen (find: or nothing meets the "
	       "goal;\nrestore: or something is left), 2 bad usage, 3 refused by the write "
	       "guard.\n");
}

static const struct command *find_command(const char *name)
{
	for (size_t i = 0; i < COMMANDS; i++)
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
	return NULL;
}

static int usage(const struct command *c)
{
	struct error e;
	char many[40];

	if (c->args)
		snprintf(many, sizeof(many), "%u to %u arguments", c->args, c->args + c->more);
	else
		snprintf(many, sizeof(many), "at most %u arguments", c->more);
	error_set(&e, 0, "%s takes %s: lunscope %s%s%s", c->name,
		  c->more > 1           ? many
		  : c->more && !c->args ? "one argument at most"
		  : c->more             ? "one argument or two"
		  : c->args             ? "one argument"
					: "no argument",
		  c->name, c->argument[0] ? " " : "", c->argument);
	return cmd_fail(EXIT_USAGE, &e);
}

static int run_command(struct options *o)
{
	struct error e;
	const struct command *c = o->args ? find_command(o->arg[0]) : NULL;
	unsigned wanted = c ? c->options : FOR_LIVE;

	if (options_check(o, wanted, c ? c->name : "the live screen", &e))
		return cmd_fail(EXIT_USAGE, &e);
	if (!c) {
		if (o->args > 1) {
			error_set(&e, 0,
				  "'%s': one target at a time (or '%s' is no command: see "
				  "lunscope --help)",
				  o->arg[1], o->arg[0]);
			return cmd_fail(EXIT_USAGE, &e);
		}
		return cmd_live(o);
	}
	if (o->args - 1 < c->args || o->args - 1 > c->args + c->more)
		return usage(c);
	o->args--;
	o->arg++;
	return c->run(o);
}

/* A program that is started without standard input, output or error would get the target's descriptor
 * in its place, and write its words to it. */
static void keep_standard_files(void)
{
	int fd;

	do {
		fd = open("/dev/null", O_RDWR);
	} while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

/* What was printed has to arrive: a full disk behind standard output is an error. */
static int finish(int status)
{
	struct error e;

	if ((fflush(stdout) || ferror(stdout)) && status == EXIT_FINE) {
		error_errno(&e, errno ? errno : EIO, "standard output");
		return cmd_fail(EXIT_USAGE, &e);
	}
	return status;
}

int main(int argc, char **argv)
{
	struct options o;
	struct error e;

	keep_standard_files();
	/* Numbers are always written with a '.': LC_NUMERIC stays C. */
	setlocale(LC_CTYPE, "");
	if (options_parse(&o, argc, argv, &e))
		return cmd_fail(EXIT_USAGE, &e);
	if (o.help || (o.args == 1 && strcmp(o.arg[0], "help") == 0)) {
		print_help();
		return finish(EXIT_FINE);
	}
	if (o.version) {
		printf("lunscope %s\n", PACKAGE_VERSION);
		return finish(EXIT_FINE);
	}
	return finish(run_command(&o));
}
