/* files.c - see files.h. */
#include "env/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void env_files_add(struct env_files *s, const char *words, const char *path, bool choice)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return;
	if (fd < 0)
		fd = -errno;
	struct env_file *more = realloc(s->file, (s->count + 1) * sizeof(*more));
	if (!more) {
		if (fd >= 0)
			close(fd);
		return;
	}
	s->file = more;
	struct env_file *f = &more[s->count++];
	snprintf(f->words, sizeof(f->words), "%s", words);
	f->fd = fd;
	f->choice = choice;
}

/* What stands in brackets; all of it where nothing does ("none"). */
static void keep_choice(char *text)
{
	char *open = strchr(text, '['), *close = open ? strchr(open, ']') : NULL;

	if (!close)
		return;
	*close = 0;
	memmove(text, open + 1, strlen(open + 1) + 1);
}

/* What has gone with its device is no setting any more. */
static void read_file(const struct env_file *file, struct facts *f)
{
	char text[FACT_VALUE];
	ssize_t n = file->fd < 0 ? file->fd : pread(file->fd, text, sizeof(text) - 1, 0);
	int err = file->fd < 0 ? -file->fd : errno;

	if (n < 0 && (err == ENODEV || err == ENXIO))
		return;
	if (n < 0) {
		facts_setf(f, file->words, "(%s)", strerror(err));
		return;
	}
	text[n] = 0;
	if (file->choice)
		keep_choice(text);
	facts_set(f, file->words, text);
}

void env_files_read(const struct env_files *s, struct facts *f)
{
	for (size_t i = 0; i < s->count; i++)
		read_file(&s->file[i], f);
}

void env_files_close(struct env_files *s)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->file[i].fd >= 0)
			close(s->file[i].fd);
	free(s->file);
	s->file = NULL;
	s->count = 0;
}
