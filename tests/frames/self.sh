#!/bin/sh
# self.sh CC - frames.sh can fail: a large frame, one of unknown size, a line that is not needed.
cc=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
mkdir -p "$work/sim/room" "$work/build/CMakeFiles/room.dir/sim/room"
failed=0

cat >"$work/sim/room/planted.c" <<'END'
void use(char *bytes);
void large(void);
void small(void);
void large(void) { char bytes[5000]; use(bytes); }
void small(void) { char bytes[3000]; use(bytes); }
END
cat >"$work/sim/room/unknown.c" <<'END'
void use(char *bytes);
void unknown(int n);
void unknown(int n) { char bytes[n]; use(bytes); }
END
compile() { # NAME
    rm -f "$work/build/CMakeFiles/room.dir/sim/room/"*
    (cd "$work/build/CMakeFiles/room.dir/sim/room" &&
        "$cc" -O2 -fstack-usage -c "$work/sim/room/$1.c" -o "$1.c.o" 2>/dev/null)
}
expect() { # STATUS ALLOWED
    echo "$2" >"$work/large"
    "$here/frames.sh" "$work/large" "$work/build" "$work" >"$work/said" 2>&1
    [ $? -eq "$1" ] || { echo "not $1 with '$2':"; cat "$work/said"; failed=1; }
}
compile planted && ls "$work"/build/CMakeFiles/room.dir/sim/room/*.su >/dev/null 2>&1 ||
    { echo "skipped: no -fstack-usage"; exit 77; }
expect 1 '# nothing'
expect 0 'large for this test'
expect 1 'large, and small
small'
expect 1 small
compile unknown
expect 1 '# nothing'
rm "$work/sim/room/"*
expect 77 '# nothing'
exit $failed
