/* complete.h - what the shells' completions have in common: what a word on lunscope's command line can
 * be, from the program's own tables.
 */
#ifndef LUNSCOPE_COMPLETE_H
#define LUNSCOPE_COMPLETE_H

#include <stdbool.h>
#include "src/options.h"

struct complete_command {
	const char *name;     /* NULL behind the last; "" is the live screen, which has no name */
	const char *argument; /* what follows, as the usage has it */
	unsigned options;     /* FOR_... */
	const char *help;
};

extern const struct complete_command complete_commands[];

/* What an argument is, where a shell can say more than its name. */
enum complete_kind {
	COMPLETE_NOTHING,
	COMPLETE_WORDS, /* one of complete_words() */
	COMPLETE_FILE,
	COMPLETE_NIC,
	COMPLETE_RUN,
	COMPLETE_THEME,
	COMPLETE_TARGET, /* a file, a device, or a word */
	COMPLETE_TARGET_OR_NIC,
};

enum complete_kind complete_option_kind(const struct option_info *o);
enum complete_kind complete_argument_kind(const char *argument);
/* The words that an option with COMPLETE_WORDS takes, blanks in between; valid until the next call. */
const char *complete_words(const struct option_info *o);
/* Of the targets that are no file. */
#define COMPLETE_TARGETS "null: iscsi://"

void complete_bash(void);
void complete_zsh(void);
void complete_fish(void);

#endif
