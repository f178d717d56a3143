# callgrind.sh - user-space instructions per IO, counted by valgrind's callgrind. Source it.
# shellcheck shell=sh

# The names stay whole in the dumps, so that awk can add up by them.
callgrind="valgrind --tool=callgrind --compress-strings=no --compress-pos=no"

# our_instructions PROGRAM FOLDER TARGET DEPTH: of the engine and its worker, by tests/bench/instructions.
# Status 77: that was built without optimisation.
our_instructions() {
  rm -f "$2"/callgrind.*
  ios=$($callgrind --dump-before=instructions_mark --callgrind-out-file="$2/callgrind" \
    "$1" "$3" "$4" 40000 2>"$2/callgrind-log") || {
    status=$?
    cat "$2/callgrind-log" >&2
    return "$status"
  }
  echo "$ios" >"$2/ios"
  # The second dump is what lies between the two marks. Counting the IOs is not the engine's doing.
  all=$(sed -n 's/^totals: *\([0-9]*\).*/\1/p' "$2/callgrind.2")
  own=$(our_part "$2" '^instructions[.]c$')
  awk -v all="$all" -v own="$own" -v ios="$ios" 'BEGIN { printf "%.1f\n", all / ios - own }'
}

# our_profile FOLDER: after our_instructions, where they go: instructions per IO of each function, what is
# inlined into it included. A line behind "calls=" is what the called function took, which is not its own.
our_profile() {
  awk -v ios="$(cat "$1/ios")" '
    /^fn=/ { name = substr($0, 4) }
    /^calls=/ { called = 1; next }
    /^[0-9]/ { if (called) called = 0; else own[name] += $2 }
    END { for (name in own) if (own[name] / ios >= 0.05) printf "%8.1f %s\n", own[name] / ios, name }
  ' "$1/callgrind.2" | sort -rn
}

# our_part FOLDER REGEX: after our_instructions, those per IO from source files whose names match, inlined
# or not (fl= is a function's own file, fi= and fe= what is inlined into it).
our_part() {
  awk -v ios="$(cat "$1/ios")" -v files="$2" '
    /^fl=/ { file = base = substr($0, 4) }
    /^fn=/ { file = base }
    /^f[ie]=/ { file = substr($0, 4) }
    /^calls=/ { called = 1; next }
    /^[0-9]/ { if (called) called = 0; else { sub(/.*\//, "", file); if (file ~ files) n += $2 } }
    END { printf "%.1f\n", n / ios }
  ' "$1/callgrind.2"
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
