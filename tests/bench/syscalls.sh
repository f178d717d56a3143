#!/bin/sh
# syscalls.sh - system calls per IO of lunscope and of fio, everything that their processes call included
# (start-up too, which a run of a second or more hides). Counted by the kernel's tracepoint (perf), which
# hardly slows what it counts; with strace, where there is no perf, each call takes so much longer that
# batches grow, so the figures are marked. Prints a Markdown table.
#
#   [SECONDS_EACH=2] [LUNSCOPE=./lunscope] sh tests/bench/syscalls.sh
set -u
# shellcheck source=tests/bench/lib.sh
. "$(dirname "$0")/lib.sh"

counter=
if perf stat -x, -e raw_syscalls:sys_enter true 2>/dev/null >/dev/null; then
  counter=perf
elif command -v strace >/dev/null; then
  counter=strace
fi

# calls WHO ENGINE DEPTH: system calls per IO of one run, "" when it can't be counted.
calls() {
  # shellcheck disable=SC2046 # a list of words
  set -- "$1" $(command_of "$1" "$2" 1 "$3" "$seconds")
  who=$1
  shift
  case $counter in
  perf)
    perf stat -x, -o "$folder/count" -e raw_syscalls:sys_enter "$@" >"$folder/out" 2>/dev/null </dev/null
    n=$(sed -n 's/^\([0-9]*\),.*sys_enter.*/\1/p' "$folder/count")
    ;;
  strace)
    strace -f -c -o "$folder/count" "$@" >"$folder/out" 2>/dev/null </dev/null
    n=$(awk '$NF == "total" { print $(NF - 1) ~ /^[0-9]+$/ && NF > 4 ? $(NF - 2) : $(NF - 1) }' "$folder/count")
    ;;
  esac
  # shellcheck disable=SC2046
  set -- $(result_of "$who")
  echo "${n:-0} ${2:-0}" | awk '{ if ($1 && $2) printf "%.3f", $1 / $2 }'
}

[ -n "$counter" ] || {
  echo "System calls per IO: not measured, neither perf's tracepoints nor strace are here."
  exit 0
}
echo "| system calls per IO$([ "$counter" = perf ] || echo ', under strace') | lunscope | fio | tuned fio |"
echo "| --- | ---: | ---: | ---: |"
for case in floor:libaio:32 loop:libaio:32 loop:libaio:1 loop:io_uring:32; do
  IFS=: read -r target engine depth <<END
$case
END
  use "$target" || {
    echo "syscalls.sh: $target is left out: $reason" >&2
    continue
  }
  echo "| $target, $engine, depth $depth | **$(calls lunscope "$engine" "$depth")** |" \
    "$(calls fio "$engine" "$depth") | $(calls tuned "$engine" "$depth") |"
done
