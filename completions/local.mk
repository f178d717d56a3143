# Completion for three shells, made from the tables of commands and options.
noinst_PROGRAMS += completions/complete
completions_complete_SOURCES =
completions_complete_SOURCES += completions/complete.h
completions_complete_SOURCES += completions/complete.c
completions_complete_SOURCES += completions/words.c
completions_complete_SOURCES += completions/bash.c
completions_complete_SOURCES += completions/zsh.c
completions_complete_SOURCES += completions/fish.c
completions_complete_LDADD = $(UI_LIBS)

bash_completion_DATA = completions/lunscope
zsh_completion_DATA = completions/_lunscope
fish_completion_DATA = completions/lunscope.fish
CLEANFILES += completions/lunscope completions/_lunscope completions/lunscope.fish

completions/lunscope: completions/complete$(EXEEXT)
	$(AM_V_GEN)completions/complete$(EXEEXT) bash >$@-new && mv $@-new $@
completions/_lunscope: completions/complete$(EXEEXT)
	$(AM_V_GEN)completions/complete$(EXEEXT) zsh >$@-new && mv $@-new $@
completions/lunscope.fish: completions/complete$(EXEEXT)
	$(AM_V_GEN)completions/complete$(EXEEXT) fish >$@-new && mv $@-new $@
