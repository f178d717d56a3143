/* consent.h - headless consent to write: the guard's way from a wish to an open target. */
#ifndef LUNSCOPE_CONSENT_H
#define LUNSCOPE_CONSENT_H

#include "error.h"
#include "guard/guard.h"
#include "options.h"
#include "target.h"

/* When the workload w writes and the target may not be written yet: inspects it, tells on stderr what
 * speaks against it, wants --write and --i-own, and opens it through the guard. *watch is then the
 * guard's watch, which the run takes over. 0; -EPERM or -EACCES when the guard refuses (exit status
 * 3); another -errno for trouble. */
int consent_headless(struct target *t, const struct options *o, const struct workload *w,
		     struct guard_watch **watch, struct error *e);

/* guard_inspect(), by what kind of target t is. */
int consent_inspect(const struct target *t, const struct guard_window *window,
		    struct guard_report *r, struct error *e);
/* After consent: a LUN may be written from here on, and is watched. 0 or the guard's -errno. */
int consent_write_lun(struct target *t, const struct guard_report *r, struct guard_watch **watch,
		      struct error *e);

/* A file that lunscope made for t is watched like any other target that is written: *watch is the
 * guard's watch, NULL where t was not made by lunscope. 0 or -errno. */
int consent_watch_created(const struct target *t, struct guard_watch **watch, struct error *e);

#endif
