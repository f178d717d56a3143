#!/bin/sh
# failover.sh - what the loss of a path costs: four paths to the tests' mock target, which takes 2 ms for each
# IO, with 64 in flight. One path is reset, then falls silent, then the target is away for two seconds. Prints
# a Markdown table with medians over the rounds, the worst round, and what the design wants beside them: it
# measures, and fails for no figure.
#
#   [ROUNDS=5] [BENCH=./tests/bench] sh tests/bench/failover.sh
set -u
rounds=${ROUNDS:-5}
bench=${BENCH:-./tests/bench}
[ -x "$bench/failover" ] || {
  echo "failover.sh: $bench/failover is not there: make bench-programs (it needs libiscsi), or set BENCH" >&2
  exit 2
}
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

for policy in least round-robin; do
  i=0
  while [ "$i" -lt "$rounds" ]; do
    "$bench/failover" "$policy" >>"$folder/$policy" || exit
    i=$((i + 1))
  done
done

# of POLICY NAME ORDER: median and worst; ORDER -n, or -nr where more is better.
of() {
  sed -n "s/^$2 //p" "$folder/$1" | sort "$3" |
    awk '{v[NR] = $1} END {if (NR) printf "%s (%s)", v[int((NR + 1) / 2)], v[NR]; else printf "-"}'
}

row() { # WORDS NAME GOAL [ORDER]
  echo "| $1 | $(of least "$2" "${4:--n}") | $(of round-robin "$2" "${4:--n}") | $3 |"
}

echo "| four paths, 64 IOs in flight, 2 ms each; $rounds rounds: median (worst) | least busy | round robin | goal |"
echo "| --- | --- | --- | --- |"
row "one path reset: longest IO beyond the mean, ms" reset-added-ms "<= 100"
row "one path silent: until it is given up, ms" silence-noticed-ms "<= 1100"
row "longest IO beyond the mean, ms" silence-added-ms "<= 1100"
row "IOPS meanwhile, % of all before" silence-all-percent ">= 60" -nr
row "IOPS meanwhile, % of what the other three did" silence-others-percent ">= 60" -nr
row "target away for 2 s: from listening to the first IO, ms" restart-ms "<= 1000"
row "IOs lost or failed" ios-lost "0"
