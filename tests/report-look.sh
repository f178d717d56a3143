#!/bin/sh
# report-look.sh - shows a report as a browser does: pictures of it at two widths, light and dark, and as paper.
#
#   make report-look            of a run that it makes for it, into ./report-look
#   tests/report-look.sh PAGE FOLDER
#
# For whoever changes how it looks. Needs chromium, which no test does.
set -u

command -v chromium >/dev/null 2>&1 || {
  echo "report-look: there is no chromium: apt-get install chromium" >&2
  exit 1
}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/report-look.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT

if [ $# -eq 2 ]; then
  page=$1 folder=$2
else
  page=$scratch/page.html folder=report-look
  program=${LUNSCOPE:-./lunscope}
  for rate in 2000 3000; do
    "$program" run null:1ms --read 70 --rate $rate --for 20s --store "$scratch/runs.db" >/dev/null || exit 1
  done
  "$program" report 1 2 --store "$scratch/runs.db" -o "$page" || exit 1
fi
mkdir -p "$folder" || exit 1

# shoot WIDTH SCHEME: 0 is dark, 1 is light. A window is never narrower than 500, so that a narrow page
# stands in a frame.
shoot() {
  shown=$page
  if [ "$1" -lt 500 ]; then
    shown=$scratch/frame.html
    printf '<!DOCTYPE html><body style="margin:0"><iframe src="file://%s" style="width:%dpx;height:12000px;border:0">' \
      "$page" "$1" >"$shown"
  fi
  chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$scratch/profile" \
    --blink-settings=preferredColorScheme="$2" --window-size="$1,12000" \
    --screenshot="$folder/$1-$3.png" "file://$shown" >/dev/null 2>&1
}
page=$(realpath "$page")
for width in 400 1400; do
  shoot $width 1 light
  shoot $width 0 dark
done
chromium --headless --no-sandbox --disable-gpu --user-data-dir="$scratch/profile" \
  --print-to-pdf="$folder/paper.pdf" "file://$page" >/dev/null 2>&1
ls "$folder"
