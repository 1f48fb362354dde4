#!/bin/sh
# clash.sh CC NM SOURCE_DIR LIBWSIM LIBHARNESS - a program that has functions named as those inside
# of wsim links it statically, and both work; and symbols.sh can fail.
cc=$1 nm=$2 source=$3 wsim=$4 harness=$5
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
failed=0
"$cc" -std=c11 -I"$source/include" "$source/tests/floors/clash.c" "$harness" "$wsim" \
    -o "$work/clash" && "$work/clash" || failed=1

# A name too many, a name too few.
echo 'int stranger(void); int stranger(void) { return 1; }' >"$work/stranger.c"
"$cc" -c "$work/stranger.c" -o "$work/stranger.o" || exit 2
"$source/tests/floors/symbols.sh" "$nm" "$source" "$wsim" "$harness" "$work/stranger.o" >"$work/said"
[ $? -eq 1 ] && grep -qx '> #define stranger wsim__stranger' "$work/said" ||
    { echo 'a name without the prefix is overlooked'; failed=1; }
"$source/tests/floors/symbols.sh" "$nm" "$source" "$harness" >"$work/said"
[ $? -eq 1 ] && grep -q '^< #define num_fma ' "$work/said" ||
    { echo 'a line for nothing is overlooked'; failed=1; }
exit $failed
