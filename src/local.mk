# The core: everything but main() is in liblunscope.a, so that tests link it without the screen.
noinst_LIBRARIES += liblunscope.a
liblunscope_a_SOURCES =
liblunscope_a_SOURCES += src/error.h
liblunscope_a_SOURCES += src/error.c
liblunscope_a_SOURCES += src/units.h
liblunscope_a_SOURCES += src/units.c
liblunscope_a_SOURCES += src/hist.h
liblunscope_a_SOURCES += src/hist.c
liblunscope_a_SOURCES += src/workload.h
liblunscope_a_SOURCES += src/workload.c
liblunscope_a_SOURCES += src/knob.h
liblunscope_a_SOURCES += src/knob.c
liblunscope_a_SOURCES += src/random.h
liblunscope_a_SOURCES += src/pattern.h
liblunscope_a_SOURCES += src/pattern.c
liblunscope_a_SOURCES += src/lane.h
liblunscope_a_SOURCES += src/lane.c
liblunscope_a_SOURCES += src/worker.h
liblunscope_a_SOURCES += src/worker.c
liblunscope_a_SOURCES += src/engine.h
liblunscope_a_SOURCES += src/engine.c
liblunscope_a_SOURCES += src/target.h
liblunscope_a_SOURCES += src/target.c

# Everything the core links with, in link order.
CORE_LIBS = liblunscope.a libbackends.a liblunscope.a $(AIO_LIBS) $(PROC2_LIBS) $(JANSSON_LIBS) \
	$(SQLITE_LIBS) $(BLKID_LIBS) $(MOUNT_LIBS)
