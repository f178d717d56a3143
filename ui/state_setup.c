/* state_setup.c - the setup screen's side of the state: each choice is tried at once, on the screen behind
 * it, and taken back by Esc. The loop looks at setup_serial for what only it can do.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "conf.h"
#include "dialogs.h"
#include "quiet_kernel.h"
#include "state.h"

struct setup state_setup_of(const struct ui_config *c)
{
	struct setup s = c->setup ? *c->setup : setup_usual();

	snprintf(s.theme, sizeof(s.theme), "%s", c->theme ? c->theme : "default");
	s.level = c->level;
	s.colour = c->colour;
	s.unit = c->unit;
	s.fps = c->fps > 0 ? c->fps : 4;
	s.quiet_kernel = c->quiet_kernel;
	s.mouse = c->mouse;
	s.footer = c->footer;
	return s;
}

static const struct setup *now(void *ctx)
{
	return &((struct ui_state *)ctx)->setup;
}

static int try_it(void *ctx, const struct setup *wish, struct error *e)
{
	struct ui_state *s = ctx;
	struct view *v = &s->gather.view;

	if (wish->quiet_kernel && !s->setup.quiet_kernel) {
		int rc = quiet_kernel_check(e);
		if (rc)
			return rc;
	}
	if (strcmp(wish->theme, s->setup.theme) != 0) {
		struct theme t;
		int rc = theme_load(&t, wish->theme, e);
		if (rc)
			return rc;
		s->theme = t;
		s->theme_serial++;
	}
	if (wish->level != s->setup.level && wish->level < GL_COUNT) {
		v->level = wish->level;
		v->g = &glyph_table[v->level];
	}
	s->setup = *wish;
	v->unit = wish->unit;
	action_bind(&wish->keys);
	s->setup_serial++;
	state_resize(s, s->rows, s->cols);
	return 0;
}

static int save(void *ctx, bool others, char *path, struct error *e)
{
	const struct ui_state *s = ctx;
	int rc = conf_own_path(path, e);

	return rc ? rc : setup_save(&s->setup, path, others, e);
}

static bool can_show(void *ctx, enum glyph_level level)
{
	return !glyph_table[level].utf8 || ((struct ui_state *)ctx)->utf8;
}

static void closed(void *state, enum dialog_result r, void *user)
{
	struct ui_state *s = user;
	struct error e;

	(void)state;
	if (r == DIALOG_DONE)
		state_say(s, false, "The setup stays so until lunscope ends; it was not saved.");
	else if (try_it(s, &s->kept, &e))
		state_say(s, true, "%s", e.text);
}

/* What is saved is what Esc goes back to from then on. */
static void was_saved(void *ctx)
{
	struct ui_state *s = ctx;

	s->kept = s->setup;
}

void state_setup(struct ui_state *s)
{
	const struct setup_desk desk = {
		.now = now,
		.apply = try_it,
		.save = save,
		.saved = was_saved,
		.can_show = can_show,
		.ctx = s,
	};
	struct dialog d = dialog_setup(&desk);

	s->kept = s->setup;
	d.closed = closed;
	d.user = s;
	dialog_push(&s->dialogs, d);
}
