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
