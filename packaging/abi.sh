#!/bin/sh
# abi.sh [--record] [-j JOBS] [CMAKE_ARGUMENT...] - compares the ABI of libwsim with the record of this major and
# minor version. packaging/abi/X.Y.abi.xz has the types of functions and structs, packaging/abi/X.Y.symbols the first
# version of each function. Additions are no difference. Changes and removals are a break (exit status 1), which needs
# a new minor version. --record writes both files. Needs cmake, abidw and abidiff (abigail-tools), dpkg-gensymbols
# (dpkg-dev), xz.
set -e
record=no jobs=2
[ "$1" = --record ] && record=yes && shift
[ "$1" = -j ] && jobs=$2 && shift 2
source=$(cd "$(dirname "$0")/.." && pwd)
for tool in abidw abidiff dpkg-gensymbols xz; do
    command -v $tool >/dev/null || { echo "skipped: no $tool"; exit 77; }
done
out=$(mktemp -d) && trap 'rm -rf "$out"' EXIT
version=$(sed -n 's/^#define WSIM_VERSION_[MP][A-Z]* \([0-9]*\)$/\1/p' "$source/include/wsim/status.h" | paste -sd . -)
abi=${version%.*}
dump=$source/packaging/abi/$abi.abi.xz symbols=$source/packaging/abi/$abi.symbols

# Private structs may change: names that do not begin with wsim_ are dropped. So are the members of an opaque struct
# that only pointers name.
for kind in class union enum; do
    printf '[suppress_type]\n  name_not_regexp = ^wsim_[a-z]\n  type_kind = %s\n  drop = yes\n' $kind
done >"$out/private"
cat "$source"/include/wsim/*.h >"$out/headers"
sed -n 's/^struct \(wsim_[a-z_]*\);.*/\1/p' "$out/headers" | sort -u | while read -r name; do
    grep -q "^struct $name {" "$out/headers" ||
        printf '[suppress_type]\n  name = %s\n  type_kind = class\n  accessed_through = pointer\n' "$name"
done >"$out/opaque"
# The last name of an enumeration that is its own in the plural says how many there are, and grows with them.
tr '\n' ' ' <"$out/headers" | sed 's|/\*[^*]*\*\+\([^/*][^*]*\*\+\)*/||g' | grep -o 'enum [a-z_]* {[^}]*}' |
    sed -n 's/^enum \([a-z_]*\) .*[ ,]\(WSIM_[A-Z0-9_]*\) *}$/\1 \2/p' |
    awk '{ many = toupper($1) "S"; sub(/YS$/, "IES", many) }
         $2 == many { list = list (list ? ", " : "") $2 }
         END { if (list) print "[suppress_type]\n  type_kind = enum\n  changed_enumerators = " list }' >>"$out/opaque"

# Types alone are of interest: nothing is optimised, and kernels of vectors are left out.
cmake -S "$source" -B "$out/build" -DCMAKE_BUILD_TYPE=Debug -DWSIM_PROGRAM=OFF -DWSIM_EXAMPLES=OFF -DWSIM_TESTS=OFF \
    -DWSIM_KERNELS=OFF -DCMAKE_C_FLAGS="-O0 -ffile-prefix-map=$source=." "$@" >"$out/log" 2>&1 &&
    cmake --build "$out/build" --parallel "$jobs" --target wsim_shared >>"$out/log" 2>&1 || { tail -20 "$out/log"; exit 2; }
abidw --suppressions "$out/private" --exported-interfaces-only --no-corpus-path --no-comp-dir-path --no-show-locs --out-file "$out/new.abi" \
    "$out/build/libwsim.so.$version"

# gensymbols RECORDED OUT: new symbols have this version, the others the recorded one.
gensymbols() {
    mkdir -p "$out/package/DEBIAN" "$out/debian"
    printf 'Source: wsim\n\nPackage: libwsim%s\nArchitecture: any\n' "$abi" >"$out/debian/control"
    (cd "$out" && dpkg-gensymbols -q -c1 -plibwsim"$abi" -v"$version" -Ppackage -e"$out/build/libwsim.so.$version" -I"$1" -O"$2")
}

if [ $record = yes ]; then
    mkdir -p "$source/packaging/abi"
    printf 'libwsim.so.%s libwsim%s #MINVER#\n* Build-Depends-Package: libwsim-dev\n' "$abi" "$abi" >"$out/known"
    [ ! -e "$symbols" ] || cp "$symbols" "$out/known"
    gensymbols "$out/known" "$symbols"
    xz -9 -c "$out/new.abi" >"$dump"
    exit
fi
[ -e "$dump" ] || { echo "no ABI of version $abi is recorded: packaging/abi.sh --record"; exit 1; }
xz -dc "$dump" >"$out/old.abi"
status=0
compare() { abidiff --no-added-syms --suppressions "$out/opaque" "$out/old.abi" "$1"; }
compare "$out/new.abi" || status=1
gensymbols "$symbols" "$out/symbols" || { echo "functions have gone that packaging/abi/$abi.symbols has"; status=1; }
[ $status = 0 ] || echo "this breaks the ABI $abi: another minor version (include/wsim/status.h), and packaging/abi.sh --record"

# A comparison that finds nothing shall be able to find something.
sed "s/\(<enumerator name='WSIM_LDMATRIX' value='\)1'/\17'/" "$out/new.abi" >"$out/other.abi"
if compare "$out/other.abi" >"$out/found" || ! grep -q WSIM_LDMATRIX "$out/found"; then
    echo "a changed enumerator was not found:"
    cat "$out/found"
    status=1
fi
exit $status
