#!/bin/sh
# calls_self.sh CC NM SOURCE_DIR - calls.sh can fail: it finds a planted circle of two files, also through a table of
# functions. A listed knot passes; a listed knot that no longer exists fails.
cc=$1 nm=$2 source=$3
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
command -v "$nm" >/dev/null || { echo "skipped: no nm"; exit 77; }
failed=0
mkdir -p "$work/tests" "$work/sim/room" "$work/build/CMakeFiles/wsim_room.dir/sim/room"
cp -R "$source/tests/floors" "$work/tests/"
put() { # FILE TEXT
    echo "$2" >"$work/sim/room/$1.c"
    "$cc" -c "$work/sim/room/$1.c" -o "$work/build/CMakeFiles/wsim_room.dir/sim/room/$1.c.o" || exit 2
}
expect() { # STATUS KNOTS WHAT
    printf '%s\n' "$2" >"$work/knots"
    "$work/tests/floors/calls.sh" "$nm" "$work/build" "$work" "$work/knots" >"$work/out"
    [ $? -eq "$1" ] || { echo "$3: expected status $1"; cat "$work/out"; failed=1; }
}
put upper 'int lower(void); int upper(void); int upper(void) { return lower(); }'
put lower 'int lower(void); int lower(void) { return 1; }'
expect 0 '' 'no circle'
expect 1 'room lower upper : planted' 'a knot that is gone'
put lower 'int lower(void), upper(void); int lower(void) { return upper(); }'
expect 1 '' 'a circle'
expect 0 'room lower upper : planted' 'a knot with a reason'
expect 1 'room lower upper' 'a knot without a reason'
put third 'int third(void); int third(void) { return 3; }'
put lower 'int lower(void), third(void), upper(void); int (*const rows[])(void) = {third, upper};
           int lower(void) { return rows[0](); }'
expect 1 '' 'a circle through a table'
expect 0 'room lower upper : planted' 'a table, with a reason'
put third 'int third(void), lower(void); int third(void) { return lower(); }'
expect 1 'room lower upper : planted' 'a knot that grew'
rm "$work/sim/room/third.c" "$work/sim/room/lower.c"
mkdir -p "$work/runtime/face" "$work/build/runtime/face/CMakeFiles/face.dir"
for file in upper lower; do
    other=$([ $file = upper ] && echo lower || echo upper)
    echo "int $other(void), $file(void); int $file(void) { return $other(); }" >"$work/runtime/face/$file.c"
    "$cc" -c "$work/runtime/face/$file.c" -o "$work/build/runtime/face/CMakeFiles/face.dir/$file.c.o" || exit 2
done
expect 1 '' 'a circle of the runtime'
expect 0 'face lower upper : planted' 'a circle of the runtime, with a reason'
exit $failed
