# The screen: the only folder that knows a terminal, and term.c the only file that knows curses.
noinst_LIBRARIES += libui.a
libui_a_CFLAGS = $(AM_CFLAGS) $(NCURSES_CFLAGS)
libui_a_SOURCES =

UI_LIBS = libui.a $(CORE_LIBS) $(NCURSES_LIBS) $(INIH_LIBS)
