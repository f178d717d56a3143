/* history_rows.c - which stored runs the browser shows, and in what order; see history.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "history.h"

/* --- The filter. --- */

static bool has_word(const struct store_entry *e, const char *word)
{
	return strcasestr(e->target, word) || strcasestr(e->words.name, word) ||
	       strcasestr(e->words.tags, word) || strcasestr(e->words.note, word);
}

static bool passes(const struct store_entry *e, const char *filter)
{
	char words[128], *rest = NULL;

	snprintf(words, sizeof(words), "%s", filter);
	for (char *w = strtok_r(words, " ", &rest); w; w = strtok_r(NULL, " ", &rest))
		if (!has_word(e, w))
			return false;
	return true;
}

/* --- The order. --- */

const char *history_sort_name(enum history_sort s)
{
	static const char *const name[HISTORY_SORTS] = {
		"newest", "most IOPS", "most MiB/s", "least latency", "most CPU", "name", "target"};

	return name[s];
}

/* What is not known comes last. */
static int most_first(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) - isnan(b);
	return (a < b) - (a > b);
}

/* Runs without a name come behind those that have one. */
static int by_name(const char *a, const char *b)
{
	return *a && *b ? strcasecmp(a, b) : !*a - !*b;
}

static int order(const void *x, const void *y, void *arg)
{
	const struct history *h = arg;
	int i = *(const int *)x, k = *(const int *)y, by = 0;
	const struct store_entry *a = &h->list[i], *b = &h->list[k];

	switch (h->sort) {
	case HISTORY_IOPS: by = most_first(a->iops, b->iops); break;
	case HISTORY_RATE: by = most_first(a->bytes_s, b->bytes_s); break;
	case HISTORY_MEAN: by = most_first(-a->mean_ns, -b->mean_ns); break;
	case HISTORY_CPU: by = most_first(a->cpu, b->cpu); break;
	case HISTORY_NAME: by = by_name(a->words.name, b->words.name); break;
	case HISTORY_TARGET: by = strcasecmp(a->target, b->target); break;
	default: break;
	}
	return by ? by : i - k;
}

/* --- All of it. --- */

const struct store_entry *history_at(const struct history *h)
{
	return h->at >= 0 && h->at < h->rows ? &h->list[h->row[h->at]] : NULL;
}

void history_move(struct history *h, int by)
{
	h->at += by;
	if (h->at > h->rows - 1)
		h->at = h->rows - 1;
	if (h->at < 0)
		h->at = 0;
}

static void arrange(struct history *h, int64_t run)
{
	h->rows = 0;
	for (int i = 0; i < h->count; i++)
		if (passes(&h->list[i], h->filter))
			h->row[h->rows++] = i;
	if (h->rows)
		qsort_r(h->row, (size_t)h->rows, sizeof(*h->row), order, h);
	for (int i = 0; i < h->rows; i++)
		if (h->list[h->row[i]].id == run)
			h->at = i;
	history_move(h, 0);
}

void history_arrange(struct history *h)
{
	const struct store_entry *e = history_at(h);

	arrange(h, e ? e->id : 0);
}

static bool was_chosen(const struct history *h, int64_t run)
{
	for (int i = 0; i < h->count; i++)
		if (h->list[i].id == run)
			return h->chosen[i];
	return false;
}

bool history_put(struct history *h, struct store_entry *list, size_t n)
{
	const struct store_entry *at = history_at(h);
	int64_t run = at ? at->id : 0;
	struct history new = *h;

	new.list = list;
	new.count = (int)n;
	new.chosen = calloc(n + 1, sizeof(*new.chosen));
	new.row = calloc(n + 1, sizeof(*new.row));
	if (!new.chosen || !new.row) {
		history_free(&new);
		return false;
	}
	/* Both lists are newest first, and seldom is anything chosen. */
	for (size_t i = 0; i < n; i++)
		new.chosen[i] = was_chosen(h, list[i].id);
	history_free(h);
	*h = new;
	arrange(h, run);
	return true;
}

void history_free(struct history *h)
{
	free(h->list);
	free(h->chosen);
	free(h->row);
	h->list = NULL;
	h->chosen = NULL;
	h->row = NULL;
	h->count = h->rows = 0;
}

static int by_run(const void *x, const void *y)
{
	int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;

	return (a > b) - (a < b);
}

int history_chosen(const struct history *h, int64_t *run, int most)
{
	int n = 0;

	for (int i = 0; i < h->rows; i++) {
		if (!h->chosen[h->row[i]])
			continue;
		if (n < most)
			run[n] = h->list[h->row[i]].id;
		n++;
	}
	if (n)
		qsort(run, (size_t)(n < most ? n : most), sizeof(*run), by_run);
	return n;
}
