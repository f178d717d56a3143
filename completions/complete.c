/* complete.c - prints a shell's completion for lunscope: complete bash|zsh|fish. Runs while lunscope is
 * built, so that no list of options is kept by hand.
 */
#include "complete.h"

#include <stdio.h>
#include <string.h>

#include "src/commands.h"

const struct complete_command complete_commands[] = {
	{"", "[TARGET]", FOR_LIVE, "the live screen"},
#define X(name, argument, options, args, more, help) {#name, argument, options, help},
	COMMAND_TABLE(X)
#undef X
		{"help", "", 0, "the usage"},
	{NULL, NULL, 0, NULL},
};

int main(int argc, char **argv)
{
	const char *shell = argc == 2 ? argv[1] : "";

	if (strcmp(shell, "bash") == 0)
		complete_bash();
	else if (strcmp(shell, "zsh") == 0)
		complete_zsh();
	else if (strcmp(shell, "fish") == 0)
		complete_fish();
	else {
		fprintf(stderr, "usage: complete bash|zsh|fish\n");
		return 2;
	}
	return fflush(stdout) ? 1 : 0;
}
