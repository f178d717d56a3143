/* spec_words.c - see spec_words.h. */
#include "iometer/spec_words.h"

#include "export.h"
#include "units.h"

struct extent {
	uint32_t least, most;
};

static void widen(struct extent *s, uint32_t v)
{
	if (v < s->least)
		s->least = v;
	if (v > s->most)
		s->most = v;
}

/* ", 70 % read", ", 0 to 100 % read" */
static void append_pct(char *out, size_t n, const struct extent *s, const char *what)
{
	if (s->least == s->most)
		units_append(out, n, ", %u %% %s", s->most, what);
	else
		units_append(out, n, ", %u to %u %% %s", s->least, s->most, what);
}

char *spec_brief(char *out, size_t n, const struct iometer_spec *spec)
{
	struct extent size = {UINT32_MAX, 0}, reads = {100, 0}, random = {100, 0};
	char least[32], most[32];

	if (!spec->count) {
		snprintf(out, n, "no IO");
		return out;
	}
	for (uint32_t i = 0; i < spec->count; i++) {
		widen(&size, spec->line[i].line.size);
		widen(&reads, spec->line[i].line.read_pct);
		widen(&random, spec->line[i].line.random_pct);
	}
	out[0] = '\0';
	if (spec->count > 1)
		units_append(out, n, "%u lines, ", spec->count);
	units_size(least, sizeof(least), size.least);
	units_size(most, sizeof(most), size.most);
	if (size.least == size.most)
		units_append(out, n, "%s", most);
	else
		units_append(out, n, "%s to %s", least, most);
	append_pct(out, n, &reads, "read");
	append_pct(out, n, &random, "random");
	return out;
}

static const char *size_or(char *out, size_t n, uint32_t bytes, const char *none)
{
	if (!bytes)
		return none;
	return units_size_exact(out, n, bytes);
}

void spec_print_lines(FILE *f, const struct iometer_spec *spec)
{
	char size[32], align[32], reply[32];

	if (spec->count)
		fprintf(f, "  %12s %7s %7s %7s %9s %7s %12s %12s\n", "size", "of IOs", "read",
			"random", "delay", "burst", "align", "reply");
	for (uint32_t i = 0; i < spec->count; i++) {
		const struct access_line *l = &spec->line[i].line;
		fprintf(f, "  %12s %5u %% %5u %% %5u %% %6u ms %7u %12s %12s\n",
			units_size_exact(size, sizeof(size), l->size), l->share, l->read_pct,
			l->random_pct, l->delay_ms, l->burst,
			size_or(align, sizeof(align), l->align, "sectors"),
			size_or(reply, sizeof(reply), spec->line[i].reply, "none"));
	}
}

static json_t *or_null(uint32_t v)
{
	return v ? json_integer(v) : json_null();
}

static json_t *line_json(const struct iometer_line *line)
{
	const struct access_line *l = &line->line;

	return json_pack("{s:I, s:i, s:i, s:i, s:I, s:I, s:o, s:o}", "size_bytes",
			 (json_int_t)l->size, "share_pct", l->share, "read_pct", l->read_pct,
			 "random_pct", l->random_pct, "delay_ms", (json_int_t)l->delay_ms, "burst",
			 (json_int_t)l->burst, "align_bytes", or_null(l->align), "reply_bytes",
			 or_null(line->reply));
}

json_t *spec_json(const struct iometer_spec *spec)
{
	static const char *const assign[] = {"none", "all", "disk", "net"};
	json_t *lines = json_array();

	for (uint32_t i = 0; i < spec->count; i++)
		json_array_append_new(lines, line_json(&spec->line[i]));
	return json_pack("{s:o, s:s, s:o}", "name", export_text(spec->name), "assign",
			 assign[spec->assign], "lines", lines);
}
