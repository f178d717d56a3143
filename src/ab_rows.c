/* ab_rows.c - the segments one by one, as they come to an end; see ab.h. */
#include "ab_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const enum metric ab_row_metric[AB_ROW_FIGURES] = {METRIC_IOPS_T, METRIC_RATE_T, METRIC_MEAN_T,
						   METRIC_CPU_GIB};

/* Of the same seconds as those that are compared. */
void ab_row_figures(const struct ab *ab, const struct ab_stage *s, double figure[AB_ROW_FIGURES])
{
	const struct side_cut none = {.settle_ns = 0};
	struct side side;
	size_t n;
	struct sample *second =
		timeline_seconds_between(run_timeline(ab->run), s->start_ns, s->end_ns, &n);

	for (unsigned i = 0; i < AB_ROW_FIGURES; i++)
		figure[i] = NAN;
	if (second && side_take(&side, "", second, n, s->start_ns, s->end_ns, &none) == 0) {
		for (unsigned i = 0; i < AB_ROW_FIGURES; i++)
			figure[i] = series_mean(side.point[ab_row_metric[i]], side.count);
		side_free(&side);
	}
	free(second);
}

/* A micro sign takes two bytes and one column. */
static void append_right(char *out, size_t n, int width, const char *text)
{
	int columns = 0;

	for (const char *p = text; *p; p++)
		columns += ((unsigned char)*p & 0xc0) != 0x80;
	units_append(out, n, "%*s%s", columns < width ? width - columns : 0, "", text);
}

char *ab_head(char *out, size_t n)
{
	out[0] = 0;
	units_append(out, n, "%-7s %7s", "segment", "length");
	for (unsigned i = 0; i < AB_ROW_FIGURES; i++)
		append_right(out, n, 12, metrics[ab_row_metric[i]].name);
	return out;
}

bool ab_row(char *out, size_t n, const struct ab *ab, unsigned i, enum rate_unit unit, bool ascii)
{
	const struct ab_stage *s = &ab->stage[i];
	double figure[AB_ROW_FIGURES];
	char text[48];

	out[0] = 0;
	if (!s->complete && !s->why[0])
		return false;
	units_append(out, n, "%c %-5u ", 'A' + s->side, s->number);
	if (!s->complete) {
		units_append(out, n, "left out: %s", s->why);
		return true;
	}
	units_append(out, n, "%5.0f s", (double)(s->end_ns - s->start_ns) / NS_PER_SEC);
	ab_row_figures(ab, s, figure);
	for (unsigned k = 0; k < AB_ROW_FIGURES; k++) {
		snprintf(text, sizeof(text), "-");
		if (isfinite(figure[k]))
			metric_words(ab_row_metric[k], figure[k], unit, ascii, text, sizeof(text));
		append_right(out, n, 12, text);
	}
	return true;
}
