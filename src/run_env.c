/* run_env.c - see run_env.h. */
#include "run_env.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "env/files.h"
#include "export.h"
#include "run_internal.h"
#include "store_load.h"

/* Changes of a run that are kept; a link that flaps for a day has fewer. */
#define CHANGES_MAX 100000

/* --- What is watched. --- */

static void scope_device(const struct run *r, struct env_scope *s)
{
	const struct target *t = r->target;
	struct stat st;

	if (t->kind == TARGET_BLOCK)
		env_device_name("", t->rdev, s->device);
	else if (t->kind == TARGET_FILE && t->fd >= 0 && fstat(t->fd, &st) == 0)
		env_device_name("", st.st_dev, s->device);
}

static void scope_nics(struct run_env *e, const struct sessions *s)
{
	struct env_scope scope = {.device = ""};

	/* Those of paths first, as they are the ones that figures are of; one that has been seen once
	 * stays. */
	for (unsigned i = 0; i < s->paths && i < PATHS_MAX; i++)
		if (s->path[i].nic[0])
			env_scope_add(&scope, s->path[i].nic);
	unsigned paths = env_scope_count(&scope);
	for (unsigned i = 0; i < env_scope_count(&e->scope) - e->asked; i++)
		env_scope_add(&scope, e->scope.nic[i]);
	paths = env_scope_count(&scope);
	for (unsigned i = 0; i < WATCH_NICS && e->scope.nic[i][0]; i++)
		env_scope_add(&scope, e->scope.nic[i]);
	e->asked = env_scope_count(&scope) - paths;
	memcpy(e->scope.nic, scope.nic, sizeof(scope.nic));
}

/* What is watched from now on was so from the start, as far as anybody knows. */
static void note_start(struct run *r)
{
	struct run_env *e = &r->env;
	const struct facts *now = env_watch_facts(e->watch);
	bool grown = false;

	for (size_t i = 0; i < now->count; i++)
		if (!facts_get(&e->start, now->fact[i].words)) {
			facts_set(&e->start, now->fact[i].words, now->fact[i].value);
			grown = true;
		}
	if (!grown)
		return;
	json_t *nics = json_array();
	for (unsigned i = 0; i < env_scope_count(&e->scope); i++)
		json_array_append_new(nics, export_text(e->scope.nic[i]));
	json_object_set_new(r->environment, "nics", nics);
	json_object_set_new(r->environment, "facts", facts_json(&e->start));
}

void run_env_open(struct run *r)
{
	struct run_env *e = &r->env;
	struct error why;
	struct sample nothing;
	char text[MARK_TEXT];

	e->scope = r->config.watch;
	e->asked = env_scope_count(&e->scope);
	scope_device(r, &e->scope);
	scope_nics(e, &r->sessions);
	counters_open(&e->counters, "");
	if (env_watch_open(&e->watch, "", &e->scope, &why)) {
		snprintf(text, sizeof(text), "settings of this host are not watched: %.100s",
			 why.text);
		timeline_mark(r->timeline, MARK_EVENT, clock_ns(), 1, NULL, text);
		return;
	}
	note_start(r);
	/* What figures are the difference to. */
	sample_clear(&nothing);
	run_env_sample(r, &nothing);
}

void run_env_close(struct run *r)
{
	struct run_env *e = &r->env;

	env_watch_close(e->watch);
	e->watch = NULL;
	counters_close(&e->counters);
	facts_free(&e->start);
	facts_free(&e->turn.from);
	free(e->change);
	e->change = NULL;
	e->changes = 0;
}

void run_env_follow(struct run *r, const struct sessions *s)
{
	if (!r->env.watch)
		return;
	scope_nics(&r->env, s);
	env_watch_scope(r->env.watch, &r->env.scope);
}

/* --- Marks. --- */

struct turn {
	struct facts from, to; /* settings */
	struct facts link_from, link_to;
};

/* A link that goes or comes is no setting: drivers drop it for a while when one is changed. */
static bool is_link(const char *words)
{
	const char *what = strrchr(words, ' ');

	return what && strcmp(what, " link") == 0;
}

static void sort_change(const char *words, const char *from, const char *to, void *arg)
{
	struct turn *t = arg;
	bool link = is_link(words);

	facts_set(link ? &t->link_from : &t->from, words, from);
	facts_set(link ? &t->link_to : &t->to, words, to);
}

/* "eth2 mtu 1500 > 9000, eth3 mtu 1500 > 9000", as many as there is room for. Returns out. */
static char *describe(const struct facts *from, const struct facts *to, char *out, size_t n)
{
	size_t used = 0;

	out[0] = 0;
	for (size_t i = 0; i < to->count; i++) {
		char words[FACT_WORDS + 2 * FACT_VALUE + 8], more[24] = "";
		const struct fact *f = &to->fact[i];
		facts_change_words(words, sizeof(words), f->words, facts_get(from, f->words),
				   f->value);
		size_t left = to->count - i;
		if (left > 1)
			snprintf(more, sizeof(more), " and %zu more", left - 1);
		if (used && used + 2 + strlen(words) + strlen(more) >= n) {
			snprintf(out + used, n - used, " and %zu more", left);
			break;
		}
		snprintf(out + used, n - used, "%s%s", used ? ", " : "", words);
		used = strlen(out);
	}
	return out;
}

static void keep_changes(struct run *r, uint32_t mark, const struct facts *to)
{
	struct run_env *e = &r->env;

	for (size_t i = 0; mark && i < to->count && e->changes < CHANGES_MAX; i++) {
		if (e->changes == e->changes_room) {
			size_t room = e->changes_room ? 2 * e->changes_room : 32;
			struct store_change *more = realloc(e->change, room * sizeof(*more));
			if (!more)
				return;
			e->change = more;
			e->changes_room = room;
		}
		e->change[e->changes++] = (struct store_change){mark, to->fact[i]};
	}
}

/* Settings that a script changes one after the other leave one mark, as a knob does that is turned through
 * several steps. */
static void mark_settings(struct run *r, const struct turn *t)
{
	struct run_env *e = &r->env;
	struct facts now = {0};
	char text[MARK_TEXT];
	uint64_t t_ns = r->before->t_ns;

	if (e->turn.mark && e->turn.mark == timeline_newest_mark(r->timeline) &&
	    t_ns - e->turn.t_ns < NS_PER_SEC)
		timeline_pass(r->timeline, e->turn.mark);
	else
		facts_clear(&e->turn.from);
	for (size_t i = 0; i < t->from.count; i++)
		if (!facts_get(&e->turn.from, t->from.fact[i].words))
			facts_set(&e->turn.from, t->from.fact[i].words, t->from.fact[i].value);
	for (size_t i = 0; i < e->turn.from.count; i++) {
		const struct fact *f = &e->turn.from.fact[i];
		const char *value = facts_get(env_watch_facts(e->watch), f->words);
		if (value && strcmp(value, f->value) != 0)
			facts_set(&now, f->words, value);
	}
	describe(&e->turn.from, &now, text, sizeof(text));
	run_begin_sequence(r);
	e->turn.mark =
		run_mark_now(r, MARK_ENV, NULL, text[0] ? text : "settings back where they were");
	e->turn.t_ns = t_ns;
	keep_changes(r, e->turn.mark, &t->to);
	facts_free(&now);
}

static void mark_links(struct run *r, const struct turn *t)
{
	char text[MARK_TEXT];

	describe(&t->link_from, &t->link_to, text, sizeof(text));
	uint32_t id = timeline_mark(r->timeline, MARK_EVENT, r->before->t_ns, r->snap.generation,
				    NULL, text);
	keep_changes(r, id, &t->link_to);
}

void run_env_look(struct run *r)
{
	struct run_env *e = &r->env;
	struct turn t = {.from = {.count = 0}};

	if (!e->watch || r->snap.ended)
		return;
	unsigned n = env_watch_look(e->watch, sort_change, &t);
	if (env_watch_comings(e->watch) != e->comings) {
		e->comings = env_watch_comings(e->watch);
		note_start(r);
	}
	if (n == 0)
		return;
	if (t.to.count)
		mark_settings(r, &t);
	if (t.link_to.count)
		mark_links(r, &t);
	facts_free(&t.from);
	facts_free(&t.to);
	facts_free(&t.link_from);
	facts_free(&t.link_to);
}

/* --- Figures. --- */

static uint64_t since(uint64_t now, uint64_t before)
{
	return now > before ? now - before : 0;
}

static const char *fact_of(const struct facts *f, const char *nic, const char *what)
{
	char words[FACT_WORDS];

	snprintf(words, sizeof(words), "%s %s", nic, what);
	const char *value = facts_get(f, words);
	return value ? value : "";
}

static void view_settings(struct nic_view *v, const struct facts *f)
{
	static const char *const offloads[] = {"tso", "gso", "gro", "rx checksum", "tx checksum"};
	size_t used = 0;

	snprintf(v->link, sizeof(v->link), "%.11s", fact_of(f, v->name, "link"));
	/* What it was set to is not what it is. */
	if (strcmp(v->link, "gone") == 0)
		return;
	snprintf(v->mtu, sizeof(v->mtu), "%.11s", fact_of(f, v->name, "mtu"));
	snprintf(v->speed, sizeof(v->speed), "%.23s", fact_of(f, v->name, "speed"));
	const char *rx = fact_of(f, v->name, "pause rx"), *tx = fact_of(f, v->name, "pause tx");
	if (rx[0] == '(' || !rx[0])
		snprintf(v->pause, sizeof(v->pause), "%.39s", rx[0] ? rx + 1 : "");
	else
		snprintf(v->pause, sizeof(v->pause), "rx %.8s tx %.8s", rx, tx);
	v->pause[strcspn(v->pause, ")")] = 0;
	for (size_t i = 0; i < sizeof(offloads) / sizeof(*offloads); i++)
		if (strcmp(fact_of(f, v->name, offloads[i]), "off") == 0 && used < sizeof(v->off))
			used += (size_t)snprintf(v->off + used, sizeof(v->off) - used, "%s%s",
						 used ? ", " : "", offloads[i]);
}

static void view_rates(struct nic_view *v, const struct nic_counters *now,
		       const struct nic_counters *before, double s)
{
	v->rx_bytes_s = (double)since(now->rx_bytes, before->rx_bytes) / s;
	v->tx_bytes_s = (double)since(now->tx_bytes, before->tx_bytes) / s;
	v->rx_packets_s = (double)since(now->rx_packets, before->rx_packets) / s;
	v->tx_packets_s = (double)since(now->tx_packets, before->tx_packets) / s;
	v->drops_s = (double)(since(now->rx_drops, before->rx_drops) +
			      since(now->tx_drops, before->tx_drops)) /
		     s;
	v->errors_s = (double)(since(now->rx_errors, before->rx_errors) +
			       since(now->tx_errors, before->tx_errors)) /
		      s;
}

/* Where it was before, or NULL. */
static const struct env_nic *before_of(const struct run_env *e, const char *name,
				       const struct nic_counters **counted)
{
	for (unsigned i = 0; i < e->nics; i++)
		if (strcmp(e->nic[i].name, name) == 0 && e->before[i].there) {
			*counted = &e->before[i];
			return &e->nic[i];
		}
	return NULL;
}

static void add_nic(struct net_sample *s, const struct env_nic *nic, const struct nic_counters *now,
		    const struct env_nic *nic_before, const struct nic_counters *before, bool bytes,
		    bool faults)
{
	s->valid = true;
	if (bytes) {
		s->rx_bytes += since(now->rx_bytes, before->rx_bytes);
		s->tx_bytes += since(now->tx_bytes, before->tx_bytes);
		s->rx_packets += since(now->rx_packets, before->rx_packets);
		s->tx_packets += since(now->tx_packets, before->tx_packets);
	}
	if (faults) {
		s->drops += since(now->rx_drops, before->rx_drops) +
			    since(now->tx_drops, before->tx_drops);
		s->errors += since(now->rx_errors, before->rx_errors) +
			     since(now->tx_errors, before->tx_errors);
	}
	if (nic->pauses && nic_before->pauses) {
		s->pauses = true;
		s->pause_rx += since(nic->pause_rx, nic_before->pause_rx);
		s->pause_tx += since(nic->pause_tx, nic_before->pause_tx);
	}
}

static void view_nic(struct nic_view *v, const struct env_nic *nic, const struct facts *f)
{
	*v = (struct nic_view){.below = nic->below,
			       .rx_bytes_s = -1,
			       .tx_bytes_s = -1,
			       .rx_packets_s = -1,
			       .tx_packets_s = -1,
			       .drops_s = -1,
			       .errors_s = -1,
			       .pause_rx_s = -1,
			       .pause_tx_s = -1};
	memcpy(v->name, nic->name, sizeof(v->name));
	view_settings(v, f);
}

/* Where no path's NIC is known, figures are of those that were asked for. Bits of places. */
static uint32_t carrying(const struct run_env *e, const struct env_nic *nic, unsigned n)
{
	unsigned count = env_scope_count(&e->scope), paths = count - e->asked;
	uint32_t places = 0;

	for (unsigned k = 0; k < n; k++)
		for (unsigned i = 0; i < (paths ? paths : count); i++)
			if (strcmp(e->scope.nic[i], nic[k].name) == 0)
				places |= UINT32_C(1) << k;
	return places;
}

void run_env_sample(struct run *r, struct sample *s)
{
	struct run_env *e = &r->env;
	struct net_view *view = &r->snap.net;
	struct env_nic nic[WATCH_NICS];
	struct nic_counters now[WATCH_NICS];
	uint64_t again = 0, t_ns = clock_ns();
	uint32_t bytes, faults;

	if (!e->watch)
		return;
	unsigned n = env_watch_nics(e->watch, nic);
	view->nics = n;
	if (n == 0)
		return;
	counters_read(&e->counters, nic, n, now);
	counters_once(nic, n, carrying(e, nic, n), &bytes, &faults);
	bool known = counters_retransmits(&e->counters, &again);
	double seconds = (double)(t_ns - e->read_ns) / NS_PER_SEC;
	for (unsigned i = 0; i < n; i++) {
		const struct nic_counters *before = NULL;
		const struct env_nic *was = before_of(e, nic[i].name, &before);
		struct nic_view *v = &view->nic[i];
		view_nic(v, &nic[i], env_watch_facts(e->watch));
		if (!was || !before || !now[i].there || seconds <= 0)
			continue;
		view_rates(v, &now[i], before, seconds);
		if (nic[i].pauses && was->pauses) {
			v->pause_rx_s = (double)since(nic[i].pause_rx, was->pause_rx) / seconds;
			v->pause_tx_s = (double)since(nic[i].pause_tx, was->pause_tx) / seconds;
		}
		add_nic(&s->net, &nic[i], &now[i], was, before, bytes >> i & 1, faults >> i & 1);
	}
	view->retransmits_s = -1;
	if (known && e->retransmits_known && seconds > 0) {
		view->retransmits_s = (double)since(again, e->retransmits) / seconds;
		s->net.retransmits = since(again, e->retransmits);
		s->net.resends = true;
	}
	if (s->net.valid)
		s->net.dt_ns = t_ns - e->read_ns;
	memcpy(e->nic, nic, sizeof(e->nic));
	memcpy(e->before, now, sizeof(e->before));
	e->nics = n;
	e->read_ns = t_ns;
	e->retransmits = again;
	e->retransmits_known = known;
}

/* --- The record. --- */

struct store_news run_env_news(struct run *r)
{
	struct run_env *e = &r->env;
	struct store_news news = {.count = e->changes - e->recorded};

	if (e->start.count != e->start_recorded) {
		news.facts = e->start.count;
		news.environment = json_dumps(r->environment, JSON_COMPACT);
	}
	if (news.count) {
		news.change = malloc(news.count * sizeof(*news.change));
		if (news.change)
			memcpy(news.change, e->change + e->recorded,
			       news.count * sizeof(*news.change));
		else
			news.count = 0;
	}
	return news;
}

void run_env_recorded(struct run *r, const struct store_news *news)
{
	r->env.recorded += news->count;
	if (news->environment)
		r->env.start_recorded = news->facts;
}

void run_env_export_marks(const struct run *r, json_t *marks)
{
	const struct run_env *e = &r->env;
	size_t at;
	json_t *mark;

	json_array_foreach(marks, at, mark)
	{
		json_int_t id = json_integer_value(json_object_get(mark, "id"));
		json_t *facts = NULL;
		for (size_t i = 0; i < e->changes; i++) {
			if (e->change[i].mark != id)
				continue;
			if (!facts)
				facts = json_object();
			fact_json(facts, &e->change[i].fact);
		}
		json_object_set_new(mark, "facts", facts ? facts : json_null());
	}
}

/* --- For readers. --- */

void run_facts(struct run *r, struct facts *out)
{
	pthread_mutex_lock(&r->lock);
	facts_clear(out);
	if (r->env.watch)
		facts_copy(out, env_watch_facts(r->env.watch));
	pthread_mutex_unlock(&r->lock);
}

bool run_fact(struct run *r, const char *words, char value[FACT_VALUE])
{
	pthread_mutex_lock(&r->lock);
	const char *now = r->env.watch ? facts_get(env_watch_facts(r->env.watch), words) : NULL;

	snprintf(value, FACT_VALUE, "%s", now ? now : "");
	pthread_mutex_unlock(&r->lock);
	return now != NULL;
}

json_t *run_environment_at(struct run *r, uint32_t segment)
{
	struct span g;

	if (!timeline_span(r->timeline, segment, &g, NULL))
		return NULL;
	pthread_mutex_lock(&r->lock);
	json_t *environment =
		environment_at(r->environment, r->env.change, r->env.changes, g.mark.id);
	pthread_mutex_unlock(&r->lock);
	return environment;
}
