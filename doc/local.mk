# The pictures of the documentation are made from the running program by its maintainers: `make pictures` needs
# libvterm, Python 3 and Debian's packages console-setup-linux and unifont.
EXTRA_DIST += doc/screens.md
EXTRA_DIST += doc/pictures.py
