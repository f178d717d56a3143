#!/bin/sh
# ceiling.sh - how many IOs a second the engine itself can do: null:, which completes at once, with 1 and
# with 2 workers, in alternating order, statistics on. "A core" is one second of the process's CPU time, so
# that a busy host does not lower it. The step from 1 to 2 workers is given by the clock, which needs two idle
# CPUs, and as twice the ratio of what a core does, which does not. Prints a Markdown table of medians.
#
#   [PAIRS=5] [SECONDS_EACH=2] [DEPTH=32] [LUNSCOPE=./lunscope] sh tests/bench/ceiling.sh
set -u
# shellcheck source=tests/bench/lib.sh
. "$(dirname "$0")/lib.sh"

OUR_TARGET=null:
depth=${DEPTH:-32}
round=0
while [ "$round" -lt "$pairs" ]; do
  round=$((round + 1))
  for workers in $(in_turn "$round" 1 2); do
    measure lunscope null "$workers" "$depth"
    echo "$round $workers $iops $ios $user $system"
  done
done >"$folder/figures"

awk -v depth="$depth" "$awk_medians"'
  { rate[$2, $1] = $3; core[$2, $1] = $4 / ($5 + $6) * 1e6; if ($1 > rounds) rounds = $1 }
  function median(a, w,   i, v) {
    split("", v)
    for (i = 1; i <= rounds; i++) v[i] = a[w, i]
    return quantile(v, rounds, 0.5)
  }
  END {
    print "| null:, depth " depth " | IO/s | IO/s and core |"
    print "| --- | ---: | ---: |"
    for (w = 1; w <= 2; w++)
      printf "| %d worker%s | %.1f M | **%.1f M** |\n", w, (w > 1 ? "s" : ""), median(rate, w) / 1e6,
        median(core, w) / 1e6
    for (i = 1; i <= rounds; i++) {
      clock[i] = rate[2, i] / rate[1, i]
      cpu[i] = 2 * core[2, i] / core[1, i]
    }
    printf "| 2 workers / 1 | %.2f | **%.2f** |\n", quantile(clock, rounds, 0.5), quantile(cpu, rounds, 0.5)
  }' "$folder/figures"
