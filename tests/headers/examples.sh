#!/bin/sh
# examples.sh COMPILER STANDARD SOURCE_DIR - every example in a public header compiles. An example is a block of
# comment lines with five spaces of indent, one of which ends in a semicolon. context.h declares the objects
# that examples use.
compiler=$1 std=$2 source=$3
command -v "$compiler" >/dev/null || { echo "no compiler for $std"; exit 77; }
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
include=$source/include
failed=0 found=0
set -- "$include"/wsim/*.h "$include"/wsim/*/*.h
language=c
case $std in c++*)
    language=c++
    set -- "$@" "$include"/wsim/*.hpp
    ;;
esac
has() { # HEADER
    printf '#include <%s>\n' "$1" | "$compiler" -std="$std" -E -x "$language" - >/dev/null 2>&1
}
for header; do
    name=${header#"$include"/wsim/}
    case $name in
    check.h) has check.h || continue ;;
    gtest.hpp) has gmock/gmock.h || continue ;;
    esac
    # A block is code if one of its lines ends in a semicolon, before any comment.
    awk '/^ \*     / { text = text substr($0, 8) "\n"; if ($0 ~ /;( *\/\/.*)?$/) code = 1; next }
         { if (code) printf "{\n%s}\n", text; text = ""; code = 0 }' "$header" >"$work/body"
    [ -s "$work/body" ] || continue
    found=$((found + 1))
    define=EXAMPLE_$(echo "$name" | tr 'a-z/.' 'A-Z__')
    {
        echo "#define $define"
        echo '#include "context.h"'
        echo 'void example(void);'
        echo 'void example(void) {'
        cat "$work/body"
        echo '}'
    } >"$work/example.$language"
    "$compiler" -std="$std" -Wall -Werror -Wno-unused -I"$include" -I"$source/tests/headers" -fsyntax-only \
        -x "$language" "$work/example.$language" ||
        { echo "$name: its example does not compile as $std"; failed=1; }
done
[ $found -ge 9 ] || { echo "only $found headers with examples were found"; failed=1; }
exit $failed
