/* dialog_about.c - what F1 says of each dialog: what is seen there, what its keys do, and what happens
 * to the run and to the target by them. The general help tells of the main screen.
 */
#include <stdlib.h>
#include "action.h"
#include "dialogs.h"

struct topic {
	const char *title, *words;
};

static const struct topic topics[ABOUT_COUNT] = {
	[ABOUT_AB] =
		{"About A against B",
		 "One setting is given two values in turn, A B B A and so on, each for a "
		 "segment of time, and the pairs are compared: what drifts evenly by itself "
		 "cancels out.\n \n"
		 "Setting: one that lunscope can change; PgUp and PgDn go through them. Empty: "
		 "A and B are words for what you are asked to set by hand, on a switch, say.\n"
		 "Pairs: an even number. Segment: how long each lasts. Settle: how much of its "
		 "beginning does not count.\n \n"
		 "Nothing is changed before you have agreed. When it is over, or stopped by "
		 "{ab}, the setting is put back; Esc here only leaves."},
	[ABOUT_BASELINE] =
		{"About the baseline",
		 "A run that was kept is drawn behind the live one, in both charts, dim and as "
		 "~: its first second where the figures of this run begin, which is at its start "
		 "or where {reset} started them anew. Where a cursor stands ({cursor}), its "
		 "figures are "
		 "beside the live ones, and vs ~ is this run in per cent of it.\n \n"
		 "The newest run is on top. Enter draws the one that is chosen, or takes the "
		 "baseline away (none). Nothing is changed in the store, nor in the IO; Esc "
		 "leaves all as it was."},
	[ABOUT_BENCH] =
		{"About the bench knobs",
		 "The settings of this host that the run may depend on: MTU, pause, "
		 "offloads, rings and queues of the NICs, sysctls, IO schedulers. They are "
		 "read from the kernel as they are now.\n \n"
		 "Enter changes one, after it was looked whether that makes sense and whom "
		 "it would cut off; each change is a mark on the time line. {ab} sets it in "
		 "turn (ABBA). u puts the last change of a row back, U all; F puts a row "
		 "back even where somebody else has changed it since. What is not put back "
		 "here can be put back when lunscope ends.\n \n"
		 "Esc goes back one step and changes nothing."},
	[ABOUT_COMMAND] = {"About the command line",
			   "This repeats the run from a shell: the target, and the workload as the "
			   "knobs are now. Copy it with the mouse or type it; it is printed once "
			   "more when lunscope ends. It holds no secrets."},
	[ABOUT_CONSENT] = {"About permission to write",
			   "This is the one place where lunscope is allowed to write over data. It "
			   "shows what the target is, what was found on it and who uses it, and to "
			   "the byte what will be overwritten; Up and Down scroll that.\n \n"
			   "REFUSED: in use; there is no way to allow it but to end that use. "
			   "WARNING: it holds data, which will be lost.\n \n"
			   "To agree, type the part of its identity that is asked for, then Enter. "
			   "Esc leaves everything as it is: the target goes on being read."},
	[ABOUT_CURVE] = {"About the load-latency curve",
			 "The load is raised in steps, from little to all the target can do; at "
			 "each step mean and p99 are measured. The knee is where latency begins to "
			 "grow faster than IOPS. By rate: IOs are due at fixed times, so that what "
			 "waits counts too. By outstanding: so many are kept in flight.\n \n"
			 "Enter starts it, or stops it while it is under way; the title says how "
			 "long still. Left and Right choose by what, Up and Down scroll the table. "
			 "Esc goes back, and the curve goes on: the footer shows it. At the end "
			 "the knobs go back to where they were."},
	[ABOUT_DIFFERENCES] =
		{"About what differs",
		 "Everything that is known to have been different between the two: "
		 "settings of the workload, of the host and of the paths. One thing "
		 "only: then it explains the figures. Several: none of them alone "
		 "does. What no host can see, a switch, say, is here only by the marks "
		 "that you set."},
	[ABOUT_ENTRY] =
		{"About typing a value",
		 "The value of the knob is replaced by what you type, at Enter and not "
		 "before. Sizes take K, M, G (of 1024), times us, ms, s. What this target "
		 "or workload cannot do is refused here, with the reason.\n \n"
		 "Esc leaves the knob as it was; {undo} undoes the last change of any knob."},
	[ABOUT_FIND] =
		{"About the search for a goal",
		 "It finds the most load at which the target still meets a latency goal: "
		 "p99 < 1ms, say. of: whose latency. by: which knob is turned, the IOs "
		 "outstanding or the rate.\n \n"
		 "Enter starts it; the footer says what it is doing, and {find} or Esc stops it. "
		 "What it finds stays set; {undo} brings back what was."},
	[ABOUT_HISTORY] =
		{"About the runs that are kept",
		 "Every run of the run store, the newest first; below, all that is said of the "
		 "one at hand. / filters as you type: each word has to be in the target, the "
		 "name, a tag or the note. s changes what they are sorted by.\n \n"
		 "Enter shows the run as lunscope show does. Space chooses runs: v compares "
		 "two that are chosen, the older one first, as lunscope compare does. b draws "
		 "the one at hand behind the live one. r gives it a name, t tags (by commas), "
		 "n a note.\n \n"
		 "Del deletes those that are chosen, else the one at hand, with all their "
		 "figures and for good; it asks first. A run that is being recorded stays. Esc "
		 "goes back; the IO is not touched by any of this."},
	[ABOUT_LOGIN] =
		{"About the login",
		 "The target asks who you are (CHAP). User and secret are what the target's "
		 "administrator has given out for this initiator. The second pair is for "
		 "mutual CHAP, by which the target proves itself to you; leave it empty "
		 "where that is not set up.\n \n"
		 "Secrets are shown as stars, kept in memory only, and never recorded. Esc "
		 "goes back without logging in."},
	[ABOUT_METER] =
		{"About the meters",
		 "Six figures, each on a scale of its own. Shows: which one. Scale: where its bar "
		 "ends, as 50k; empty, it is a round number above all there has been, and 100 for "
		 "per cent. A figure beyond a fixed scale has an arrow at the end of its bar.\n \n"
		 "Since and Every are of all six: a new figure comes every so often, either of the "
		 "time since the last one, or of all the time since the start. Least and most are "
		 "those that have stood there since the start.\n \n"
		 "Enter sets it; w on the setup screen saves it for the next time. The IO is not "
		 "touched. Esc leaves all as it was."},
	[ABOUT_NOTE] = {"About the note",
			"The mark is on the time line already, from the moment of the key. Words "
			"of your own say later what it was: what you changed on a switch, say. "
			"They are recorded with the run. Esc leaves the mark without words."},
	[ABOUT_PAGE] =
		{"About this page",
		 "What the command line prints of kept runs: lunscope show, or lunscope "
		 "compare with two of them. Runs of several segments, and imported ones, are "
		 "compared as a whole; lunscope compare takes single segments.\n \n"
		 "Arrows, PgUp and PgDn, Home and End scroll. Esc goes back to the runs."},
	[ABOUT_PATHS] = {"About the paths",
			 "Each path is a connection of its own from this host to the LUN. Up and "
			 "Down choose one. o takes it out: it gets no more IOs, and logs out when "
			 "those in flight are back; o again takes it in. r logs in anew over a new "
			 "connection, R all of them one after the other. p chooses by which rule "
			 "IOs are spread over the paths.\n \n"
			 "Each of these is a mark on the time line. The IO goes on meanwhile over "
			 "the paths that are left."},
	[ABOUT_PICKER] =
		{"About the choice of a target",
		 "What can be measured here: the disks of this host (p: their partitions "
		 "too), a file, a LUN. i asks an iSCSI portal for LUNs. The line below "
		 "says what a device is, and what speaks against writing to it.\n \n"
		 "Choosing one only reads from it. Nothing is written unless you allow it "
		 "later, in a dialog of its own. A file that is not there yet is made when "
		 "you give a size with it; while it is being made it can be cancelled, and "
		 "is gone then.\n \n"
		 "Esc goes back: to the run that is on, or out of lunscope when there is "
		 "none."},
	[ABOUT_PORTAL] =
		{"About iSCSI portals",
		 "A portal is an address at which a storage system answers; asked, it "
		 "names its targets, their other portals, and the LUNs of each. Asking "
		 "reads nothing of the data. Up and Down at the address bring back those "
		 "asked before.\n \n"
		 "In the list Enter starts reading a LUN. Space marks portals of a target: "
		 "each that is marked becomes a path. c logs in with a user and a secret "
		 "(CHAP), r asks anew. Esc goes back one step."},
	[ABOUT_TRIGGER] =
		{"About the trigger",
		 "As on an oscilloscope: when what you wait for happens, the display freezes with "
		 "what "
		 "led up to it in the charts and some of what followed, and an event says what it "
		 "was. "
		 "The IO, the measuring and the record go on.\n \n"
		 "iops, rate, mean, p50, p95, p99, p99.9, max and cpu take < or > and a limit, as "
		 "'p99 > 20ms' or 'iops < 5k for 3s'; errors: an IO fails; path: one is lost. It "
		 "is looked at "
		 "once a second, and fires again only after it was over for as long.\n \n"
		 "Once: {freeze} lets the display go on, {trigger} arms the trigger again. Each "
		 "time: it is "
		 "armed "
		 "at once, and the newest picture stands. Empty: no trigger. Esc leaves all as it "
		 "was."},
	[ABOUT_QUIT] = {"About quitting",
			"The run is recorded as it goes; keeping it costs nothing but space, and "
			"discarding deletes it from the store. Settings of this host that lunscope "
			"has changed are put back, unless r says to leave them.\n \n"
			"IOs in flight are waited for. Esc goes on with the "
			"run as if nothing had been asked."},
	[ABOUT_SERIES] =
		{"About Iometer's tests",
		 "Access specifications are run one after the other, each for the run time, once "
		 "the "
		 "ramp has passed. Each test is a segment of this run with a mark of its own, and "
		 "a row "
		 "of the table: what is compared later with {compare}, or by lunscope compare. A "
		 "set is "
		 "run in "
		 "its order; a cycle repeats each test with more workers or more outstanding "
		 "IOs.\n \n"
		 "Up and Down choose the row, Left and Right what it says; n makes a specification "
		 "of "
		 "your own, e edits it, Del takes it out. Enter starts, n ends a test early and "
		 "goes "
		 "on with the next, Enter again stops all of it. Tests that write need permission "
		 "first. Esc goes back, and the tests go on: the footer shows it. At the end the "
		 "knobs "
		 "go back to where they were."},
	[ABOUT_SPEC] =
		{"About an access specification",
		 "What Iometer calls so: lines of IOs, each with its size, its share of all IOs, "
		 "its "
		 "shares of reads and of random places; with a delay before each burst of so many. "
		 "A line that is the only one needs no share.\n \n"
		 "It is saved among your own, in a file that Iometer can open too."},
	[ABOUT_SETUP] =
		{"About the setup",
		 "How the screen looks and which keys do what; the IO is not touched. "
		 "A change is seen at once behind it. Enter keeps it until lunscope ends, w "
		 "or F12 saves it for the next time, Esc takes back what was neither.\n \n"
		 "Panes stand in the order of the list; those that are hidden can still be "
		 "looked at by their number. Keys: Enter on an action, then the key; Del "
		 "brings its usual keys back. Frames a second are of the screen alone: what is "
		 "measured and recorded is the same at any. Kernel: while its messages stay "
		 "off the console they are in its log (dmesg), and the level is put back at "
		 "the end.\n \n"
		 "The mouse is the terminal's, to select text, unless it is turned on here. "
		 "Letters in the footer are for keyboards without F-keys.\n \n"
		 "Saving changes these entries of the config file and leaves the rest of it, "
		 "with all comments, alone. In a file or folder that belongs to another "
		 "user, as under sudo, it asks for a second w first."},
	[ABOUT_WAIT] = {"About waiting",
			"Something that the network, the kernel or a disk has to answer is under "
			"way; the run that is on goes on meanwhile, and so do its record and its "
			"screen.\n \n"
			"Where the frame says so, Esc cancels it: nothing half done is left, and "
			"you are back where you came from. The rest says why not, or how long it "
			"takes at most; ^C asks whether to quit."},
	[ABOUT_WORKLOAD] =
		{"About the settings of the workload",
		 "Everything that makes up the load, the knobs of the main screen and "
		 "more. Left and Right step the chosen row, PgUp and PgDn by much; Enter, "
		 "or a digit, types a value. A change is in force at once, without a "
		 "restart, and is a mark on the time line; {undo} undoes it.\n \n"
		 "A setting that would write asks for permission first. What this target "
		 "cannot do is refused, with the reason. Esc goes back."},
};

struct dialog dialog_about(enum dialog_topic topic)
{
	char *words = action_text(topics[topic].words);
	struct dialog d = dialog_text(topics[topic].title, words ? words : "", ABOUT_NONE);

	free(words);
	return d;
}
