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
liblunscope_a_SOURCES += src/guard/guard.h
liblunscope_a_SOURCES += src/guard/gates.h
liblunscope_a_SOURCES += src/guard/report.c
liblunscope_a_SOURCES += src/guard/sysfs.c
liblunscope_a_SOURCES += src/guard/nodes.c
liblunscope_a_SOURCES += src/guard/tables.c
liblunscope_a_SOURCES += src/guard/mounts.c
liblunscope_a_SOURCES += src/guard/swap.c
liblunscope_a_SOURCES += src/guard/stacks.c
liblunscope_a_SOURCES += src/guard/topology.c
liblunscope_a_SOURCES += src/guard/identity.c
liblunscope_a_SOURCES += src/guard/holders.c
liblunscope_a_SOURCES += src/guard/window.c
liblunscope_a_SOURCES += src/guard/consent.c
liblunscope_a_SOURCES += src/guard/readonly.c
liblunscope_a_SOURCES += src/guard/signature.c
liblunscope_a_SOURCES += src/guard/users.c
liblunscope_a_SOURCES += src/guard/guard.c
liblunscope_a_SOURCES += src/guard/watch.c
liblunscope_a_SOURCES += src/devices.h
liblunscope_a_SOURCES += src/devices.c

# Everything the core links with, in link order.
CORE_LIBS = liblunscope.a libbackends.a liblunscope.a $(AIO_LIBS) $(PROC2_LIBS) $(JANSSON_LIBS) \
	$(SQLITE_LIBS) $(BLKID_LIBS) $(MOUNT_LIBS)
