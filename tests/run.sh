#!/bin/sh
# Runs one test program for `make check` (and by hand: tests/run.sh PROGRAM [ARG]...) so that every
# test meets the same world, and so that its TAP is what Automake's driver expects.
#
# - HOME, XDG_* and TMPDIR are a scratch folder of this one run, removed afterwards.
# - The locale, the time zone and the terminal are fixed; variables that change what the program
#   prints are gone.
# - A time limit ends what hangs ($TEST_TIME_LIMIT seconds, 1800 when unset: the patience of a test is 60 s at
#   each step, and most never need it).
# - cmocka 1.1.5 reports skip() as "not ok N # SKIP name", which a TAP reader counts as a failure, and
#   begins a new plan for each group. Here skips become "ok N - name # SKIP reason", with the line
#   printed last before skip() as the reason, and the groups are numbered through with one plan.
# - The last line says how long it took, and how much of that was work: "# took 12 s, 3 s of CPU time".
# - The exit status is the program's, so that a crash, a sanitizer's complaint or a time-out is an error
#   of its own; only where it just repeats that there were failures, it is 0. (Leaks after a failed
#   assertion are such a repetition: cmocka leaves the test by longjmp.)
set -u

limit=${TEST_TIME_LIMIT:-1800}
scratch=$(mktemp -d "${TMPDIR:-/var/tmp}/lunscope-test.XXXXXX") || exit 99
child=
trap 'rm -rf "$scratch"' EXIT
trap '[ -z "$child" ] || kill -TERM "$child" 2>/dev/null' HUP INT TERM

# Reads TAP, writes TAP, and the number of failures into the file `result`.
# shellcheck disable=SC2016 # awk's own dollars
tidy='
  BEGIN { failures = 0; planned = 0; count = 0; said = "" }
  /^1\.\.[0-9]+/ { planned += substr($0, 4) + 0; next }
  /^(not )?ok( |$)/ {
    bad = /^not/
    line = $0
    sub(/^(not )?ok */, "", line)
    sub(/^[0-9]+ */, "", line)
    count++
    if (line ~ /^# SKIP /) {
      sub(/^# SKIP */, "", line)
      gsub(/#/, "", said)
      line = "- " line " # SKIP " (said == "" ? "no reason given" : said)
      bad = 0
    }
    if (bad) failures++
    print (bad ? "not ok " : "ok ") count " " line
    said = ""
    next
  }
  { if ($0 != "" && $0 !~ /^#/) said = $0; print }
  END {
    if (planned) print "1.." planned
    print failures + 0 > result
  }'

# Seconds since boot, whole ones.
now() {
  read -r up _ 2>/dev/null </proc/uptime || up=0
  echo "${up%.*}"
}

mkdir "$scratch/home" "$scratch/tmp" || exit 99
began=$(now)
{
  unset NO_COLOR COLORTERM COLORFGBG LANG LANGUAGE LC_CTYPE LINES COLUMNS POSIXLY_CORRECT \
    XDG_DATA_HOME XDG_CACHE_HOME XDG_RUNTIME_DIR CMOCKA_TEST_ABORT CMOCKA_XML_FILE
  export HOME="$scratch/home" XDG_CONFIG_HOME="$scratch/home/.config" \
    XDG_STATE_HOME="$scratch/home/.local/state" TMPDIR="$scratch/tmp" \
    LC_ALL=C.UTF-8 TZ=UTC TERM=xterm-256color CMOCKA_MESSAGE_OUTPUT=TAP \
    ASAN_OPTIONS="exitcode=99:detect_stack_use_after_return=1:${ASAN_OPTIONS:-}" \
    LSAN_OPTIONS="exitcode=99:${LSAN_OPTIONS:-}" \
    UBSAN_OPTIONS="print_stacktrace=1:halt_on_error=1:exitcode=99:${UBSAN_OPTIONS:-}" \
    TSAN_OPTIONS="exitcode=99:second_deadlock_stack=1:die_after_fork=0:${TSAN_OPTIONS:-}"
}

# gcc 12's sanitizers cannot place their shadow memory under the widest address randomisation, so
# that is off where the kernel lets us (a container may not).
plain=
if [ "${TEST_SANITIZERS:-none}" != none ] && setarch -R true 2>/dev/null; then
  plain="setarch -R"
fi

# What works all the time leaves others the precedence, so that it may run beside them. Its name comes last.
for test; do :; done
for greedy in ${TEST_GREEDY:-}; do
  case $test in
  *"$greedy") plain="nice -n 10 $plain" ;;
  esac
done

# shellcheck disable=SC2086 # $plain is several words
timeout -k 10 "$limit" $plain "$@" </dev/null >"$scratch/out" &
child=$!
status=129
while kill -0 "$child" 2>/dev/null; do
  wait "$child"
  status=$?
done
child=

awk -v result="$scratch/failures" "$tidy" "$scratch/out"
failures=$(cat "$scratch/failures")
# All children that were waited for, in user and in kernel mode, are the second line of `times`: "0m1.23s 0m0.56s".
# A subshell would tell of its own.
times >"$scratch/times"
took=$(($(now) - began))
awk -v took="$took" 'NR == 2 {
  split($0, t, /[ms ]+/)
  printf "# took %d s, %.1f s of CPU time\n", took, t[1] * 60 + t[2] + t[3] * 60 + t[4]
}' "$scratch/times"
[ "$status" -ne 124 ] || echo "# ended after $limit s: it hung" >&2
[ "$failures" -eq 0 ] || [ "$status" -ge 124 ] || status=0
exit "$status"
