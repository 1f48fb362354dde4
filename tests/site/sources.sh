#!/bin/sh
# sources.sh CMAKE CC SOURCE_DIR - the preprocessor of this machine finds all headers of the program, with the options by which
# docs/site/CMakeLists.txt compiles it to WebAssembly. So a test without emscripten notices a new folder of headers.
cmake=$1 cc=$2 source=$3
out=$(mktemp -d) && trap 'rm -rf "$out"' EXIT
mkdir -p "$out/sources/popt-1/src" "$out/sources/jansson-2.1/src"
for name in popt poptconfig popthelp poptint poptparse; do : >"$out/sources/popt-1/src/$name.c"; done
for name in load.c jansson_config.h.in; do : >"$out/sources/jansson-2.1/src/$name"; done
"$cmake" -S "$source/docs/site" -B "$out/build" -DCMAKE_C_COMPILER="$cc" -DSITE_SOURCES="$out/sources" \
    -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >"$out/log" 2>&1 || { tail -5 "$out/log"; exit 1; }
# One process of the compiler reads all files, which have the same flags.
commands=$(sed -n "s|^  \"command\": \"[^ ]*cc \(.* -c $source/tools/.*\)\",*$|\1|p" "$out/build/compile_commands.json" |
    sed 's/\\"/"/g; s/ -msimd128 / /; s/ -o [^ ]* / /')
[ -n "$commands" ] || { echo "no sources"; exit 1; }
# shellcheck disable=SC2046,SC2086 # words
"$cc" -E $(echo "$commands" | head -1 | sed 's/ -c .*//') $(echo "$commands" | sed 's/.* -c //') >/dev/null
