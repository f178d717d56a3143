# The IO backends: a backend is one file here and one line in registry.c.
noinst_LIBRARIES += libbackends.a
libbackends_a_SOURCES =
libbackends_a_SOURCES += backends/backend.h
libbackends_a_SOURCES += backends/registry.c
libbackends_a_SOURCES += backends/tcp.c
libbackends_a_SOURCES += backends/choose.c
libbackends_a_SOURCES += backends/null.c
libbackends_a_SOURCES += backends/sync.c
libbackends_a_SOURCES += backends/libaio.c
if HAVE_URING
libbackends_a_SOURCES += backends/uring.c
endif
if HAVE_ISCSI
libbackends_a_SOURCES += backends/iscsi/iscsi.h
libbackends_a_SOURCES += backends/iscsi/url.c
libbackends_a_SOURCES += backends/iscsi/peer.c
libbackends_a_SOURCES += backends/iscsi/scsi.c
libbackends_a_SOURCES += backends/iscsi/session.c
libbackends_a_SOURCES += backends/iscsi/command.c
libbackends_a_SOURCES += backends/iscsi/nic.c
libbackends_a_SOURCES += backends/iscsi/lun.c
libbackends_a_SOURCES += backends/iscsi/control.c
libbackends_a_SOURCES += backends/iscsi/target.c
libbackends_a_SOURCES += backends/iscsi/path.h
libbackends_a_SOURCES += backends/iscsi/check.c
libbackends_a_SOURCES += backends/iscsi/path.c
libbackends_a_SOURCES += backends/iscsi/order.c
libbackends_a_SOURCES += backends/iscsi/ping.c
libbackends_a_SOURCES += backends/iscsi/loss.c
libbackends_a_SOURCES += backends/iscsi/act.c
libbackends_a_SOURCES += backends/iscsi/policy.c
libbackends_a_SOURCES += backends/iscsi/tcp.c
libbackends_a_SOURCES += backends/iscsi/queue.c
libbackends_a_SOURCES += backends/iscsi/discover.c
endif
