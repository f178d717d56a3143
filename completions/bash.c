/* bash.c - the completion for bash. */
#include <stdio.h>
#include "complete.h"

static const char *const action[] = {
	[COMPLETE_FILE] = "_lunscope_files",
	[COMPLETE_NIC] = "_lunscope_words \"$(command ls /sys/class/net)\"",
	[COMPLETE_RUN] = "_lunscope_words \"$(_lunscope_runs)\"",
	[COMPLETE_THEME] = "_lunscope_words \"$(_lunscope_themes)\"",
	[COMPLETE_TARGET] = "_lunscope_words '" COMPLETE_TARGETS "'; _lunscope_files",
	[COMPLETE_TARGET_OR_NIC] =
		"_lunscope_words \"$(command ls /sys/class/net)\"; _lunscope_files",
};

static void print_values(void)
{
	printf("# Completes the value of option $1.\n"
	       "_lunscope_value() {\n"
	       "  case $1 in\n");
	for (int i = 0; i < OPTIONS_ALL; i++) {
		struct option_info o = option_at(i);
		if (!o.name || !o.argument[0])
			continue;
		enum complete_kind kind = complete_option_kind(&o);
		printf("  --%s) ", o.name);
		if (kind == COMPLETE_WORDS)
			printf("_lunscope_words '%s'", complete_words(&o));
		else
			printf("%s", action[kind] ? action[kind] : ":");
		printf(" ;;\n");
	}
	printf("  esac\n"
	       "}\n\n");
}

static void print_takers(void)
{
	printf("_lunscope_takers='");
	for (int i = 0; i < OPTIONS_ALL; i++)
		if (option_at(i).name && option_at(i).argument[0])
			printf(" --%s", option_at(i).name);
	printf(" '\n\n");
}

static void print_options(void)
{
	printf("# The options of command $1; none: the live screen.\n"
	       "_lunscope_options() {\n"
	       "  case $1 in\n");
	for (const struct complete_command *c = complete_commands; c->name; c++) {
		printf("  %s) echo \"", c->name[0] ? c->name : "''");
		for (int i = 0; i < OPTIONS_ALL; i++)
			if (option_at(i).name && option_at(i).commands & c->options)
				printf(" --%s", option_at(i).name);
		printf("\" ;;\n");
	}
	printf("  esac\n"
	       "}\n\n");
}

static void print_arguments(void)
{
	printf("# What command $1 works on.\n"
	       "_lunscope_argument() {\n"
	       "  case $1 in\n");
	for (const struct complete_command *c = complete_commands; c->name; c++) {
		const char *what = action[complete_argument_kind(c->argument)];
		if (what)
			printf("  %s) %s ;;\n", c->name[0] ? c->name : "''", what);
	}
	printf("  esac\n"
	       "}\n\n");
}

static void print_commands(void)
{
	printf("_lunscope_commands='");
	for (const struct complete_command *c = complete_commands; c->name; c++)
		printf("%s%s", c->name, c->name[0] && c[1].name ? " " : "");
	printf("'\n\n");
}

/* bash takes "--glyphs=half" apart into three words, and so "null:" into two. */
static const char body[] =
	"_lunscope_takes() { [[ $_lunscope_takers == *\" $1 \"* ]]; }\n\n"
	"# Those of these words, and those files, that begin with what is typed.\n"
	"_lunscope_add() {\n"
	"  local line\n"
	"  while IFS= read -r line; do COMPREPLY+=(\"$line\"); done\n"
	"}\n\n"
	"_lunscope_words() { _lunscope_add < <(compgen -W \"$1\" -- \"$cur\"); }\n\n"
	"_lunscope_files() { _lunscope_add < <(compgen -f -- \"$cur\"); }\n\n"
	"_lunscope_runs() { lunscope list 2>/dev/null | awk '$1 ~ /^[0-9]+$/ { print $1 }'; }\n\n"
	"_lunscope_themes() {\n"
	"  local file\n"
	"  for file in '" THEMEDIR "'/*.theme \\\n"
	"    \"${XDG_CONFIG_HOME:-$HOME/.config}\"/lunscope/themes/*.theme; do\n"
	"    [ -e \"$file\" ] && basename \"$file\" .theme\n"
	"  done\n"
	"}\n\n"
	"_lunscope() {\n"
	"  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
	"  local IFS=$' \\t\\n' command='' seen=0 i word option=''\n"
	"  COMPREPLY=()\n"
	"  if [ \"$cur\" = = ]; then\n"
	"    option=$prev cur=''\n"
	"  elif [ \"$prev\" = = ]; then\n"
	"    option=${COMP_WORDS[COMP_CWORD-2]}\n"
	"  else\n"
	"    option=$prev\n"
	"  fi\n"
	"  if _lunscope_takes \"$option\"; then\n"
	"    _lunscope_value \"$option\"\n"
	"    return\n"
	"  fi\n"
	"  for ((i = 1; i < COMP_CWORD; i++)); do\n"
	"    word=${COMP_WORDS[i]}\n"
	"    case $word in\n"
	"    --*)\n"
	"      [ \"${COMP_WORDS[i+1]}\" = = ] && ((i += 2)) && continue\n"
	"      _lunscope_takes \"$word\" && ((i++))\n"
	"      ;;\n"
	"    -*) ;;\n"
	"    *)\n"
	"      ((seen++)) && continue\n"
	"      case \" $_lunscope_commands \" in *\" $word \"*) command=$word ;; esac\n"
	"      ;;\n"
	"    esac\n"
	"  done\n"
	"  case $cur in\n"
	"  -*) _lunscope_words \"$(_lunscope_options \"$command\")\" ;;\n"
	"  *)\n"
	"    if [ -n \"$command\" ] || [ \"$seen\" -eq 0 ]; then\n"
	"      _lunscope_argument \"$command\"\n"
	"    fi\n"
	"    [ \"$seen\" -ne 0 ] || _lunscope_words \"$_lunscope_commands\"\n"
	"    ;;\n"
	"  esac\n"
	"}\n\n"
	"complete -o filenames -F _lunscope lunscope\n";

void complete_bash(void)
{
	printf("# Completion of lunscope for bash; made from the program's own tables.\n\n");
	print_commands();
	print_takers();
	print_options();
	print_values();
	print_arguments();
	fputs(body, stdout);
}
