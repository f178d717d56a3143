/* conf.h - the config file of the screen: found, read, and saved so that nothing else in it is lost.
 *
 * An INI file: [screen] has options by their long names, [panes] what is shown, [keys] what keys do.
 * What a key of it means is for others to say; here it is words with a line number.
 */
#ifndef LUNSCOPE_CONF_H
#define LUNSCOPE_CONF_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include "error.h"

struct conf_entry {
	char section[32], name[48], value[200];
	int line;
};

struct conf {
	char path[PATH_MAX]; /* "": there is none */
	struct conf_entry *entry;
	size_t count;
};

/* Reads $XDG_CONFIG_HOME/lunscope/config (else ~/.config), or where there is none the one in
 * $XDG_CONFIG_DIRS, or in the system's folder. Without any: 0 and no entries. -errno with words that begin
 * "PATH:LINE: ". */
int conf_load(struct conf *c, struct error *e);
int conf_read(struct conf *c, const char *path, struct error *e);
void conf_free(struct conf *c);
/* NULL: there is none. */
const struct conf_entry *conf_find(const struct conf *c, const char *section, const char *name);
/* Puts where it stands in front of the words in e. Returns -EINVAL. */
int conf_blame(const struct conf *c, const struct conf_entry *at, struct error *e);

/* Where the user's own is, there or not. -ENOENT with words without a home. */
int conf_own_path(char path[PATH_MAX], struct error *e);

/* Replaces a file of the user's as a whole, where a link leads to: it is the old or the new one at any time;
 * what a killed one has left beside it is removed.
 * Missing folders and the file are made for their owner alone (0700, 0600). put writes the new one; old is
 * the one that was there, or NULL; 0 or -errno, with which nothing is changed. -EPERM, with words, when it
 * belongs to somebody else, as with sudo, unless others is set; then it goes on belonging to them. -errno
 * with words. */
typedef int conf_put(FILE *out, FILE *old, const void *what);
int conf_replace(const char *path, conf_put *put, const void *what, bool others, struct error *e);

struct conf_edit {
	const char *section, *name;
	char value[200];
	bool gone; /* the key is taken out */
};
/* Changes these keys in the file, and nothing else: comments and unknown keys stay. As conf_replace(). */
int conf_save(const char *path, const struct conf_edit *edit, size_t n, bool others,
	      struct error *e);

#endif
