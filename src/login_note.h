/* login_note.h - what stands on the terminal while a target is logged in to, before there is a screen. */
#ifndef LUNSCOPE_LOGIN_NOTE_H
#define LUNSCOPE_LOGIN_NOTE_H

#include <stdbool.h>

/* Says so on standard error, where that is a terminal and spec a LUN; done: takes it away again. */
void login_note(const char *spec, bool done);

#endif
