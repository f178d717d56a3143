EXTRA_DIST += man/local.mk
