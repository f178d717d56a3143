# Unit tests link the core; tests of the screen link libui.a too.
TEST_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
TEST_LIBS = $(CORE_LIBS) $(CMOCKA_LIBS)
UI_TEST_LIBS = $(UI_LIBS) $(CMOCKA_LIBS)
