#!/bin/sh
# clash.sh CC NM SOURCE_DIR LIBWSIM LIBHARNESS - a program whose functions have names that wsim uses inside
# links it statically, and both work. And symbols.sh can fail.
cc=$1 nm=$2 source=$3 wsim=$4 harness=$5
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
failed=0
"$cc" -std=c11 -I"$source/include" "$source/tests/floors/clash.c" "$harness" "$wsim" \
    -o "$work/clash" && "$work/clash" || failed=1

# A name without the prefix is found.
echo 'int stranger(void); int stranger(void) { return 1; }' >"$work/stranger.c"
"$cc" -c "$work/stranger.c" -o "$work/stranger.o" || exit 2
"$source/tests/floors/symbols.sh" "$nm" "$wsim" "$harness" "$work/stranger.o" >"$work/said"
[ $? -eq 1 ] && grep -qx 'stranger' "$work/said" || { echo 'a name without the prefix passes'; failed=1; }
exit $failed
