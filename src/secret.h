/* secret.h - secrets leave the words they came in before anybody else sees these.
 *
 * What names a target ends up on the screen, in the store, in exports and in the list of processes. So
 * the secret in iscsi://user%secret@... is taken out first; it may also come from a file or from the
 * environment.
 */
#ifndef LUNSCOPE_SECRET_H
#define LUNSCOPE_SECRET_H

#include <stdbool.h>
#include "backends/backend.h"
#include "error.h"

#define SECRET_ENV	  "LUNSCOPE_CHAP_SECRET"
#define SECRET_TARGET_ENV "LUNSCOPE_CHAP_TARGET_SECRET"

/* Whether spec is a target that is reached over a network. */
bool secret_is_url(const char *spec);
/* Moves the secrets of a URL into login and closes the gaps they leave; the rest of spec's memory is
 * cleared. Other words stay as they are. 0, or -EINVAL when one is too long (it is cleared all the
 * same). */
int secret_take(char *spec, struct backend_login *login, struct error *e);
/* The same for a portal, which may be written without iscsi://. */
int secret_take_portal(char *portal, struct backend_login *login, struct error *e);
/* Moves the user in front of a portal, or of a URL's, into login. */
void secret_take_user(char *portal, struct backend_login *login);
/* The users that a URL without secrets names, into login. */
void secret_users(const char *url, struct backend_login *login);
/* Makes a URL without secrets name login's users in the place of those it names, as far as they can be
 * written there; without login->user it stays as it is. */
void secret_name_users(char *url, size_t n, const struct backend_login *login);
/* What secret_take() and secret_take_portal() would take becomes asterisks, as many as it has bytes: for
 * words that are still being typed. */
void secret_mask(char *text, bool portal);
/* Reads a secret from the first line of a file, into n bytes. 0 or -errno. */
int secret_read(const char *path, char *out, size_t n, struct error *e);
/* What is not known yet is taken from the environment. */
void secret_from_environment(struct backend_login *login);

#endif
