#!/bin/sh
# Adds up the results of `make check` in one or more build folders: tests/summary.sh DIR...
# Lists what took long, what failed and what was skipped, with the reasons; the last line is
#     N passed, N failed, N skipped
# Exits 0 only if something passed and nothing failed. A folder without any result counts as a failure.
set -u
LC_ALL=C
export LC_ALL

passed=0 failed=0 skipped=0

# The TAP lines of one log, without the copies that the driver adds in capitals.
notes() { # LOG PATTERN NAME WORD
  grep -E "$2" "$1" 2>/dev/null | sed -e "s|^|$4 $3: |"
}

# What tests/run.sh says at the end: "# took 12 s, 3.4 s of CPU time".
took() {
  for dir in "$@"; do
    for log in "$dir"/tests/*.log "$dir"/tests/*/*.log; do
      sed -n "s|^# took \([0-9]* s, .*\)|\1 ${log%.log}|p" "$log" 2>/dev/null
    done
  done
}

echo "What took longest (s, s of CPU time):"
took "$@" | awk '{ printf "%5d %7.1f  %s\n", $1, $3, $NF }' | sort -rn | head -n 12
echo

for dir in "$@"; do
  found=0
  for trs in "$dir"/tests/*.trs "$dir"/tests/*/*.trs; do
    [ -f "$trs" ] || continue
    found=1
    log=${trs%.trs}.log
    name=$(basename "$dir")/${trs#"$dir"/}
    name=${name%.trs}
    p=$(grep -c -E '^:test-result: *(PASS|XFAIL)' "$trs")
    f=$(grep -c -E '^:test-result: *(FAIL|ERROR|XPASS)' "$trs")
    s=$(grep -c -E '^:test-result: *SKIP' "$trs")
    [ $((p + f + s)) -gt 0 ] || f=1
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
    [ "$s" -eq 0 ] || notes "$log" '^ok .*# SKIP|^1\.\.0.*SKIP' "$name" skipped
    [ "$f" -eq 0 ] || {
      notes "$log" '^(not ok|ERROR: |FAIL: [^ ]*$|Bail out!)' "$name" FAILED
      [ -s "$log" ] || echo "FAILED $name: no log"
    }
  done
  [ "$found" -eq 1 ] || {
    failed=$((failed + 1))
    echo "FAILED $dir: no test ran there"
  }
done

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
