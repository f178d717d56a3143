# callgrind.sh - user-space instructions per IO, counted by valgrind's callgrind. Source it.
# shellcheck shell=sh

# our_instructions PROGRAM FOLDER TARGET DEPTH: of the engine and its worker, by tests/bench/instructions.
# Status 77: that was built without optimisation.
our_instructions() {
  rm -f "$2"/callgrind.*
  ios=$(valgrind --tool=callgrind --dump-before=instructions_mark --callgrind-out-file="$2/callgrind" \
    "$1" "$3" "$4" 40000 2>"$2/callgrind-log") || {
    status=$?
    cat "$2/callgrind-log" >&2
    return "$status"
  }
  # The second dump is what lies between the two marks.
  sed -n 's/^totals: *\([0-9]*\).*/\1/p' "$2/callgrind.2" | awk -v ios="$ios" '{ printf "%.1f\n", $1 / ios }'
}

# collected COMMAND...: instructions of a whole process.
collected() {
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1 >/dev/null |
    sed -n 's/.*Collected : *\([0-9]*\).*/\1/p' | tail -n 1
}

# fio_instructions OPTION...: of fio, as the difference between two runs of different length.
fio_instructions() {
  few=$(collected fio --name=count --rw=randread --bs=4k --thread --size=1g "$@" --number_ios=20000)
  many=$(collected fio --name=count --rw=randread --bs=4k --thread --size=1g "$@" --number_ios=60000)
  awk -v a="$few" -v b="$many" 'BEGIN { printf "%.0f\n", (b - a) / 40000 }'
}
