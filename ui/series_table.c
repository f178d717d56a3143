/* series_table.c - see series_table.h. IOPS of reads, writes and both always; with room for it rates and mean
 * response times likewise, else those of both only.
 */
#include "series_table.h"

#include <stdio.h>
#include <string.h>

#include "pane_util.h"

#define NAME_LEAST 20
#define FIGURE     8
#define CPU        7
/* Columns of figures: IOPS x 3, rate, ms; or each x 3; and CPU. */
#define FEW (5 * FIGURE + CPU)
#define ALL (9 * FIGURE + CPU)

static bool roomy(struct rect r)
{
	return r.cols >= NAME_LEAST + ALL;
}

static int name_columns(struct rect r)
{
	int left = r.cols - (roomy(r) ? ALL : FEW);

	return left > 0 ? left : 0;
}

/* Puts text so that it ends `width` columns behind col. Returns where it ends. */
static int right(struct canvas *c, struct rect r, int row, int col, int width, const char *text)
{
	int n = (int)strlen(text);

	if (col + width <= r.cols)
		canvas_text(c, r, row, col + (width > n ? width - n : 0), text, ST_DIALOG);
	return col + width;
}

void series_table_head(struct canvas *c, struct rect r, int row, const struct view *v)
{
	static const char *const ops[] = {"R", "W", "total"};
	const char *unit = units_rate_name(v->unit);
	int col = name_columns(r);
	char text[24];

	text_draw(c, r, row, 0, col > 1 ? col - 1 : 0, "mark, test", v->g, ST_DIALOG);
	for (int i = 0; i < 3; i++) {
		snprintf(text, sizeof(text), i < 2 ? "IOPS %s" : "IOPS", ops[i]);
		col = right(c, r, row, col, FIGURE, text);
	}
	for (int i = roomy(r) ? 0 : 2; i < 3; i++) {
		snprintf(text, sizeof(text), i < 2 ? "%s %s" : "%s", unit, ops[i]);
		col = right(c, r, row, col, FIGURE, text);
	}
	for (int i = roomy(r) ? 0 : 2; i < 3; i++) {
		snprintf(text, sizeof(text), i < 2 ? "ms %s" : "ms", ops[i]);
		col = right(c, r, row, col, FIGURE, text);
	}
	right(c, r, row, col, CPU, "CPU %");
}

static const char *digits(char *out, size_t n, double v)
{
	snprintf(out, n, v < 10 ? "%.2f" : v < 1000 ? "%.1f" : "%.0f", v);
	return out;
}

static bool did(const struct iometer_row *r, int op)
{
	return op < 2 ? r->op[op].ios > 0 : r->op[0].ios + r->op[1].ios > 0;
}

void series_table_row(struct canvas *c, struct rect r, int row, const struct view *v,
		      const struct series_done *d)
{
	const struct iometer_row *all = &d->result.row[0];
	int col = name_columns(r);
	char text[IOMETER_NAME + 64];

	snprintf(text, sizeof(text), "%c %s, %ux%u%s", d->letter ? d->letter : ' ',
		 d->result.spec.name, all->workers, all->outstanding, d->cut ? " (stopped)" : "");
	text_draw(c, r, row, 0, col > 1 ? col - 1 : 0, text, v->g, ST_DIALOG);
	for (int op = 0; op < 3; op++)
		col = right(c, r, row, col, FIGURE,
			    units_count(text, sizeof(text), iometer_row_iops(all, (unsigned)op)));
	for (int op = roomy(r) ? 0 : 2; op < 3; op++)
		col = right(
			c, r, row, col, FIGURE,
			digits(text, sizeof(text),
			       iometer_row_bytes_s(all, (unsigned)op) / units_rate_scale(v->unit)));
	for (int op = roomy(r) ? 0 : 2; op < 3; op++) {
		digits(text, sizeof(text), iometer_row_mean_ms(all, (unsigned)op));
		col = right(c, r, row, col, FIGURE, did(all, op) ? text : "-");
	}
	snprintf(text, sizeof(text), all->cpu.known ? "%.1f" : "-", all->cpu.busy);
	right(c, r, row, col, CPU, text);
}
