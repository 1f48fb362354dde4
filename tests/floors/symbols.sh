#!/bin/sh
# symbols.sh [--record] NM SOURCE_DIR LIBRARY... - whoever links libwsim.a keeps all names that do
# not begin with wsim_. Functions and tables that rooms share have short names in the sources;
# sim/base/namespace.h gives each the prefix in the object files. This test prints the lines that
# are missing there, or no longer needed; --record writes the file.
record=no
[ "$1" = --record ] && record=yes && shift
nm=$1 list=$2/sim/base/namespace.h
shift 2
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
command -v "$nm" >/dev/null || { echo "skipped: no nm"; exit 77; }

underscore=
[ "$(uname)" = Darwin ] && underscore=_
LC_ALL=C
export LC_ALL
"$nm" -g "$@" >"$work/nm" 2>"$work/errors" || { cat "$work/errors"; exit 2; }
awk -v underscore="$underscore" 'NF == 3 && $2 !~ /[UuVvWw]/ { sub("^" underscore, "", $3); print $3 }' \
    "$work/nm" | sort -u >"$work/defined"
[ -s "$work/defined" ] || { echo "no symbols in $*"; exit 2; }

# wsim__NAME is NAME with its line; what has no prefix needs one.
sed -n 's/^wsim__//p' "$work/defined" | sort >"$work/renamed"
grep -v '^wsim_' "$work/defined" | sort >"$work/bare"
sort -u "$work/renamed" "$work/bare" | sed 's/.*/#define & wsim__&/' >"$work/wanted"
grep '^#define [a-z0-9_]* wsim__' "$list" >"$work/there"

if [ $record = yes ]; then
    {
        sed '/^#define [a-z0-9_]* wsim__/,$d' "$list"
        cat "$work/wanted"
        printf '\n#endif\n'
    } >"$work/new" && cp "$work/new" "$list"
    exit
fi
failed=0
sort -c "$work/there" 2>/dev/null || { echo "sim/base/namespace.h: lines are not sorted"; failed=1; }
if ! diff "$work/there" "$work/wanted" >"$work/difference"; then
    echo "sim/base/namespace.h: remove (<) and add (>) these lines, or: cmake --build BUILD --target symbols-record"
    grep '^[<>]' "$work/difference"
    failed=1
fi
if [ -s "$work/bare" ] && [ $failed = 0 ]; then
    echo "named in sim/base/namespace.h, but its header does not include it first:"
    cat "$work/bare"
    failed=1
fi
exit $failed
