#!/bin/sh
# Runs a guest's test, tests/vm/NAME.vm, in a virtual machine of its own and gives out its TAP:
# tests/vm/run.sh GUEST, within tests/run.sh. Debian's kernel, the program under test and what else the
# guest names are packed into a file system in memory; QEMU emulates the CPU, so it needs no KVM (nor a trustworthy one).
#
# The packages for the guest are downloaded only when TEST_VM=fetch, and kept in the build folder: else,
# and where they can't be had, the one result is a skip with the reason.
set -u
here=$(dirname "$0")
# shellcheck source=tests/vm/needs.sh
. "$here/needs.sh"
guest=$1
name=$(basename "$guest" .vm)
cache=${TEST_BUILDDIR:?}/tests/vm/cache
console=$TEST_BUILDDIR/tests/vm/$name.console
work=${TMPDIR:?}
limit=${TEST_VM_LIMIT:-900}

skip_all() {
  echo "ok - a guest for $name # SKIP $*"
  echo "1..1"
  exit 0
}

# A result of the host's: the guest has its own, so this one has no number.
broke() {
  echo "not ok - $*"
  echo "1..1"
  exit 1
}

packages="busybox-static $(vm_needs "$guest" kernel) $(vm_needs "$guest" packages)"

fetched() {
  for package in $packages; do
    [ -d "$cache/$package" ] || return 1
  done
}

fetch() {
  # Guests may be made at once: what the one has brought the other finds there.
  # shellcheck disable=SC2086 # a list of words
  flock "$TEST_BUILDDIR/tests/vm" sh "$here/fetch.sh" "$cache" $packages >"$work/fetch" 2>&1
  case $? in
  0) return 0 ;;
  77) skip_all "$(tail -n 1 "$work/fetch")" ;;
  esac
  cat "$work/fetch"
  broke "the guest's packages are fetched"
}

# The guest's NICs come in pairs, each joined by a wire: "# vm: nics MODEL PAIRS". An end's address says
# which it is: 52:54:00:00:PAIR:END.
nics() {
  # shellcheck disable=SC2046 # two words
  set -- $(vm_needs "$guest" nics)
  pair=0
  while [ "$pair" -lt "${2:-0}" ]; do
    for end in 0 1; do
      id=nic$pair$end
      echo "-netdev hubport,id=$id,hubid=$pair -device $1,netdev=$id,mac=52:54:00:00:0$pair:0$end,romfile="
    done
    pair=$((pair + 1))
  done
}

machine=
# shellcheck disable=SC2317 # the trap calls it
stop() { [ -z "$machine" ] || kill -TERM "$machine" 2>/dev/null; }
trap stop EXIT
trap 'exit 143' HUP INT TERM

boot() {
  # shellcheck disable=SC2046 # options of QEMU
  timeout --foreground -k 5 "$limit" qemu-system-x86_64 -accel tcg,tb-size=256 -cpu max \
    -smp "${TEST_VM_CPUS:-1}" -m 1024 -nodefaults -no-user-config -no-reboot -display none $(nics) \
    -kernel "$cache/$(vm_needs "$guest" kernel)"/boot/vmlinuz-* -initrd "$work/initrd" \
    -append "console=ttyS0 quiet panic=-1 mitigations=off tsc=unstable" \
    -serial "file:$console" -serial "file:$work/tap" >"$work/qemu" 2>&1 &
  machine=$!
  wait "$machine"
  status=$?
  machine=
  return "$status"
}

[ "$(uname -m)" = x86_64 ] || skip_all "the guest is for x86_64"
for program in qemu-system-x86_64 cpio depmod; do
  PATH=$PATH:/usr/sbin:/sbin command -v "$program" >/dev/null 2>&1 ||
    skip_all "needs $program (packages qemu-system-x86, cpio, kmod)"
done
PATH=$PATH:/usr/sbin:/sbin
fetched || {
  [ "${TEST_VM:-}" = fetch ] ||
    skip_all "the guest's packages aren't here: 'make check-vm' downloads them, some 100 MB for all guests"
  fetch
}

sh "$here/initrd.sh" "$guest" "$cache" "$work" >"$work/made" 2>&1 || {
  cat "$work/made"
  broke "the guest's file system is made"
}
boot
status=$?
tr -d '\r' <"$work/tap"
# The guest's plan is its last word: without it something ended the guest before its test.
if [ "$status" -ne 0 ] || ! grep -q '^1\.\.' "$work/tap"; then
  [ "$status" -ne 124 ] || echo "# the virtual machine was ended after $limit s"
  echo "not ok - the virtual machine runs to its end (status $status)"
  sed 's/^/# /' "$work/qemu"
fi
if grep -q '^not ok' "$work/tap" || ! grep -q '^1\.\.' "$work/tap"; then
  echo "# the console's last lines, all of them in $console:"
  tail -n 60 "$console" | tr -d '\r' | sed 's/^/#   /'
fi
# 124 would say that this script was ended.
[ "$status" -eq 0 ] || exit 1
