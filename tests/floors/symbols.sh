#!/bin/sh
# symbols.sh NM LIBRARY... - every global name of the shipped archives begins with wsim_: whoever links them
# keeps all other names. The build renames what the sources call otherwise (cmake/prefix.sh).
nm=$1
shift
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
"$nm" -g "$@" >"$work/nm" 2>"$work/errors" || { cat "$work/errors"; exit 2; }
awk 'NF == 3 && $2 !~ /[UuVvWw]/ { print $3 }' "$work/nm" | sort -u >"$work/defined"
[ -s "$work/defined" ] || { echo "no symbols in $*"; exit 2; }
if grep -v '^wsim_' "$work/defined"; then
    echo "these global names do not begin with wsim_"
    exit 1
fi
