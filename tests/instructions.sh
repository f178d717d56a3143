#!/bin/sh
# instructions.sh - the engine's cost per IO in instructions, statistics on, held to its goals on null:.
#
# Callgrind counts the same each time, however busy the machine is, so this is the one figure of speed
# that can be checked anywhere. It needs an optimised build without sanitizers.
set -u
cd "${TEST_SRCDIR:-$(dirname "$0")/..}" || exit 99
. tests/tap.sh
# shellcheck source=tests/bench/callgrind.sh
. tests/bench/callgrind.sh

# At a depth of 1 every IO pays for a whole round of the loop; at 32 a round serves many.
AT_DEPTH_1=400
AT_DEPTH_32=150

program=${TEST_BUILDDIR:-build}/tests/bench/instructions
scratch=$(mktemp -d "${TMPDIR:-/tmp}/instructions.XXXXXX") || exit 99
trap 'rm -rf "$scratch"; rm -f "$found"' EXIT

reason=
if [ "${TEST_SANITIZERS:-none}" != none ]; then
  reason="built with sanitizers"
elif ! command -v valgrind >/dev/null 2>&1; then
  reason="needs valgrind"
fi

at_most() { # DEPTH GOAL
  name="an IO at depth $1 costs at most $2 instructions"
  [ -n "$reason" ] || {
    count=$(our_instructions "$program" "$scratch" null: "$1" 2>"$found")
    status=$?
    [ "$status" -ne 77 ] || reason="built without optimisation"
  }
  if [ -n "$reason" ]; then
    skip "$name" "$reason"
    return
  fi
  if [ "$status" -eq 0 ]; then
    echo "# depth $1: $count instructions per IO"
    # A count that is too small to be true is a fault of this test.
    awk -v n="$count" -v goal="$2" 'BEGIN { if (!(n >= 20 && n <= goal)) print n " instructions" }' >"$found"
  fi
  [ "$status" -eq 0 ] || echo "status $status" >>"$found"
  check "$name"
}

at_most 1 $AT_DEPTH_1
at_most 32 $AT_DEPTH_32
finish
