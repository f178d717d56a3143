# tap.sh - TAP for shell tests; source it, call check and skip, end with finish.
# shellcheck shell=sh

TAP_COUNT=0
TAP_FAILED=0

# check NAME: passes when the file $found is empty; else shows it. Use after  ... >"$found".
# ok NAME STATUS: passes when STATUS is 0.
found=$(mktemp "${TMPDIR:-/tmp}/found.XXXXXX") || exit 99
trap 'rm -f "$found"' EXIT

ok() {
  TAP_COUNT=$((TAP_COUNT + 1))
  if [ "$2" -eq 0 ]; then
    echo "ok $TAP_COUNT - $1"
  else
    TAP_FAILED=$((TAP_FAILED + 1))
    echo "not ok $TAP_COUNT - $1"
  fi
}

check() {
  if [ -s "$found" ]; then
    ok "$1" 1
    sed 's/^/# /' "$found"
  else
    ok "$1" 0
  fi
  : >"$found"
}

skip() { # NAME REASON
  TAP_COUNT=$((TAP_COUNT + 1))
  echo "ok $TAP_COUNT - $1 # SKIP $2"
}

finish() {
  echo "1..$TAP_COUNT"
  [ "$TAP_FAILED" -eq 0 ]
}
