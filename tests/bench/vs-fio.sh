#!/bin/sh
# vs-fio.sh - lunscope against fio (libaio, its defaults) on a loop device over memory: 4 KiB random
# reads at several depths, in alternating pairs, since single figures spread far more than ratios.
# Prints the median over the pairs of IOPS (lunscope / fio) and of user and system CPU time per IO.
#
#   [PAIRS=7] [SECONDS_EACH=2] [DEPTHS='1 4 32 128'] [LUNSCOPE=./lunscope] sh tests/bench/vs-fio.sh
#
# Needs root, fio and 1 GiB in /dev/shm. CPU time is the process's own, start-up subtracted.
set -u

pairs=${PAIRS:-7}
seconds=${SECONDS_EACH:-2}
depths=${DEPTHS:-1 4 32 128}
lunscope=${LUNSCOPE:-./lunscope}
size_mib=512

die() {
  echo "vs-fio.sh: $*" >&2
  exit 2
}
[ "$(id -u)" -eq 0 ] || die "needs root for a loop device"
command -v fio >/dev/null || die "fio is not installed"
[ -x "$lunscope" ] || die "$lunscope is not there: build first, or set LUNSCOPE"

folder=$(mktemp -d /dev/shm/vs-fio.XXXXXX) || exit 2
device=
trap '[ -z "$device" ] || losetup -d "$device"; rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM HUP
dd if=/dev/urandom of="$folder/disk" bs=1M count=$size_mib 2>/dev/null || die "no room in /dev/shm"
device=$(losetup -f --show --direct-io=on "$folder/disk") || die "no loop device"

# cpu COMMAND...: "USER SYSTEM" seconds of the command; its output goes to $folder/out.
cpu() {
  (
    "$@" >"$folder/out" 2>"$folder/err"
    times
  ) | awk 'NR == 2 {
      for (i = 1; i <= 2; i++) { split($i, t, "m"); printf "%s ", t[1] * 60 + t[2] + 0 }
      print ""
    }'
}

run_fio() { # DEPTH [ARGUMENT]...
  d=$1
  shift
  cpu fio --minimal --name=vs --filename="$device" --ioengine=libaio --direct=1 --rw=randread \
    --bs=4k --iodepth="$d" --thread "$@"
}

run_lunscope() { # DEPTH ARGUMENT...
  d=$1
  shift
  cpu "$lunscope" run "$device" --backend libaio --no-store --outstanding "$d" \
    --json "$folder/json" "$@"
}

# What starting and ending costs, with next to no IO in between.
fio_start=$(run_fio 1 --number_ios=1)
lunscope_start=$(run_lunscope 1 --rate 10 --for 100ms)

# Each line: DEPTH WHO IOPS USER_US SYSTEM_US
figures() { # DEPTH WHO CPU START IOS IOPS
  echo "$1 $2 $3 $4 $5 $6" | awk '{
    user = $3 - $5; sys = $4 - $6
    printf "%s %s %s %.4f %.4f\n", $1, $2, $8, (user > 0 ? user : 0) * 1e6 / $7,
      (sys > 0 ? sys : 0) * 1e6 / $7 }'
}

one_fio() {
  c=$(run_fio "$1" --time_based --runtime="$seconds")
  # Terse fields: 6 = KiB read, 8 = IOPS (fio's HOWTO, "Terse output").
  kib=$(cut -d';' -f6 "$folder/out")
  iops=$(cut -d';' -f8 "$folder/out")
  [ "${kib:-0}" -gt 0 ] || die "fio: $(cat "$folder/err")"
  figures "$1" fio "$c" "$fio_start" $((kib / 4)) "$iops"
}

one_lunscope() {
  c=$(run_lunscope "$1" --for "${seconds}s")
  total=$(tr -d ' \n' <"$folder/json" | sed 's/.*"summary":{//; s/.*"total":{//')
  ios=$(printf %s "$total" | sed 's/^"ios":\([0-9]*\).*/\1/')
  iops=$(printf %s "$total" | sed 's/^[^}]*"iops":\([0-9.]*\).*/\1/')
  [ "${ios:-0}" -gt 0 ] || die "lunscope: $(cat "$folder/err")"
  figures "$1" lunscope "$c" "$lunscope_start" "$ios" "$iops"
}

i=0
while [ "$i" -lt "$pairs" ]; do
  i=$((i + 1))
  for depth in $depths; do
    one_fio "$depth"
    one_lunscope "$depth"
  done
done >"$folder/figures"

awk -v depths="$depths" '
  function median(a, n,   i, j, t) {
    for (i = 2; i <= n; i++)
      for (j = i; j > 1 && a[j - 1] > a[j]; j--) { t = a[j]; a[j] = a[j - 1]; a[j - 1] = t }
    return n % 2 ? a[(n + 1) / 2] : (a[n / 2] + a[n / 2 + 1]) / 2
  }
  function figure(kind, d,   k, v) {
    for (k = 1; k <= n[d]; k++) v[k] = value[kind, d, k]
    return median(v, n[d])
  }
  $2 == "fio" { iops = $3; user = $4; sys = $5; next }
  {
    k = ++n[$1]
    value["iops", $1, k] = $3 / iops
    value["user", $1, k] = user > 0 ? $4 / user : 0
    value["sys", $1, k] = sys > 0 ? $5 / sys : 0
    value["cpu", $1, k] = user + sys > 0 ? ($4 + $5) / (user + sys) : 0
    value["our", $1, k] = $3
    value["us", $1, k] = $4 + $5
  }
  END {
    print "lunscope / fio, medians of pairs; 4 KiB random reads, loop device over memory"
    printf "%6s %8s %9s %9s %9s %12s %10s\n", "depth", "IOPS", "user/IO", "sys/IO", "CPU/IO",
      "our IOPS", "our us/IO"
    m = split(depths, d, " ")
    for (i = 1; i <= m; i++)
      printf "%6d %8.2f %9.2f %9.2f %9.2f %12.0f %10.2f\n", d[i], figure("iops", d[i]),
        figure("user", d[i]), figure("sys", d[i]), figure("cpu", d[i]), figure("our", d[i]),
        figure("us", d[i])
  }' "$folder/figures"
