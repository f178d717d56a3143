/* fish.c - the completion for fish. */
#include <stdio.h>
#include "complete.h"

static const char *const words[] = {
	[COMPLETE_NIC] = "(command ls /sys/class/net)",
	[COMPLETE_RUN] = "(__lunscope_runs)",
	[COMPLETE_THEME] = "(__lunscope_themes)",
	[COMPLETE_TARGET] = COMPLETE_TARGETS,
	[COMPLETE_TARGET_OR_NIC] = "(command ls /sys/class/net)",
};

static void print_quoted(const char *text)
{
	putchar('\'');
	for (; *text; text++)
		printf(*text == '\'' || *text == '\\' ? "\\%c" : "%c", *text);
	putchar('\'');
}

/* fish reads them as it reads a command line. */
static void print_words(const char *text)
{
	printf(" -a '");
	for (; *text; text++)
		printf(*text == '<' ? "\\%c" : "%c", *text);
	printf("'");
}

static bool takes_files(enum complete_kind kind)
{
	return kind == COMPLETE_FILE || kind == COMPLETE_TARGET || kind == COMPLETE_TARGET_OR_NIC;
}

static void print_option(const struct option_info *o)
{
	enum complete_kind kind = complete_option_kind(o);
	const char *separator = "";

	printf("complete -c lunscope -n '__lunscope_is \"");
	for (const struct complete_command *c = complete_commands; c->name; c++)
		if (o->commands & c->options) {
			printf("%s%s", separator, c->name[0] ? c->name : "live");
			separator = " ";
		}
	printf("\"' -l %s", o->name);
	if (o->argument[0])
		printf(takes_files(kind) ? " -r -F" : " -x");
	if (kind == COMPLETE_WORDS)
		print_words(complete_words(o));
	else if (words[kind])
		printf(" -a '%s'", words[kind]);
	printf(" -d ");
	print_quoted(o->help);
	putchar('\n');
}

static void print_command(const struct complete_command *c)
{
	enum complete_kind kind = complete_argument_kind(c->argument);

	if (c->name[0]) {
		printf("complete -c lunscope -n '__lunscope_is live' -a %s -d ", c->name);
		print_quoted(c->help);
		putchar('\n');
	}
	if (kind == COMPLETE_NOTHING)
		return;
	printf("complete -c lunscope -n '__lunscope_is %s'%s -a '%s'\n",
	       c->name[0] ? c->name : "live", takes_files(kind) ? " -F" : "", words[kind]);
}

static void print_takers(void)
{
	printf("set -g __lunscope_takers");
	for (int i = 0; i < OPTIONS_ALL; i++)
		if (option_at(i).name && option_at(i).argument[0])
			printf(" --%s", option_at(i).name);
	printf("\nset -g __lunscope_commands");
	for (const struct complete_command *c = complete_commands; c->name; c++)
		printf(" %s", c->name);
	printf("\n\n");
}

static const char functions[] =
	"# The command on the line is one of those in $argv[1]; live: there is none.\n"
	"function __lunscope_is\n"
	"    set -l command live\n"
	"    set -l skip 0\n"
	"    for word in (commandline -opc)[2..-1]\n"
	"        if test $skip = 1\n"
	"            set skip 0\n"
	"        else if contains -- $word $__lunscope_takers\n"
	"            set skip 1\n"
	"        else if not string match -q -- '-*' $word\n"
	"            contains -- $word $__lunscope_commands; and set command $word\n"
	"            break\n"
	"        end\n"
	"    end\n"
	"    contains -- $command (string split ' ' -- $argv[1])\n"
	"end\n\n"
	"function __lunscope_runs\n"
	"    lunscope list 2>/dev/null | string replace -f -r '^ *([0-9]+) .*' '$1'\n"
	"end\n\n"
	"function __lunscope_themes\n"
	"    set -l own $HOME/.config\n"
	"    set -q XDG_CONFIG_HOME; and set own $XDG_CONFIG_HOME\n"
	"    for file in '" THEMEDIR "'/*.theme $own/lunscope/themes/*.theme\n"
	"        basename $file .theme\n"
	"    end\n"
	"end\n\n"
	"complete -c lunscope -f\n";

void complete_fish(void)
{
	printf("# Completion of lunscope for fish; made from the program's own tables.\n\n");
	print_takers();
	fputs(functions, stdout);
	for (const struct complete_command *c = complete_commands; c->name; c++)
		print_command(c);
	for (int i = 0; i < OPTIONS_ALL; i++) {
		struct option_info o = option_at(i);
		if (o.name)
			print_option(&o);
	}
}
