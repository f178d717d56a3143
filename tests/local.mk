# Unit tests link the core; tests of the screen link libui.a too.
TEST_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
TEST_LIBS = $(CORE_LIBS) $(CMOCKA_LIBS)
UI_TEST_LIBS = $(UI_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/unit-canvas
tests_unit_canvas_SOURCES = tests/unit-canvas.c
tests_unit_canvas_CFLAGS = $(TEST_CFLAGS)
tests_unit_canvas_LDADD = $(UI_TEST_LIBS)
TESTS += tests/unit-canvas

check_PROGRAMS += tests/unit-glyph
tests_unit_glyph_SOURCES = tests/unit-glyph.c
tests_unit_glyph_CFLAGS = $(TEST_CFLAGS)
tests_unit_glyph_LDADD = $(UI_TEST_LIBS)
TESTS += tests/unit-glyph

check_PROGRAMS += tests/unit-font
tests_unit_font_SOURCES = tests/unit-font.c
tests_unit_font_SOURCES += tests/font-maps.h
tests_unit_font_CFLAGS = $(TEST_CFLAGS)
tests_unit_font_LDADD = $(UI_TEST_LIBS)
TESTS += tests/unit-font

check_PROGRAMS += tests/unit-mouse
tests_unit_mouse_SOURCES = tests/unit-mouse.c
tests_unit_mouse_SOURCES += tests/canvas-print.h
tests_unit_mouse_CFLAGS = $(TEST_CFLAGS)
tests_unit_mouse_LDADD = $(UI_TEST_LIBS)
TESTS += tests/unit-mouse

check_PROGRAMS += tests/unit-setup
tests_unit_setup_SOURCES = tests/unit-setup.c
tests_unit_setup_SOURCES += tests/canvas-print.h
tests_unit_setup_SOURCES += tests/scratch.h
tests_unit_setup_SOURCES += tests/scratch.c
tests_unit_setup_SOURCES += tests/loopdev.h
tests_unit_setup_SOURCES += tests/loopdev.c
tests_unit_setup_CFLAGS = $(TEST_CFLAGS)
tests_unit_setup_LDADD = $(UI_TEST_LIBS)
TESTS += tests/unit-setup

check_PROGRAMS += tests/unit-layout
tests_unit_layout_SOURCES = tests/unit-layout.c
tests_unit_layout_CFLAGS = $(TEST_CFLAGS)
tests_unit_layout_LDADD = $(UI_TEST_LIBS)
TESTS += tests/unit-layout

check_PROGRAMS += tests/unit-style
tests_unit_style_SOURCES = tests/unit-style.c
tests_unit_style_CFLAGS = $(TEST_CFLAGS)
tests_unit_style_LDADD = $(UI_TEST_LIBS) -lm
TESTS += tests/unit-style
# Every test speaks TAP and runs inside tests/run.sh: scratch HOME, fixed locale, time limit.
TEST_EXTENSIONS = .sh .vm
LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
SH_LOG_DRIVER = $(LOG_DRIVER)
LOG_COMPILER = $(SHELL) $(srcdir)/tests/run.sh
SH_LOG_COMPILER = $(SHELL) $(srcdir)/tests/run.sh $(SHELL)
AM_TESTS_ENVIRONMENT = \
	TEST_SRCDIR='$(abs_srcdir)'; export TEST_SRCDIR; \
	TEST_BUILDDIR='$(abs_builddir)'; export TEST_BUILDDIR; \
	TEST_SANITIZERS='$(SANITIZERS)'; export TEST_SANITIZERS; \
	TEST_GREEDY='$(GREEDY_TESTS)'; export TEST_GREEDY; \
	LUNSCOPE='$(abs_builddir)/lunscope$(EXEEXT)'; export LUNSCOPE;
EXTRA_DIST += tests/run.sh
EXTRA_DIST += tests/summary.sh
EXTRA_DIST += tests/tap.sh

# Three builds share the tests: the sanitized one runs all but SPEED_TESTS (they measure, or look at
# files that are the same in every build), the plain one runs those, and the thread sanitizer's runs
# THREAD_TESTS. `make check` in any one build still runs everything.
#
# Nearly all of them wait most of the time, each in a world of its own (scratch folder, free ports, network
# namespaces), so that several can run at once. ALONE_TESTS can't: they measure what others would disturb, or
# take all of what the host has only once. GREEDY_TESTS work all the time, and leave others the precedence.
SPEED_TESTS =
THREAD_TESTS =
ALONE_TESTS =
GREEDY_TESTS =

# Helpers for tests that run programs, make loop devices, or look at a terminal.
check_LIBRARIES += tests/libtest.a
tests_libtest_a_SOURCES =
tests_libtest_a_CFLAGS = $(TEST_CFLAGS) $(VTERM_CFLAGS)
tests_libtest_a_SOURCES += tests/scratch.h
tests_libtest_a_SOURCES += tests/scratch.c
tests_libtest_a_SOURCES += tests/loopdev.h
tests_libtest_a_SOURCES += tests/loopdev.c
tests_libtest_a_SOURCES += tests/proc.h
tests_libtest_a_SOURCES += tests/proc.c
PROC_TEST_LIBS = tests/libtest.a $(CMOCKA_LIBS)
if HAVE_VTERM
tests_libtest_a_SOURCES += tests/vt.h
tests_libtest_a_SOURCES += tests/vt.c
tests_libtest_a_SOURCES += tests/e2e.h
tests_libtest_a_SOURCES += tests/e2e.c
endif
VT_TEST_LIBS = tests/libtest.a $(VTERM_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/proc-self
tests_proc_self_SOURCES = tests/proc-self.c
tests_proc_self_CFLAGS = $(TEST_CFLAGS)
tests_proc_self_LDADD = $(PROC_TEST_LIBS)
TESTS += tests/proc-self

if HAVE_VTERM
check_PROGRAMS += tests/vt-self
tests_vt_self_SOURCES = tests/vt-self.c
tests_vt_self_CFLAGS = $(TEST_CFLAGS) $(VTERM_CFLAGS)
tests_vt_self_LDADD = $(VT_TEST_LIBS)
TESTS += tests/vt-self
endif

EXTRA_DIST += tests/lint.sh
TESTS += tests/lint.sh
SPEED_TESTS += tests/lint.sh
EXTRA_DIST += tests/docs.sh
TESTS += tests/docs.sh
SPEED_TESTS += tests/docs.sh
EXTRA_DIST += tests/completion.sh
TESTS += tests/completion.sh
SPEED_TESTS += tests/completion.sh

# The suites that ./bootstrap check runs, each in its own build and in two turns: those that run at once, for
# `make -jN`, and then with TURN=alone the others, for `make -j1`. What takes long begins first.
check-sanitized:
	@list=; for t in $(TESTS); do \
	  case " $(SPEED_TESTS) " in *" $$t "*) ;; *) list="$$list $$t";; esac; \
	done; $(MAKE) $(AM_MAKEFLAGS) check-turn SUITE="$$list"
check-speed:
	@$(MAKE) $(AM_MAKEFLAGS) check-turn SUITE='$(SPEED_TESTS)'
check-threads:
	@$(MAKE) $(AM_MAKEFLAGS) check-turn SUITE='$(THREAD_TESTS)'
check-turn:
	@long=; short=; alone=; for t in $(SUITE); do \
	  case " $(ALONE_TESTS) " in *" $$t "*) alone="$$alone $$t"; continue;; esac; \
	  case $$t in tests/unit-*) short="$$short $$t";; *) long="$$long $$t";; esac; \
	done; \
	case '$(TURN)' in alone) list=$$alone;; *) list="$$long $$short";; esac; \
	$(MAKE) $(AM_MAKEFLAGS) check TESTS="$$list"
.PHONY: check-sanitized check-speed check-threads check-turn
check_PROGRAMS += tests/unit-timeline
tests_unit_timeline_SOURCES = tests/unit-timeline.c
tests_unit_timeline_SOURCES += tests/hist-add.h
tests_unit_timeline_CFLAGS = $(TEST_CFLAGS)
tests_unit_timeline_LDADD = $(TEST_LIBS)
TESTS += tests/unit-timeline
check_PROGRAMS += tests/unit-summary
tests_unit_summary_SOURCES = tests/unit-summary.c
tests_unit_summary_SOURCES += tests/hist-add.h
tests_unit_summary_CFLAGS = $(TEST_CFLAGS)
tests_unit_summary_LDADD = $(TEST_LIBS)
TESTS += tests/unit-summary
check_PROGRAMS += tests/unit-store
tests_unit_store_SOURCES = tests/unit-store.c
tests_unit_store_SOURCES += tests/hist-add.h
tests_unit_store_CFLAGS = $(TEST_CFLAGS)
tests_unit_store_LDADD = $(TEST_LIBS)
TESTS += tests/unit-store
check_PROGRAMS += tests/unit-export
tests_unit_export_SOURCES = tests/unit-export.c
tests_unit_export_SOURCES += tests/hist-add.h
tests_unit_export_CFLAGS = $(TEST_CFLAGS)
tests_unit_export_LDADD = $(TEST_LIBS)
TESTS += tests/unit-export

check_PROGRAMS += tests/unit-error
tests_unit_error_SOURCES = tests/unit-error.c
tests_unit_error_CFLAGS = $(TEST_CFLAGS)
tests_unit_error_LDADD = $(TEST_LIBS)
TESTS += tests/unit-error

check_PROGRAMS += tests/unit-guard
tests_unit_guard_SOURCES = tests/unit-guard.c
tests_unit_guard_CFLAGS = $(TEST_CFLAGS)
tests_unit_guard_LDADD = $(TEST_LIBS)
TESTS += tests/unit-guard

check_PROGRAMS += tests/root-guard
tests_root_guard_SOURCES = tests/root-guard.c
tests_root_guard_CFLAGS = $(TEST_CFLAGS)
tests_root_guard_LDADD = $(TEST_LIBS)
TESTS += tests/root-guard
# The live screen, end to end.
if HAVE_VTERM
check_PROGRAMS += tests/e2e-knobs
tests_e2e_knobs_SOURCES = tests/e2e-knobs.c
tests_e2e_knobs_CFLAGS = $(TEST_CFLAGS) $(VTERM_CFLAGS)
tests_e2e_knobs_LDADD = $(VT_TEST_LIBS)
TESTS += tests/e2e-knobs
check_PROGRAMS += tests/e2e-load
tests_e2e_load_SOURCES = tests/e2e-load.c
tests_e2e_load_CFLAGS = $(TEST_CFLAGS) $(VTERM_CFLAGS)
tests_e2e_load_LDADD = $(VT_TEST_LIBS)
TESTS += tests/e2e-load
check_PROGRAMS += tests/e2e-compare
tests_e2e_compare_SOURCES = tests/e2e-compare.c
tests_e2e_compare_CFLAGS = $(TEST_CFLAGS) $(VTERM_CFLAGS)
tests_e2e_compare_LDADD = $(VT_TEST_LIBS)
# Others that come and go are a change of their own.
ALONE_TESTS += tests/e2e-compare
TESTS += tests/e2e-compare
check_PROGRAMS += tests/e2e-scope
tests_e2e_scope_SOURCES = tests/e2e-scope.c
tests_e2e_scope_CFLAGS = $(TEST_CFLAGS) $(VTERM_CFLAGS) $(SQLITE_CFLAGS)
tests_e2e_scope_LDADD = $(VT_TEST_LIBS) $(SQLITE_LIBS) -lm
TESTS += tests/e2e-scope
check_PROGRAMS += tests/e2e-heat
tests_e2e_heat_SOURCES = tests/e2e-heat.c
tests_e2e_heat_CFLAGS = $(TEST_CFLAGS) $(VTERM_CFLAGS) $(SQLITE_CFLAGS)
tests_e2e_heat_LDADD = $(VT_TEST_LIBS) $(SQLITE_LIBS)
TESTS += tests/e2e-heat
check_PROGRAMS += tests/e2e-screen
tests_e2e_screen_SOURCES = tests/e2e-screen.c
tests_e2e_screen_CFLAGS = $(TEST_CFLAGS) $(VTERM_CFLAGS)
tests_e2e_screen_LDADD = $(VT_TEST_LIBS)
TESTS += tests/e2e-screen
check_PROGRAMS += tests/e2e-glyphs
tests_e2e_glyphs_SOURCES = tests/e2e-glyphs.c
tests_e2e_glyphs_CFLAGS = $(TEST_CFLAGS) $(VTERM_CFLAGS)
tests_e2e_glyphs_LDADD = $(VT_TEST_LIBS)
TESTS += tests/e2e-glyphs

check_PROGRAMS += tests/e2e-terminals
tests_e2e_terminals_SOURCES = tests/e2e-terminals.c
tests_e2e_terminals_CFLAGS = $(TEST_CFLAGS) $(VTERM_CFLAGS)
tests_e2e_terminals_LDADD = $(VT_TEST_LIBS)
TESTS += tests/e2e-terminals
check_PROGRAMS += tests/filed-terminals
tests_filed_terminals_SOURCES = tests/filed-terminals.c
tests_filed_terminals_CFLAGS = $(TEST_CFLAGS) $(VTERM_CFLAGS)
tests_filed_terminals_LDADD = $(VT_TEST_LIBS)
TESTS += tests/filed-terminals
check_PROGRAMS += tests/filed-starts
tests_filed_starts_SOURCES = tests/filed-starts.c
tests_filed_starts_CFLAGS = $(TEST_CFLAGS) $(VTERM_CFLAGS)
tests_filed_starts_LDADD = $(VT_TEST_LIBS)
TESTS += tests/filed-starts
# No test: see doc/local.mk.
EXTRA_PROGRAMS += tests/pictures
tests_pictures_SOURCES = tests/pictures.c
tests_pictures_CFLAGS = $(TEST_CFLAGS) $(VTERM_CFLAGS)
tests_pictures_LDADD = $(VT_TEST_LIBS)
check_PROGRAMS += tests/e2e-colours
tests_e2e_colours_SOURCES = tests/e2e-colours.c
tests_e2e_colours_CFLAGS = $(TEST_CFLAGS) $(VTERM_CFLAGS)
tests_e2e_colours_LDADD = $(VT_TEST_LIBS)
TESTS += tests/e2e-colours
check_PROGRAMS += tests/e2e-consent
tests_e2e_consent_SOURCES = tests/e2e-consent.c
tests_e2e_consent_CFLAGS = $(TEST_CFLAGS) $(VTERM_CFLAGS)
tests_e2e_consent_LDADD = $(VT_TEST_LIBS)
TESTS += tests/e2e-consent
check_PROGRAMS += tests/e2e-dialogs
tests_e2e_dialogs_SOURCES = tests/e2e-dialogs.c
tests_e2e_dialogs_CFLAGS = $(TEST_CFLAGS) $(VTERM_CFLAGS)
tests_e2e_dialogs_LDADD = $(VT_TEST_LIBS)
TESTS += tests/e2e-dialogs
check_PROGRAMS += tests/e2e-mouse
tests_e2e_mouse_SOURCES = tests/e2e-mouse.c
tests_e2e_mouse_CFLAGS = $(TEST_CFLAGS) $(VTERM_CFLAGS)
tests_e2e_mouse_LDADD = $(VT_TEST_LIBS)
TESTS += tests/e2e-mouse
check_PROGRAMS += tests/e2e-quiet
tests_e2e_quiet_SOURCES = tests/e2e-quiet.c
tests_e2e_quiet_CFLAGS = $(TEST_CFLAGS) $(VTERM_CFLAGS)
tests_e2e_quiet_LDADD = $(VT_TEST_LIBS)
TESTS += tests/e2e-quiet

check_PROGRAMS += tests/e2e-life
tests_e2e_life_SOURCES = tests/e2e-life.c
tests_e2e_life_CFLAGS = $(TEST_CFLAGS) $(VTERM_CFLAGS)
tests_e2e_life_LDADD = $(VT_TEST_LIBS)
TESTS += tests/e2e-life
check_PROGRAMS += tests/e2e-end
tests_e2e_end_SOURCES = tests/e2e-end.c
tests_e2e_end_CFLAGS = $(TEST_CFLAGS) $(VTERM_CFLAGS)
tests_e2e_end_LDADD = $(VT_TEST_LIBS) $(SQLITE_LIBS)
TESTS += tests/e2e-end
check_PROGRAMS += tests/e2e-signals
tests_e2e_signals_SOURCES = tests/e2e-signals.c
tests_e2e_signals_CFLAGS = $(TEST_CFLAGS) $(VTERM_CFLAGS)
tests_e2e_signals_LDADD = $(VT_TEST_LIBS)
TESTS += tests/e2e-signals
check_PROGRAMS += tests/right-screen
tests_right_screen_SOURCES = tests/right-screen.c
tests_right_screen_CFLAGS = $(TEST_CFLAGS) $(VTERM_CFLAGS)
tests_right_screen_LDADD = $(VT_TEST_LIBS)
TESTS += tests/right-screen
endif
check_PROGRAMS += tests/unit-chart
tests_unit_chart_SOURCES = tests/unit-chart.c
tests_unit_chart_SOURCES += tests/view-fixture.h
tests_unit_chart_SOURCES += tests/view-fixture.c
tests_unit_chart_CFLAGS = $(TEST_CFLAGS)
tests_unit_chart_LDADD = $(UI_TEST_LIBS)
TESTS += tests/unit-chart

check_PROGRAMS += tests/unit-sync
tests_unit_sync_SOURCES = tests/unit-sync.c
tests_unit_sync_CFLAGS = $(TEST_CFLAGS)
tests_unit_sync_LDADD = $(UI_TEST_LIBS)
TESTS += tests/unit-sync

check_PROGRAMS += tests/unit-no-rep
tests_unit_no_rep_SOURCES = tests/unit-no-rep.c
tests_unit_no_rep_CFLAGS = $(TEST_CFLAGS)
tests_unit_no_rep_LDADD = $(UI_TEST_LIBS)
TESTS += tests/unit-no-rep

check_PROGRAMS += tests/unit-due
tests_unit_due_SOURCES = tests/unit-due.c
tests_unit_due_CFLAGS = $(TEST_CFLAGS)
tests_unit_due_LDADD = $(UI_TEST_LIBS)
TESTS += tests/unit-due

check_PROGRAMS += tests/unit-line
tests_unit_line_SOURCES = tests/unit-line.c
tests_unit_line_CFLAGS = $(TEST_CFLAGS)
tests_unit_line_LDADD = $(UI_TEST_LIBS) -lutil
TESTS += tests/unit-line

check_PROGRAMS += tests/unit-cursor
tests_unit_cursor_SOURCES = tests/unit-cursor.c
tests_unit_cursor_SOURCES += tests/hist-add.h
tests_unit_cursor_SOURCES += tests/view-fixture.h
tests_unit_cursor_SOURCES += tests/view-fixture.c
tests_unit_cursor_CFLAGS = $(TEST_CFLAGS)
tests_unit_cursor_LDADD = $(UI_TEST_LIBS)
TESTS += tests/unit-cursor

check_PROGRAMS += tests/unit-scroll
tests_unit_scroll_SOURCES = tests/unit-scroll.c
tests_unit_scroll_SOURCES += tests/canvas-print.h
tests_unit_scroll_SOURCES += tests/live-screen.h
tests_unit_scroll_SOURCES += tests/live-screen.c
tests_unit_scroll_CFLAGS = $(TEST_CFLAGS)
tests_unit_scroll_LDADD = tests/libtest.a $(UI_TEST_LIBS)
TESTS += tests/unit-scroll

check_PROGRAMS += tests/unit-baseline
tests_unit_baseline_SOURCES = tests/unit-baseline.c
tests_unit_baseline_SOURCES += tests/hist-add.h
tests_unit_baseline_SOURCES += tests/level-check.h
tests_unit_baseline_SOURCES += tests/view-fixture.h
tests_unit_baseline_SOURCES += tests/view-fixture.c
tests_unit_baseline_CFLAGS = $(TEST_CFLAGS)
tests_unit_baseline_LDADD = $(UI_TEST_LIBS)
TESTS += tests/unit-baseline

check_PROGRAMS += tests/unit-panes
tests_unit_panes_SOURCES = tests/unit-panes.c
tests_unit_panes_SOURCES += tests/hist-add.h
tests_unit_panes_SOURCES += tests/canvas-print.h
tests_unit_panes_SOURCES += tests/level-check.h
tests_unit_panes_SOURCES += tests/view-fixture.h
tests_unit_panes_SOURCES += tests/view-fixture.c
tests_unit_panes_SOURCES += tests/sessions-fixture.h
tests_unit_panes_SOURCES += tests/sessions-fixture.c
tests_unit_panes_CFLAGS = $(TEST_CFLAGS)
tests_unit_panes_LDADD = $(UI_TEST_LIBS)
TESTS += tests/unit-panes
check_PROGRAMS += tests/unit-keys
tests_unit_keys_SOURCES = tests/unit-keys.c
tests_unit_keys_CFLAGS = $(TEST_CFLAGS)
tests_unit_keys_LDADD = $(UI_TEST_LIBS)
TESTS += tests/unit-keys

check_PROGRAMS += tests/unit-dialogs
tests_unit_dialogs_SOURCES = tests/unit-dialogs.c
tests_unit_dialogs_SOURCES += tests/canvas-print.h
tests_unit_dialogs_SOURCES += tests/level-check.h
tests_unit_dialogs_CFLAGS = $(TEST_CFLAGS)
tests_unit_dialogs_LDADD = $(UI_TEST_LIBS)
TESTS += tests/unit-dialogs

check_PROGRAMS += tests/unit-state
tests_unit_state_SOURCES = tests/unit-state.c
tests_unit_state_SOURCES += tests/sessions-fixture.h
tests_unit_state_SOURCES += tests/sessions-fixture.c
tests_unit_state_CFLAGS = $(TEST_CFLAGS)
tests_unit_state_LDADD = $(UI_TEST_LIBS)
TESTS += tests/unit-state

check_PROGRAMS += tests/unit-books
tests_unit_books_SOURCES = tests/unit-books.c
tests_unit_books_CFLAGS = $(TEST_CFLAGS)
tests_unit_books_LDADD = $(TEST_LIBS)
TESTS += tests/unit-books

check_PROGRAMS += tests/unit-hist
tests_unit_hist_SOURCES = tests/unit-hist.c
tests_unit_hist_SOURCES += tests/hist-add.h
tests_unit_hist_CFLAGS = $(TEST_CFLAGS)
tests_unit_hist_LDADD = $(TEST_LIBS)
TESTS += tests/unit-hist

check_PROGRAMS += tests/unit-units
tests_unit_units_SOURCES = tests/unit-units.c
tests_unit_units_CFLAGS = $(TEST_CFLAGS)
tests_unit_units_LDADD = $(TEST_LIBS)
TESTS += tests/unit-units

check_PROGRAMS += tests/unit-workload
tests_unit_workload_SOURCES = tests/unit-workload.c
tests_unit_workload_CFLAGS = $(TEST_CFLAGS)
tests_unit_workload_LDADD = $(TEST_LIBS)
TESTS += tests/unit-workload

check_PROGRAMS += tests/unit-term
tests_unit_term_SOURCES = tests/unit-term.c
tests_unit_term_CFLAGS = $(TEST_CFLAGS)
tests_unit_term_LDADD = tests/libtest.a $(UI_TEST_LIBS) -lutil
TESTS += tests/unit-term
check_PROGRAMS += tests/storm
tests_storm_SOURCES = tests/storm.c
tests_storm_CFLAGS = $(TEST_CFLAGS)
tests_storm_LDADD = tests/libtest.a $(TEST_LIBS)
GREEDY_TESTS += tests/storm
TESTS += tests/storm
THREAD_TESTS += tests/storm
check_PROGRAMS += tests/unit-iometer-plan
tests_unit_iometer_plan_SOURCES = tests/unit-iometer-plan.c
tests_unit_iometer_plan_CFLAGS = $(TEST_CFLAGS)
tests_unit_iometer_plan_LDADD = tests/libtest.a $(TEST_LIBS)
TESTS += tests/unit-iometer-plan

check_PROGRAMS += tests/io-iometer
tests_io_iometer_SOURCES = tests/io-iometer.c
tests_io_iometer_CFLAGS = $(TEST_CFLAGS)
tests_io_iometer_LDADD = $(IO_TEST_LIBS)
TESTS += tests/io-iometer

check_PROGRAMS += tests/unit-crew
tests_unit_crew_SOURCES = tests/unit-crew.c
tests_unit_crew_CFLAGS = $(TEST_CFLAGS)
tests_unit_crew_LDADD = tests/libtest.a $(TEST_LIBS)
TESTS += tests/unit-crew
THREAD_TESTS += tests/unit-crew

check_PROGRAMS += tests/unit-engine
tests_unit_engine_SOURCES = tests/unit-engine.c
tests_unit_engine_CFLAGS = $(TEST_CFLAGS)
tests_unit_engine_LDADD = tests/libtest.a $(TEST_LIBS)
# It asks for all of fs.aio-max-nr.
ALONE_TESTS += tests/unit-engine
TESTS += tests/unit-engine
THREAD_TESTS += tests/unit-engine

check_PROGRAMS += tests/unit-setting-pattern
tests_unit_setting_pattern_SOURCES = tests/unit-setting-pattern.c
tests_unit_setting_pattern_CFLAGS = $(TEST_CFLAGS)
tests_unit_setting_pattern_LDADD = tests/libtest.a $(TEST_LIBS)
TESTS += tests/unit-setting-pattern

check_PROGRAMS += tests/unit-sequence
tests_unit_sequence_SOURCES = tests/unit-sequence.c
tests_unit_sequence_CFLAGS = $(TEST_CFLAGS)
tests_unit_sequence_LDADD = tests/libtest.a $(TEST_LIBS)
TESTS += tests/unit-sequence
THREAD_TESTS += tests/unit-sequence

check_PROGRAMS += tests/unit-pattern
tests_unit_pattern_SOURCES = tests/unit-pattern.c
tests_unit_pattern_CFLAGS = $(TEST_CFLAGS)
tests_unit_pattern_LDADD = $(TEST_LIBS)
TESTS += tests/unit-pattern

check_PROGRAMS += tests/unit-setting
tests_unit_setting_SOURCES = tests/unit-setting.c
tests_unit_setting_CFLAGS = $(TEST_CFLAGS)
tests_unit_setting_LDADD = $(TEST_LIBS)
TESTS += tests/unit-setting

check_PROGRAMS += tests/unit-completion
tests_unit_completion_SOURCES = tests/unit-completion.c
tests_unit_completion_SOURCES += completions/words.c
tests_unit_completion_CFLAGS = $(TEST_CFLAGS)
tests_unit_completion_LDADD = tests/libtest.a $(UI_TEST_LIBS)
TESTS += tests/unit-completion
check_PROGRAMS += tests/unit-settings-dialog
tests_unit_settings_dialog_SOURCES = tests/unit-settings-dialog.c
tests_unit_settings_dialog_SOURCES += tests/canvas-print.h
tests_unit_settings_dialog_SOURCES += tests/live-screen.h
tests_unit_settings_dialog_SOURCES += tests/live-screen.c
tests_unit_settings_dialog_CFLAGS = $(TEST_CFLAGS)
tests_unit_settings_dialog_LDADD = tests/libtest.a $(UI_TEST_LIBS)
TESTS += tests/unit-settings-dialog
check_PROGRAMS += tests/unit-ways-back
tests_unit_ways_back_SOURCES = tests/unit-ways-back.c
tests_unit_ways_back_SOURCES += tests/canvas-print.h
tests_unit_ways_back_SOURCES += tests/live-screen.h
tests_unit_ways_back_SOURCES += tests/live-screen.c
tests_unit_ways_back_SOURCES += tests/level-check.h
tests_unit_ways_back_CFLAGS = $(TEST_CFLAGS)
tests_unit_ways_back_LDADD = tests/libtest.a $(UI_TEST_LIBS)
TESTS += tests/unit-ways-back
check_PROGRAMS += tests/unit-rebound
tests_unit_rebound_SOURCES = tests/unit-rebound.c
tests_unit_rebound_SOURCES += tests/canvas-print.h
tests_unit_rebound_CFLAGS = $(TEST_CFLAGS)
tests_unit_rebound_LDADD = tests/libtest.a $(UI_TEST_LIBS)
TESTS += tests/unit-rebound

check_PROGRAMS += tests/unit-cores
tests_unit_cores_SOURCES = tests/unit-cores.c
tests_unit_cores_SOURCES += tests/canvas-print.h
tests_unit_cores_SOURCES += tests/level-check.h
tests_unit_cores_SOURCES += tests/view-fixture.h
tests_unit_cores_SOURCES += tests/view-fixture.c
tests_unit_cores_CFLAGS = $(TEST_CFLAGS)
tests_unit_cores_LDADD = $(UI_TEST_LIBS)
TESTS += tests/unit-cores
check_PROGRAMS += tests/unit-heat
tests_unit_heat_SOURCES = tests/unit-heat.c
tests_unit_heat_SOURCES += tests/canvas-print.h
tests_unit_heat_SOURCES += tests/level-check.h
tests_unit_heat_SOURCES += tests/view-fixture.h
tests_unit_heat_SOURCES += tests/view-fixture.c
tests_unit_heat_CFLAGS = $(TEST_CFLAGS)
tests_unit_heat_LDADD = $(UI_TEST_LIBS)
TESTS += tests/unit-heat
check_PROGRAMS += tests/unit-heat-picture
tests_unit_heat_picture_SOURCES = tests/unit-heat-picture.c
tests_unit_heat_picture_SOURCES += tests/canvas-print.h
tests_unit_heat_picture_SOURCES += tests/hist-add.h
tests_unit_heat_picture_SOURCES += tests/level-check.h
tests_unit_heat_picture_SOURCES += tests/view-fixture.h
tests_unit_heat_picture_SOURCES += tests/view-fixture.c
tests_unit_heat_picture_CFLAGS = $(TEST_CFLAGS)
tests_unit_heat_picture_LDADD = $(UI_TEST_LIBS)
TESTS += tests/unit-heat-picture
# Real IO by the real program.
tests_libtest_a_SOURCES += tests/io.h
tests_libtest_a_SOURCES += tests/io.c
IO_TEST_LIBS = tests/libtest.a $(JANSSON_LIBS) $(SQLITE_LIBS) $(CMOCKA_LIBS) -lm
check_PROGRAMS += tests/root-guard-hostile
tests_root_guard_hostile_SOURCES = tests/root-guard-hostile.c
tests_root_guard_hostile_CFLAGS = $(TEST_CFLAGS)
tests_root_guard_hostile_LDADD = tests/libtest.a $(TEST_LIBS) -lpthread
TESTS += tests/root-guard-hostile
check_PROGRAMS += tests/io-targets
tests_io_targets_SOURCES = tests/io-targets.c
tests_io_targets_CFLAGS = $(TEST_CFLAGS)
tests_io_targets_LDADD = $(IO_TEST_LIBS)
TESTS += tests/io-targets

check_PROGRAMS += tests/io-kernel
tests_io_kernel_SOURCES = tests/io-kernel.c
tests_io_kernel_CFLAGS = $(TEST_CFLAGS)
tests_io_kernel_LDADD = $(IO_TEST_LIBS)
TESTS += tests/io-kernel
check_PROGRAMS += tests/io-status
tests_io_status_SOURCES = tests/io-status.c
tests_io_status_CFLAGS = $(TEST_CFLAGS)
tests_io_status_LDADD = $(IO_TEST_LIBS)
TESTS += tests/io-status
check_PROGRAMS += tests/io-pattern
tests_io_pattern_SOURCES = tests/io-pattern.c
tests_io_pattern_CFLAGS = $(TEST_CFLAGS)
tests_io_pattern_LDADD = $(IO_TEST_LIBS)
TESTS += tests/io-pattern
check_PROGRAMS += tests/io-store
tests_io_store_SOURCES = tests/io-store.c
tests_io_store_CFLAGS = $(TEST_CFLAGS)
tests_io_store_LDADD = $(IO_TEST_LIBS)
TESTS += tests/io-store

# The benches: built and run by hand, or all together by `make bench`.
EXTRA_DIST += tests/bench/lib.sh
EXTRA_DIST += tests/bench/vs-fio.sh
EXTRA_DIST += tests/bench/depth.sh
EXTRA_DIST += tests/bench/syscalls.sh
EXTRA_DIST += tests/bench/callgrind.sh
EXTRA_DIST += tests/bench/instructions.sh
EXTRA_PROGRAMS += tests/bench/usage
tests_bench_usage_SOURCES = tests/bench/usage.c
bench_built = tests/bench/usage
EXTRA_PROGRAMS += tests/bench/bare
tests_bench_bare_SOURCES = tests/bench/bare.c
tests_bench_bare_LDADD = $(CORE_LIBS)
bench_built += tests/bench/bare
bench_built += tests/bench/instructions
EXTRA_DIST += tests/bench/ceiling.sh
EXTRA_DIST += tests/bench/all.sh
EXTRA_PROGRAMS += tests/bench/rate
tests_bench_rate_SOURCES = tests/bench/rate.c
tests_bench_rate_LDADD = tests/libtest.a $(CORE_LIBS) $(CMOCKA_LIBS) -lm
bench_built += tests/bench/rate
EXTRA_PROGRAMS += tests/bench/fill
tests_bench_fill_SOURCES = tests/bench/fill.c
tests_bench_fill_LDADD = $(CORE_LIBS)
bench_built += tests/bench/fill
if HAVE_VTERM
EXTRA_PROGRAMS += tests/bench/screen
tests_bench_screen_SOURCES = tests/bench/screen.c
tests_bench_screen_SOURCES += tests/bench/kept.h
tests_bench_screen_SOURCES += tests/bench/kept.c
tests_bench_screen_CFLAGS = $(TEST_CFLAGS) $(VTERM_CFLAGS)
tests_bench_screen_LDADD = $(VT_TEST_LIBS) $(JANSSON_LIBS) $(SQLITE_LIBS) -lm
bench_built += tests/bench/screen
EXTRA_PROGRAMS += tests/bench/knob
tests_bench_knob_SOURCES = tests/bench/knob.c
tests_bench_knob_SOURCES += tests/bench/kept.h
tests_bench_knob_SOURCES += tests/bench/kept.c
tests_bench_knob_CFLAGS = $(TEST_CFLAGS) $(VTERM_CFLAGS)
tests_bench_knob_LDADD = $(VT_TEST_LIBS) $(JANSSON_LIBS) $(SQLITE_LIBS) -lm
bench_built += tests/bench/knob
endif
EXTRA_DIST += tests/bench/iscsi.sh
EXTRA_DIST += tests/bench/failover.sh
if HAVE_ISCSI
EXTRA_PROGRAMS += tests/bench/iscsi-target
tests_bench_iscsi_target_SOURCES = tests/bench/iscsi-target.c
tests_bench_iscsi_target_CFLAGS = $(TEST_CFLAGS)
tests_bench_iscsi_target_LDADD = tests/libtest.a $(TEST_LIBS)
bench_built += tests/bench/iscsi-target
EXTRA_PROGRAMS += tests/bench/failover
tests_bench_failover_SOURCES = tests/bench/failover.c
tests_bench_failover_CFLAGS = $(TEST_CFLAGS)
tests_bench_failover_LDADD = tests/libtest.a $(TEST_LIBS) -lm
bench_built += tests/bench/failover
endif
check_PROGRAMS += tests/bench/instructions
tests_bench_instructions_SOURCES = tests/bench/instructions.c
tests_bench_instructions_LDADD = $(CORE_LIBS)
EXTRA_DIST += tests/instructions.sh
TESTS += tests/instructions.sh
SPEED_TESTS += tests/instructions.sh
EXTRA_DIST += tests/bench/into-readme.sh
bench-programs: $(bench_built)
bench: lunscope $(bench_built)
	LUNSCOPE='$(abs_builddir)/lunscope$(EXEEXT)' sh $(srcdir)/tests/bench/all.sh >bench.tmp
	mv bench.tmp bench.md
	@cat bench.md
bench-readme:
	sh $(srcdir)/tests/bench/into-readme.sh bench.md $(srcdir)/README.md
CLEANFILES += bench.tmp bench.md $(bench_built)
.PHONY: bench-programs bench bench-readme

# Turning knobs, ending, counting: a run's own rules.
check_PROGRAMS += tests/unit-lamps
tests_unit_lamps_SOURCES = tests/unit-lamps.c
tests_unit_lamps_CFLAGS = $(TEST_CFLAGS)
tests_unit_lamps_LDADD = $(TEST_LIBS)
TESTS += tests/unit-lamps
check_PROGRAMS += tests/unit-run
tests_unit_run_SOURCES = tests/unit-run.c
tests_unit_run_SOURCES += tests/run-fixture.h
tests_unit_run_SOURCES += tests/run-fixture.c
tests_unit_run_CFLAGS = $(TEST_CFLAGS)
tests_unit_run_LDADD = tests/libtest.a $(TEST_LIBS)
TESTS += tests/unit-run
THREAD_TESTS += tests/unit-run
check_PROGRAMS += tests/unit-search
tests_unit_search_SOURCES = tests/unit-search.c
tests_unit_search_CFLAGS = $(TEST_CFLAGS)
tests_unit_search_LDADD = $(TEST_LIBS) -lm
TESTS += tests/unit-search
check_PROGRAMS += tests/unit-curve
tests_unit_curve_SOURCES = tests/unit-curve.c
tests_unit_curve_SOURCES += tests/canvas-print.h
tests_unit_curve_SOURCES += tests/level-check.h
tests_unit_curve_CFLAGS = $(TEST_CFLAGS)
tests_unit_curve_LDADD = $(UI_TEST_LIBS) -lm
TESTS += tests/unit-curve
check_PROGRAMS += tests/unit-pilot
tests_unit_pilot_SOURCES = tests/unit-pilot.c
tests_unit_pilot_SOURCES += tests/run-fixture.h
tests_unit_pilot_SOURCES += tests/run-fixture.c
tests_unit_pilot_CFLAGS = $(TEST_CFLAGS)
tests_unit_pilot_LDADD = tests/libtest.a $(TEST_LIBS)
TESTS += tests/unit-pilot
THREAD_TESTS += tests/unit-pilot
check_PROGRAMS += tests/io-load
tests_io_load_SOURCES = tests/io-load.c
tests_io_load_CFLAGS = $(TEST_CFLAGS)
tests_io_load_LDADD = $(IO_TEST_LIBS)
TESTS += tests/io-load
check_PROGRAMS += tests/unit-run-write
tests_unit_run_write_SOURCES = tests/unit-run-write.c
tests_unit_run_write_CFLAGS = $(TEST_CFLAGS)
tests_unit_run_write_LDADD = tests/libtest.a $(TEST_LIBS)
TESTS += tests/unit-run-write
THREAD_TESTS += tests/unit-run-write
check_PROGRAMS += tests/unit-marks
tests_unit_marks_SOURCES = tests/unit-marks.c
tests_unit_marks_SOURCES += tests/run-fixture.h
tests_unit_marks_SOURCES += tests/run-fixture.c
tests_unit_marks_CFLAGS = $(TEST_CFLAGS)
tests_unit_marks_LDADD = tests/libtest.a $(TEST_LIBS)
TESTS += tests/unit-marks
THREAD_TESTS += tests/unit-marks
check_PROGRAMS += tests/io-hostile
tests_io_hostile_SOURCES = tests/io-hostile.c
tests_io_hostile_CFLAGS = $(TEST_CFLAGS)
tests_io_hostile_LDADD = $(IO_TEST_LIBS)
TESTS += tests/io-hostile
check_PROGRAMS += tests/io-midrun
tests_io_midrun_SOURCES = tests/io-midrun.c
tests_io_midrun_CFLAGS = $(TEST_CFLAGS)
tests_io_midrun_LDADD = $(IO_TEST_LIBS)
TESTS += tests/io-midrun
check_PROGRAMS += tests/unit-target
tests_unit_target_SOURCES = tests/unit-target.c
tests_unit_target_CFLAGS = $(TEST_CFLAGS)
tests_unit_target_LDADD = tests/libtest.a $(TEST_LIBS)
TESTS += tests/unit-target
check_PROGRAMS += tests/unit-create
tests_unit_create_SOURCES = tests/unit-create.c
tests_unit_create_CFLAGS = $(TEST_CFLAGS)
tests_unit_create_LDADD = tests/libtest.a $(TEST_LIBS)
TESTS += tests/unit-create
check_PROGRAMS += tests/unit-meter
tests_unit_meter_SOURCES = tests/unit-meter.c
tests_unit_meter_CFLAGS = $(TEST_CFLAGS)
tests_unit_meter_LDADD = $(TEST_LIBS)
TESTS += tests/unit-meter
check_PROGRAMS += tests/unit-pane-meters
tests_unit_pane_meters_SOURCES = tests/unit-pane-meters.c
tests_unit_pane_meters_SOURCES += tests/canvas-print.h
tests_unit_pane_meters_SOURCES += tests/level-check.h
tests_unit_pane_meters_SOURCES += tests/view-fixture.h
tests_unit_pane_meters_SOURCES += tests/view-fixture.c
tests_unit_pane_meters_CFLAGS = $(TEST_CFLAGS)
tests_unit_pane_meters_LDADD = $(UI_TEST_LIBS)
TESTS += tests/unit-pane-meters
check_PROGRAMS += tests/unit-trigger
tests_unit_trigger_SOURCES = tests/unit-trigger.c
tests_unit_trigger_CFLAGS = $(TEST_CFLAGS)
tests_unit_trigger_LDADD = $(TEST_LIBS)
TESTS += tests/unit-trigger
check_PROGRAMS += tests/unit-pace
tests_unit_pace_SOURCES = tests/unit-pace.c
tests_unit_pace_CFLAGS = $(TEST_CFLAGS)
tests_unit_pace_LDADD = $(TEST_LIBS)
TESTS += tests/unit-pace
check_PROGRAMS += tests/unit-open-loop
tests_unit_open_loop_SOURCES = tests/unit-open-loop.c
tests_unit_open_loop_SOURCES += tests/run-fixture.h
tests_unit_open_loop_SOURCES += tests/run-fixture.c
tests_unit_open_loop_CFLAGS = $(TEST_CFLAGS)
tests_unit_open_loop_LDADD = tests/libtest.a $(TEST_LIBS)
TESTS += tests/unit-open-loop
THREAD_TESTS += tests/unit-open-loop
EXTRA_DIST += tests/store-v1.sql
EXTRA_DIST += tests/store-v2.sql
EXTRA_DIST += tests/store-v3.sql
EXTRA_DIST += tests/store-v4.sql
check_PROGRAMS += tests/unit-store-upgrade
tests_unit_store_upgrade_SOURCES = tests/unit-store-upgrade.c
tests_unit_store_upgrade_SOURCES += tests/hist-add.h
tests_unit_store_upgrade_CFLAGS = $(TEST_CFLAGS)
tests_unit_store_upgrade_LDADD = tests/libtest.a $(TEST_LIBS)
TESTS += tests/unit-store-upgrade
check_PROGRAMS += tests/unit-outage
tests_unit_outage_SOURCES = tests/unit-outage.c
tests_unit_outage_CFLAGS = $(TEST_CFLAGS)
tests_unit_outage_LDADD = $(TEST_LIBS)
TESTS += tests/unit-outage
check_PROGRAMS += tests/unit-gaps
tests_unit_gaps_SOURCES = tests/unit-gaps.c
tests_unit_gaps_SOURCES += tests/hist-add.h
tests_unit_gaps_CFLAGS = $(TEST_CFLAGS)
tests_unit_gaps_LDADD = tests/libtest.a $(TEST_LIBS)
TESTS += tests/unit-gaps
check_PROGRAMS += tests/unit-looks
tests_unit_looks_SOURCES = tests/unit-looks.c
tests_unit_looks_CFLAGS = $(TEST_CFLAGS)
tests_unit_looks_LDADD = tests/libtest.a $(TEST_LIBS)
TESTS += tests/unit-looks
THREAD_TESTS += tests/unit-looks

# Right where others are wrong: each test is named after the fault it guards against.
tests_libtest_a_SOURCES += tests/misfs.h
tests_libtest_a_SOURCES += tests/misfs.c
check_PROGRAMS += tests/right-arithmetic
tests_right_arithmetic_SOURCES = tests/right-arithmetic.c
tests_right_arithmetic_SOURCES += tests/hist-add.h
tests_right_arithmetic_CFLAGS = $(TEST_CFLAGS)
tests_right_arithmetic_LDADD = $(TEST_LIBS)
TESTS += tests/right-arithmetic
check_PROGRAMS += tests/right-engine
tests_right_engine_SOURCES = tests/right-engine.c
tests_right_engine_CFLAGS = $(TEST_CFLAGS)
tests_right_engine_LDADD = tests/libtest.a $(TEST_LIBS)
TESTS += tests/right-engine
THREAD_TESTS += tests/right-engine
check_PROGRAMS += tests/right-device
tests_right_device_SOURCES = tests/right-device.c
tests_right_device_CFLAGS = $(TEST_CFLAGS)
tests_right_device_LDADD = $(IO_TEST_LIBS)
TESTS += tests/right-device
check_PROGRAMS += tests/right-transfer
tests_right_transfer_SOURCES = tests/right-transfer.c
tests_right_transfer_CFLAGS = $(TEST_CFLAGS)
tests_right_transfer_LDADD = $(IO_TEST_LIBS)
TESTS += tests/right-transfer

# io_setup() is wrapped, so that a test can have a completion ring of a layout that nobody knows.
check_PROGRAMS += tests/unit-backends
tests_unit_backends_SOURCES = tests/unit-backends.c
tests_unit_backends_CFLAGS = $(TEST_CFLAGS)
tests_unit_backends_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=io_setup
tests_unit_backends_LDADD = $(TEST_LIBS) tests/libtest.a
TESTS += tests/unit-backends
check_PROGRAMS += tests/unit-choose
tests_unit_choose_SOURCES = tests/unit-choose.c
tests_unit_choose_CFLAGS = $(TEST_CFLAGS)
tests_unit_choose_LDADD = tests/libtest.a $(TEST_LIBS)
TESTS += tests/unit-choose
check_PROGRAMS += tests/io-uring
tests_io_uring_SOURCES = tests/io-uring.c
tests_io_uring_CFLAGS = $(TEST_CFLAGS)
tests_io_uring_LDADD = $(IO_TEST_LIBS)
TESTS += tests/io-uring
check_PROGRAMS += tests/unit-data
tests_unit_data_SOURCES = tests/unit-data.c
tests_unit_data_CFLAGS = $(TEST_CFLAGS)
tests_unit_data_LDADD = $(TEST_LIBS) -lm
TESTS += tests/unit-data
check_PROGRAMS += tests/io-data
tests_io_data_SOURCES = tests/io-data.c
tests_io_data_CFLAGS = $(TEST_CFLAGS)
tests_io_data_LDADD = tests/libtest.a $(CORE_LIBS) $(CMOCKA_LIBS) -lm
TESTS += tests/io-data
if HAVE_VTERM
check_PROGRAMS += tests/e2e-data
tests_e2e_data_SOURCES = tests/e2e-data.c
tests_e2e_data_CFLAGS = $(TEST_CFLAGS) $(VTERM_CFLAGS)
tests_e2e_data_LDADD = $(VT_TEST_LIBS)
TESTS += tests/e2e-data
endif
tests_libtest_a_SOURCES += tests/netns.h
tests_libtest_a_SOURCES += tests/netns.c
tests_libtest_a_SOURCES += tests/tgtd.h
tests_libtest_a_SOURCES += tests/tgtd.c
if HAVE_ISCSI
check_LIBRARIES += tests/libinitiator.a
tests_libinitiator_a_SOURCES = tests/initiator.h tests/initiator.c
tests_libinitiator_a_CFLAGS = $(TEST_CFLAGS) $(ISCSI_CFLAGS)
ISCSI_TEST_LIBS = tests/libinitiator.a tests/libtest.a $(ISCSI_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/tgtd-self
tests_tgtd_self_SOURCES = tests/tgtd-self.c
tests_tgtd_self_CFLAGS = $(TEST_CFLAGS) $(ISCSI_CFLAGS)
tests_tgtd_self_LDADD = $(ISCSI_TEST_LIBS)
TESTS += tests/tgtd-self
endif
tests_libtest_a_SOURCES += tests/digest.h
tests_libtest_a_SOURCES += tests/digest.c
tests_libtest_a_SOURCES += tests/mocktgt.h
tests_libtest_a_SOURCES += tests/mocktgt-wire.h
tests_libtest_a_SOURCES += tests/mocktgt.c
tests_libtest_a_SOURCES += tests/mocktgt-knobs.c
tests_libtest_a_SOURCES += tests/mocktgt-pdu.c
tests_libtest_a_SOURCES += tests/mocktgt-login.c
tests_libtest_a_SOURCES += tests/mocktgt-scsi.c
if HAVE_ISCSI
check_PROGRAMS += tests/mocktgt-self
tests_mocktgt_self_SOURCES = tests/mocktgt-self.c
tests_mocktgt_self_CFLAGS = $(TEST_CFLAGS) $(ISCSI_CFLAGS)
tests_mocktgt_self_LDADD = $(ISCSI_TEST_LIBS) -lm
TESTS += tests/mocktgt-self
THREAD_TESTS += tests/mocktgt-self
endif
if HAVE_ISCSI
check_PROGRAMS += tests/root-iscsi
tests_root_iscsi_SOURCES = tests/root-iscsi.c
tests_root_iscsi_CFLAGS = $(TEST_CFLAGS) $(ISCSI_CFLAGS)
tests_root_iscsi_LDADD = tests/libinitiator.a $(IO_TEST_LIBS) $(ISCSI_LIBS)
TESTS += tests/root-iscsi
THREAD_TESTS += tests/root-iscsi
endif
tests_libtest_a_SOURCES += tests/drive.h
tests_libtest_a_SOURCES += tests/drive.c
if HAVE_ISCSI
check_PROGRAMS += tests/io-iscsi-faults
tests_io_iscsi_faults_SOURCES = tests/io-iscsi-faults.c
tests_io_iscsi_faults_CFLAGS = $(TEST_CFLAGS) $(ISCSI_CFLAGS)
tests_io_iscsi_faults_LDADD = tests/libtest.a $(TEST_LIBS) -lm
TESTS += tests/io-iscsi-faults
THREAD_TESTS += tests/io-iscsi-faults
check_PROGRAMS += tests/io-iscsi-paths
tests_io_iscsi_paths_SOURCES = tests/io-iscsi-paths.c
tests_io_iscsi_paths_CFLAGS = $(TEST_CFLAGS)
tests_io_iscsi_paths_LDADD = tests/libtest.a $(TEST_LIBS) -lm
TESTS += tests/io-iscsi-paths
THREAD_TESTS += tests/io-iscsi-paths
check_PROGRAMS += tests/root-iscsi-outage
tests_root_iscsi_outage_SOURCES = tests/root-iscsi-outage.c
tests_root_iscsi_outage_CFLAGS = $(TEST_CFLAGS)
tests_root_iscsi_outage_LDADD = $(IO_TEST_LIBS)
TESTS += tests/root-iscsi-outage
check_PROGRAMS += tests/root-iscsi-paths
tests_root_iscsi_paths_SOURCES = tests/root-iscsi-paths.c
tests_root_iscsi_paths_CFLAGS = $(TEST_CFLAGS)
tests_root_iscsi_paths_LDADD = tests/libtest.a $(TEST_LIBS) -lm
TESTS += tests/root-iscsi-paths
check_PROGRAMS += tests/root-iscsi-data
tests_root_iscsi_data_SOURCES = tests/root-iscsi-data.c
tests_root_iscsi_data_CFLAGS = $(TEST_CFLAGS)
tests_root_iscsi_data_LDADD = tests/libtest.a $(TEST_LIBS)
TESTS += tests/root-iscsi-data
check_PROGRAMS += tests/root-iscsi-four
tests_root_iscsi_four_SOURCES = tests/root-iscsi-four.c
tests_root_iscsi_four_CFLAGS = $(TEST_CFLAGS)
tests_root_iscsi_four_LDADD = tests/libtest.a $(TEST_LIBS) -lm
TESTS += tests/root-iscsi-four
THREAD_TESTS += tests/root-iscsi-four
endif
# Here end the tests of iSCSI against a target with faults.
check_PROGRAMS += tests/unit-secret
tests_unit_secret_SOURCES = tests/unit-secret.c
tests_unit_secret_CFLAGS = $(TEST_CFLAGS)
tests_unit_secret_LDADD = tests/libtest.a $(TEST_LIBS)
TESTS += tests/unit-secret
check_PROGRAMS += tests/unit-guard-lun
tests_unit_guard_lun_SOURCES = tests/unit-guard-lun.c
tests_unit_guard_lun_CFLAGS = $(TEST_CFLAGS)
tests_unit_guard_lun_LDADD = tests/libtest.a $(TEST_LIBS)
TESTS += tests/unit-guard-lun
if HAVE_ISCSI
check_PROGRAMS += tests/unit-iscsi
tests_unit_iscsi_SOURCES = tests/unit-iscsi.c
tests_unit_iscsi_CFLAGS = $(TEST_CFLAGS) $(ISCSI_CFLAGS)
tests_unit_iscsi_LDADD = $(TEST_LIBS)
TESTS += tests/unit-iscsi
check_PROGRAMS += tests/unit-iscsi-paths
tests_unit_iscsi_paths_SOURCES = tests/unit-iscsi-paths.c
tests_unit_iscsi_paths_CFLAGS = $(TEST_CFLAGS) $(ISCSI_CFLAGS)
tests_unit_iscsi_paths_LDADD = $(TEST_LIBS)
TESTS += tests/unit-iscsi-paths
endif
if HAVE_ISCSI
if HAVE_VTERM
check_PROGRAMS += tests/e2e-iscsi
tests_e2e_iscsi_SOURCES = tests/e2e-iscsi.c
tests_e2e_iscsi_CFLAGS = $(TEST_CFLAGS) $(VTERM_CFLAGS)
tests_e2e_iscsi_LDADD = $(VT_TEST_LIBS)
TESTS += tests/e2e-iscsi
check_PROGRAMS += tests/e2e-paths
tests_e2e_paths_SOURCES = tests/e2e-paths.c
tests_e2e_paths_CFLAGS = $(TEST_CFLAGS) $(VTERM_CFLAGS)
tests_e2e_paths_LDADD = $(VT_TEST_LIBS)
TESTS += tests/e2e-paths
check_PROGRAMS += tests/e2e-flips
tests_e2e_flips_SOURCES = tests/e2e-flips.c
tests_e2e_flips_CFLAGS = $(TEST_CFLAGS) $(VTERM_CFLAGS)
tests_e2e_flips_LDADD = $(VT_TEST_LIBS) $(TEST_LIBS)
TESTS += tests/e2e-flips
check_PROGRAMS += tests/e2e-series
tests_e2e_series_SOURCES = tests/e2e-series.c
tests_e2e_series_CFLAGS = $(TEST_CFLAGS) $(VTERM_CFLAGS)
tests_e2e_series_LDADD = $(VT_TEST_LIBS) $(TEST_LIBS)
TESTS += tests/e2e-series

check_PROGRAMS += tests/e2e-trigger
tests_e2e_trigger_SOURCES = tests/e2e-trigger.c
tests_e2e_trigger_CFLAGS = $(TEST_CFLAGS) $(VTERM_CFLAGS)
tests_e2e_trigger_LDADD = $(VT_TEST_LIBS) $(TEST_LIBS)
TESTS += tests/e2e-trigger
check_PROGRAMS += tests/e2e-setup
tests_e2e_setup_SOURCES = tests/e2e-setup.c
tests_e2e_setup_CFLAGS = $(TEST_CFLAGS) $(VTERM_CFLAGS)
tests_e2e_setup_LDADD = $(VT_TEST_LIBS) $(TEST_LIBS)
TESTS += tests/e2e-setup
check_PROGRAMS += tests/e2e-line
tests_e2e_line_SOURCES = tests/e2e-line.c
tests_e2e_line_CFLAGS = $(TEST_CFLAGS) $(VTERM_CFLAGS)
tests_e2e_line_LDADD = $(VT_TEST_LIBS) $(TEST_LIBS)
TESTS += tests/e2e-line
check_PROGRAMS += tests/e2e-ab
tests_e2e_ab_SOURCES = tests/e2e-ab.c
tests_e2e_ab_CFLAGS = $(TEST_CFLAGS) $(VTERM_CFLAGS)
tests_e2e_ab_LDADD = $(VT_TEST_LIBS) $(TEST_LIBS)
TESTS += tests/e2e-ab
check_PROGRAMS += tests/e2e-discover
tests_e2e_discover_SOURCES = tests/e2e-discover.c
tests_e2e_discover_CFLAGS = $(TEST_CFLAGS) $(VTERM_CFLAGS)
tests_e2e_discover_LDADD = $(VT_TEST_LIBS)
TESTS += tests/e2e-discover
endif
endif
check_PROGRAMS += tests/unit-wire
tests_unit_wire_SOURCES = tests/unit-wire.c
tests_unit_wire_CFLAGS = $(TEST_CFLAGS)
tests_unit_wire_LDADD = $(TEST_LIBS)
TESTS += tests/unit-wire
check_PROGRAMS += tests/unit-sessions
tests_unit_sessions_SOURCES = tests/unit-sessions.c
tests_unit_sessions_CFLAGS = $(TEST_CFLAGS)
tests_unit_sessions_LDADD = $(TEST_LIBS)
TESTS += tests/unit-sessions
check_PROGRAMS += tests/unit-imbalance
tests_unit_imbalance_SOURCES = tests/unit-imbalance.c
tests_unit_imbalance_CFLAGS = $(TEST_CFLAGS)
tests_unit_imbalance_LDADD = $(TEST_LIBS)
TESTS += tests/unit-imbalance
check_PROGRAMS += tests/unit-nic
tests_unit_nic_SOURCES = tests/unit-nic.c
tests_unit_nic_CFLAGS = $(TEST_CFLAGS)
tests_unit_nic_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=getifaddrs -Wl,--wrap=freeifaddrs
tests_unit_nic_LDADD = tests/libtest.a $(TEST_LIBS)
TESTS += tests/unit-nic

# The kernel's iSCSI sessions.
EXTRA_DIST += tests/kernel-iscsi.txt
check_PROGRAMS += tests/unit-kernel-iscsi
tests_unit_kernel_iscsi_SOURCES = tests/unit-kernel-iscsi.c
tests_unit_kernel_iscsi_SOURCES += tests/kernel-tree.h
tests_unit_kernel_iscsi_SOURCES += tests/kernel-tree.c
tests_unit_kernel_iscsi_CFLAGS = $(TEST_CFLAGS)
tests_unit_kernel_iscsi_LDADD = tests/libtest.a $(TEST_LIBS)
TESTS += tests/unit-kernel-iscsi
THREAD_TESTS += tests/unit-kernel-iscsi
check_PROGRAMS += tests/unit-kernel-net
tests_unit_kernel_net_SOURCES = tests/unit-kernel-net.c
tests_unit_kernel_net_CFLAGS = $(TEST_CFLAGS)
tests_unit_kernel_net_LDADD = tests/libtest.a $(TEST_LIBS)
TESTS += tests/unit-kernel-net
check_PROGRAMS += tests/unit-stats
tests_unit_stats_SOURCES = tests/unit-stats.c
tests_unit_stats_CFLAGS = $(TEST_CFLAGS)
tests_unit_stats_LDADD = $(TEST_LIBS)
TESTS += tests/unit-stats

check_PROGRAMS += tests/sim-stats
tests_sim_stats_SOURCES = tests/sim-stats.c
tests_sim_stats_CFLAGS = $(TEST_CFLAGS)
tests_sim_stats_LDADD = $(TEST_LIBS)
TESTS += tests/sim-stats

check_PROGRAMS += tests/unit-compare
tests_unit_compare_SOURCES = tests/unit-compare.c
tests_unit_compare_CFLAGS = $(TEST_CFLAGS)
tests_unit_compare_LDADD = $(TEST_LIBS)
TESTS += tests/unit-compare

check_PROGRAMS += tests/unit-compare-live
tests_unit_compare_live_SOURCES = tests/unit-compare-live.c
tests_unit_compare_live_CFLAGS = $(TEST_CFLAGS)
tests_unit_compare_live_LDADD = $(TEST_LIBS)
TESTS += tests/unit-compare-live

check_PROGRAMS += tests/unit-run-compare
tests_unit_run_compare_SOURCES = tests/unit-run-compare.c
tests_unit_run_compare_SOURCES += tests/run-fixture.h
tests_unit_run_compare_SOURCES += tests/run-fixture.c
tests_unit_run_compare_CFLAGS = $(TEST_CFLAGS)
tests_unit_run_compare_LDADD = tests/libtest.a $(TEST_LIBS)
TESTS += tests/unit-run-compare
THREAD_TESTS += tests/unit-run-compare

check_PROGRAMS += tests/unit-compare-view
tests_unit_compare_view_SOURCES = tests/unit-compare-view.c
tests_unit_compare_view_SOURCES += tests/canvas-print.h
tests_unit_compare_view_SOURCES += tests/level-check.h
tests_unit_compare_view_SOURCES += tests/view-fixture.h
tests_unit_compare_view_SOURCES += tests/view-fixture.c
tests_unit_compare_view_CFLAGS = $(TEST_CFLAGS)
tests_unit_compare_view_LDADD = $(UI_TEST_LIBS)
TESTS += tests/unit-compare-view

check_PROGRAMS += tests/unit-facts
tests_unit_facts_SOURCES = tests/unit-facts.c
tests_unit_facts_CFLAGS = $(TEST_CFLAGS)
tests_unit_facts_LDADD = $(TEST_LIBS)
TESTS += tests/unit-facts
check_PROGRAMS += tests/unit-pane-sessions
tests_unit_pane_sessions_SOURCES = tests/unit-pane-sessions.c
tests_unit_pane_sessions_SOURCES += tests/hist-add.h
tests_unit_pane_sessions_SOURCES += tests/canvas-print.h
tests_unit_pane_sessions_SOURCES += tests/view-fixture.h
tests_unit_pane_sessions_SOURCES += tests/view-fixture.c
tests_unit_pane_sessions_SOURCES += tests/sessions-fixture.h
tests_unit_pane_sessions_SOURCES += tests/sessions-fixture.c
tests_unit_pane_sessions_CFLAGS = $(TEST_CFLAGS)
tests_unit_pane_sessions_LDADD = $(UI_TEST_LIBS)
TESTS += tests/unit-pane-sessions
# In virtual machines, each with a kernel, NICs and a time limit of its own: see tests/vm/run.sh.
VM_LOG_DRIVER = $(LOG_DRIVER)
VM_LOG_COMPILER = env TEST_TIME_LIMIT=1800 $(SHELL) $(srcdir)/tests/run.sh $(SHELL) $(srcdir)/tests/vm/run.sh
VM_TESTS =
EXTRA_DIST += tests/vm/run.sh
EXTRA_DIST += tests/vm/fetch.sh
EXTRA_DIST += tests/vm/initrd.sh
EXTRA_DIST += tests/vm/needs.sh
EXTRA_DIST += tests/vm/init
EXTRA_DIST += tests/vm/guest.sh
EXTRA_DIST += tests/vm/iscsi.vm
if HAVE_ISCSI
check_PROGRAMS += tests/vm/verify
tests_vm_verify_SOURCES = tests/vm/verify.c
tests_vm_verify_CFLAGS = $(TEST_CFLAGS)
tests_vm_verify_LDADD = tests/libtest.a $(TEST_LIBS) -lm
VM_TESTS += tests/vm/iscsi.vm
EXTRA_DIST += tests/vm/pause.vm
VM_TESTS += tests/vm/pause.vm
endif
TESTS += $(VM_TESTS)
SPEED_TESTS += $(VM_TESTS)
GREEDY_TESTS += $(VM_TESTS)
# Downloads what the guests need, once, and runs these tests only.
check-vm:
	@TEST_VM=fetch $(MAKE) $(AM_MAKEFLAGS) check TESTS='$(VM_TESTS)'
clean-local:
	-rm -f tests/vm/*.console
distclean-local:
	-rm -rf tests/vm/cache
.PHONY: check-vm
if HAVE_ISCSI
check_PROGRAMS += tests/io-run-paths
tests_io_run_paths_SOURCES = tests/io-run-paths.c
tests_io_run_paths_CFLAGS = $(TEST_CFLAGS)
tests_io_run_paths_LDADD = tests/libtest.a $(TEST_LIBS) -lm
TESTS += tests/io-run-paths
THREAD_TESTS += tests/io-run-paths

check_PROGRAMS += tests/io-iscsi-shown
tests_io_iscsi_shown_SOURCES = tests/io-iscsi-shown.c
tests_io_iscsi_shown_CFLAGS = $(TEST_CFLAGS)
tests_io_iscsi_shown_LDADD = tests/libtest.a $(TEST_LIBS) -lm
TESTS += tests/io-iscsi-shown
endif

check_PROGRAMS += tests/unit-env
tests_unit_env_SOURCES = tests/unit-env.c
tests_unit_env_CFLAGS = $(TEST_CFLAGS)
tests_unit_env_LDADD = tests/libtest.a $(TEST_LIBS)
TESTS += tests/unit-env
THREAD_TESTS += tests/unit-env

check_PROGRAMS += tests/root-flip
tests_root_flip_SOURCES = tests/root-flip.c
tests_root_flip_CFLAGS = $(TEST_CFLAGS)
tests_root_flip_LDADD = tests/libtest.a $(TEST_LIBS)
TESTS += tests/root-flip

check_PROGRAMS += tests/unit-pane-nic
tests_unit_pane_nic_SOURCES = tests/unit-pane-nic.c
tests_unit_pane_nic_SOURCES += tests/hist-add.h
tests_unit_pane_nic_SOURCES += tests/canvas-print.h
tests_unit_pane_nic_SOURCES += tests/view-fixture.h
tests_unit_pane_nic_SOURCES += tests/view-fixture.c
tests_unit_pane_nic_CFLAGS = $(TEST_CFLAGS)
tests_unit_pane_nic_LDADD = $(UI_TEST_LIBS)
TESTS += tests/unit-pane-nic
check_PROGRAMS += tests/unit-flip
tests_unit_flip_SOURCES = tests/unit-flip.c
tests_unit_flip_CFLAGS = $(TEST_CFLAGS)
tests_unit_flip_LDADD = tests/libtest.a $(TEST_LIBS)
TESTS += tests/unit-flip

check_PROGRAMS += tests/unit-ab
tests_unit_ab_SOURCES = tests/unit-ab.c
tests_unit_ab_CFLAGS = $(TEST_CFLAGS)
tests_unit_ab_LDADD = $(TEST_LIBS) -lm
TESTS += tests/unit-ab

if HAVE_VTERM
check_PROGRAMS += tests/root-env
tests_root_env_SOURCES = tests/root-env.c
tests_root_env_CFLAGS = $(TEST_CFLAGS)
tests_root_env_LDADD = $(VT_TEST_LIBS) $(TEST_LIBS)
TESTS += tests/root-env

endif

if HAVE_ISCSI
check_PROGRAMS += tests/root-flip-mtu
tests_root_flip_mtu_SOURCES = tests/root-flip-mtu.c
tests_root_flip_mtu_CFLAGS = $(TEST_CFLAGS)
tests_root_flip_mtu_LDADD = $(IO_TEST_LIBS)
TESTS += tests/root-flip-mtu
SPEED_TESTS += tests/root-flip-mtu
ALONE_TESTS += tests/root-flip-mtu
if HAVE_VTERM
check_PROGRAMS += tests/root-ab
tests_root_ab_SOURCES = tests/root-ab.c
tests_root_ab_CFLAGS = $(TEST_CFLAGS) $(VTERM_CFLAGS)
tests_root_ab_LDADD = $(IO_TEST_LIBS) $(VTERM_LIBS)
TESTS += tests/root-ab
endif
check_PROGRAMS += tests/root-ab-also
tests_root_ab_also_SOURCES = tests/root-ab-also.c
tests_root_ab_also_CFLAGS = $(TEST_CFLAGS)
tests_root_ab_also_LDADD = $(IO_TEST_LIBS)
TESTS += tests/root-ab-also
endif

check_PROGRAMS += tests/unit-iometer-csv
tests_unit_iometer_csv_SOURCES = tests/unit-iometer-csv.c
tests_unit_iometer_csv_SOURCES += tests/hist-add.h
tests_unit_iometer_csv_SOURCES += tests/mutate.h
tests_unit_iometer_csv_CFLAGS = $(TEST_CFLAGS)
tests_unit_iometer_csv_LDADD = tests/libtest.a $(TEST_LIBS) -lm
TESTS += tests/unit-iometer-csv
EXTRA_DIST += tests/iometer-2006.csv
EXTRA_DIST += tests/iometer-rc1.csv
check_PROGRAMS += tests/unit-icf
tests_unit_icf_SOURCES = tests/unit-icf.c
tests_unit_icf_SOURCES += tests/scratch.h
tests_unit_icf_SOURCES += tests/scratch.c
tests_unit_icf_SOURCES += tests/loopdev.h
tests_unit_icf_SOURCES += tests/loopdev.c
tests_unit_icf_CFLAGS = $(TEST_CFLAGS)
tests_unit_icf_LDADD = $(TEST_LIBS)
TESTS += tests/unit-icf

check_PROGRAMS += tests/unit-icf-fuzz
tests_unit_icf_fuzz_SOURCES = tests/unit-icf-fuzz.c
tests_unit_icf_fuzz_CFLAGS = $(TEST_CFLAGS)
tests_unit_icf_fuzz_LDADD = $(TEST_LIBS)
TESTS += tests/unit-icf-fuzz

EXTRA_DIST += tests/data/iometer/oltp-1998.icf
EXTRA_DIST += tests/data/iometer/workers-1998.icf
EXTRA_DIST += tests/data/iometer/md3000i-2006.icf
EXTRA_DIST += tests/data/iometer/all-1.1.0.icf

check_PROGRAMS += tests/unit-report
tests_unit_report_SOURCES = tests/unit-report.c
tests_unit_report_SOURCES += tests/html.h
tests_unit_report_SOURCES += tests/html.c
tests_unit_report_CFLAGS = $(TEST_CFLAGS)
tests_unit_report_LDADD = $(TEST_LIBS)
TESTS += tests/unit-report

EXTRA_DIST += tests/report.sh
TESTS += tests/report.sh

EXTRA_DIST += tests/report-look.sh
.PHONY: report-look
report-look: lunscope$(EXEEXT)
	LUNSCOPE=./lunscope sh $(srcdir)/tests/report-look.sh
check_PROGRAMS += tests/unit-report-table
tests_unit_report_table_SOURCES = tests/unit-report-table.c
tests_unit_report_table_SOURCES += tests/hist-add.h
tests_unit_report_table_SOURCES += tests/mutate.h
tests_unit_report_table_CFLAGS = $(TEST_CFLAGS)
tests_unit_report_table_LDADD = tests/libtest.a $(TEST_LIBS) -lm
TESTS += tests/unit-report-table

EXTRA_DIST += tests/import.sh
TESTS += tests/import.sh
check_PROGRAMS += tests/unit-specs
tests_unit_specs_SOURCES = tests/unit-specs.c
tests_unit_specs_SOURCES += tests/scratch.h
tests_unit_specs_SOURCES += tests/scratch.c
tests_unit_specs_SOURCES += tests/loopdev.h
tests_unit_specs_SOURCES += tests/loopdev.c
tests_unit_specs_SOURCES += tests/proc.h
tests_unit_specs_SOURCES += tests/proc.c
tests_unit_specs_CFLAGS = $(TEST_CFLAGS)
tests_unit_specs_LDADD = $(TEST_LIBS)
TESTS += tests/unit-specs

check_PROGRAMS += tests/unit-iometer-check
tests_unit_iometer_check_SOURCES = tests/unit-iometer-check.c
tests_unit_iometer_check_CFLAGS = $(TEST_CFLAGS)
tests_unit_iometer_check_LDADD = $(TEST_LIBS)
TESTS += tests/unit-iometer-check
check_PROGRAMS += tests/unit-store-words
tests_unit_store_words_SOURCES = tests/unit-store-words.c
tests_unit_store_words_SOURCES += tests/hist-add.h
tests_unit_store_words_CFLAGS = $(TEST_CFLAGS)
tests_unit_store_words_LDADD = tests/libtest.a $(TEST_LIBS)
TESTS += tests/unit-store-words
check_PROGRAMS += tests/unit-history
tests_unit_history_SOURCES = tests/unit-history.c
tests_unit_history_SOURCES += tests/canvas-print.h
tests_unit_history_SOURCES += tests/level-check.h
tests_unit_history_CFLAGS = $(TEST_CFLAGS)
tests_unit_history_LDADD = tests/libtest.a $(UI_TEST_LIBS)
TESTS += tests/unit-history
