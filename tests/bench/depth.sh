#!/bin/sh
# depth.sh - how much of the depth that is asked for arrives at the device: the kernel's own count on a
# loop device (the time that all requests spent there, from /sys/block/loopN/stat, over the run's), as a
# share of the configured depth, for fio with its defaults, fio tuned, and lunscope, in alternating order.
# Prints a Markdown table of medians.
#
#   [PAIRS=5] [SECONDS_EACH=2] [DEPTHS='8 32 128'] [LUNSCOPE=./lunscope] sh tests/bench/depth.sh
set -u
# shellcheck source=tests/bench/lib.sh
. "$(dirname "$0")/lib.sh"

depths=${DEPTHS:-8 32 128}
use loop || die "$reason"

# ms that requests spent in the device, all added up (kernel: Documentation/block/stat.rst, time_in_queue).
device_time() { awk '{ print $11 }' "/sys/block/${loop#/dev/}/stat"; }

round=0
while [ "$round" -lt "$pairs" ]; do
  round=$((round + 1))
  for depth in $depths; do
    for who in $(in_turn "$round" fio lunscope tuned); do
      before=$(device_time)
      measure "$who" libaio 1 "$depth"
      echo "$who $depth $before $(device_time) $iops $ios"
    done
  done
done >"$folder/figures"

awk "$awk_medians"'
  { n = ++runs[$1, $2]; share[$1, $2, n] = ($4 - $3) / ($6 / $5 * 1e3) / $2
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
