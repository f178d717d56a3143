/* path_facts.c - one path in full: its queue and its losses, what its login has agreed on, and what the
 * kernel tells of its TCP connection. What can't be known is called unknown.
 */
#include <string.h>
#include "path_table.h"
#include "outage.h"
#include "prose.h"
#include <stdarg.h>

#define FACTS_MAX  24
#define NAME_COLS  10
#define GAP        2
#define THREE_COLS 118 /* the login's keys have a column of their own from here on */
#define TWO_COLS   64  /* below, one after the other */
#define KEY_COLS   26
#define PART_ROWS  8 /* at most: four for the IOs and four for a loss; and of TCP */

struct path_fact {
	const char *name;
	char text[200];
	enum style style;
};

struct path_facts {
	struct path_fact fact[FACTS_MAX];
	int n;
};

static void add(struct path_facts *f, enum style style, const char *name, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

static void add(struct path_facts *f, enum style style, const char *name, const char *fmt, ...)
{
	struct path_fact *fact = &f->fact[f->n < FACTS_MAX ? f->n++ : FACTS_MAX - 1];
	va_list ap;

	fact->name = name;
	fact->style = style;
	va_start(ap, fmt);
	vsnprintf(fact->text, sizeof(fact->text), fmt, ap);
	va_end(ap);
}

static const char *known(char *out, size_t n, int64_t v)
{
	snprintf(out, n, v < 0 ? "unknown" : "%lld", (long long)v);
	return out;
}

static const char *latency(char *out, size_t n, int64_t us, bool ascii)
{
	if (us < 0)
		snprintf(out, n, "unknown");
	else
		units_latency(out, n, (double)us * 1e3, ascii);
	return out;
}

/* --- Queue and losses. --- */

static void add_limit(struct path_facts *f, const struct backend_session *b)
{
	if (b->window_limited)
		add(f, ST_WARN, "limit", "w: command window full");
	else if (b->limit)
		add(f, ST_WARN, "limit", "f: %u, target was full", b->limit);
	else
		add(f, ST_NORMAL, "limit", "none");
}

/* When, from clock to clock: marks are told in local time. */
static const char *when(char *out, size_t n, const struct snapshot *s, uint64_t t_ns)
{
	uint64_t ago = s->t_ns > t_ns ? s->t_ns - t_ns : 0;

	return clock_text(out, n, s->wall > ago ? s->wall - ago : 0);
}

static void add_loss(struct path_facts *f, const struct view *v, const struct path_view *p,
		     bool kernel)
{
	const struct backend_session *b = &p->all;
	const struct snapshot *now = &v->snap;
	char at[16], span[32], longest[32], next[40];
	const bool ascii = !v->g->utf8;

	if (!b->loss.noticed_ns) {
		add(f, ST_NORMAL, "last loss", "%s", b->drops ? "unknown" : "none");
		return;
	}
	when(at, sizeof(at), now, b->loss.noticed_ns);
	path_next_try(next, sizeof(next), p, now->t_ns);
	/* As its event counts it: since it was heard of last. */
	bool heard = b->loss.silent_ns && b->loss.silent_ns <= b->loss.noticed_ns;
	uint64_t away_ns = heard ? outage_since(&b->loss) : b->loss.noticed_ns;
	if (b->loss.back_ns)
		add(f, ST_NORMAL, "last loss", "%s, away for %s", at,
		    outage_span(span, sizeof(span), b->loss.back_ns - away_ns));
	else
		add(f, ST_WARN, "last loss", "%s, %s", at, next[0] ? next : "not back yet");
	if (heard && b->loss.silent_ns < b->loss.noticed_ns)
		add(f, ST_NORMAL, "noticed", "after %s of silence",
		    units_latency(span, sizeof(span),
				  (double)(b->loss.noticed_ns - b->loss.silent_ns), ascii));
	/* The kernel does not tell which IOs waited. */
	if (!b->loss.stranded) {
		add(f, ST_NORMAL, "stranded", kernel ? "unknown" : "none");
		return;
	}
	add(f, ST_NORMAL, "stranded", "%u IO%s, slowest %s", b->loss.stranded,
	    b->loss.stranded == 1 ? "" : "s",
	    b->loss.longest_ns
		    ? units_latency(longest, sizeof(longest), (double)b->loss.longest_ns, ascii)
		    : "unknown");
	if (!b->loss.moved_ns)
		add(f, ST_WARN, "moved", "not all done yet");
	else
		add(f, ST_NORMAL, "moved", "all done %s later",
		    units_latency(span, sizeof(span),
				  b->loss.moved_ns > b->loss.noticed_ns
					  ? (double)(b->loss.moved_ns - b->loss.noticed_ns)
					  : 0,
				  ascii));
}

/* Of the path's first session; NULL when it is not among those that are listed. */
static const struct kernel_facts *kernel_facts_of(const struct sessions *s,
						  const struct path_view *p)
{
	for (unsigned i = 0; i < s->listed; i++)
		if (s->session[i].path + 1 == p->number)
			return &s->facts[i];
	return NULL;
}

/* What only the kernel's initiator has. */
static void add_kernel(struct path_facts *f, const struct kernel_facts *k)
{
	static const struct kernel_facts nothing = {
		.failed = -1, .timed_out = -1, .queue_depth = -1, .recovery_s = -1};
	char most[24], failed[24], out[24];

	if (!k)
		k = &nothing;
	if (k->queue_depth < 0)
		add(f, ST_NORMAL, "limit", "unknown");
	else
		add(f, ST_NORMAL, "limit", "%s by the disks' queues",
		    known(most, sizeof(most), k->queue_depth));
	if (k->failed < 0 && k->timed_out < 0)
		add(f, ST_NORMAL, "commands", "unknown");
	else
		add(f, k->failed > 0 || k->timed_out > 0 ? ST_WARN : ST_NORMAL, "commands",
		    "failed %s, timed out %s", known(failed, sizeof(failed), k->failed),
		    known(out, sizeof(out), k->timed_out));
	if (k->recovery_s == KERNEL_OFF)
		add(f, ST_NORMAL, "when lost", "IOs wait for ever");
	else if (k->recovery_s >= 0)
		add(f, ST_NORMAL, "when lost", "IOs wait %lld s", (long long)k->recovery_s);
	else
		add(f, ST_NORMAL, "when lost", "unknown");
}

/* "never", "once", "3 times" */
static const char *times(char *out, size_t n, uint64_t count)
{
	if (count < 2)
		snprintf(out, n, "%s", count ? "once" : "never");
	else
		snprintf(out, n, "%llu times", (unsigned long long)count);
	return out;
}

static void add_queue(struct path_facts *f, const struct view *v, const struct sessions *s,
		      const struct path_view *p)
{
	const struct backend_session *b = &p->all;
	char seen[32];

	add(f, ST_NORMAL, "IOs", "%u in flight, %u waiting", b->inflight, b->held);
	if (s->kernel) {
		add_kernel(f, kernel_facts_of(s, p));
		add(f, b->drops ? ST_WARN : ST_NORMAL, "lost", "%s seen",
		    times(seen, sizeof(seen), b->drops));
	} else {
		add_limit(f, b);
		add(f, b->busy || b->full ? ST_WARN : ST_NORMAL, "answers",
		    "BUSY %llu, FULL %llu, attention %llu", (unsigned long long)b->busy,
		    (unsigned long long)b->full, (unsigned long long)b->attentions);
		add(f, b->drops ? ST_WARN : ST_NORMAL, "lost",
		    "%llu session%s, logged in anew %llu", (unsigned long long)b->drops,
		    b->drops == 1 ? "" : "s", (unsigned long long)b->relogins);
	}
	add_loss(f, v, p, s->kernel);
}

/* --- TCP. --- */

/* " (0.2 %)"; little is not nothing. */
static void percent(char *out, size_t n, double share)
{
	if (share > 0 && share < 1e-4)
		snprintf(out, n, " (<0.01 %%)");
	else
		snprintf(out, n, " (%.2g %%)", 100 * share);
}

static void add_again(struct path_facts *f, const struct backend_session *b)
{
	char again[24], order[24], share[24] = "";

	if (b->bytes_again >= 0 && b->bytes_out > 0)
		percent(share, sizeof(share), (double)b->bytes_again / (double)b->bytes_out);
	if (b->retransmits < 0 && b->out_of_order < 0) {
		add(f, ST_NORMAL, "resent", "unknown");
		return;
	}
	add(f, b->retransmits > 0 ? ST_WARN : ST_NORMAL, "resent", "%s%s, out of order %s",
	    known(again, sizeof(again), b->retransmits), share,
	    known(order, sizeof(order), b->out_of_order));
}

static void add_busy(struct path_facts *f, const struct path_view *p)
{
	char span[32] = "unknown", window[32] = "unknown";

	/* The sum of several sessions would be longer than the run. */
	if (p->all.busy_us >= 0)
		units_span(span, sizeof(span),
			   (uint64_t)p->all.busy_us * 1000 / (p->up ? p->up : 1));
	if (p->peer_limited >= 0)
		snprintf(window, sizeof(window), "%.0f %%", 100 * p->peer_limited);
	add(f, p->peer_limited >= 0.5 ? ST_WARN : ST_NORMAL, "send busy", "%s, window shut %s",
	    span, window);
}

/* Reads send commands alone: a rate and a window have no meaning there. */
static void add_sending(struct path_facts *f, const struct view *v, const struct path_view *p)
{
	char rate[40];

	if (p->all.delivery_bytes_s < 0)
		add(f, ST_NORMAL, "send rate", "unknown");
	else
		add(f, ST_NORMAL, "send rate", "%s in the last burst",
		    units_rate(rate, sizeof(rate), (double)p->all.delivery_bytes_s, v->unit));
	add_busy(f, p);
}

static void add_tcp(struct path_facts *f, const struct view *v, const struct path_view *p)
{
	const struct backend_session *b = &p->all;
	const bool ascii = !v->g->utf8;
	const bool reads = workload_reads(&v->snap.workload);
	const bool writes = workload_writes(&v->snap.workload);
	char one[40], two[40], three[40];

	/* A path that is down or out has no connection that could be asked. */
	if (!p->up && !b->congestion[0] && b->mss < 0 && b->rtt_us < 0) {
		add(f, ST_NORMAL, "TCP", "no connection");
		return;
	}
	add(f, ST_NORMAL, "TCP", "%s, cwnd %s", b->congestion[0] ? b->congestion : "unknown",
	    known(one, sizeof(one), b->cwnd));
	add(f, ST_NORMAL, "send RTT", "%s, varies by %s",
	    latency(one, sizeof(one), b->rtt_us, ascii),
	    latency(two, sizeof(two), b->rttvar_us, ascii));
	add_again(f, b);
	if (b->mss < 0 && b->mss_cap < 0 && b->pmtu < 0)
		add(f, ST_NORMAL, "MSS", "unknown");
	else
		add(f, ST_NORMAL, "MSS", "%s, cap %s, PMTU %s", known(one, sizeof(one), b->mss),
		    known(two, sizeof(two), b->mss_cap), known(three, sizeof(three), b->pmtu));
	if (reads)
		add(f, ST_NORMAL, "recv RTT", "%s, MSS %s",
		    latency(two, sizeof(two), b->receive_rtt_us, ascii),
		    known(one, sizeof(one), b->receive_mss));
	if (writes)
		add_sending(f, v, p);
	if (p->frames_s < 0)
		add(f, ST_NORMAL, "frames", "unknown");
	else if (p->frame_bytes < 0)
		add(f, ST_NORMAL, "frames", "%s/s", units_count(one, sizeof(one), p->frames_s));
	else
		add(f, ST_NORMAL, "frames", "%s/s of %.0f B",
		    units_count(one, sizeof(one), p->frames_s), p->frame_bytes);
}

/* --- Login. --- */

/* What both sides agree on, as the login's keys are called (RFC 7143, 13). */
static const char *const keys[] = {
	"HeaderDigest",   "DataDigest",           "MaxRecvDataSegmentLength",
	"MaxBurstLength", "FirstBurstLength",     "InitialR2T",
	"ImmediateData",  "MaxOutstandingR2T",    "ErrorRecoveryLevel",
	"AuthMethod",     "TargetPortalGroupTag",
};
#define KEYS ((int)(sizeof(keys) / sizeof(keys[0])))

static bool is_listed(const char *word, size_t n)
{
	for (int i = 0; i < KEYS; i++)
		if (strlen(keys[i]) == n && strncmp(word, keys[i], n) == 0)
			return true;
	return false;
}

static void value_of(char *out, size_t n, const char *parameters, const char *key)
{
	size_t length = strlen(key);

	for (const char *p = parameters; *p; p += strcspn(p, " "), p += strspn(p, " ")) {
		if (strncmp(p, key, length) != 0 || p[length] != '=')
			continue;
		snprintf(out, n, "%.*s", (int)strcspn(p + length + 1, " "), p + length + 1);
		return;
	}
	snprintf(out, n, "unknown");
}

/* The listed keys, then whatever else was agreed on: "Key=Value". */
static void add_login(struct path_facts *f, const struct sessions *s,
		      const struct backend_session *b)
{
	char value[80];

	for (int i = 0; i < KEYS; i++) {
		value_of(value, sizeof(value), b->parameters, keys[i]);
		if (i == 1 && !s->kernel && strcmp(value, "unknown") == 0)
			snprintf(value, sizeof(value), "not offered");
		add(f, ST_NORMAL, keys[i], "%s", value);
	}
	for (const char *p = b->parameters; *p; p += strcspn(p, " "), p += strspn(p, " ")) {
		size_t n = strcspn(p, " "), name = strcspn(p, "=");

		if (name < n && !is_listed(p, name) && f->n < FACTS_MAX)
			add(f, ST_NORMAL, "", "%.*s", (int)n, p);
	}
}

/* "Key=Value Key=Value ..." in as many rows as that takes. Draws into r unless c is NULL. */
static int flow_login(struct canvas *c, struct rect r, int row, const struct path_facts *f,
		      const struct view *v)
{
	int col = NAME_COLS, from = row;

	for (int i = 0; i < f->n; i++) {
		char pair[200];

		snprintf(pair, sizeof(pair), "%s%s%s", f->fact[i].name,
			 f->fact[i].name[0] ? "=" : "", f->fact[i].text);
		int width = canvas_width(pair);
		if (col > NAME_COLS && col + width > r.cols) {
			row++;
			col = NAME_COLS;
		}
		if (c)
			text_draw(c, r, row, col, r.cols - col, pair, v->g, ST_NORMAL);
		col += width + GAP;
	}
	if (c)
		canvas_text(c, r, from, 0, "login", ST_LABEL);
	return row + 1 - from;
}

/* --- All of it. --- */

static void draw_facts(struct canvas *c, struct rect r, int name_cols, const struct path_facts *f,
		       const struct view *v)
{
	for (int i = 0; i < f->n && i < r.rows; i++) {
		const char *name = f->fact[i].name, *text = f->fact[i].text;
		char key[KEY_COLS];

		/* what else was agreed on: "Key=Value" */
		if (!name[0]) {
			snprintf(key, sizeof(key), "%.*s", (int)strcspn(text, "="), text);
			name = key;
			text += strcspn(text, "=");
			text += *text == '=';
		}
		canvas_text(c, r, i, 0, name, ST_LABEL);
		text_draw(c, r, i, name_cols, r.cols - name_cols, text, v->g, f->fact[i].style);
	}
}

/* "path 2  10.9.0.10:3260 from 10.9.0.1:44312 by ens1f0, MTU 9000, 10 Gb/s" on a rule. */
static void draw_heading(struct canvas *c, struct rect r, const struct view *v,
			 const struct path_view *p)
{
	char text[400] = "";
	size_t n = sizeof(text);

	units_append(text, n, " path %u: %s", p->number,
		     p->all.portal[0] ? p->all.portal : "portal unknown");
	if (p->all.sent_on[0])
		units_append(text, n, ", sent on to %s", p->all.sent_on);
	if (p->all.local[0])
		units_append(text, n, " from %s", p->all.local);
	if (p->nic[0] || p->up)
		units_append(text, n, " by %s", p->nic[0] ? p->nic : "an unknown NIC");
	if (p->nic_mtu >= 0)
		units_append(text, n, ", MTU %lld", (long long)p->nic_mtu);
	if (p->nominal)
		units_append(text, n, ", virtual");
	else if (p->link_bits_s > 0)
		units_append(text, n, ", %.3g Gb/s", (double)p->link_bits_s / 1e9);
	units_append(text, n, " ");
	canvas_fill(c, (struct rect){r.row, r.col, 1, r.cols}, v->g->hline, ST_RULE);
	text_draw(c, r, 0, 1, r.cols - 2, text, v->g, ST_TITLE);
}

/* What needs a row of its own: what ended it last (it may be up again), and what could be better. */
static void add_whole(struct path_facts *f, const struct sessions *s, const struct path_view *p)
{
	const struct backend_session *b = &p->all;
	const struct kernel_facts *k = s->kernel ? kernel_facts_of(s, p) : NULL;
	char words[160];

	if (k)
		add(f, ST_NORMAL, "disk", "%s%s%s, session %u, interface %s",
		    k->disks[0] ? k->disks : "none", k->device[0] ? " " : "", k->device, k->sid,
		    k->interface[0] ? k->interface : "unknown");
	if (b->lost[0])
		add(f, ST_WARN, "cause", "%s", b->lost);
	if (b->why[0] && b->state != SESSION_UP && strcmp(b->why, b->lost) != 0)
		add(f, ST_WARN, "why", "%s", b->why);
	if (path_mss_words(words, sizeof(words), s, p))
		add(f, ST_WARN, "hint", "%s", words);
}

/* Wrapped: what to do about it stands at the end. Draws into r from its top on, unless c is NULL; returns
 * the rows that it takes. */
static int draw_whole(struct canvas *c, struct rect r, const struct path_facts *f,
		      const struct view *v)
{
	int row = 0;

	for (int i = 0; i < f->n; i++) {
		struct prose t = {0};
		int width = r.cols - NAME_COLS, top = 0;

		prose_add(&t, width < PROSE_COLUMNS ? width : PROSE_COLUMNS, 0, f->fact[i].style,
			  "%s", f->fact[i].text);
		int room = r.rows - row < t.count ? r.rows - row : t.count;
		if (c && room > 0) {
			canvas_text(c, r, row, 0, f->fact[i].name, ST_LABEL);
			prose_draw(c, (struct rect){r.row + row, r.col + NAME_COLS, room, width},
				   &t, &top, v->g);
		}
		row += t.count;
		prose_free(&t);
	}
	return row;
}

static int columns_at(int cols)
{
	return cols >= THREE_COLS ? 3 : cols >= TWO_COLS ? 2 : 1;
}

int path_facts_draw(struct canvas *c, struct rect r, const struct view *v, const struct sessions *s,
		    unsigned i)
{
	const struct path_view *p = &s->path[i];
	const int columns = columns_at(r.cols);
	int width = (r.cols - (columns - 1) * GAP) / columns, row = 0;
	struct path_facts whole = {.n = 0}, queue = {.n = 0}, tcp = {.n = 0}, login = {.n = 0};

	add_whole(&whole, s, p);
	add_queue(&queue, v, s, p);
	add_tcp(&tcp, v, p);
	add_login(&login, s, &p->all);
	draw_heading(c, r, v, p);
	row++;
	row += draw_whole(c, (struct rect){r.row + row, r.col, r.rows - row, r.cols}, &whole, v);
	struct rect part = {r.row + row, r.col, r.rows - row, width};
	draw_facts(c, part, NAME_COLS, &queue, v);
	if (columns == 1) {
		part.row += queue.n;
		part.rows -= queue.n;
	} else {
		part.col += width + GAP;
	}
	draw_facts(c, part, NAME_COLS, &tcp, v);
	int tall = columns == 1 ? queue.n + tcp.n : queue.n > tcp.n ? queue.n : tcp.n;
	if (columns < 3)
		return row + tall + flow_login(c, r, row + tall, &login, v);
	part.col += width + GAP;
	draw_facts(c, part, KEY_COLS, &login, v);
	return row + (tall > login.n ? tall : login.n);
}

int path_facts_rows(const struct sessions *s, unsigned i, int cols)
{
	const int columns = columns_at(cols);
	struct path_facts whole = {.n = 0}, login = {.n = 0};

	add_whole(&whole, s, &s->path[i]);
	int head = 1 + draw_whole(NULL, (struct rect){0, 0, 0, cols}, &whole, NULL);
	add_login(&login, s, &s->path[i].all);
	if (columns == 3)
		return head + login.n;
	/* the kernel's sessions have a row more */
	const int part = PART_ROWS + s->kernel;
	return head + (columns == 2 ? part : part + PART_ROWS) +
	       flow_login(NULL, (struct rect){0, 0, 0, cols}, 0, &login, NULL);
}
