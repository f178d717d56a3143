/* zsh.c - the completion for zsh. */
#include <stdio.h>
#include <string.h>
#include "complete.h"

static const char *const action[] = {
	[COMPLETE_NOTHING] = " ",
	[COMPLETE_FILE] = "_files",
	[COMPLETE_NIC] = "_net_interfaces",
	[COMPLETE_RUN] = "_lunscope_runs",
	[COMPLETE_THEME] = "_lunscope_themes",
	[COMPLETE_TARGET] = "_lunscope_targets",
	[COMPLETE_TARGET_OR_NIC] = "_lunscope_targets_nics",
};

/* Within quotes, and with what _arguments would take for its own escaped. */
static void print_words(const char *text)
{
	for (; *text; text++)
		if (*text == '\'')
			printf("'\\''");
		else
			printf(strchr("[]:\\", *text) ? "\\%c" : "%c", *text);
}

static void print_option(const struct option_info *o)
{
	enum complete_kind kind = complete_option_kind(o);

	printf("      '%s--%s%s[", strcmp(o->name, "flip") == 0 ? "*" : "", o->name,
	       o->argument[0] ? "=" : "");
	print_words(o->help);
	printf("]");
	if (o->argument[0]) {
		printf(":");
		print_words(o->argument);
		printf(":");
		if (kind == COMPLETE_WORDS) {
			printf("(");
			print_words(complete_words(o));
			printf(")");
		} else {
			printf("%s", action[kind]);
		}
	}
	printf("'\n");
}

static void print_command(const struct complete_command *c)
{
	printf("  %s)\n    specs=(\n", c->name[0] ? c->name : "''");
	for (int i = 0; i < OPTIONS_ALL; i++) {
		struct option_info o = option_at(i);
		if (o.name && o.commands & c->options)
			print_option(&o);
	}
	if (!c->name[0])
		printf("      '1:command or target:_lunscope_first'\n");
	else if (complete_argument_kind(c->argument) != COMPLETE_NOTHING)
		printf("      '*:argument:%s'\n", action[complete_argument_kind(c->argument)]);
	printf("    )\n    ;;\n");
}

static void print_commands(void)
{
	printf("_lunscope_commands=(\n");
	for (const struct complete_command *c = complete_commands; c->name; c++) {
		if (!c->name[0])
			continue;
		printf("  '%s:", c->name);
		print_words(c->help);
		printf("'\n");
	}
	printf(")\n\n");
}

static void print_takers(void)
{
	printf("_lunscope_takers=(");
	for (int i = 0; i < OPTIONS_ALL; i++)
		if (option_at(i).name && option_at(i).argument[0])
			printf(" --%s", option_at(i).name);
	printf(" )\n\n");
}

static const char functions[] =
	"_lunscope_runs() {\n"
	"  local -a runs\n"
	"  runs=(${(f)\"$(lunscope list 2>/dev/null | awk '$1 ~ /^[0-9]+$/ { print $1 }')\"})\n"
	"  compadd -V runs -- $runs\n"
	"}\n\n"
	"_lunscope_themes() {\n"
	"  local -a files\n"
	"  files=('" THEMEDIR "'/*.theme(N:t:r)\n"
	"    ${XDG_CONFIG_HOME:-$HOME/.config}/lunscope/themes/*.theme(N:t:r))\n"
	"  compadd -- $files\n"
	"}\n\n"
	"_lunscope_targets() { compadd -- " COMPLETE_TARGETS "; _files }\n\n"
	"_lunscope_targets_nics() { _net_interfaces; _files }\n\n"
	"_lunscope_first() { _describe command _lunscope_commands; _lunscope_targets }\n\n"
	"_lunscope() {\n"
	"  local command='' i\n"
	"  local -a specs\n"
	"  for ((i = 2; i < CURRENT; i++)); do\n"
	"    if (( $_lunscope_takers[(Ie)$words[i]] )); then\n"
	"      ((i++))\n"
	"    elif [[ $words[i] != -* ]]; then\n"
	"      (( ${_lunscope_commands[(I)$words[i]:*]} )) && command=$words[i]\n"
	"      break\n"
	"    fi\n"
	"  done\n"
	"  if [[ -n $command ]]; then\n"
	"    words[i]=()\n"
	"    ((CURRENT--))\n"
	"  fi\n"
	"  case $command in\n";

void complete_zsh(void)
{
	printf("#compdef lunscope\n"
	       "# Completion of lunscope for zsh; made from the program's own tables.\n\n");
	print_commands();
	print_takers();
	fputs(functions, stdout);
	for (const struct complete_command *c = complete_commands; c->name; c++)
		print_command(c);
	printf("  esac\n"
	       "  _arguments -s $specs\n"
	       "}\n\n"
	       "_lunscope \"$@\"\n");
}
