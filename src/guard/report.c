/* report.c - the list of findings.
 *
 * A report has room for GUARD_FINDINGS of them. When there are more, the worst stay: a disk with a
 * hundred harmless facts must not hide that one partition is mounted.
 */
#include "guard/gates.h"

#include <stdio.h>
#include <string.h>

static const char *const gate_names[GATE_COUNT] = {
	[GATE_MODE] = "mode",           [GATE_IDENTITY] = "identity",   [GATE_CLAIM] = "claim",
	[GATE_MOUNTED] = "mounted",     [GATE_SWAP] = "swap",           [GATE_HOLDERS] = "holders",
	[GATE_MULTIPATH] = "multipath", [GATE_SIGNATURE] = "signature", [GATE_USERS] = "users",
	[GATE_READONLY] = "read-only",  [GATE_CONSENT] = "consent",     [GATE_WINDOW] = "window",
	[GATE_WATCH] = "watch",
};

const char *guard_gate_name(enum guard_gate g)
{
	return (unsigned)g < GATE_COUNT ? gate_names[g] : "?";
}

enum guard_level guard_worst(const struct guard_report *r)
{
	enum guard_level worst = GUARD_NOTE;

	for (unsigned i = 0; i < r->count; i++)
		if (r->finding[i].level > worst)
			worst = r->finding[i].level;
	return worst;
}

void report_clean(char *text)
{
	for (unsigned char *c = (unsigned char *)text; *c; c++)
		if (*c < 0x20 || *c == 0x7f)
			*c = '?';
}

/* A text cut at the end of its buffer must not end within a UTF-8 sequence. */
static void drop_partial_character(char *text)
{
	size_t n = strlen(text), start = n;

	while (start > 0 && ((unsigned char)text[start - 1] & 0xc0) == 0x80)
		start--;
	if (start > 0 && (unsigned char)text[start - 1] >= 0xc0)
		text[start - 1] = '\0';
}

/* Where a finding of this level goes in a full report: over the mildest that is milder, or NULL. */
static struct guard_finding *mildest(struct guard_report *r, enum guard_level level)
{
	struct guard_finding *found = NULL;

	for (unsigned i = r->count; i-- > 0;)
		if (r->finding[i].level < level && (!found || r->finding[i].level < found->level))
			found = &r->finding[i];
	return found;
}

void report_add(struct guard_report *r, enum guard_gate gate, enum guard_level level,
		const char *fmt, ...)
{
	struct guard_finding f = {.gate = gate, .level = level};
	struct guard_finding *place;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(f.text, sizeof(f.text), fmt, ap);
	va_end(ap);
	if (n >= (int)sizeof(f.text))
		drop_partial_character(f.text);
	report_clean(f.text);

	for (unsigned i = 0; i < r->count; i++)
		if (r->finding[i].gate == gate && r->finding[i].level == level &&
		    strcmp(r->finding[i].text, f.text) == 0)
			return;
	if (level == GUARD_WARN && gate >= GATE_SIGNATURE)
		r->needs_destroy = true;
	if (r->count < GUARD_FINDINGS) {
		place = &r->finding[r->count++];
	} else {
		r->truncated = true;
		place = mildest(r, level);
	}
	if (place)
		*place = f;
}
