/* pane.c - the list of panes, and the title row that all of them have. */
#include "pane_util.h"

const struct pane panes[PANE_COUNT] = {
	[PANE_IOPS] =
		{"IOPS",
		 "IOs completed per second over time: reads below, writes stacked on top. "
		 "A vertical line is a mark, with its letter above and, where there is room, its "
		 "cause below; a + behind the letter says that older marks share its column, and "
		 "Events has them all. A blank stretch means no data; a flat line on the ground "
		 "means no IO. A shaded stretch of the time axis is in no mean: a path was lost.",
		 pane_iops_draw},
	[PANE_RATE] =
		{"Throughput",
		 "Bytes moved per second over time, reads below and writes on top, in the unit "
		 "that key {units} chooses.",
		 pane_rate_draw},
	[PANE_LATENCY] =
		{"Latency",
		 "How long IOs took, from submission to completion, over the last seconds "
		 "since the last change: a row is a range that begins at its label; the bar is its "
		 "share of all IOs. Percentiles come from the counts themselves, they are never "
		 "averaged. Key {latency}: reads and writes apart, or the heat map (9) in its "
		 "place.",
		 pane_latency_draw},
	[PANE_CPU] =
		{"CPU",
		 "Where this host's processors spent their time, all of them together, and what an "
		 "IO costs. Look at the busiest CPUs too: a small mean can hide a saturated one. "
		 "Where there is room each has a bar, or a character that grows with it (a digit "
		 "is tens of per cent).",
		 pane_cpu_draw},
	[PANE_TARGET] =
		{"Target",
		 "What is tested and how, whether writes are allowed and where, and the lamps: "
		 "depth asked for against depth achieved, and IOPS x latency = depth (Little's "
		 "law), which tells whether the figures agree with each other.",
		 pane_target_draw},
	[PANE_EVENTS] =
		{"Events",
		 "What happened, newest at the bottom: marks with their letter, and ! for what "
		 "went wrong. With the pane in focus the arrows scroll.",
		 pane_events_draw},
	[PANE_SESSIONS] =
		{"Sessions",
		 "The paths to a LUN, a row each. depth: IOs in flight, with w when the target's "
		 "command window holds more back, f when there are fewer since the target was "
		 "full; ms: from being sent to the answer; share: of all paths' IOs; lost, anew: "
		 "sessions that were, and that were logged in anew by hand; MSS/cap: payload of a "
		 "TCP segment now, and the most that this connection can ever use. A dash: not "
		 "known. Below: what the wires carry, and which path does less than its share. "
		 "With the pane in focus the arrows choose a path; zoomed, the pane shows all "
		 "that is known of it.",
		 pane_sessions_draw},
	[PANE_NICS] =
		{"NICs",
		 "The network cards that the target is reached by, those that they lie upon (one "
		 "column further right), and those of --watch. pkt: packets as the driver counts "
		 "them, B/pkt: bytes of the mean one, in the busier direction; pause: who may hold "
		 "the other side back, and how often that was done; a dash: not known, or not "
		 "supported. Zoomed, the pane shows every setting of this host that is watched; "
		 "when one changes, a mark says so.",
		 pane_nic_draw},
	[PANE_HEAT] =
		{"Heat map",
		 "Latency over time, in the charts' columns: the higher a cell, the longer "
		 "its IOs took, "
		 "and the denser, the more of its column's IOs are in it; how many per cent, "
		 "the title "
		 "says. Two lines run through it: half of the IOs were faster than = says, "
		 "and 99 % "
		 "faster than the other. An arrow at the left: the row has everything "
		 "beyond, too. _: "
		 "a second without IO. A cursor ({cursor}) has its IOs and percentiles in a row of "
		 "their own. "
		 "Where the screen is too small for it, key {latency} puts it into Latency, and 9 "
		 "shows it alone.",
		 pane_heat_draw},
	[PANE_METERS] =
		{"Meters",
		 "Six figures of your choice, each with a bar on its own scale, and the least and "
		 "the most it has been since the start (two ticks): of the last update, or of all "
		 "the time since the start, which key {reset} sets anew. A dash: nothing to tell "
		 "it by. "
		 "With the pane in focus Up and Down choose a meter, PgUp and PgDn what it shows, "
		 "Enter opens its settings. It is hidden until the setup or key {meters} shows it.",
		 pane_meters_draw},
};

struct rect pane_title(struct canvas *c, struct rect r, const struct view *v, enum pane_id id,
		       const char *right)
{
	bool focused = v->focus.on_pane && v->focus.pane == id;
	int title = canvas_width(panes[id].title), at_right = r.cols - 2 - canvas_width(right);

	canvas_fill(c, (struct rect){r.row, r.col, 1, r.cols}, v->g->hline, ST_RULE);
	canvas_text(c, r, 0, 1, focused ? "[" : " ", focused ? ST_FOCUS : ST_RULE);
	canvas_text(c, r, 0, 2, panes[id].title, focused ? ST_FOCUS : ST_TITLE);
	canvas_text(c, r, 0, 2 + title, focused ? "]" : " ", focused ? ST_FOCUS : ST_RULE);
	if (focused) {
		c->cursor_row = r.row;
		c->cursor_col = r.col + 1;
	}
	if (right[0] && at_right >= title + 5) {
		canvas_text(c, r, 0, at_right - 1, " ", ST_RULE);
		canvas_text(c, r, 0, at_right, right, ST_DIM);
		canvas_text(c, r, 0, r.cols - 2, " ", ST_RULE);
	}
	return (struct rect){r.row + 1, r.col, r.rows > 0 ? r.rows - 1 : 0, r.cols};
}
