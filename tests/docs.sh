#!/bin/sh
# docs.sh - the manual page and the README say what the program does: no more, no less.
#
# Options come from `lunscope --help`, keys and styles from the X-macro tables that the program itself is
# made from.
set -u
cd "${TEST_SRCDIR:-$(dirname "$0")/..}" || exit 99
. tests/tap.sh

man=${TEST_BUILDDIR:-build}/man/lunscope.1
[ -e "$man" ] || man=man/lunscope.1 # a tarball has it
program=${LUNSCOPE:-build/lunscope}

[ -x "$program" ] || {
  echo "Bail out! no program at $program"
  exit 1
}

# The manual page as plain text, blanks squeezed, without the roff requests that can stand in a sentence.
plain_man=$(sed -e '/^\.\\"/d' -e 's/^\.\(It\|Ic\|Cm\|Pq\|Ta\) //' -e 's/ Ta / /g' -e 's/\bIc //g' \
  -e 's/\\&//g' -e 's/\\(mu/x/g' "$man" | tr -s ' \n' '  ')
readme=$(tr -d '`|' <README.md | tr -s ' \n' '  ')

# in_text TEXT WORDS: is it there, word for word?
in_text() {
  case $1 in *"$2"*) return 0 ;; esac
  return 1
}

help_options() { "$program" --help | grep -o -E -e '--[a-z][a-z-]+' | sort -u; }
man_options() { sed -n 's/^\.It Fl -\([a-z-]*\).*/--\1/p' "$man" | sort -u; }

# Entries of an X-macro table, with each string literal on a line of its own: table FILE NAME prints
# "field|field|...", fields being the macro's arguments without quotes.
table() {
  sed -n "/^#define $2(X)/,/^\$/p" "$1" | sed -n 's/^[[:space:]]*X(\(.*\))[[:space:]]*\\*[[:space:]]*$/\1/p'
}

# --- The manual page itself -------------------------------------------------------------------------

if command -v groff >/dev/null 2>&1; then
  groff -mdoc -ww -z -Tutf8 "$man" >"$found" 2>&1
  check "the manual page is clean for groff"
else
  skip "the manual page is clean for groff" "needs groff"
fi

for section in NAME SYNOPSIS DESCRIPTION COMMANDS OPTIONS KEYS GLYPHS THEMES SAFETY FILES ENVIRONMENT \
  'EXIT STATUS' EXAMPLES 'SEE ALSO'; do
  grep -q -x "\.Sh $section" "$man" || echo "$section"
done >"$found"
check "the manual page has all its sections"

# --- Options ----------------------------------------------------------------------------------------

"$program" --help >/dev/null 2>"$found"
ok "--help prints the usage on standard output and nothing else" $?
check "--help leaves standard error alone"

help_options | grep -q -e '^--workers$'
ok "--help lists options" $?

help_options | while read -r option; do
  man_options | grep -q -x -e "$option" || echo "$option"
done >"$found"
check "each option of the program stands in the manual page"

man_options | while read -r option; do
  help_options | grep -q -x -e "$option" || echo "$option"
done >"$found"
check "the manual page has no option that the program lacks"

# configure's and bootstrap's own switches stand in the README too.
grep -o -E -e '(^|[ `(])--[a-z][a-z-]*[a-z]' README.md | tr -d ' `(' | sort -u |
  grep -v -x -E -e '--(prefix|enable-sanitizers|enable-werror|disable-silent-rules|with-[a-z]*-completion-dir)' |
  while read -r option; do
    help_options | grep -q -x -e "$option" || echo "$option"
  done >"$found"
check "the README names no option that the program lacks"

for command in run find curve iometer list show backends targets discover sessions env compare table import report restore ab specs help; do
  "$program" --help | grep -q -w -e "$command" || echo "--help: $command"
  grep -q -E "^\.(It )?Cm $command" "$man" || echo "$man: $command"
done >"$found"
check "each command stands in the usage and in the manual page"

# Every option of the manual page with a value that is good for it, on the target that is none.
scratch=$(mktemp -d "${TMPDIR:-/tmp}/docs.XXXXXX") || exit 99
trap 'rm -rf "$scratch"; rm -f "$found"' EXIT
value() {
  case $1 in
  --workers | --outstanding | --seed) echo 2 ;;
  --block | --align) echo 8k ;;
  --read) echo 100 ;;
  --random | --compress | --dedupe) echo 50 ;;
  --data) echo hex:C0DE ;;
  --rate) echo 1000 ;;
  --cpus) echo 0 ;;
  --spin) echo 20us ;;
  --spread) echo zipf:1.1 ;;
  --streams) echo 4 ;;
  --log) echo 0 ;;
  --lines) echo 8k ;;
  --sequence) echo on ;;
  --range) echo 0:1m ;;
  --backend) echo null ;;
  --create) echo 1m ;;
  --paths) echo failover ;;
  --nic | --watch) echo lo ;;
  --io-hold) echo 5s ;;
  --initiator | --chap-target-user) echo iqn.2026-01.com.example:a ;;
  --chap-secret-file | --chap-target-secret-file) echo README.md ;;
  --for | --warmup) echo 10ms ;;
  --json | --csv | --store) echo "$scratch/file" ;;
  --theme) echo default ;;
  --glyphs) echo ascii ;;
  --color) echo never ;;
  --fps) echo 4 ;;
  --baseline) echo 1 ;;
  --units) echo MB ;;
  --i-own) echo nothing ;;
  --goal) echo 'p99<5ms' ;;
  --of) echo read ;;
  --by) echo rate ;;
  --from | --to | --points) echo 5 ;;
  --step-time) echo 1s ;;
  esac
}
man_options | while read -r option; do
  v=$(value "$option")
  # shellcheck disable=SC2086 # no value: no word
  "$program" run null: --for 10ms --no-store "$option" $v >"$scratch/out" 2>&1 </dev/null
  if grep -q -i -E "(unknown|unrecognized|invalid|no such) option" "$scratch/out"; then
    sed "s/^/$option: /" "$scratch/out"
  fi
  rm -f "$scratch/file"
done >"$found"
check "the program knows each option of the manual page"

"$program" run null: --no-such-option >"$scratch/out" 2>&1 </dev/null
[ $? -eq 2 ] && grep -q -e '--no-such-option' "$scratch/out"
ok "an option that doesn't exist is refused by its name, with status 2" $?

# --- Keys, knobs, styles, glyphs ---------------------------------------------------------------------

# X(ACT_MARK, 3, "m", "Mark", "put a mark ..."): function key, letters, what it does.
table ui/action.h ACTION_TABLE | sed -E 's/^([A-Z_]+), ([0-9]+), "([^"]*)", "[^"]*", "(.*)"$/\2|\3|\4/' \
  >"$scratch/actions"
[ "$(wc -l <"$scratch/actions")" -ge 19 ]
ok "the table of actions is found" $?
while IFS='|' read -r fkey letters does; do
  shown=$(printf %s "$letters" | sed -e 's/ /space/' -e 's/\([^a-z]\)\(.\)$/\1 \2/' \
    -e 's/^\([a-zA-Z]\)\(.\)$/\1 \2/')
  [ "$fkey" -eq 0 ] || shown="F$fkey $shown"
  in_text "$plain_man" "$shown $does" || echo "$man: $shown $does"
  in_text "$readme" "$shown $does" || echo "README.md: $shown $does"
done <"$scratch/actions" >"$found"
check "each key stands in the manual page and in the README, with what it does"

# X(KNOB_BLOCK, "block", "Block", "Block", 'b', 'B', "bytes per IO")
table src/knob.h KNOB_TABLE |
  sed -E "s/^[A-Z_]+, \"([^\"]*)\", \"([^\"]*)\", \"[^\"]*\", '(.)', '(.)', \"(.*)\"$/\1|\2|\3|\4|\5/" \
    >"$scratch/knobs"
[ "$(wc -l <"$scratch/knobs")" -ge 6 ]
ok "the table of knobs is found" $?
while IFS='|' read -r option name down up does; do
  in_text "$plain_man" "$down $up $name $does" || echo "$man: $name"
  in_text "$readme" "$name $down $up $does" || echo "README.md: $name"
  man_options | grep -q -x -e "--$option" || echo "$man: --$option"
done <"$scratch/knobs" >"$found"
check "each knob stands in the manual page and in the README, with its letters and its option"

table ui/style.h STYLE_TABLE | sed -E 's/^[A-Z_0-9]+, "([^"]*)".*/\1/' >"$scratch/styles"
[ "$(wc -l <"$scratch/styles")" -ge 20 ]
ok "the table of styles is found" $?
while read -r style; do
  grep -E '^\.Cm ' "$man" | grep -q -w -e "$style" || echo "$style"
done <"$scratch/styles" >"$found"
check "each style of a theme stands in the manual page"

sed -n 's/.*\.name = "\([a-z]*\)".*/\1/p' ui/glyph.c 2>/dev/null | sort -u >"$scratch/glyphs"
[ "$(wc -l <"$scratch/glyphs")" -eq 6 ]
ok "the table of glyph levels is found" $?
while read -r level; do
  grep -q -E "^\.It Cm $level$" "$man" || echo "$level"
done <"$scratch/glyphs" >"$found"
check "each glyph level stands in the manual page"

# --- The README ------------------------------------------------------------------------------------

# shellcheck disable=SC2016 # the backticks are Markdown's
for path in $(grep -o -E '^\| `[a-z/]+/?`' README.md | tr -d '|` '); do
  [ -e "$path" ] || echo "$path"
done >"$found"
check "each folder that the README names is there"

for number in 0 1 2 3; do
  grep -q -E "^\| $number \|" README.md || echo "README.md: $number"
  grep -q -x "\.It $number" "$man" || echo "$man: $number"
done >"$found"
check "the exit statuses stand in both"

finish
