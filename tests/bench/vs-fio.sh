#!/bin/sh
# vs-fio.sh - lunscope against fio with its defaults, against fio tuned as well as it can be, and against a
# bare loop that keeps no figures (bare.c), which is the most that this host can do: same
# target, same engine, same depth, 4 KiB random reads, one after the other in alternating order. Single
# figures spread far more than ratios, so each run is compared with the one beside it, and the medians
# of these ratios are printed, with the quartiles of the most important one.
#
#   [PAIRS=5] [SECONDS_EACH=2] [LUNSCOPE=./lunscope] [LUNSCOPE_OPTIONS=...] sh tests/bench/vs-fio.sh [CASE]...
#
# CASE is target:engine:workers:depth, for example loop:libaio:1:32 (see lib.sh for the targets); each
# part may be a list with commas. `all` is every combination. Prints a Markdown table. CPU time is the
# process's own, start-up subtracted, by the IOs it did; "host" is all CPUs' busy time, others' included.
set -u
# shellcheck source=tests/bench/lib.sh
. "$(dirname "$0")/lib.sh"

[ $# -gt 0 ] || set -- loop:libaio:1:1,4,32,128 loop:libaio:2:32 loop:io_uring:1:32 \
  floor:libaio:1:1,32 floor:io_uring:1:32 floor:sync:1:1 zram:libaio:1:32 zram:sync:1:1
[ "$*" != all ] ||
  set -- loop,floor:libaio,io_uring:1,2:1,4,32,128 zram:libaio:1,2:1,4,32,128 loop,floor,zram:sync:1,2:1

words() { echo "$1" | tr , ' '; }

# One case a line: "TARGET ENGINE WORKERS DEPTH".
cases() {
  for case in "$@"; do
    IFS=: read -r t e w d <<END
$case
END
    for target in $(words "$t"); do
      for engine in $(words "$e"); do
        for workers in $(words "$w"); do
          for depth in $(words "$d"); do echo "$target $engine $workers $depth"; done
        done
      done
    done
  done
}

# Each line: TARGET ENGINE WORKERS DEPTH ROUND WHO IOPS USER SYSTEM HOST, the last three in us an IO.
run_case() { # TARGET ENGINE WORKERS DEPTH
  use "$1" || {
    echo "vs-fio.sh: $1 is left out: $reason" >&2
    return
  }
  [ -f "$folder/start.$1.fio" ] || {
    start_up fio >"$folder/start.$1.fio"
    start_up lunscope >"$folder/start.$1.lunscope"
  }
  round=0
  while [ "$round" -lt "$pairs" ]; do
    round=$((round + 1))
    for who in $(in_turn "$round" bare fio lunscope tuned); do
      measure "$who" "$2" "$3" "$4"
      start=$folder/start.$1.fio
      [ "$who" != lunscope ] || start=$folder/start.$1.lunscope
      [ "$who" != bare ] || start=$folder/start.bare
      echo "$* $round $who $iops $ios $user $system $host $(cat "$start")"
    done
  done | awk '
    function cost(all, start) { return (all > start ? all - start : 0) / $8 }
    { print $1, $2, $3, $4, $5, $6, $7, cost($9, $12), cost($10, $13), cost($11, $14) }'
}

cases "$@" >"$folder/cases"
# It starts in no time.
echo 0 0 0 >"$folder/start.bare"
while read -r target engine workers depth; do
  run_case "$target" "$engine" "$workers" "$depth" </dev/null
done <"$folder/cases" >"$folder/figures"
[ -s "$folder/figures" ] || die "nothing was measured"
[ -z "${KEEP_FIGURES:-}" ] || cp "$folder/figures" "$KEEP_FIGURES"

awk "$awk_medians"'
  { key = $1 " " $2 " " $3 " " $4
    if (!(key in seen)) { seen[key] = 1; order[++cases] = key }
    if ($5 > rounds[key]) rounds[key] = $5
    for (i = 7; i <= 10; i++) value[key, $6, $5, i] = $i
    value[key, $6, $5, 11] = $8 + $9
  }
  # The quantile q over the rounds of a figure of a: of its ratio to b, where b is not "".
  function ratio(key, a, b, field, q,   r, v, n, below) {
    split("", v)
    for (r = n = 0; r++ < rounds[key];) {
      below = b == "" ? 1 : value[key, b, r, field]
      if (below > 0) v[++n] = value[key, a, r, field] / below
    }
    return n ? quantile(v, n, q) : 0
  }
  function count(v) {
    return v >= 1e6 ? sprintf("%.2f M", v / 1e6) : v >= 1e3 ? sprintf("%.0f k", v / 1e3) : sprintf("%.0f", v)
  }
  END {
    print "| target, engine, workers x depth | IOPS | user + system us/IO | x fio (quartiles) | user CPU/IO | system CPU/IO" \
      " | CPU/IO | host CPU/IO | x tuned fio (quartiles) | CPU/IO, tuned | x bare loop (quartiles) | CPU/IO, bare |"
    print "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for (c = 1; c <= cases; c++) {
      k = order[c]
      split(k, p, " ")
      printf "| %s, %s, %d x %d | %s | %.2f + %.2f | **%.2f** (%.2f-%.2f) | %.2f | %.2f | %.2f | %.2f | **%.2f** (%.2f-%.2f) | %.2f | **%.2f** (%.2f-%.2f) | %.2f |\n",
        p[1], p[2], p[3], p[4], count(ratio(k, "lunscope", "", 7, 0.5)),
        ratio(k, "lunscope", "", 8, 0.5), ratio(k, "lunscope", "", 9, 0.5),
        ratio(k, "lunscope", "fio", 7, 0.5), ratio(k, "lunscope", "fio", 7, 0.25),
        ratio(k, "lunscope", "fio", 7, 0.75), ratio(k, "lunscope", "fio", 8, 0.5),
        ratio(k, "lunscope", "fio", 9, 0.5), ratio(k, "lunscope", "fio", 11, 0.5),
        ratio(k, "lunscope", "fio", 10, 0.5), ratio(k, "lunscope", "tuned", 7, 0.5),
        ratio(k, "lunscope", "tuned", 7, 0.25), ratio(k, "lunscope", "tuned", 7, 0.75),
        ratio(k, "lunscope", "tuned", 11, 0.5), ratio(k, "lunscope", "bare", 7, 0.5),
        ratio(k, "lunscope", "bare", 7, 0.25), ratio(k, "lunscope", "bare", 7, 0.75),
        ratio(k, "lunscope", "bare", 11, 0.5)
    }
  }' "$folder/figures"
