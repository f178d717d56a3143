/* error.h - how a function says what went wrong.
 *
 * Functions return 0 or a negative errno; whoever wants words hands in a struct error, whose text
 * already names the object and, where there is one, the remedy:
 * "/dev/sdb: block size 1000 is not a multiple of its 512-byte sectors". Only main and the screen
 * print. This header stands on nothing else, so every layer may use it.
 */
#ifndef LUNSCOPE_ERROR_H
#define LUNSCOPE_ERROR_H

struct error {
	char text[512];
};

/* Writes the message into e (which may be NULL) and returns -err, so that a caller can end with
 * `return error_set(e, EINVAL, "...")`. err is a positive errno. */
int error_set(struct error *e, int err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* As error_set, with ": strerror(err)" at the end. */
int error_errno(struct error *e, int err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Makes words of strangers (targets, names on disks) safe to print: what a terminal would obey, control
 * characters of ASCII, and of ISO 6429 as bytes or in UTF-8, becomes '?'. Returns text. Messages have been
 * through it. */
char *error_tame(char *text);

#endif
