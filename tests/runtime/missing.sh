#!/bin/sh
# missing.sh SOURCE_DIR [--record] - docs/generated/runtime.md lists the functions of CUDA that are not there, as the tables of the
# runtime have them.
cd "$1" || exit 2
page=docs/generated/runtime.md
list() { # NAME TABLE: the functions of a library, those of graphics and other systems apart
    awk -v name="$1" -F '[(), ]+' '
        /^(RT|CU)_FUNCTION\(/ {
            kind = $1 == "RT_FUNCTION" ? $4 : $6; symbol = $1 == "RT_FUNCTION" ? $2 : $4
            if (kind != "MISSING") { have++; next }
            missing++
            foreign = symbol ~ /(EGL|GL[A-Z]|Graphics|External|NvSci|VDPAU)/
            text[foreign] = text[foreign] (text[foreign] ? ", " : "") "`" symbol "`"
            n[foreign]++
        }
        END {
            printf "\n## %s\n\n%d functions are there, %d are not.\n\n", name, have, missing
            printf "Graphics, video and other systems (%d): %s.\n\n", n[1], text[1]
            printf "Others (%d): %s.\n", n[0], text[0]
        }' "$2"
}
print_page() {
    echo '# Functions of CUDA that are not there'
    echo
    echo 'Each returns "operation not supported" (`cudaErrorNotSupported`). Standard error names it once, and the report counts its calls.'
    echo 'The lists come from `runtime/cudart/function.def` and `runtime/cuda/function.def`.'
    list '`libcudart.so.12`, `libcudart.so.13` and static programs' runtime/cudart/function.def
    list '`libcuda.so.1`' runtime/cuda/function.def
}
if [ "$2" = --record ]; then
    print_page >$page
else
    print_page | diff $page - || { echo "record again: tests/runtime/missing.sh . --record"; exit 1; }
fi
