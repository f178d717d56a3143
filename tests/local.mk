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

check_PROGRAMS += tests/unit-layout
tests_unit_layout_SOURCES = tests/unit-layout.c
tests_unit_layout_CFLAGS = $(TEST_CFLAGS)
tests_unit_layout_LDADD = $(UI_TEST_LIBS)
TESTS += tests/unit-layout

check_PROGRAMS += tests/unit-style
tests_unit_style_SOURCES = tests/unit-style.c
tests_unit_style_CFLAGS = $(TEST_CFLAGS)
tests_unit_style_LDADD = $(UI_TEST_LIBS)
TESTS += tests/unit-style
check_PROGRAMS += tests/unit-timeline
tests_unit_timeline_SOURCES = tests/unit-timeline.c
tests_unit_timeline_CFLAGS = $(TEST_CFLAGS)
tests_unit_timeline_LDADD = $(TEST_LIBS)
TESTS += tests/unit-timeline
check_PROGRAMS += tests/unit-summary
tests_unit_summary_SOURCES = tests/unit-summary.c
tests_unit_summary_CFLAGS = $(TEST_CFLAGS)
tests_unit_summary_LDADD = $(TEST_LIBS)
TESTS += tests/unit-summary
check_PROGRAMS += tests/unit-store
tests_unit_store_SOURCES = tests/unit-store.c
tests_unit_store_CFLAGS = $(TEST_CFLAGS)
tests_unit_store_LDADD = $(TEST_LIBS)
TESTS += tests/unit-store
check_PROGRAMS += tests/unit-export
tests_unit_export_SOURCES = tests/unit-export.c
tests_unit_export_CFLAGS = $(TEST_CFLAGS)
tests_unit_export_LDADD = $(TEST_LIBS)
TESTS += tests/unit-export

check_PROGRAMS += tests/unit-keys
tests_unit_keys_SOURCES = tests/unit-keys.c
tests_unit_keys_CFLAGS = $(TEST_CFLAGS)
tests_unit_keys_LDADD = $(UI_TEST_LIBS)
TESTS += tests/unit-keys

check_PROGRAMS += tests/unit-dialogs
tests_unit_dialogs_SOURCES = tests/unit-dialogs.c
tests_unit_dialogs_CFLAGS = $(TEST_CFLAGS)
tests_unit_dialogs_LDADD = $(UI_TEST_LIBS)
TESTS += tests/unit-dialogs

check_PROGRAMS += tests/unit-state
tests_unit_state_SOURCES = tests/unit-state.c
tests_unit_state_CFLAGS = $(TEST_CFLAGS)
tests_unit_state_LDADD = $(UI_TEST_LIBS)
TESTS += tests/unit-state
