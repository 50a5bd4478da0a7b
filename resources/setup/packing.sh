# SPDX-License-Identifier: GPL-3.0-or-later
# What the scripts that pack trees share (gpu-bundle, installer, wheel). Sourced by a script that has set $tree, the folder that it
# fills, and defines die().

# binaries: every program and shared library of the tree
binaries() {
  find "$tree" -type f \( -path '*/bin/*' -o -name '*.so*' \) -print0 | sort -z |
    { LC_ALL=C xargs -0 -r grep -laP '^\x7fELF' || true; }
}

# needed: the libraries that the binaries of the tree link, by name
needed() { binaries | xargs objdump -p | sed -n 's/^  NEEDED *//p' | sort -u; }

# left_out LIBRARY: whether the target has it. One process can hold only one libstdc++, and engines bring theirs at run time.
left_out() {
  case $1 in
    libc.so.* | libm.so.* | libdl.so.* | libpthread.so.* | librt.so.* | libresolv.so.* | ld-linux*) return 0 ;;
    libstdc++.so.* | libgcc_s.so.*) return 0 ;;
    libc10*.so* | libtorch*.so* | libopenvino*.so* | libcud*.so* | libcupti.so* | libcublas*.so* | libnv*.so*) return 0 ;;
  esac
  return 1
}

# take_libraries: copies what the binaries link into lib/ of the tree, and what that links, until nothing is missing
take_libraries() {
  local found library path missing=1
  while ((missing)); do
    missing=0
    # ldd fails for what engines bring at run time.
    found=$({ binaries | xargs ldd 2>/dev/null || true; } | awk '$2 == "=>" && $3 ~ /^\// { print $1, $3 }' | sort -u)
    for library in $(needed); do
      if left_out "$library" || [[ -e $tree/lib/$library ]]; then
        continue
      fi
      path=$(awk -v wanted="$library" '$1 == wanted && !seen++ { print $2 }' <<<"$found")
      [[ -n $path ]] || die "cannot find $library, which the programs link"
      install -D -m 644 "$path" "$tree/lib/$library"
      strip --strip-unneeded "$tree/lib/$library"
      missing=1
    done
  done
}

# check_version FAMILY PROMISED: the highest version of a symbol family that anything in the tree asks for, against what we
# promise. Files that match $system_first are not looked at: the target's own ones come first.
check_version() {
  local family=$1 promised=$2 highest
  highest=$(binaries | { grep -vE "${system_first:-^$}" || true; } | xargs objdump -T 2>/dev/null |
    grep -o "${family}_[0-9][0-9.]*" | sed "s/${family}_//" | sort -Vu | tail -n 1)
  [[ $(printf '%s\n' "${highest:-0}" "$promised" | sort -V | tail -n 1) == "$promised" ]] ||
    die "the tree needs $family $highest, more than the promised $promised"
  printf '%s: needs %s %s (promised: %s)\n' "$(basename "$0")" "$family" "${highest:-none}" "$promised"
}

# check_contents: nothing in the tree is for tests (the sample is for users), and nothing names folders of this machine
check_contents() {
  local strange traces
  strange=$(find "$tree" \( -name 'fake*' -o -name 'test*' -o -name '*.pyc' -o -name '*.apertune' ! -name sample.apertune \) | sed -n 1p)
  [[ -z $strange ]] || die "$strange is for tests"
  traces=$(grep -rlF -e "$PWD/" -e "${HOME:-/nonexistent}/" "$tree" || true)
  [[ -z $traces ]] || die "names folders of this machine: $traces"
}

# check_run_paths: programs find the libraries beside themselves, wherever the tree lies
check_run_paths() {
  local program
  for program in $(binaries | grep -F "$tree/bin/"); do
    # Read to its end: grep -q would leave objdump a broken pipe, which pipefail takes for "not found".
    objdump -p "$program" | grep -E 'R(UN)?PATH +[$]ORIGIN/../lib' >/dev/null || die "$program does not look for libraries beside itself"
  done
}
