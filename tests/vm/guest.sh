# guest.sh - what the tests inside a virtual machine share; a test sources it first.
# shellcheck shell=sh
# shellcheck source=tests/tap.sh
. /vm/tap.sh

# busybox takes its own programs first, whatever PATH says: a function goes before both.
for program in $(busybox --list); do
  # shellcheck disable=SC2139 # now is when it is to be expanded
  [ ! -x "/vm/bin/$program" ] || eval "$program() { /vm/bin/$program \"\$@\"; }"
done

# Of the programs that are built with the tests.
export TEST_PATIENCE=120

say() { echo "$*" >&2; }

seconds() {
  read -r up _ </proc/uptime
  echo "${up%%.*}"
}

# within SECONDS COMMAND...: true as soon as the command is; false when it still isn't after that time. An
# emulated CPU on a busy host is slow: the seconds are for what never comes.
within() {
  end=$(($(seconds) + $1))
  shift
  until "$@"; do
    [ "$(seconds)" -lt "$end" ] || return 1
    sleep 0.2
  done
}

# holds NAME COMMAND...: one result; what the command prints is for the console.
holds() {
  label=$1
  shift
  "$@" >&2
  ok "$label" $?
}

# refused NAME STATUS WORDS COMMAND...: the command ends with this status and says these words.
refused() {
  label=$1 wanted=$2 words=$3
  shift 3
  "$@" >/tmp/refused 2>&1
  got=$?
  cat /tmp/refused >&2
  [ "$got" -eq "$wanted" ] && grep -q -e "$words" /tmp/refused
  ok "$label" $?
}

# or_die WHAT COMMAND...: for what must work before anything can be tested.
or_die() {
  what=$1
  shift
  "$@" >&2 || {
    ok "$what" 1
    finish
    exit 1
  }
}

# name_nics PAIR NAME0 NAME1: gives the two ends of a wire their names (see run.sh's nics).
name_nics() {
  for nic in /sys/class/net/*; do
    read -r address <"$nic/address"
    case $address in
    52:54:00:00:0"$1":00) ip link set "${nic##*/}" name "$2" ;;
    52:54:00:00:0"$1":01) ip link set "${nic##*/}" name "$3" ;;
    esac
  done
  [ -d "/sys/class/net/$2" ] && [ -d "/sys/class/net/$3" ]
}
