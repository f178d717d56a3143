#!/bin/sh
# Brings Debian packages into a folder without installing them: tests/vm/fetch.sh FOLDER PACKAGE...
# Each is unpacked as FOLDER/PACKAGE, once; what is there already needs no network. A metapackage of a
# kernel stands for the kernel that it depends on today.
#
# Exit status 77, with the reason as the last line, when they can't be had here; 1 when something broke.
set -u
cache=$1
shift

cannot() {
  echo "$*"
  exit 77
}

# Only root may fetch new package lists, and once is enough.
lists_are_new=
new_lists() {
  [ -z "$lists_are_new" ] && [ "$(id -u)" -eq 0 ] || return 1
  lists_are_new=yes
  apt-get -q update
}

# The name under which a package's files are found: itself, or today's kernel.
real_name() {
  case $1 in
  linux-image-*) apt-cache depends "$1" | sed -n 's/^ *Depends: \(linux-image-.*\)/\1/p' | head -n 1 ;;
  *) echo "$1" ;;
  esac
}

download() { # PACKAGE FOLDER
  real=$(real_name "$1")
  [ -n "$real" ] || return 1
  (cd "$2" && apt-get -q -o APT::Sandbox::User=root download "$real")
}

get() { # PACKAGE
  rm -rf "$cache/new"
  mkdir -p "$cache/new/deb" "$cache/new/files" || exit 1
  download "$1" "$cache/new/deb" ||
    { new_lists && download "$1" "$cache/new/deb"; } ||
    cannot "apt can't bring the package $1 (no network, or no such package)"
  dpkg-deb -x "$cache"/new/deb/*.deb "$cache/new/files" || exit 1
  mv "$cache/new/files" "$cache/$1" || exit 1
  rm -rf "$cache/new"
}

for program in apt-get apt-cache dpkg-deb; do
  command -v "$program" >/dev/null 2>&1 || cannot "no $program: not a Debian system"
done
for package in "$@"; do
  [ -d "$cache/$package" ] || get "$package"
done
