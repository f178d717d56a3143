#!/bin/sh
# into-readme.sh - puts a text between the two marks of README.md's section "Speed".
#
#   sh tests/bench/into-readme.sh bench.md README.md
set -u
text=$1 readme=$2
[ -s "$text" ] || {
  echo "into-readme.sh: $text is empty: make bench first" >&2
  exit 2
}
for mark in begin end; do
  [ "$(grep -c -x "<!-- bench: $mark -->" "$readme")" -eq 1 ] || {
    echo "into-readme.sh: $readme has no line <!-- bench: $mark -->" >&2
    exit 2
  }
done
new=$(mktemp "${TMPDIR:-/tmp}/readme.XXXXXX") || exit 2
trap 'rm -f "$new"' EXIT
awk -v text="$text" '
  $0 == "<!-- bench: end -->" { inside = 0 }
  !inside { print }
  $0 == "<!-- bench: begin -->" { inside = 1; while ((getline line < text) > 0) print line }
' "$readme" >"$new" && cat "$new" >"$readme"
