#!/bin/sh
# completion.sh - the shells offer what lunscope takes: each command's options, no other, and their values.
#
# What is expected comes from the tables in the source, what is offered from the shells themselves.
set -u
cd "${TEST_SRCDIR:-$(dirname "$0")/..}" || exit 99
. tests/tap.sh

built=$(cd "${TEST_BUILDDIR:-build}" && pwd) || exit 99
program=${LUNSCOPE:-$built/lunscope}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/completion.XXXXXX") || exit 99
trap 'rm -rf "$scratch"; rm -f "$found"' EXIT

# For runs and their numbers the shells call the program by its name.
PATH=$(cd "$(dirname "$program")" && pwd):$PATH
export PATH

# --- What is expected -------------------------------------------------------------------------------

# FOR_LIVE = 1, ... FOR_IO = FOR_LIVE | FOR_HEADLESS, become variables of the same names.
# shellcheck disable=SC2016 # the dollar is for eval
eval "$(sed -n 's/^\t\(FOR_[A-Z]*\) = \(.*\),$/\1=$((\2))/p' src/options.h)"
live=${FOR_LIVE:?}
sed -n 's/^\tX(OPT_[A-Z_]*, "\([a-z-]*\)", "[^"]*", \([A-Z_ |]*\), .*/\1;\2/p' src/options.h >"$scratch/table"
sed -n 's/^\tX(SETTING_[A-Z_]*, [a-z_]*, "\([a-z-][a-z-]*\)", .*/\1;FOR_IO/p' src/setting_table.h >>"$scratch/table"
[ "$(wc -l <"$scratch/table")" -ge 60 ]
ok "the table of options is found" $?
sed -n 's/^\tX(\([a-z]*\), "[^"]*", \([A-Z_0-9]*\), .*/\1 \2/p' src/commands.h >"$scratch/commands"
[ "$(wc -l <"$scratch/commands")" -ge 13 ]
ok "the table of commands is found" $?
commands=$(cut -d' ' -f1 "$scratch/commands")

# expect COMMAND FLAGS: the options in order, a line each.
expect() {
  while IFS=';' read -r name flags; do
    # shellcheck disable=SC2004 # not one number, but A | B
    [ $((($flags) & $2)) -eq 0 ] || echo "--$name"
  done <"$scratch/table" | sort
}
expect live "$live" >"$scratch/want.live"
while read -r name flags; do
  # shellcheck disable=SC2004 # the same
  expect "$name" "$(($flags))" >"$scratch/want.$name"
done <"$scratch/commands"

# compare SHELL: what it offers (got.COMMAND) is what is wanted.
compare() {
  for name in live $commands; do
    diff "$scratch/want.$name" "$scratch/got.$name" | sed -n "s/^\([<>]\)/$name: \1/p"
    rm -f "$scratch/got.$name"
  done >"$found"
  check "$1 offers each option of every command, and no other"
}

# --- bash -------------------------------------------------------------------------------------------

# offers WORD...: what bash offers for the last one.
cat >"$scratch/offers.bash" <<'END'
. "$1/completions/lunscope"
shift
COMP_WORDS=(lunscope "$@")
COMP_CWORD=$#
_lunscope
((${#COMPREPLY[@]} == 0)) || printf '%s\n' "${COMPREPLY[@]}" | sort
END
offers() { (cd "$scratch" && bash ./offers.bash "$built" "$@"); }

offers -- >"$scratch/got.live"
for name in $commands; do
  offers "$name" -- >"$scratch/got.$name"
done
compare bash

# words NAME EXPECTED WORD...: bash offers these, in order of the alphabet.
words() {
  name=$1 expected=$2
  shift 2
  got=$(offers "$@" | tr '\n' ' ')
  [ "$got" = "${expected:+$expected }" ] || echo "$* offers: $got" >"$found"
  check "$name"
}
words "bash: a command by its beginning" "compare" comp
words "bash: no command behind a command" "" run /dev/null r
words "bash: levels of characters" "ascii auto braille dec eighth half vt" --glyphs ''
words "bash: a value behind =" "always" --color = al
words "bash: policies" "failover" run null: --paths fail
words "bash: a value is not taken for the command" "--goal" --workers 4 find --goa
words "bash: NICs" "lo" run --nic lo
"$program" run null: --for 10ms --store "$scratch/runs.db" >"$scratch/out" 2>&1 </dev/null
mkdir -p "$XDG_STATE_HOME/lunscope" && cp "$scratch/runs.db" "$XDG_STATE_HOME/lunscope/runs.db"
words "bash: numbers of runs that are kept" "1" show ''
mkdir -p "$scratch/a b" && : >"$scratch/a b/世 蓮"
words "bash: files, whatever their names" "$scratch/a b/世 蓮" run "$scratch/a b/世"

# --- fish -------------------------------------------------------------------------------------------

if command -v fish >/dev/null 2>&1; then
  fish_offers() {
    fish --no-config -c "cd '$scratch'; source '$built/completions/lunscope.fish'; complete -C '$1'" | cut -f1 | sort
  }
  fish_offers 'lunscope --' >"$scratch/got.live"
  for name in $commands; do
    fish_offers "lunscope $name --" >"$scratch/got.$name"
  done
  compare fish
  fish_offers 'lunscope --workers 4 comp' >"$found.got"
  echo compare | diff - "$found.got" >"$found"
  check "fish: a command by its beginning"
  fish_offers 'lunscope run null: --paths fail' >"$found.got"
  echo failover | diff - "$found.got" >"$found"
  check "fish: policies"
  rm -f "$found.got"
else
  skip "fish offers each option of every command, and no other" "needs fish"
fi

# --- zsh --------------------------------------------------------------------------------------------

# A zsh in a terminal of its own lists what it would complete (^D), until a word that comes behind it. It
# says when it reads keys: before that, the terminal would take ^D for itself.
cat >"$scratch/ask.zsh" <<'END'
zmodload zsh/zpty
zpty shell zsh -f -i
ask() {
  local text line
  zpty -w shell "$1"
  while zpty -r shell line; do
    text+=$line
    [[ $text == *$2*keys-please* ]] && break
  done
  print -r -- $text
}
ask "stty cols 4000 -echo; PS1=; unsetopt zle_bracketed_paste prompt_sp; fpath=($1/completions \$fpath); autoload -U compinit; compinit -u -D; zstyle ':completion:*' verbose no; LISTMAX=10000; zle-line-init() { print -r -- keys''-please }; zle -N zle-line-init; print rea''dy" ready >/dev/null
for name in live "${@:2}"; do
  zpty -w -n shell "lunscope ${name:#live} --"$'\C-D'
  ask $'\C-U'"print e''nd-$name" "end-$name"
done
zpty -d shell
END
if command -v zsh >/dev/null 2>&1; then
  # shellcheck disable=SC2086 # one word each
  timeout 60 zsh -f "$scratch/ask.zsh" "$built" $commands 2>&1 |
    sed 's/\x1b\[[0-9;?]*[A-Za-z]/ /g' >"$scratch/zsh.out"
  for name in live $commands; do
    awk -v end="end-$name" -v RS='[ \r\n]+' '
      $0 == end { exit } /^end-/ { n = 0 } /^--[a-z]/ { word[n++] = $0 }
      END { for (i = 0; i < n; i++) print word[i] }' "$scratch/zsh.out" | sort -u >"$scratch/got.$name"
  done
  compare zsh
else
  skip "zsh offers each option of every command, and no other" "needs zsh"
fi

finish
