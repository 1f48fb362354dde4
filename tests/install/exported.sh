#!/bin/sh
# exported.sh NM LIBRARY SOURCE_DIR - the shared library has every function that packaging/abi/ has for its version, and
# exports nothing but functions of the public headers.
nm=$1 library=$2 source=$3
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
LC_ALL=C
export LC_ALL
abi=$(sed -n 's/^#define WSIM_VERSION_M[A-Z]* \([0-9]*\)$/\1/p' "$source/include/wsim/status.h" | paste -sd . -)
if [ "$(uname)" = Darwin ]; then
    "$nm" -gU "$library" | sed 's/.* _//'
else
    "$nm" -D --defined-only "$library" | sed 's/.* //; s/@.*//'
fi | sort >"$work/there"
[ -s "$work/there" ] || { echo "skipped: $nm says nothing of $library"; exit 77; }
status=0
sed -n 's/^ \(wsim_[a-z0-9_]*\)@.*/\1/p' "$source/packaging/abi/$abi.symbols" | sort >"$work/recorded"
comm -13 "$work/there" "$work/recorded" >"$work/gone"
[ ! -s "$work/gone" ] || { echo "gone, which breaks the ABI $abi (CONTRIBUTING.md):"; cat "$work/gone"; status=1; }
cat "$source"/include/wsim/*.h | grep -o 'wsim_[a-z0-9_]*(' | tr -d '(' | sort -u >"$work/public"
comm -23 "$work/there" "$work/public" >"$work/private"
[ ! -s "$work/private" ] || { echo "exported, but in no public header:"; cat "$work/private"; status=1; }
exit $status
