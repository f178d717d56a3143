#!/bin/sh
# iscsi.sh - lunscope against iscsi-perf (package libiscsi-bin), which drives the same library and keeps no
# figures but a count: one session, random reads, of tgtd and of the tests' mock target, which answers several
# times as fast. One after the other in alternating order; each run is compared with the one beside it, and
# the medians of these ratios are printed with their quartiles. "Screen" is lunscope with its live screen at
# 10 frames a second, "two workers" is half the depth in each of two sessions. CPU time is the initiator's own,
# start-up subtracted, by the IOs it did. Prints two Markdown tables: against iscsi-perf, and what the screen and
# a second worker do to lunscope's own figures.
#
#   [PAIRS=5] [SECONDS_EACH=2] [LUNSCOPE=./lunscope] [LUNSCOPE_OPTIONS=...] sh tests/bench/iscsi.sh [CASE]...
#
# CASE is target:block:depth, for example mock:4k:64.
set -u
# In a network of its own, with the congestion control that every kernel has: bbr, which is the default in
# some places, paces small replies by timers, and then these are what is measured.
if [ -z "${ISCSI_BENCH_INSIDE:-}" ] && unshare --net true 2>/dev/null; then
  ISCSI_BENCH_INSIDE=yes exec unshare --net sh "$0" "$@"
fi
[ -z "${ISCSI_BENCH_INSIDE:-}" ] || {
  ip link set lo up
  echo reno >/proc/sys/net/ipv4/tcp_congestion_control
}
# shellcheck source=tests/bench/lib.sh
. "$(dirname "$0")/lib.sh"

missing=
command -v iscsi-perf >/dev/null || missing="iscsi-perf is not installed (package libiscsi-bin)"
command -v tgtd >/dev/null || missing="tgtd is not installed (package tgt)"
[ -x "$bench/iscsi-target" ] || missing="$bench/iscsi-target was not built (it needs libiscsi)"
[ -z "$missing" ] || {
  echo "Not measured: $missing."
  exit 0
}
[ $# -gt 0 ] || {
  for target in tgtd mock; do
    for case in 4k:1 4k:32 4k:64 32k:32 256k:16; do set -- "$@" "$target:$case"; done
  done
}

# --- Targets: each lives until its input is closed. ---------------------------------------------------

mkfifo "$folder/until-the-end" || exit 2
serve() { # TARGET
  TMPDIR=$folder "$bench/iscsi-target" "$1" <"$folder/until-the-end" >"$folder/url.$1" &
}
serve tgtd
serve mock
exec 8>"$folder/until-the-end"
stop() {
  exec 8>&-
  wait
  clean
}
trap stop EXIT

url_of() { # TARGET
  tries=0
  until [ -s "$folder/url.$1" ]; do
    tries=$((tries + 1))
    [ "$tries" -le 100 ] || die "$1 does not start"
    sleep 0.1
  done
  cat "$folder/url.$1"
}

# --- Runs. --------------------------------------------------------------------------------------------

sectors() { # BLOCK, as 4k
  echo $((${1%k} * 2))
}

# used COMMAND...: runs it; what it took goes to $folder/cpu, what it printed to $folder/out.
used() {
  "$bench/usage" "$folder/cpu" "$@" >"$folder/out" 2>"$folder/err" </dev/null 8>&- ||
    die "$1 failed: $(tail -n 2 "$folder/err")"
}

perf_run() { # URL BLOCK DEPTH
  used iscsi-perf -r -m "$3" -b "$(sectors "$2")" -t "$seconds" "$1"
  # It goes over its line again and again; the last one holds the average of the whole run.
  iops=$(tr '\r' '\n' <"$folder/out" | sed -n 's/.*iops average \([0-9]*\) .*/\1/p' | tail -n 1)
  ios=$((${iops:-0} * seconds))
}

lunscope_run() { # URL BLOCK DEPTH [WORKERS]
  # shellcheck disable=SC2086 # a list of words
  used "$lunscope" run "$1" --no-store --block "$2" --workers "${4:-1}" --outstanding $(($3 / ${4:-1})) \
    --for "${seconds}s" --json "$folder/json" $lunscope_options
  p99=$(p99_of "$folder/out")
  # shellcheck disable=SC2046
  set -- $(result_of lunscope)
  iops=${1:-0} ios=${2:-0}
}

two_run() { # URL BLOCK DEPTH
  lunscope_run "$@" 2
}

# p99_of FILE: the 99th percentile of all IOs, us, from a result in words.
p99_of() {
  awk '$1 == "total" && NF > 12 { print $10 * ($11 == "ms" ? 1e3 : $11 == "s" ? 1e6 : 1); exit }' "$1"
}

# In a terminal of 80x24, whose output is read and thrown away, until it is interrupted.
screen_run() { # URL BLOCK DEPTH
  rm -f "$folder/runs.db"*
  TERM=xterm-256color script -qec "stty rows 24 cols 80; exec $bench/usage $folder/cpu timeout --foreground \
    --preserve-status -s INT $seconds $lunscope '$1' --store $folder/runs.db --fps 10 --block $2 --outstanding $3 \
    $lunscope_options" /dev/null >"$folder/out" 2>&1 </dev/null 8>&-
  "$lunscope" show 1 --store "$folder/runs.db" >"$folder/shown" || die "the run with a screen was not kept"
  iops=$(awk '/^summary/ { at = NR } at && NR == at + 3 { print $3 }' "$folder/shown")
  p99=$(p99_of "$folder/shown")
  ios=$(tr -d '\r' <"$folder/out" | sed -n 's/^elapsed .* s, \([0-9]*\) IOs.*/\1/p')
}

# WHO is perf, lunscope, screen or two.
run_once() { # WHO URL BLOCK DEPTH
  who=$1
  shift
  rm -f "$folder/json" "$folder/cpu"
  p99=0
  "${who}_run" "$@"
  [ "${ios:-0}" -gt 0 ] || die "$who did no IO: $(tail -n 2 "$folder/out")"
  read -r user system _ <"$folder/cpu"
  echo "$iops $ios $user $system ${p99:-0}"
}

# What starting, logging in and ending cost, "USER SYSTEM" us: the median of 3.
start_up_of() { # WHO URL
  for _ in 1 2 3; do
    case $1 in
    perf) used iscsi-readcapacity16 "$2" ;;
    *) used "$lunscope" run "$2" --no-store --rate 10 --for 100ms ;;
    esac
    cat "$folder/cpu"
  done | awk "$awk_medians"'{ u[NR] = $1; s[NR] = $2 }
    END { printf "%.0f %.0f\n", quantile(u, NR, 0.5), quantile(s, NR, 0.5) }'
}

# Each line: TARGET BLOCK DEPTH ROUND WHO IOPS IOS USER SYSTEM P99 USER SYSTEM, the last two of starting.
run_case() { # TARGET BLOCK DEPTH
  at=$(url_of "$1")
  all="perf lunscope"
  [ "$2:$3" != 4k:64 ] || all="perf lunscope screen two"
  round=0
  while [ "$round" -lt "$pairs" ]; do
    round=$((round + 1))
    # shellcheck disable=SC2086 # a list of words
    for who in $(in_turn "$round" $all); do
      echo "$* $round $who $(run_once "$who" "$at" "$2" "$3") $(cat "$folder/start.$who")"
    done
  done
}

at=$(url_of mock)
for who in perf lunscope; do start_up_of "$who" "$at" >"$folder/start.$who"; done
for who in screen two; do cp "$folder/start.lunscope" "$folder/start.$who"; done
for case in "$@"; do
  IFS=: read -r target block depth <<END
$case
END
  run_case "$target" "$block" "$depth"
done >"$folder/figures"
[ -z "${KEEP_FIGURES:-}" ] || cp "$folder/figures" "$KEEP_FIGURES"

awk "$awk_medians"'
  { key = $1 ", " $2 " x " $3
    if (!(key in seen)) { seen[key] = 1; order[++cases] = key }
    if ($4 > rounds) rounds = $4
    cpu = $8 + $9 - $11 - $12
    iops[key, $5, $4] = $6; p99[key, $5, $4] = $10; cost[key, $5, $4] = (cpu > 0 ? cpu : 0) / $7 }
  # The quantile q over the rounds of a figure of who, or of its ratio to that of another.
  function of(a, key, who, other, q,   r, n, v, below) {
    split("", v)
    for (r = 1; r <= rounds; r++) {
      below = other ? a[key, other, r] : 1
      if (below > 0) v[++n] = a[key, who, r] / below
    }
    return n ? quantile(v, n, q) : 0
  }
  function count(v) { return v >= 1e3 ? sprintf("%.1f k", v / 1e3) : sprintf("%.0f", v) }
  function row(title, key, who) {
    printf "| %s | %s | %.1f | **%.2f** (%.2f-%.2f) | **%.2f** (%.2f-%.2f) |\n", title,
      count(of(iops, key, who, 0, 0.5)), of(cost, key, who, 0, 0.5),
      of(iops, key, who, "perf", 0.5), of(iops, key, who, "perf", 0.25), of(iops, key, who, "perf", 0.75),
      of(cost, key, who, "perf", 0.5), of(cost, key, who, "perf", 0.25), of(cost, key, who, "perf", 0.75)
  }
  function own(title, key, who) {
    if (!((key, who, 1) in iops)) return
    printf "| %s | %s | **%.2f** (%.2f-%.2f) | %.0f | **%.2f** (%.2f-%.2f) |\n", title,
      count(of(iops, key, who, 0, 0.5)), of(iops, key, who, "lunscope", 0.5),
      of(iops, key, who, "lunscope", 0.25), of(iops, key, who, "lunscope", 0.75),
      of(p99, key, who, 0, 0.5), of(p99, key, who, "lunscope", 0.5),
      of(p99, key, who, "lunscope", 0.25), of(p99, key, who, "lunscope", 0.75)
  }
  END {
    print "| target, block x depth | IOPS | CPU us/IO | IOPS / iscsi-perf (quartiles) | CPU/IO / iscsi-perf (quartiles) |"
    print "| --- | ---: | ---: | ---: | ---: |"
    for (c = 1; c <= cases; c++) {
      row(order[c], order[c], "lunscope")
      if ((order[c], "screen", 1) in iops) row(order[c] ", screen", order[c], "screen")
    }
    print "\n| with | IOPS | IOPS / without (quartiles) | p99 us | p99 / without (quartiles) |"
    print "| --- | ---: | ---: | ---: | ---: |"
    for (c = 1; c <= cases; c++) {
      own(order[c] ", screen", order[c], "screen")
      own(order[c] ", two workers", order[c], "two")
    }
  }' "$folder/figures"
