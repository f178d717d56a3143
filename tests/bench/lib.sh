# lib.sh - what the benches share: reference targets, one run of fio or of lunscope on one of them, and
# medians. Source it; everything it makes (files in memory, a loop or zram device) goes at the end.
# shellcheck shell=sh disable=SC2034 # what the sourcing script uses
#
# Targets (FIO_TARGET, OUR_TARGET: the words that name it to each; BARE_TARGET: its path):
#   loop   a loop device with direct IO over a file in memory: real asynchrony, a kernel thread completes
#   floor  /dev/zero: what a system call costs, next to nothing behind it
#   zram   a compressed disk in memory, filled with random data: completes inside the submit call

pairs=${PAIRS:-5}
seconds=${SECONDS_EACH:-2}
lunscope=${LUNSCOPE:-./lunscope}
bench=${BENCH:-$(dirname "$lunscope")/tests/bench}
lunscope_options=${LUNSCOPE_OPTIONS:-}

die() {
  echo "$(basename "$0"): $*" >&2
  exit 2
}

[ -x "$lunscope" ] || die "$lunscope is not there: build first, or set LUNSCOPE"
[ -x "$bench/usage" ] || die "$bench/usage is not there: make bench-programs, or set BENCH"
command -v fio >/dev/null || die "fio is not installed"
[ "$(id -u)" -eq 0 ] || die "needs root for loop and zram devices"

folder=$(mktemp -d /dev/shm/lunscope-bench.XXXXXX) || exit 2
loop='' zram=''
clean() {
  [ -z "$loop" ] || losetup -d "$loop"
  [ -z "$zram" ] || echo "$zram" >/sys/class/zram-control/hot_remove
  rm -rf "$folder"
}
trap clean EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# --- Targets. ---------------------------------------------------------------------------------------

make_loop() {
  dd if=/dev/urandom of="$folder/disk" bs=1M count=512 2>/dev/null || return 1
  loop=$(losetup -f --show --direct-io=on "$folder/disk") || loop=
  [ -n "$loop" ]
}

make_zram() {
  zram=$(cat /sys/class/zram-control/hot_add 2>/dev/null) || zram=
  [ -n "$zram" ] && echo 256M >"/sys/block/zram$zram/disksize" &&
    dd if=/dev/urandom of="/dev/zram$zram" bs=1M count=256 oflag=direct 2>/dev/null
}

# use TARGET: makes it when it is not there yet; false with words in $reason when it can't be had.
use() {
  target=$1 reason=
  case $1 in
  loop)
    [ -n "$loop" ] || make_loop || reason="no loop device"
    FIO_TARGET="--filename=$loop --direct=1" OUR_TARGET=$loop BARE_TARGET=$loop
    ;;
  zram)
    [ -n "$zram" ] || make_zram || reason="no zram device"
    FIO_TARGET="--filename=/dev/zram$zram --direct=1" OUR_TARGET=/dev/zram$zram BARE_TARGET=/dev/zram$zram
    ;;
  floor)
    FIO_TARGET="--filename=/dev/zero --size=1g --direct=0" OUR_TARGET="/dev/zero --range 0:1g"
    BARE_TARGET=/dev/zero
    ;;
  *) die "no target '$1': loop, floor or zram" ;;
  esac
  [ -z "$reason" ] || return 1
  # shellcheck disable=SC2086 # a list of words
  "$lunscope" run $OUR_TARGET --no-store --for 10ms >"$folder/out" 2>"$folder/err" </dev/null ||
    reason=$(tail -n 1 "$folder/err")
  [ -z "$reason" ]
}

# --- Runs. ------------------------------------------------------------------------------------------

# fio_words ENGINE WORKERS DEPTH WHO: fio's options; WHO is fio (its defaults) or tuned.
fio_words() {
  engine=$1
  [ "$1" != sync ] || engine=psync
  echo "--minimal --name=bench $FIO_TARGET --ioengine=$engine --rw=randread --bs=4k --iodepth=$3" \
    "--numjobs=$2 --group_reporting --thread"
  [ "$4" = tuned ] || return 0
  echo "--gtod_reduce=1 --norandommap"
  [ "$1" != io_uring ] || echo "--fixedbufs --registerfiles"
  [ "$1" != sync ] || return 0
  # Submitting half the depth at a time keeps a small queue from running empty.
  batch=$((($3 + 1) / 2))
  [ "$batch" -le 16 ] || batch=16
  echo "--iodepth_batch_submit=$batch --iodepth_batch_complete_min=1 --iodepth_batch_complete_max=$3"
}

our_words() { # ENGINE WORKERS DEPTH
  echo "run $OUR_TARGET --backend $1 --workers $2 --outstanding $3 --share-range --no-store" \
    "$lunscope_options"
}

# WHO is lunscope, fio, tuned, or bare (bare.c).
# command_of WHO ENGINE WORKERS DEPTH SECONDS: the words of one run; our JSON goes to $folder/json.
command_of() {
  if [ "$1" = lunscope ]; then
    echo "$lunscope $(our_words "$2" "$3" "$4") --for ${5}s --json $folder/json"
  elif [ "$1" = bare ]; then
    echo "$bench/bare $BARE_TARGET $2 $3 $4 $5"
  else
    echo "fio $(fio_words "$2" "$3" "$4" "$1") --time_based --runtime=$5"
  fi
}

# result_of WHO: "IOPS IOS" of the run that was just made, its standard output being in $folder/out.
result_of() {
  if [ "$1" = lunscope ]; then
    sed -n 's/^"summary": .*"total":{"ios":\([0-9]*\),[^{]*"iops":\([0-9.e+]*\).*/\2 \1/p' \
      "$folder/json"
  elif [ "$1" = bare ]; then
    cat "$folder/out"
  else
    # Terse fields: 6 = KiB read, 8 = IOPS (fio's HOWTO, "Terse output").
    awk -F';' 'NR == 1 { printf "%s %.0f\n", $8, $6 / 4 }' "$folder/out"
  fi
}

# measure WHO ENGINE WORKERS DEPTH: one run; sets iops, ios and user, system, host (us of CPU).
measure() {
  rm -f "$folder/json"
  # shellcheck disable=SC2046 # a list of words
  "$bench/usage" "$folder/cpu" $(command_of "$@" "$seconds") >"$folder/out" 2>"$folder/err" \
    </dev/null || die "$1 failed: $(tail -n 2 "$folder/err")"
  read -r user system host <"$folder/cpu"
  # shellcheck disable=SC2046
  set -- "$1" $(result_of "$1")
  iops=${2:-0} ios=${3:-0}
  [ "$ios" -gt 0 ] || die "$1 did no IO: $(tail -n 2 "$folder/err")"
}

# What starting and ending costs, "USER SYSTEM HOST" us: the median of 3 runs with next to no IO.
start_up() { # WHO
  # shellcheck disable=SC2046 # lists of words
  for i in 1 2 3; do
    if [ "$1" = lunscope ]; then
      "$bench/usage" "$folder/cpu" "$lunscope" $(our_words libaio 1 1) --rate 10 --for 100ms
    else
      "$bench/usage" "$folder/cpu" fio $(fio_words libaio 1 1 fio) --number_ios=1
    fi >/dev/null 2>&1 </dev/null
    cat "$folder/cpu"
  done | awk "$awk_medians"'{ for (i = 1; i <= 3; i++) v[i, NR] = $i }
    END { for (i = 1; i <= 3; i++) { split("", one); for (k = 1; k <= NR; k++) one[k] = v[i, k]
      printf "%.0f ", quantile(one, NR, 0.5) } print "" }'
}

# --- Figures. ---------------------------------------------------------------------------------------

# quantile(a, n, q): of a[1..n], which is sorted in passing; between two values, linear.
awk_medians='
  function quantile(a, n, q,   i, j, t, at, low) {
    for (i = 2; i <= n; i++)
      for (j = i; j > 1 && a[j - 1] + 0 > a[j] + 0; j--) { t = a[j]; a[j] = a[j - 1]; a[j - 1] = t }
    at = 1 + (n - 1) * q
    low = int(at)
    return low >= n ? a[n] : a[low] + (at - low) * (a[low + 1] - a[low])
  }
'

# in_turn ROUND FIRST SECOND...: the contestants in an order that turns around each round, so that a host
# that gets faster or slower favours none.
in_turn() {
  turn=$1
  shift
  [ $((turn % 2)) -eq 1 ] && echo "$@" && return
  reversed=
  for who in "$@"; do reversed="$who $reversed"; done
  echo "$reversed"
}
