# The screen: the only folder that knows a terminal, and term.c the only file that knows curses.
noinst_LIBRARIES += libui.a
libui_a_CFLAGS = $(AM_CFLAGS) $(NCURSES_CFLAGS)
libui_a_SOURCES =
libui_a_SOURCES += ui/canvas.h
libui_a_SOURCES += ui/canvas.c
libui_a_SOURCES += ui/glyph.h
libui_a_SOURCES += ui/glyph.c
libui_a_SOURCES += ui/style.h
libui_a_SOURCES += ui/style.c
libui_a_SOURCES += ui/theme_default.c

UI_LIBS = libui.a $(CORE_LIBS) $(NCURSES_LIBS) $(INIH_LIBS)
