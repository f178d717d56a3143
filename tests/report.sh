#!/bin/sh
# report.sh - `lunscope report` from the command line: what it writes, what it says, what it leaves alone.
set -u
cd "${TEST_SRCDIR:-$(dirname "$0")/..}" || exit 99
. tests/tap.sh

program=${LUNSCOPE:-build/lunscope}
case $program in /*) ;; *) program=$(pwd)/$program ;; esac
scratch=$(mktemp -d "${TMPDIR:-/tmp}/report.XXXXXX") || exit 99
trap 'rm -rf "$scratch"; rm -f "$found"' EXIT
cd "$scratch" || exit 99
store=$scratch/runs.db

"$program" run null:1ms --for 2s --read 70 --store "$store" --json run.json >run.txt 2>&1
ok "there is a run to report of" $?

report() { "$program" report "$@" --store "$store"; }

# value KEY: the summary's, of reads and writes together, from the JSON.
value() {
  tr -d ' \n' <run.json | sed 's/.*"summary"://; s/.*"total"://' | grep -o "\"$1\":[0-9.e+]*" | head -n 1 | cut -d: -f2
}
# column NAME: of the whole run, from the CSV.
column() {
  awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i } NR == 2 { print $at }' run.csv
}

report 1 --csv run.csv --md run.md 2>"$found"
ok "Markdown and CSV at once" $?
check "nothing is said where all went well"

for pair in iops:iops_t mib_s:mib_s_t; do
  json=$(value "${pair%:*}") csv=$(column "${pair#*:}")
  awk -v a="$json" -v b="$csv" 'BEGIN { d = a - b; exit !(a > 0 && d * d <= (0.001 + a * 1e-6) ^ 2) }' ||
    echo "$pair: $json in the JSON, $csv in the CSV"
done >"$found"
check "the CSV has the figures that --json has"

sed -n '/^ *-* IOPS -*/,$p' run.txt | sed -n '3p' | tr -s ' ' | sed 's/^ //' >row
[ -s row ] && tr -s ' ' <run.md | grep -q -F "$(cat row)"
ok "the report has the figures that run printed" $?

report 1 --md - | grep -q '^# Run 1: null:1ms$'
ok "- is standard output" $?

report 1 --csv run.csv
ok "a report is replaced by a report" $?

echo mine >mine.html
report 1 --md mine.html 2>said
[ $? -eq 2 ] && [ "$(cat mine.html)" = mine ] && grep -q -e '--force' said
ok "a file that is no report is left alone, and --force is named" $?
report 1 --md mine.html --force && grep -q lunscope mine.html
ok "with --force it is replaced" $?

report 1 --md new.md --csv /nowhere/new.csv 2>said
[ $? -eq 2 ] && [ ! -e new.md ] && grep -q /nowhere/new.csv said
ok "where one file can't be written, none is" $?

report 1 2>said
[ $? -eq 2 ] && grep -q -e '--output' said
ok "without a file it says what to add" $?

report 7 --md new.md 2>said
[ $? -eq 2 ] && [ ! -e new.md ] && grep -q 'no run 7' said
ok "a run that isn't there is named" $?

report 1 1 --md new.md 2>said
[ $? -eq 2 ] && grep -q 'named twice' said
ok "a run that is named twice is refused" $?

PATH=$scratch "$program" report 1 --store "$store" -o page.html 2>said
[ $? -eq 2 ] && [ ! -e page.html ] && [ "$(wc -l <said)" -eq 1 ] && grep -q gnuplot-nox said
ok "without gnuplot a page is refused in one line, and nothing is written" $?

if command -v gnuplot >/dev/null 2>&1; then
  report 1 -o page.html 2>"$found"
  ok "a page is written" $?
  check "and nothing is said"
  grep -q 'var(--c1)' page.html && ! grep -i -q -E '<script|<link|<img|https?://|@import|url\(' page.html
  ok "it has charts, and fetches and runs nothing" $?
  find . -name '*.*-[0-9]' >"$found"
  check "no file is left beside it"
else
  skip "a page is written" "needs gnuplot"
fi

finish
