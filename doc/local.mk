# The pictures of the documentation are made from the running program by its maintainers: `make pictures`, as root,
# needs libvterm, Python 3 and Debian's packages console-setup-linux and unifont.
EXTRA_DIST += doc/screens.md
EXTRA_DIST += doc/pictures/console-abba.png
EXTRA_DIST += doc/pictures/console-baseline.png
EXTRA_DIST += doc/pictures/console-bench.png
EXTRA_DIST += doc/pictures/console-compare.png
EXTRA_DIST += doc/pictures/console-cursors.png
EXTRA_DIST += doc/pictures/console-curve.png
EXTRA_DIST += doc/pictures/console-dashboard.png
EXTRA_DIST += doc/pictures/console-find.png
EXTRA_DIST += doc/pictures/console-heat.png
EXTRA_DIST += doc/pictures/console-help.png
EXTRA_DIST += doc/pictures/console-iometer.png
EXTRA_DIST += doc/pictures/console-latency.png
EXTRA_DIST += doc/pictures/console-nics.png
EXTRA_DIST += doc/pictures/console-paths.png
EXTRA_DIST += doc/pictures/console-permission.png
EXTRA_DIST += doc/pictures/console-quit.png
EXTRA_DIST += doc/pictures/console-sessions.png
EXTRA_DIST += doc/pictures/console-setup.png
EXTRA_DIST += doc/pictures/console-targets.png
EXTRA_DIST += doc/pictures/console-trigger.png
EXTRA_DIST += doc/pictures/console-workload.png
EXTRA_DIST += doc/pictures/emulator-abba.png
EXTRA_DIST += doc/pictures/emulator-baseline.png
EXTRA_DIST += doc/pictures/emulator-bench.png
EXTRA_DIST += doc/pictures/emulator-compare.png
EXTRA_DIST += doc/pictures/emulator-cursors.png
EXTRA_DIST += doc/pictures/emulator-curve.png
EXTRA_DIST += doc/pictures/emulator-dashboard.png
EXTRA_DIST += doc/pictures/emulator-find.png
EXTRA_DIST += doc/pictures/emulator-heat.png
EXTRA_DIST += doc/pictures/emulator-help.png
EXTRA_DIST += doc/pictures/emulator-iometer.png
EXTRA_DIST += doc/pictures/emulator-latency.png
EXTRA_DIST += doc/pictures/emulator-nics.png
EXTRA_DIST += doc/pictures/emulator-paths.png
EXTRA_DIST += doc/pictures/emulator-permission.png
EXTRA_DIST += doc/pictures/emulator-quit.png
EXTRA_DIST += doc/pictures/emulator-sessions.png
EXTRA_DIST += doc/pictures/emulator-setup.png
EXTRA_DIST += doc/pictures/emulator-targets.png
EXTRA_DIST += doc/pictures/emulator-trigger.png
EXTRA_DIST += doc/pictures/emulator-workload.png
EXTRA_DIST += doc/pictures/report.png
EXTRA_DIST += doc/pictures.py

.PHONY: pictures
pictures: lunscope$(EXEEXT) tests/pictures$(EXEEXT)
	$(AM_V_at)rm -rf doc/shots && $(MKDIR_P) doc/shots
	LUNSCOPE='$(abs_builddir)/lunscope$(EXEEXT)' LUNSCOPE_SHOTS='$(abs_builddir)/doc/shots' \
		TEST_SRCDIR='$(abs_srcdir)' TEST_BUILDDIR='$(abs_builddir)' \
		sh $(srcdir)/tests/run.sh tests/pictures$(EXEEXT)
	python3 $(srcdir)/doc/pictures.py doc/shots $(srcdir)/doc/pictures
	$(AM_V_at)rm -rf doc/shots
