#!/bin/sh
# all.sh - every bench, one after the other (about 18 minutes), as one Markdown text on standard output:
# what README.md shows under "Speed". `make bench` writes it to bench.md, `make bench-readme` puts that
# into README.md.
#
#   [PAIRS=5] [LUNSCOPE=./lunscope] [LUNSCOPE_OPTIONS=...] sh tests/bench/all.sh
set -u
here=$(dirname "$0")
export PAIRS="${PAIRS:-5}" LUNSCOPE="${LUNSCOPE:-./lunscope}" LUNSCOPE_OPTIONS="${LUNSCOPE_OPTIONS:-}"
export BENCH="${BENCH:-$(dirname "$LUNSCOPE")/tests/bench}"
# Loop devices of the C programs stand on files in memory too.
export TMPDIR=/dev/shm
began=$(date -u '+%Y-%m-%d %H:%M')
load_before=$(cut -d' ' -f1 /proc/loadavg)

section() { # TITLE, then words that explain
  echo
  echo "### $1"
  echo
  [ -z "$2" ] || {
    echo "$2"
    echo
  }
  echo "bench: $1" >&2
}

# program NAME ARGUMENT...: or why not.
program() {
  name=$1
  shift
  if [ -x "$BENCH/$name" ]; then
    "$BENCH/$name" "$@"
  else
    echo "Not measured: $name was not built (it needs libvterm and cmocka)."
  fi
}

scratch=$(mktemp -d /dev/shm/lunscope-bench.XXXXXX) || exit 2
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

{
  section "Against fio" "lunscope / fio: above 1 is more IOPS, below 1 is less CPU time per IO. The tuned fio submits in \
batches, reaps what there is, and keeps neither times nor a map of its random offsets; lunscope keeps all of \
its statistics. The bare loop is what is left when a program keeps none and does nothing else: the most that this host can do. 4 KiB random reads, $PAIRS pairs of ${SECONDS_EACH:-2} s."
  sh "$here/vs-fio.sh"
  section "iSCSI" "lunscope / iscsi-perf, which drives the same library with one session and only counts: above 1 is \
more IOPS, below 1 is less of the initiator's CPU time per IO. tgtd is Debian's target, *mock* the one of the tests, \
which answers several times as fast; both on the loopback, $PAIRS pairs of ${SECONDS_EACH:-2} s of random reads. \
*Screen* is the live screen at 10 frames a second, *two workers* half the depth in each of two sessions."
  sh "$here/iscsi.sh"
  section "Losing a path" ""
  if [ -x "$BENCH/failover" ]; then sh "$here/failover.sh"; else echo "Not measured: failover was not built (it needs libiscsi)."; fi
  section "Depth that arrives" "Requests in the device by the kernel's count, as a share of the depth that was asked for."
  sh "$here/depth.sh"
  section "What an IO takes" ""
  sh "$here/syscalls.sh"
  echo
  sh "$here/instructions.sh"
  section "The engine's own ceiling" "Nothing behind it, statistics on."
  sh "$here/ceiling.sh"
  section "What writes carry" "Every byte is new in every write, whatever the kind of data."
  program fill
  section "The live screen" ""
  program screen 3 "$PAIRS"
  section "Turning a knob" "From the key that is pressed in the terminal, with 16 IOs in flight on the loop device, and on \
a device that takes 5 s for each."
  program knob 200
  section "Keeping a rate" "Over 10 s."
  program rate 10
} >"$scratch/tables" || exit

cpu=$(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | head -n 1)
load_after=$(cut -d' ' -f1 /proc/loadavg)
cat <<END
Measured on $began UTC: $(nproc) CPUs${cpu:+ ($cpu)}, Linux $(uname -r), $(fio --version),
$("$LUNSCOPE" --version | head -n 1)${LUNSCOPE_OPTIONS:+ with $LUNSCOPE_OPTIONS}. Medians of runs that follow each other. The
machine was shared: its load average was $load_before before and $load_after after. What is far above the number
of CPUs moves IOPS and their ratios by tens of per cent (the quartiles say how far), CPU time per IO by less, and
instructions and system calls hardly.

Targets: *loop* is a loop device with direct IO over a file in memory, *floor* is /dev/zero (what the kernel
takes for a read of nothing), *zram* a compressed disk in memory, which completes inside the submit call.
END
cat "$scratch/tables"
