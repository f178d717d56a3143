#!/bin/sh
# depth.sh - how much of the depth that is asked for arrives at the device: the kernel's own count on a
# loop device (time spent by all requests over the time in which there were any, from
# /sys/block/loopN/stat), as a share of the configured depth, for fio with its defaults, fio tuned, and
# lunscope, in alternating order. Prints a Markdown table of medians.
#
#   [PAIRS=5] [SECONDS_EACH=2] [DEPTHS='8 32 128'] [LUNSCOPE=./lunscope] sh tests/bench/depth.sh
set -u
# shellcheck source=tests/bench/lib.sh
. "$(dirname "$0")/lib.sh"

depths=${DEPTHS:-8 32 128}
use loop || die "$reason"

# "IO_TICKS TIME_IN_QUEUE", ms (kernel: Documentation/block/stat.rst, fields 10 and 11).
device_time() { awk '{ print $10, $11 }' "/sys/block/${loop#/dev/}/stat"; }

round=0
while [ "$round" -lt "$pairs" ]; do
  round=$((round + 1))
  for depth in $depths; do
    for who in $(in_turn "$round" fio lunscope tuned); do
      before=$(device_time)
      measure "$who" libaio 1 "$depth"
      echo "$who $depth $before $(device_time)"
    done
  done
done >"$folder/figures"

awk "$awk_medians"'
  { n = ++runs[$1, $2]; share[$1, $2, n] = $5 > $3 ? ($6 - $4) / ($5 - $3) / $2 : 0
    if (!($2 in seen)) { seen[$2] = 1; depth[++depths] = $2 } }
  function median(who, d,   i, v) {
    split("", v)
    for (i = 1; i <= runs[who, d]; i++) v[i] = share[who, d, i]
    return quantile(v, runs[who, d], 0.5)
  }
  END {
    print "| depth asked for (loop, libaio) | lunscope | fio | tuned fio |"
    print "| --- | ---: | ---: | ---: |"
    for (i = 1; i <= depths; i++)
      printf "| %d | **%.0f %%** | %.0f %% | %.0f %% |\n", depth[i], 100 * median("lunscope", depth[i]),
        100 * median("fio", depth[i]), 100 * median("tuned", depth[i])
  }' "$folder/figures"
