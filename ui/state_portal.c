/* state_portal.c - from the picker through iSCSI portals to a LUN: asking over the network, and asking
 * the operator for what CHAP wants.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "secret.h"
#include "state.h"
#include "units.h"

/* --- Asking portals. --- */

struct asking {
	const struct ui_host *host;
	char portals[PATHS_MAX * 320];
	bool one; /* a target that is known already, with other words */
	struct backend_login login;
	struct create_progress progress; /* for its cancel */
	struct found found;
	int rc;
	struct error error;
};

static void ask(void *data)
{
	struct asking *a = data;

	a->rc = a->host->discover(a->host->ctx, &a->found, a->portals, &a->login,
				  &a->progress.cancel, &a->error);
}

static void asking_free(void *data)
{
	struct asking *a = data;

	found_free(&a->found);
	explicit_bzero(a, sizeof(*a));
	free(a);
}

static void closed(void *state, enum dialog_result r, void *user);
static void ask_login(struct ui_state *s, int rc, const char *who, const struct error *e,
		      const struct backend_login *known);

static void push(struct ui_state *s)
{
	struct dialog d = dialog_portal(&s->portals);

	d.closed = closed;
	d.user = s;
	dialog_push(&s->dialogs, d);
}

static bool is_chap(int rc)
{
	return rc == -ENOKEY || rc == -EKEYREJECTED;
}

static void take_one(struct ui_state *s, struct asking *a)
{
	struct portal_desk *d = &s->portals;
	const struct found_target *t;
	struct error e;

	found_take(&d->found, &a->found);
	portal_show(d);
	t = &d->found.target[d->target];
	snprintf(e.text, sizeof(e.text), "%s", t->trouble);
	if (is_chap(t->err))
		ask_login(s, t->err, t->name, &e, &a->login);
	else
		push(s);
}

static void take_all(struct ui_state *s, struct asking *a)
{
	struct portal_desk *d = &s->portals;

	found_free(&d->found);
	d->found = a->found;
	a->found = (struct found){0};
	d->listing = false;
	portal_show(d);
	if (d->found.silents)
		snprintf(d->trouble, sizeof(d->trouble), "%s", d->found.silent[0].trouble);
	push(s);
}

static void asked(struct ui_state *s, void *data)
{
	struct asking *a = data;

	s->asking_one = a->one;
	if (a->rc == 0 && a->one) {
		take_one(s, a);
	} else if (a->rc == 0) {
		take_all(s, a);
	} else if (is_chap(a->rc)) {
		ask_login(s, a->rc, s->portals.words, &a->error, &a->login);
	} else {
		snprintf(s->portals.trouble, sizeof(s->portals.trouble), "%s", a->error.text);
		push(s);
	}
}

/* "10.0.0.1:3260/iqn... 10.0.1.1:3260/iqn..." */
static void name_target(char *out, size_t n, const struct found_target *t)
{
	out[0] = '\0';
	for (unsigned i = 0; i < t->portals; i++)
		if (t->portal[i].asked)
			units_append(out, n, "%s%s/%s", out[0] ? " " : "", t->portal[i].address,
				     t->name);
}

static void start_asking(struct ui_state *s, bool one, const struct backend_login *login)
{
	struct portal_desk *d = &s->portals;
	struct asking *a = calloc(1, sizeof(*a));
	char words[PORTAL_WORDS + 64];

	if (!a) {
		state_say(s, true, "No memory to ask a portal.");
		return;
	}
	a->host = s->host;
	a->one = one;
	a->login = *login;
	if (one)
		name_target(a->portals, sizeof(a->portals), &d->found.target[d->target]);
	else
		snprintf(a->portals, sizeof(a->portals), "%s", d->words);
	snprintf(words, sizeof(words), "Asking %s for targets and LUNs",
		 one ? d->found.target[d->target].name : d->words);
	struct state_job j = {
		.title = "Target",
		.words = words,
		.progress = &a->progress,
		.work = ask,
		.free_data = asking_free,
		.data = a,
		.done = asked,
		.cancelled = push,
	};
	if (!state_job_start(s, &j))
		state_say(s, true, "No thread to ask a portal.");
}

/* --- Asking the operator. --- */

static void login_given(void *state, enum dialog_result r, void *user)
{
	struct ui_state *s = user;

	if (r != DIALOG_DONE) {
		push(s);
		return;
	}
	if (!s->asking_one)
		s->portals.login = *login_answer(state);
	start_asking(s, s->asking_one, login_answer(state));
}

/* What the backend says of a missing login is advice for the command line. */
static void push_login(struct ui_state *s, int rc, const char *who, const struct error *e,
		       const struct backend_login *known,
		       void (*then)(void *state, enum dialog_result r, void *user))
{
	bool bad = rc == -EKEYREJECTED;
	char words[600];

	snprintf(words, sizeof(words), bad ? "%s" : "Who logs in to %s?", bad ? e->text : who);
	struct dialog d = dialog_login(words, bad, known);
	d.closed = then;
	d.user = s;
	if (!dialog_push(&s->dialogs, d))
		state_say(s, true, "No memory to ask for a login.");
}

static void ask_login(struct ui_state *s, int rc, const char *who, const struct error *e,
		      const struct backend_login *known)
{
	push_login(s, rc, who, e, known, login_given);
}

static void choice_login_given(void *state, enum dialog_result r, void *user)
{
	struct ui_state *s = user;
	struct choice *c = &s->choice;

	if (r != DIALOG_DONE) {
		state_choose_again(s, 0, NULL);
		return;
	}
	c->login = *login_answer(state);
	secret_name_users(c->spec, sizeof(c->spec), &c->login);
	state_open_choice(s);
}

bool state_choice_login(struct ui_state *s, int rc, const struct error *e)
{
	struct backend_login known = s->choice.login;

	if (!is_chap(rc) || !secret_is_url(s->choice.spec))
		return false;
	secret_users(s->choice.spec, &known);
	push_login(s, rc, s->choice.spec, e, &known, choice_login_given);
	explicit_bzero(&known, sizeof(known));
	return true;
}

/* --- The dialog. --- */

static void open_lun(struct ui_state *s)
{
	const struct found_target *t = &s->portals.found.target[s->portals.target];
	struct choice *c = &s->choice;

	found_url(c->spec, sizeof(c->spec), t, s->portals.lun);
	c->create_size = 0;
	c->login = t->login;
	secret_name_users(c->spec, sizeof(c->spec), &c->login);
	state_open_choice(s);
}

static void closed(void *state, enum dialog_result r, void *user)
{
	struct ui_state *s = user;
	struct portal_desk *d = state;
	const struct found_target *t;

	if (r != DIALOG_DONE) {
		portal_forget(d);
		state_choose_again(s, 0, NULL);
		return;
	}
	switch (d->wish) {
	case PORTAL_ASK: start_asking(s, false, &d->login); break;
	case PORTAL_OPEN: open_lun(s); break;
	case PORTAL_LOGIN:
		s->asking_one = true;
		t = &d->found.target[d->target];
		ask_login(s, -ENOKEY, t->name, NULL, &t->login);
		break;
	}
}

void state_portals(struct ui_state *s)
{
	push(s);
}

void state_portals_again(struct ui_state *s, int rc, const struct error *e)
{
	if (rc)
		snprintf(s->portals.trouble, sizeof(s->portals.trouble), "%s", e->text);
	push(s);
}
