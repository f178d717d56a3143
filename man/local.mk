# The page is made from the tables of options and keys; the tarball has it made.
noinst_PROGRAMS += man/fill
man_fill_SOURCES = man/fill.c
man_fill_LDADD = $(UI_LIBS)

dist_man_MANS = man/lunscope.1
EXTRA_DIST += man/lunscope.1.in
CLEANFILES += man/lunscope.1

man/lunscope.1: man/lunscope.1.in man/fill$(EXEEXT)
	$(AM_V_at)$(MKDIR_P) man
	$(AM_V_GEN)man/fill$(EXEEXT) $(srcdir)/man/lunscope.1.in >$@-new && mv $@-new $@
