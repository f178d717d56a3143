/* action.h - everything a key can do on the main screen: the one list behind keys, help, footer and
 * the manual page, which is made from it (man/fill.c).
 */
#ifndef LUNSCOPE_ACTION_H
#define LUNSCOPE_ACTION_H

#include <stdbool.h>

/* id, function key (0 = none), letters, footer label ("" = not in the footer), what it does */
#define ACTION_TABLE(X)                                                                                             \
	X(ACT_HELP, 1, "?h", "Help", "help: every key, and how to read the screen")                                 \
	X(ACT_SETUP, 2, "S", "Setup", "setup: panes, characters, theme, units, keys; saving them")                   \
	X(ACT_MARK, 3, "m", "Mark", "put a mark on the time line, with a note")                                     \
	X(ACT_FREEZE, 4, " ", "Freeze", "freeze the display; the IO goes on")                                       \
	X(ACT_RESET, 5, "0", "Reset", "start the statistics anew from here")                                        \
	X(ACT_ZOOM, 6, "p", "Zoom", "zoom the focused pane to the full screen and back")                            \
	X(ACT_LESS, 7, "-", "Less", "focused knob one step down")                                                   \
	X(ACT_MORE, 8, "+=", "More", "focused knob one step up")                                                    \
	X(ACT_STOP, 9, "s", "Stop", "stop or start the IO")                                                         \
	X(ACT_QUIT, 10, "q", "Quit", "quit")                                                                        \
	X(ACT_TARGET, 0, "d", "", "choose another target: disk, file, LUN")                                         \
	X(ACT_FIND, 0, "f", "", "find the most load that meets a latency goal; stop it")                            \
	X(ACT_CURVE, 0, "c", "", "the load-latency curve of this target")                                           \
	X(ACT_SERIES, 0, "I", "", "Iometer's tests: access specifications, one by one")                            \
	X(ACT_COMPARE, 0, "v", "", "compare two segments: what has a change done?")                                  \
	X(ACT_AB, 0, "A", "", "A against B, set in turn (ABBA); stop it")                                             \
	X(ACT_WORKLOAD, 0, "a", "", "all settings of the workload, alignment and range too")                        \
	X(ACT_PATHS, 0, "P", "", "the paths to a LUN: take out or in, log in anew, policy")                         \
	X(ACT_BENCH, 0, "k", "", "the bench knobs: MTU, pause, offloads, sysctls, queues")                          \
	X(ACT_UNDO, 0, "u", "", "undo the last knob change")                                                        \
	X(ACT_UNITS, 0, "i", "", "MiB/s or MB/s")                                                                   \
	X(ACT_WINDOW_SHORTER, 0, "z<", "", "charts: half the time window")                                          \
	X(ACT_WINDOW_LONGER, 0, "Z>", "", "charts: twice the time window")                                          \
	X(ACT_CURSOR, 0, "j", "", "charts: first cursor, second, or change between them")                            \
	X(ACT_SWEEP, 0, "~", "", "charts: sweep instead of scrolling (few bytes a frame)")                          \
	X(ACT_LOCK, 0, "y", "", "charts: lock the scale as it is, or let it go")                                       \
	X(ACT_BASELINE, 0, "g", "", "charts: a stored run behind the live one, or none")                              \
	X(ACT_HISTORY, 0, "H", "", "the runs that are kept: find, name, tag, compare, delete")                        \
	X(ACT_TRIGGER, 0, "E", "", "trigger: what freezes the display, as p99 > 20ms")                                 \
	X(ACT_LATENCY, 0, "l", "", "latency: all, reads and writes apart, heat map")                                  \
	X(ACT_METERS, 0, "M", "", "meters: six figures of your choice, and back")                                     \
	X(ACT_GLYPHS, 0, "G", "", "next set of characters for the charts")                                          \
	X(ACT_THEME, 0, "C", "", "next colour theme")                                                               \
	X(ACT_WRITES, 0, "!", "", "ask for permission to write to this target")                                     \
	X(ACT_COMMAND, 0, "e", "", "show the command line that repeats this run")

enum action {
	ACT_NONE,
#define X(id, ...) id,
	ACTION_TABLE(X)
#undef X
		ACT_COUNT
};

struct action_info {
	int fkey;
	const char *letters;
	const char *label;
	const char *help;
};

/* As they are out of the box. */
extern const struct action_info actions[ACT_COUNT];

/* The keys of each action. The screen's own are those that action_bind() was told last. */
#define ACTION_KEYS 8
struct key_map {
	int key[ACT_COUNT][ACTION_KEYS]; /* characters and ACTION_FKEY(n), 0 behind the last */
};
struct key_map action_map_usual(void);
void action_bind(const struct key_map *m);
/* 0-terminated. */
const int *action_keys(enum action a);
/* The first that is a function key, or isn't; 0: none. */
int action_first_key(enum action a, bool fkey);
/* What to press for it, in words of the screen: "s", "Space"; a function key where it has no other; "(no key)".
 * Good until action_bind(). */
const char *action_key(enum action a);
/* text with "{stop}" replaced by the key of ACT_STOP, and so on; words in braces that are no action stay. To be
 * freed; NULL without memory. */
char *action_text(const char *text);
/* "window-shorter". Returns out. */
char *action_name(enum action a, char out[32]);
/* "F3", "Space", "m". Returns out. */
char *action_key_name(int key, char out[8]);
/* -1: no key that can be bound. */
int action_key_of_name(const char *name);
/* "window-shorter"; ACT_NONE: there is none of that name. */
enum action action_named(const char *name);

/* The action of a key (curses KEY_F(n) passed as ACTION_FKEY(n), else a character); ACT_NONE. */
#define ACTION_FKEY(n) (0x10000 + (n))
enum action action_of_key(int key);

#endif
