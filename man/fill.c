/* fill.c - makes the manual page from lunscope.1.in: options, knobs and keys come from the program's own
 * tables, the longer words for them from the template. Runs while lunscope is built.
 *
 * A line of the template may be
 *
 *	@OPTION name@		the head of that option's item; its longer words follow
 *	@OPTION name MARKUP@	the same where its argument is more than one word in capitals
 *	@OPTIONS Heading@	items of all options under this heading that have no @OPTION@, with the
 *				words of --help
 *	@KNOBS@ @KEYS@		the rows of the two lists of keys
 *
 * An option that would be nowhere, one that there isn't and one that stands twice stop the build.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "ui/action.h"

static bool named[OPTIONS_ALL], written[OPTIONS_ALL];

static int fail(const char *what, const char *name)
{
	fprintf(stderr, "man/lunscope.1.in: %s: %s\n", name, what);
	return 1;
}

static int find_option(const char *name)
{
	for (int i = 0; i < OPTIONS_ALL; i++)
		if (option_at(i).name && strcmp(option_at(i).name, name) == 0)
			return i;
	return -1;
}

/* Takes "@WORD rest@" apart; false for any other line. Rest may be "". */
static bool directive(char *line, const char **word, char **rest)
{
	size_t n = strlen(line);

	if (n < 4 || line[0] != '@' || line[n - 2] != '@' || line[n - 1] != '\n')
		return false;
	line[n - 2] = '\0';
	*word = line + 1;
	*rest = strchr(line, ' ');
	if (*rest)
		*(*rest)++ = '\0';
	else
		*rest = line + n - 2;
	return true;
}

static void print_head(const struct option_info *o, const char *markup)
{
	printf(".It Fl -%s", o->name);
	if (markup)
		printf(" %s", markup);
	else if (o->argument[0])
		printf(" Ar ");
	for (const char *c = o->argument; *c && !markup; c++)
		putchar(tolower((unsigned char)*c));
	putchar('\n');
}

/* A sentence: with a capital, and a full stop. */
static void print_help(const char *help)
{
	size_t n = strlen(help);

	printf("%s%c%s%s\n", strchr(".'", help[0]) ? "\\&" : "", toupper((unsigned char)help[0]),
	       help + 1, n && help[n - 1] == '.' ? "" : ".");
}

static void print_rest(const char *heading)
{
	for (int i = 0; i < OPTIONS_ALL; i++) {
		struct option_info o = option_at(i);
		if (!o.name || named[i] || written[i] || strcmp(o.heading, heading) != 0)
			continue;
		print_head(&o, NULL);
		print_help(o.help);
		written[i] = true;
	}
}

static int print_option(char *name)
{
	char *markup = strchr(name, ' ');

	if (markup)
		*markup++ = '\0';
	int i = find_option(name);
	if (written[i])
		return fail("stands twice", name);
	struct option_info o = option_at(i);
	print_head(&o, markup);
	written[i] = true;
	return 0;
}

static void print_knobs(void)
{
	for (int k = 0; k < KNOB_COUNT; k++) {
		const struct knob_info *i = &knobs[k];
		printf(".It Ic %c %c Ta %s Ta %s\n", i->key_down, i->key_up, i->name, i->help);
	}
}

static void print_letter(char letter)
{
	if (letter == ' ')
		printf(" space");
	else
		printf(" %s%c", strchr("?!.'", letter) ? "\\&" : "", letter);
}

static void print_keys(void)
{
	for (int a = ACT_NONE + 1; a < ACT_COUNT; a++) {
		const struct action_info *i = &actions[a];
		printf(".It ");
		if (i->fkey)
			printf("Ic F%d ", i->fkey);
		printf("Ta Ic");
		for (const char *c = i->letters; *c; c++)
			print_letter(*c);
		printf(" Ta %s\n", i->help);
	}
}

static int print_line(char *line)
{
	const char *word;
	char *rest;

	if (!directive(line, &word, &rest)) {
		fputs(line, stdout);
		return 0;
	}
	if (strcmp(word, "OPTION") == 0)
		return print_option(rest);
	if (strcmp(word, "OPTIONS") == 0)
		print_rest(rest);
	else if (strcmp(word, "KNOBS") == 0)
		print_knobs();
	else if (strcmp(word, "KEYS") == 0)
		print_keys();
	else
		return fail("there is no such word", word);
	return 0;
}

/* Which options have words of their own. */
static int read_names(FILE *f)
{
	char line[1024], *rest;
	const char *word;
	int rc = 0;

	while (fgets(line, sizeof(line), f)) {
		if (!directive(line, &word, &rest) || strcmp(word, "OPTION") != 0)
			continue;
		rest[strcspn(rest, " ")] = '\0';
		int i = find_option(rest);
		if (i < 0)
			rc = fail("lunscope has no such option", rest);
		else
			named[i] = true;
	}
	rewind(f);
	return rc;
}

int main(int argc, char **argv)
{
	char line[1024];

	if (argc != 2) {
		fprintf(stderr, "usage: fill TEMPLATE >PAGE\n");
		return 2;
	}
	FILE *f = fopen(argv[1], "r");
	if (!f) {
		perror(argv[1]);
		return 1;
	}
	int rc = read_names(f);
	while (rc == 0 && fgets(line, sizeof(line), f))
		rc = print_line(line);
	fclose(f);
	for (int i = 0; rc == 0 && i < OPTIONS_ALL; i++)
		if (option_at(i).name && !written[i])
			rc = fail("neither @OPTION@ nor @OPTIONS@ of its heading is there",
				  option_at(i).name);
	return fflush(stdout) || rc ? 1 : 0;
}
