/* gnuplot.c - see gnuplot.h. */
#include "report/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int missing(struct error *e)
{
	return error_set(e, ENOENT,
			 "a page's charts need gnuplot, and there is none: apt-get install "
			 "gnuplot-nox (--md and --csv do without)");
}

int gnuplot_check(struct error *e)
{
	const char *path = getenv("PATH");
	char *copy = strdup(path ? path : "/usr/bin:/bin"), *rest = copy, name[4096];
	bool found = false;

	for (char *at = strsep(&rest, ":"); at && !found; at = strsep(&rest, ":")) {
		int n = snprintf(name, sizeof(name), "%s/gnuplot", *at ? at : ".");
		found = n < (int)sizeof(name) && access(name, X_OK) == 0;
	}
	free(copy);
	return found ? 0 : missing(e);
}

/* All of what fd has, with a NUL behind it. */
static char *read_all(int fd)
{
	size_t used = 0, room = 65536;
	char *text = malloc(room);
	ssize_t n;

	while (text && (n = read(fd, text + used, room - used - 1)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			break;
		used += (size_t)n;
		if (room - used < 2) {
			char *more = realloc(text, room *= 2);
			if (!more)
				free(text);
			text = more;
		}
	}
	if (text)
		text[used] = 0;
	return text;
}

/* gnuplot without the user's own settings, which may be anything. */
static int start(pid_t *pid, int in, int out, int errors)
{
	char *const argv[] = {(char *)"gnuplot", (char *)"-d", NULL};
	posix_spawn_file_actions_t files;

	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&files, errors, STDERR_FILENO);
	int rc = posix_spawnp(pid, argv[0], &files, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&files);
	return rc;
}

static bool ended_well(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return false;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* A file without a name, of which others get no descriptor. */
static FILE *scratch(void)
{
	FILE *f = tmpfile();

	if (f)
		fcntl(fileno(f), F_SETFD, FD_CLOEXEC);
	return f;
}

/* The first words of what gnuplot complained about. */
static int complaint(FILE *errors, struct error *e)
{
	char line[200] = "";

	rewind(errors);
	while (fgets(line, sizeof(line), errors) && strspn(line, " \t\n^") == strlen(line))
		;
	line[strcspn(line, "\n")] = 0;
	return error_set(e, EIO, "gnuplot drew no chart%s%s", *line ? ": " : "", line);
}

/* What it wrote on standard output; NULL with words. */
static char *run(FILE *script, FILE *errors, struct error *e)
{
	int out[2];
	pid_t pid;

	if (pipe2(out, O_CLOEXEC)) {
		error_errno(e, errno, "gnuplot");
		return NULL;
	}
	int rc = start(&pid, fileno(script), out[1], fileno(errors));
	close(out[1]);
	char *text = rc ? NULL : read_all(out[0]);
	close(out[0]);
	if (rc) {
		if (rc == ENOENT)
			missing(e);
		else
			error_errno(e, rc, "gnuplot");
		return NULL;
	}
	bool well = ended_well(pid);
	if (well && text)
		return text;
	free(text);
	complaint(errors, e);
	return NULL;
}

/* --- What the page takes of it. --- */

/* Drops from text everything between (and with) from and to. */
static void drop_all(char *text, const char *from, const char *to)
{
	for (char *at = strstr(text, from); at; at = strstr(at, from)) {
		char *end = strstr(at + strlen(from), to);
		if (!end)
			return;
		end += strlen(to);
		memmove(at, end, strlen(end) + 1);
	}
}

/* Groups with nothing in them, of which gnuplot makes many. */
static void drop_empty(char *text)
{
	for (char *at = strstr(text, "<g "); at;) {
		char *end = strchr(at, '>');
		if (!end)
			return;
		end++;
		end += strspn(end, " \t\n");
		if (strncmp(end, "</g>", 4) == 0) {
			end += 4;
			end += strspn(end, " \t\n");
			memmove(at, end, strlen(end) + 1);
			at = strstr(at, "<g ");
		} else {
			at = strstr(at + 1, "<g ");
		}
	}
}

/* "rgb(  0,   0,   3)" is var(--c3); what gnuplot chose itself is the page's ink. */
static bool colour_at(const char *p, size_t *length, char out[16])
{
	int r, g, b, n = 0;

	if (sscanf(p, "rgb(%d,%d,%d)%n", &r, &g, &b, &n) == 3 && n) {
		*length = (size_t)n;
		snprintf(out, 16, r || g || b > 9 ? "var(--c0)" : "var(--c%d)", b);
		return true;
	}
	if (sscanf(p, "#00000%1d%n", &b, &n) == 1 && n == 7) {
		*length = 7;
		snprintf(out, 16, "var(--c%d)", b);
		return true;
	}
	if (strncmp(p, "black", 5) == 0 || strncmp(p, "gray", 4) == 0) {
		*length = *p == 'b' ? 5 : 4;
		snprintf(out, 16, "var(--c0)");
		return true;
	}
	return false;
}

/* A quote that a value of an attribute begins with: gnuplot writes ="..." and = '...'. */
static bool begins_value(const char *text, const char *quote)
{
	if (*quote != '"' && *quote != '\'')
		return false;
	do
		quote--;
	while (quote > text && *quote == ' ');
	return *quote == '=';
}

static char *with_colours(const char *text)
{
	char *result = NULL, name[16];
	size_t size, n;
	FILE *f = open_memstream(&result, &size);

	if (!f)
		return NULL;
	for (const char *p = text; *p; p++) {
		if (p > text + 1 && begins_value(text, p - 1) && colour_at(p, &n, name)) {
			fputs(name, f);
			p += n - 1;
		} else {
			fputc(*p, f);
		}
	}
	fclose(f);
	return result;
}

/* The drawing lies between the definitions, of which it needs none, and the end. */
static char *take_drawing(char *svg)
{
	char *body = strstr(svg, "</defs>"), *end = NULL;

	if (!body || !(end = strstr(body, "</svg>")))
		return NULL;
	body += strlen("</defs>");
	*end = 0;
	drop_all(body, "<title>", "</title>");
	drop_all(body, " id=\"", "\"");
	drop_all(body, " font-family=\"", "\"");
	drop_empty(body);
	/* The canvas' own group was opened before the definitions. */
	char *last = strrchr(body, '<');
	if (last && strncmp(last, "</g>", 4) == 0)
		*last = 0;
	return with_colours(body);
}

int gnuplot_draw(char **drawing, const char *script, unsigned width, unsigned height,
		 struct error *e)
{
	FILE *in = scratch(), *errors = scratch();
	char *svg = NULL;
	int rc = 0;

	*drawing = NULL;
	if (in && errors) {
		fprintf(in,
			"set terminal svg size %u,%u dynamic noenhanced fontscale 1\n"
			"set encoding utf8\n%s",
			width, height, script);
		if (fflush(in) == 0) {
			rewind(in);
			svg = run(in, errors, e);
			rc = svg ? 0 : -EIO;
		} else {
			rc = error_errno(e, errno, "gnuplot");
		}
	} else {
		rc = error_errno(e, errno, "gnuplot: a temporary file");
	}
	if (svg) {
		*drawing = take_drawing(svg);
		rc = *drawing ? 0 : complaint(errors, e);
	}
	free(svg);
	if (in)
		fclose(in);
	if (errors)
		fclose(errors);
	return rc;
}
