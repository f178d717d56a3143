#!/bin/sh
# Makes the guest's file system, which it boots into: tests/vm/initrd.sh GUEST CACHE FOLDER
# GUEST is the guest's test; its lines "# vm: ..." name the kernel, the packages unpacked in CACHE, the
# modules, the programs (taken from these packages, else from this host) and the NICs. Leaves FOLDER/initrd;
# says what is missing and exits 1 where it can't.
set -u
# shellcheck source=tests/vm/needs.sh
. "$(dirname "$0")/needs.sh"
guest=$1 cache=$2 folder=$3
here=$(dirname "$0")
root=$folder/root

die() {
  echo "initrd.sh: $*"
  exit 1
}

# --- Programs, with the libraries that they need ---------------------------------------------------

# Where the unpacked packages have their libraries, for the dynamic linker.
library_path() {
  for place in "$cache"/*/lib/*-linux-gnu "$cache"/*/usr/lib/*-linux-gnu; do
    [ ! -d "$place" ] || printf '%s:' "$place"
  done
}

find_program() { # NAME
  for package in $(vm_needs "$guest" packages); do
    for place in bin sbin usr/bin usr/sbin; do
      [ ! -x "$cache/$package/$place/$1" ] || {
        echo "$cache/$package/$place/$1"
        return 0
      }
    done
  done
  PATH=$PATH:/usr/sbin:/sbin command -v "$1"
}

# All libraries go into the one folder that the guest's linker looks into by itself.
add_program() { # FILE
  cp -L "$1" "$root/vm/bin/" || die "$1: can't be copied"
  LD_LIBRARY_PATH=$(library_path) ldd "$1" 2>/dev/null >"$folder/libraries"
  ! grep 'not found' "$folder/libraries" || die "$1: a library is missing: is its package named in $guest?"
  grep -o '/[^ ]*' "$folder/libraries" | while read -r library; do
    case $library in
    */ld-linux*) cp -L "$library" "$root/lib64/" ;;
    *) [ -e "$root/lib/${library##*/}" ] || cp -L "$library" "$root/lib/" ;;
    esac
  done
}

# --- Kernel modules, with those that they need -----------------------------------------------------

add_modules() {
  kernel=$cache/$(vm_needs "$guest" kernel)
  release=$(ls "$kernel/lib/modules")
  tree=$root/lib/modules/$release
  mkdir -p "$tree"
  [ -f "$kernel/lib/modules/$release/modules.dep" ] || depmod -b "$kernel" "$release" || die "depmod failed"
  for module in $(vm_needs "$guest" modules); do
    modprobe -d "$kernel" -S "$release" --show-depends "$module" >"$folder/depends" ||
      die "the kernel has no module $module"
    sed -n 's/^insmod \([^ ]*\).*/\1/p' "$folder/depends" >>"$folder/modules"
  done
  sort -u "$folder/modules" | while read -r file; do
    cp "$file" "$tree/"
  done
  cp "$kernel/lib/modules/$release/modules.order" "$kernel/lib/modules/$release"/modules.builtin* "$tree/"
  depmod -b "$root" "$release" || die "depmod failed"
}

# ----------------------------------------------------------------------------------------------------

rm -rf "$root"
for place in bin sbin usr/bin usr/sbin lib lib64 dev proc sys run tmp etc root var vm/bin; do
  mkdir -p "$root/$place" || die "no room in $folder"
done
ln -s /run "$root/var/run"
printf 'root:x:0:0:root:/root:/bin/sh\n' >"$root/etc/passwd"
printf '127.0.0.1 localhost\n' >"$root/etc/hosts"
ln -s /proc/mounts "$root/etc/mtab"

cp "$cache/busybox-static/bin/busybox" "$root/bin/" || die "no busybox"
add_program "${LUNSCOPE:?the program under test}"
for name in $(vm_needs "$guest" programs); do
  file=$(find_program "$name") || die "there is no program $name"
  add_program "$file"
done
for name in $(vm_needs "$guest" built); do
  add_program "${TEST_BUILDDIR:?}/$name"
done
add_modules

cp "$here/init" "$root/init"
cp "$here/guest.sh" "$here/../tap.sh" "$root/vm/"
cp "$guest" "$root/vm/test"
chmod 755 "$root/init"
(cd "$root" && find . | cpio --quiet -o -H newc -R 0:0 | gzip -1) >"$folder/initrd" || die "cpio failed"
