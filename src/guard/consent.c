/* consent.c - gate 10: the operator names the target before it is written.
 *
 * y/N is answered by habit; the end of a worldwide name has to be read first.
 */
#include "guard/gates.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

#define BLANKS " \t\r\n"

static int refused(const struct guard_report *r, struct error *e)
{
	for (unsigned i = 0; i < r->count; i++)
		if (r->finding[i].level == GUARD_REFUSE)
			return error_set(e, EPERM, "%s: not written: %s", r->spec,
					 r->finding[i].text);
	return 0;
}

int guard_check_typed(const struct guard_report *r, const char *typed, struct error *e)
{
	size_t length = strlen(r->confirm);
	const char *rest;
	int err = refused(r, e);

	if (err)
		return err;
	rest = typed + strspn(typed, BLANKS);
	if (length > 0 && strncasecmp(rest, r->confirm, length) == 0) {
		rest += length;
		if (r->needs_destroy && *rest && strchr(BLANKS, *rest)) {
			rest += strspn(rest, BLANKS);
			if (strncmp(rest, "DESTROY", 7) == 0 && !rest[7 + strspn(rest + 7, BLANKS)])
				return 0;
		} else if (!r->needs_destroy && !rest[strspn(rest, BLANKS)]) {
			return 0;
		}
	}
	return error_set(e, EACCES, "%s: not written: type %s%s to agree", r->spec, r->confirm,
			 r->needs_destroy ? " DESTROY" : "");
}

int guard_check_own(const struct guard_report *r, const char *own, bool destroy, struct error *e)
{
	int err = refused(r, e);
	bool same;

	if (err)
		return err;
	if (!own || !*own)
		return error_set(e, EACCES, "%s: not written: add --i-own '%.300s'%s to agree",
				 r->spec, r->id, r->needs_destroy ? " --destroy" : "");
	same = r->kind == GUARD_FILE ? strcmp(own, r->id) == 0 : strcasecmp(own, r->id) == 0;
	if (!same || !r->id[0])
		return error_set(e, EACCES,
				 "%s: not written: it is '%.200s', but --i-own says '%.100s'",
				 r->spec, r->id, own);
	if (r->needs_destroy && !destroy)
		return error_set(e, EACCES,
				 "%s: not written: its data would be lost; add --destroy "
				 "to agree",
				 r->spec);
	return 0;
}
