#!/bin/sh
# names.sh NM PROGRAM LIBRARY... - no function of the program's sources has the name of a private one of the library's. The
# build gives those the prefix wsim__ (cmake/prefix.sh), but not where all sources are linked as they are (docs/site).
nm=$1 program=$2
shift 2
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
defined() { "$nm" -g "$@" 2>/dev/null | awk 'NF == 3 && $2 !~ /[UuVvWw]/ { print $3 }' | sort -u; }
defined "$program" >"$work/program"
defined "$@" | sed -n 's/^wsim__//p' >"$work/library"
[ -s "$work/program" ] && [ -s "$work/library" ] || { echo "no symbols"; exit 2; }
if comm -12 "$work/program" "$work/library" | grep .; then
    echo "the program and the library both have a function of this name"
    exit 1
fi
