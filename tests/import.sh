#!/bin/sh
# import.sh - the program on a results.csv: lunscope import, and what list, show, compare, table, report and env
# make of runs that have no seconds.
set -u
cd "${TEST_SRCDIR:-$(dirname "$0")/..}" || exit 99
. tests/tap.sh

program=${LUNSCOPE:-build/lunscope}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/import.XXXXXX") || exit 99
trap 'rm -rf "$scratch"; rm -f "$found"' EXIT
store=$scratch/runs.db

lunscope() { "$program" "$@" --store "$store"; }

# has NAME TEXT...: each text stands in $scratch/out.
has() {
  name=$1
  shift
  for text in "$@"; do
    grep -q -F -e "$text" "$scratch/out" || {
      echo "not there: $text"
      cat "$scratch/out"
    }
  done >"$found"
  check "$name"
}

lunscope import tests/iometer-2006.csv >"$scratch/out" 2>&1
ok "a results.csv of 2006 is imported" $?
has "each of its tests is a run" "1     6.04k   188.70   10.6 ms  new      Max Throughput-100%Read" \
  "2 tests imported" "it was stopped before its time" "without interval or verdict"

lunscope import tests/iometer-2006.csv >"$scratch/out" 2>&1
has "imported twice it adds nothing twice" "known    Max Throughput-100%Read" "0 tests imported, 2 had been before"

lunscope import tests/iometer-rc1.csv >"$scratch/out" 2>&1
ok "one of 1.1.0-rc1 is imported beside it" $?

lunscope list >"$scratch/out" 2>&1
[ "$(grep -c imported "$scratch/out")" -eq 4 ]
ok "list has four runs that were imported" $?
has "list has their time, figures and target" "2009-05-17 14:03:30  00:02:00   6.04k    188.7  10.6 ms" 'E: "RAID10"'

lunscope show 2 >"$scratch/out" 2>&1
has "show says what it was and that it has no seconds" "run 2, imported" "MD3000i RAID-10 4 paths- test 2" \
  "imported from Iometer 2006.07.27" "1x64 8K 65%rd 60%rnd" "432.2   232.7   665.0" "depth     64.0 requested" \
  "none are kept of an imported run"

lunscope compare 1 2 >"$scratch/out" 2>&1
ok "two imported runs compare" $?
has "compare has old, new, ratio and no verdict" "workload: block 32K > 8K" "x0.11  -89.0 %" "no verdict" \
  "No verdict: run 1 has no seconds, as it was imported."

"$program" run null: --for 1s --read 100 --store "$store" >/dev/null 2>&1
lunscope compare 5 1 --json - >"$scratch/out" 2>&1
has "one of ours compares with an imported one" '"figure":"iops"' '"low":null' '"verdict":"no verdict"' \
  'run 1 has no seconds, as it was imported'

lunscope table 1 2 5 >"$scratch/out" 2>&1
ok "table takes any runs" $?
has "it has Iometer's columns" "IOMeter Test" "IO Rp, ms" \
  "1  Max Throughput-100%Read   6038.4   0.000  6038.4  188.70   0.000  188.70   10.60       -   10.60   31.4"
lunscope table 3 4 1 --side-by-side >"$scratch/out" 2>&1
has "side by side the runs of a test stand in one row" \
  "64 KiB stream read          3   1614.2   100.89    4.954    9.1     4   3000.5   187.53    5.300   12.5   +85.9 %"
lunscope table 1 2 --csv "$scratch/t.csv" --md "$scratch/t.md" --json "$scratch/t.json" >/dev/null 2>&1
ok "it is written as CSV, Markdown and JSON" $?
awk -F, 'NR == 1 { n = NF } NF != n { print }' "$scratch/t.csv" >"$found"
check "each line of the CSV has as many fields"
grep -q '^| 1 | Max Throughput-100%Read | 6038.4 |' "$scratch/t.md"
ok "the Markdown has the figures" $?

lunscope report 1 2 --md - >"$scratch/out" 2>&1
has "a report says that no seconds are kept, and has no verdict" "Run 2 against run 1: no verdict" \
  "No second of this run was kept, as it was imported"
lunscope env 1 >"$scratch/out" 2>&1
[ $? -eq 2 ] && grep -q "was imported" "$scratch/out"
ok "nothing is known of its host" $?

sed 's/^32768,100/32768,x/' tests/iometer-2006.csv >"$scratch/bad.csv"
lunscope import "$scratch/bad.csv" >"$scratch/out" 2>&1
[ $? -eq 2 ] && grep -q "bad.csv, line 11: an access specification has 8 numbers" "$scratch/out"
ok "a line that can't be right is named by its number, with status 2" $?
lunscope import tests/tap.sh >"$scratch/out" 2>&1
[ $? -eq 2 ] && grep -q "is no line of a results.csv" "$scratch/out"
ok "what is no results.csv is refused" $?
[ "$(lunscope list | grep -c imported)" -eq 4 ]
ok "and nothing was added" $?

finish
