#!/bin/sh
# alone.sh COMPILER STANDARD INCLUDE_DIR - every public header compiles as the only thing in a
# file, and including it twice is including it once. Skipped (77) without such a compiler.
compiler=$1 std=$2 include=$3
command -v "$compiler" >/dev/null || { echo "no compiler for $std"; exit 77; }
case $std in c++*) language=c++ ;; *) language=c ;; esac

failed=0
set -- "$include"/wsim/*.h "$include"/wsim/*/*.h
case $std in
c++*)
    set -- "$@" "$include"/wsim/*.hpp
    printf '#if !__has_include(<gmock/gmock.h>)\n#error\n#endif\n' | "$compiler" -std="$std" -E -x c++ - >/dev/null 2>&1 || no_gmock=yes
    ;;
esac
for header; do
    case ${no_gmock-}$header in yes*/gtest.hpp) continue ;; esac
    name=${header#"$include"/}
    printf '#include <%s>\n#include <%s>\nint wsim_alone;\n' "$name" "$name" |
        "$compiler" -std="$std" -Wall -Wextra -Wpedantic -Werror -I"$include" \
            -fsyntax-only -x "$language" - || { echo "$name does not stand alone as $std"; failed=1; }
done
exit $failed
