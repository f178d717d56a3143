/* style.h - what a cell means, and what that looks like in a theme.
 *
 * Panes name meanings; a theme file says what each looks like with 256 colours, with 8, and without.
 * Meaning is never carried by colour or boldness alone.
 *
 * A theme is an INI file in themes/:
 *     [theme]
 *     name = phosphor
 *     title = Green phosphor, the oscilloscope look
 *     background = dark            ; dark, light or any: what it was made for. Terminals are mostly
 *                                  ; dark: a light theme should paint its own ground (on BG)
 *     [256] / [8] / [mono]
 *     read = 114 on default bold   ; FG [on BG] [bold] [reverse] [underline] [dim]
 * FG and BG are default, a colour name (black red green yellow blue magenta cyan white) or a number
 * (0-255; 0-7 in [8]). [mono] takes attributes only, or the word plain for none. Every style must
 * stand in every section.
 */
#ifndef LUNSCOPE_STYLE_H
#define LUNSCOPE_STYLE_H

#include <stdbool.h>
#include <stdint.h>
#include "error.h"

/* id, name in theme files, what it is for */
#define STYLE_TABLE(X)                                                                             \
	X(ST_NORMAL, "normal", "plain text")                                                       \
	X(ST_DIM, "dim", "secondary text")                                                         \
	X(ST_TITLE, "title", "the top line and pane titles")                                       \
	X(ST_RULE, "rule", "lines between panes, axes")                                            \
	X(ST_LABEL, "label", "names of figures")                                                   \
	X(ST_VALUE, "value", "figures")                                                            \
	X(ST_READ, "read", "reads")                                                                \
	X(ST_WRITE, "write", "writes")                                                             \
	X(ST_TOTAL, "total", "reads and writes together")                                          \
	X(ST_MARK, "mark", "marks on the time line")                                               \
	X(ST_GOOD, "good", "a lamp that is content")                                               \
	X(ST_WARN, "warn", "a lamp that is not")                                                   \
	X(ST_BAD, "bad", "errors, trouble")                                                        \
	X(ST_FOCUS, "focus", "the focused item")                                                   \
	X(ST_KNOB, "knob", "a knob's value")                                                       \
	X(ST_KEY, "key", "a key's name in the footer")                                             \
	X(ST_KEY_LABEL, "key-label", "what the key does")                                          \
	X(ST_DIALOG, "dialog", "a dialog's ground")                                                \
	X(ST_DIALOG_TITLE, "dialog-title", "a dialog's title")                                     \
	X(ST_INPUT, "input", "a field being typed into")                                           \
	X(ST_SELECTED, "selected", "the chosen row of a list")                                     \
	X(ST_CPU_USER, "cpu-user", "CPU time in programs")                                         \
	X(ST_CPU_SYSTEM, "cpu-system", "CPU time in the kernel")                                   \
	X(ST_CPU_IRQ, "cpu-irq", "CPU time in interrupts, hard and soft")                          \
	X(ST_CPU_IOWAIT, "cpu-iowait", "idle with IO pending")                                     \
	X(ST_CPU_STEAL, "cpu-steal", "taken by the hypervisor")                                    \
	X(ST_HEAT_1, "heat-1", "the heat map: few of a column's IOs")                              \
	X(ST_HEAT_2, "heat-2", "more")                                                             \
	X(ST_HEAT_3, "heat-3", "many")                                                             \
	X(ST_HEAT_4, "heat-4", "most of them")

enum style {
#define X(id, name, help) id,
	STYLE_TABLE(X)
#undef X
		ST_COUNT
};

#define COLOUR_DEFAULT (-1)

enum {
	ATTR_BOLD = 1,
	ATTR_REVERSE = 2,
	ATTR_UNDERLINE = 4,
	ATTR_DIM = 8,
};

struct look {
	int16_t fg, bg;	/* colour number or COLOUR_DEFAULT */
	uint8_t attr;
};

enum palette { PALETTE_MONO, PALETTE_8, PALETTE_256, PALETTE_COUNT };

struct theme {
	char name[32];
	char title[80];
	char background[8];
	struct look look[PALETTE_COUNT][ST_COUNT];
};

/* The theme compiled in (the same as themes/default.theme). */
extern const struct theme theme_builtin;

/* Loads by name (looked for in $XDG_CONFIG_HOME/lunscope/themes, then the installed folder) or, with
 * a '/' in it, by path. 0, or -errno with one line: "themes/x.theme:12: unknown style 'raed'". */
int theme_load(struct theme *t, const char *name, struct error *e);
/* Names of all themes found, sorted, without duplicates, "default" among them even uninstalled;
 * malloc'd array of malloc'd strings. Returns the count. */
int theme_list(char ***names);

const char *style_name(enum style s);

#endif
