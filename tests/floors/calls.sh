#!/bin/sh
# calls.sh [--list] NM BUILD_DIR SOURCE_DIR [KNOTS] - no files of a room call each other in a circle. KNOTS
# (tests/floors/knots.txt) names the exceptions with reasons. floors.sh sees includes; this test reads the calls from
# the object files. A knot in the list that is gone or smaller is an error too. --list prints the knots and their
# sizes instead.
list=no
[ "$1" = --list ] && list=yes && shift
nm=$1 build=$2 source=$3 known=${4:-$3/tests/floors/knots.txt}
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
command -v "$nm" >/dev/null || { echo "skipped: no nm"; exit 77; }
LC_ALL=C
export LC_ALL

# Objects stand in FOLDER/CMakeFiles/TARGET.dir. An object whose source is gone is left from an earlier build.
folders=$(cd "$build" && ls -d CMakeFiles runtime 2>/dev/null)
(cd "$build" && find $folders -path '*.dir/*.c.o') | while read -r object; do
    file=${object%%CMakeFiles/*}${object#*.dir/}
    [ ! -e "$source/${file%.o}" ] || echo "$object"
done | sort >"$work/objects"
[ -s "$work/objects" ] || { echo "no objects of rooms in $build"; exit 2; }
(cd "$build" && xargs "$nm" -A <"$work/objects") 2>"$work/errors" | sed 's|CMakeFiles/[^/]*\.dir/||' >"$work/nm"
[ ! -s "$work/errors" ] || { cat "$work/errors"; exit 2; }
awk -f "$source/tests/floors/calls.awk" "$work/nm" | sort >"$work/found"

if [ $list = yes ]; then
    awk '{ print NF - 1, $0 }' "$work/found" | sort -k2,2 -k1,1nr
    exit
fi
sed -n '/^[^#]/s/ *:.*//p' "$known" | sort >"$work/known"
failed=0
if grep -vE '^(#.*|[a-z0-9]+( [a-z0-9_]+){2,} *: .+|)$' "$known"; then
    echo "a line of knots.txt is: ROOM FILE FILE ... : REASON, with the files in alphabetical order"
    failed=1
fi
comm -23 "$work/found" "$work/known" >"$work/new"
comm -13 "$work/found" "$work/known" >"$work/gone"
if [ -s "$work/new" ]; then
    echo "these files of a room call each other in a circle; open it, or name it in tests/floors/knots.txt:"
    sed 's/^/  /' "$work/new"
    failed=1
fi
if [ -s "$work/gone" ]; then
    echo "these knots of tests/floors/knots.txt do not exist any more; remove or correct the lines:"
    sed 's/^/  /' "$work/gone"
    failed=1
fi
exit $failed
