#!/bin/sh
# lint.sh - rules of the house that a compiler doesn't check: layers, lists, leftovers.
set -u
cd "${TEST_SRCDIR:-$(dirname "$0")/..}" || exit 99
. tests/tap.sh

sources() { find "$@" -name '*.[ch]' -print | sort; }
includes() { grep -H -n -E '^[[:space:]]*#[[:space:]]*include' "$@" /dev/null; }

# shellcheck disable=SC2046 # lists of files, no blanks in their names
{
  includes $(sources src backends ui tests man completions) | grep -E '<(n?curses|ncursesw/[a-z_]*|panel|term)\.h>' |
    grep -v '^ui/term\.c:' >"$found"
  check "curses is included in ui/term.c and nowhere else"

  # The command that shows the screen is the one place where the two meet.
  includes $(sources src backends) | grep -E '["</]ui/' | grep -v '^src/cmd_live\.c:' >"$found"
  for header in ui/*.h; do
    name=$(basename "$header")
    [ ! -f "src/$name" ] || continue
    includes $(sources src backends) | grep -F "\"$name\"" >>"$found"
  done
  check "the core and the backends include nothing of the screen"

  # One in a folder of its own has headers there.
  includes $(sources backends) | grep '"' |
    grep -v -E '"(backends/backend\.h|backend\.h|error\.h|config\.h)"' |
    grep -v -E '^backends/([a-z]+)/[^:]*:[0-9]+:.*"backends/\1/[a-z]+\.h"' >"$found"
  check "a backend includes backend.h, error.h, config.h and what is in its own folder only"

  includes $(sources src ui man completions) | grep -E '"backends/' | grep -v '"backends/backend\.h"' >"$found"
  check "of the backends, only backend.h is seen from outside"

  for file in $(sources src backends ui tests man completions); do
    head -n 1 "$file" | grep -q "^/\* $(basename "$file") - " || echo "$file"
  done >"$found"
  check "each file says in its first line why it exists"

  for file in $(sources src backends ui tests man completions); do
    grep -q -E "(^|[ =])$file( |$)" ./*/local.mk || echo "$file"
  done >"$found"
  for file in themes/*.theme man/*.in tests/*.sh tests/bench/*.sh tests/vm/*.sh tests/vm/*.vm; do
    [ ! -f "$file" ] || grep -q -E "(^|[ =])$file( |$)" ./*/local.mk || echo "$file"
  done >>"$found"
  check "each file stands in a local.mk, and so in the tarball"

  for file in tests/unit-*.c tests/io-*.c tests/e2e-*.c; do
    [ ! -f "$file" ] || grep -q -E "^TESTS \+= ${file%.c}$" tests/local.mk || echo "$file"
  done >"$found"
  check "each test program is run by make check"

  grep -n -E '(TODO|FIXME|XXX)([^A-Za-z]|$)' $(sources src backends ui man completions) >"$found"
  check "nothing is left for later"

  # What only exists on somebody's machine. Written so that this file doesn't find itself.
  grep -n -r -E '(^|[^A-Za-z0-9_.$}/-])/(wor[k]|hom[e]|roo[t]|User[s])/' src backends ui themes man completions tests \
    bootstrap .ci README.md configure.ac Makefile.am 2>/dev/null |
    grep -v -E '^Binary|\.(o|a|log|trs):' >"$found"
  check "no path of one machine"

  grep -n -E '[[:space:]]+$' $(sources src backends ui tests man completions) ./*/local.mk README.md bootstrap >"$found"
  check "no blanks at the ends of lines"
}

# One list of packages: what configure names must be among what bootstrap installs.
packages=$(sed -n '/^BUILD_PACKAGES=/,/^TEST_PACKAGES=/p; /^TEST_PACKAGES=/,/^'\''$/p' bootstrap)
{
  sed -n 's/.*apt-get install \([a-z0-9.+-]*\).*/\1/p' configure.ac
  sed -n 's/^LS_NEED(\[[^]]*\], \[[^]]*\], \[\([^]]*\)\].*/\1/p' configure.ac
} | grep -v '^\$' | sort -u | while read -r package; do
  echo "$packages" | grep -q -w -e "$package" || echo "$package"
done >"$found"
check "bootstrap installs every package that configure asks for"

if command -v shellcheck >/dev/null 2>&1; then
  scripts="bootstrap tests/*.sh tests/bench/*.sh tests/vm/*.sh tests/vm/*.vm tests/vm/init"
  [ ! -f .ci/run ] || scripts="$scripts .ci/run"
  # shellcheck disable=SC2086
  shellcheck -x $scripts >"$found" 2>&1
  check "the scripts are clean for shellcheck"
else
  skip "the scripts are clean for shellcheck" "needs shellcheck"
fi

finish
