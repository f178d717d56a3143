#!/bin/sh
# instructions.sh - user-space instructions per IO of the engine (statistics on) and of fio, counted by
# callgrind. Prints a Markdown table or, for one target and depth, where the engine's go. tests/instructions.sh
# holds the engine to its goals.
#
#   [LUNSCOPE=./lunscope] sh tests/bench/instructions.sh [TARGET DEPTH]
set -u
lunscope=${LUNSCOPE:-./lunscope}
bench=${BENCH:-$(dirname "$lunscope")/tests/bench}
# shellcheck source=tests/bench/callgrind.sh
. "$(dirname "$0")/callgrind.sh"

command -v valgrind >/dev/null || {
  echo "Instructions per IO: not measured, valgrind is not installed."
  exit 0
}
folder=$(mktemp -d "${TMPDIR:-/tmp}/instructions.XXXXXX") || exit 2
trap 'rm -rf "$folder"' EXIT

if [ $# -eq 2 ]; then
  our_instructions "$bench/instructions" "$folder" "$1" "$2" || exit
  our_profile "$folder"
  exit
fi

row() { # TITLE TARGET DEPTH FIO_OPTION...
  title=$1 target=$2 depth=$3
  shift 3
  ours=$(our_instructions "$bench/instructions" "$folder" "$target" "$depth") || exit 2
  # Histogram, counters, and the clock's readings.
  statistics=$(our_part "$folder" '^(books|hist|looks|units)[.]h$|^clock_gettime')
  theirs=$(fio_instructions "$@" --iodepth="$depth")
  batch=$(((depth + 1) / 2))
  [ "$batch" -le 16 ] || batch=16
  tuned=$(fio_instructions "$@" --iodepth="$depth" --gtod_reduce=1 --norandommap \
    --iodepth_batch_submit=$batch --iodepth_batch_complete_min=1 --iodepth_batch_complete_max="$depth")
  printf '| %s, depth %d | **%.0f** | %.0f | %d | %d |\n' "$title" "$depth" "$ours" "$statistics" "$theirs" "$tuned"
}

echo "| user instructions per IO | lunscope | of these, statistics | fio | tuned fio |"
echo "| --- | ---: | ---: | ---: | ---: |"
for depth in 1 32; do
  row "null" null: "$depth" --ioengine=null
  row "floor, libaio" /dev/zero "$depth" --filename=/dev/zero --direct=0 --ioengine=libaio
done
