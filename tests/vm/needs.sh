# needs.sh - what a guest's test asks for in its lines "# vm: WHAT WORD..."; source it.
# shellcheck shell=sh

# vm_needs GUEST WHAT: the words, all lines together.
vm_needs() {
  sed -n "s/^# vm: $2 //p" "$1" | paste -s -d ' '
}
