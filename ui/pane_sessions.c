/* pane_sessions.c - the lines of the target pane about the connections to a LUN.
 *
 * One session stands with all that is known of it; of several there is the sum, then a line each. What
 * is not known says so.
 */
#include <string.h>
#include "pane_target.h"

#define EACH_MAX   8 /* lines that the paths may have of their own */
#define LOGIN_ROWS 5
#define LOGIN_COLS 68

static const char *known(char *out, size_t n, int64_t v)
{
	snprintf(out, n, v < 0 ? "unknown" : "%lld", (long long)v);
	return out;
}

static void add_state(struct lines *l, const struct sessions *s)
{
	bool down = s->up < s->count;
	const struct backend_session *worst = &s->session[0];
	struct line *line = lines_add(l, "session", down ? -1 : 3, down ? ST_WARN : ST_NORMAL);

	for (unsigned i = 0; i < s->listed; i++)
		if (s->session[i].state < worst->state)
			worst = &s->session[i];
	line->lamp = down ? '!' : 0;
	size_t used = 0;
	if (s->count > 1)
		used = (size_t)snprintf(line->text, sizeof(line->text), "%u of %u up, ", s->up,
					s->count);
	snprintf(line->text + used, sizeof(line->text) - used, "%s%s%s to %.80s%s%.120s",
		 s->count > 1 && !down ? "" : session_state_name(worst->state),
		 worst->local[0] ? s->count > 1 && !down ? "from " : " from " : "", worst->local,
		 worst->portal, down && worst->why[0] ? ": " : "", down ? worst->why : "");
}

/* Counts of all sessions together; only what has happened is worth a word. */
static void add_counts(struct lines *l, const struct sessions *s)
{
	uint64_t full = 0, busy = 0, attentions = 0;
	uint32_t inflight = 0, held = 0, limited = 0, window = 0;
	char text[320];
	size_t used;

	for (unsigned i = 0; i < s->listed; i++) {
		const struct backend_session *b = &s->session[i];
		full += b->full;
		busy += b->busy;
		attentions += b->attentions;
		inflight += b->inflight;
		held += b->held;
		limited += b->limit > 0;
		window += b->window_limited;
	}
	used = (size_t)snprintf(text, sizeof(text), "%u sent, %u waiting", inflight, held);
	if (window)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 ", held by the command window");
	if (full)
		used += (size_t)snprintf(text + used, sizeof(text) - used, ", full %llu times",
					 (unsigned long long)full);
	if (busy)
		used += (size_t)snprintf(text + used, sizeof(text) - used, ", busy %llu times",
					 (unsigned long long)busy);
	if (s->drops)
		used += (size_t)snprintf(text + used, sizeof(text) - used, ", lost %llu times",
					 (unsigned long long)s->drops);
	if (attentions)
		snprintf(text + used, sizeof(text) - used, ", %llu attentions",
			 (unsigned long long)attentions);
	bool trouble = held || limited || full || busy || s->drops;
	struct line *line = lines_add(l, "queue", trouble ? 0 : 6, trouble ? ST_WARN : ST_NORMAL);
	snprintf(line->text, sizeof(line->text), "%s", text);
}

static void add_tcp(struct lines *l, const struct backend_session *b)
{
	struct line *line = lines_add(l, "tcp", 7, ST_NORMAL);
	char cwnd[24], retransmits[24], mss[24], cap[24], pmtu[24];

	if (b->rtt_us < 0) {
		snprintf(line->text, sizeof(line->text), "not connected");
		return;
	}
	snprintf(line->text, sizeof(line->text),
		 "rtt %lld us, cwnd %s, %s sent again, mss %s of %s, pmtu %s, %s",
		 (long long)b->rtt_us, known(cwnd, sizeof(cwnd), b->cwnd),
		 known(retransmits, sizeof(retransmits), b->retransmits),
		 known(mss, sizeof(mss), b->mss), known(cap, sizeof(cap), b->mss_cap),
		 known(pmtu, sizeof(pmtu), b->pmtu),
		 b->congestion[0] ? b->congestion : "congestion control unknown");
}

/* Whole keys, as many to a line as a narrow pane has room for. */
static void add_login(struct lines *l, const struct backend_session *b)
{
	const char *rest = b->parameters[0] ? b->parameters : "parameters unknown";

	for (unsigned row = 0; *rest && row < LOGIN_ROWS; row++) {
		struct line *line = lines_add(l, row ? "" : "login", 8, ST_NORMAL);
		size_t n = strlen(rest);
		if (n > LOGIN_COLS)
			for (n = LOGIN_COLS; n && rest[n] != ' ';)
				n--;
		if (n == 0)
			n = strlen(rest);
		snprintf(line->text, sizeof(line->text), "%.*s", (int)n, rest);
		rest += n;
		rest += strspn(rest, " ");
	}
}

/* Names the paths of several: "127.0.0.1:3260 up, 8 sent, 1.2k IOs". */
static void add_each(struct lines *l, const struct sessions *s, bool utf8)
{
	char ios[32], rtt[32];

	for (unsigned i = 0; i < s->listed && i < EACH_MAX; i++) {
		const struct backend_session *b = &s->session[i];
		bool up = b->state == SESSION_UP;
		struct line *line =
			lines_add(l, i ? "" : "paths", up ? 7 : 1, up ? ST_NORMAL : ST_WARN);
		units_count(ios, sizeof(ios), (double)b->ios);
		if (up)
			snprintf(line->text, sizeof(line->text),
				 "%u %.60s up, %u sent, %s IOs, rtt %s, lost %llu times", b->number,
				 b->portal, b->inflight, ios,
				 units_latency(rtt, sizeof(rtt), (double)b->rtt_us * 1e3, !utf8),
				 (unsigned long long)b->drops);
		else
			snprintf(line->text, sizeof(line->text), "%u %.60s %s: %.150s", b->number,
				 b->portal, session_state_name(b->state), b->why);
	}
}

void pane_sessions_add(struct lines *l, const struct sessions *s, bool utf8)
{
	if (!s->count)
		return;
	add_state(l, s);
	add_counts(l, s);
	if (s->count > 1)
		add_each(l, s, utf8);
	add_tcp(l, &s->session[0]);
	add_login(l, &s->session[0]);
}
