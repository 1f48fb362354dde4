#!/bin/sh
# programs.sh RUNTIME_DIR SOURCE_DIR [NAME | alone] - programs in CUDA C++ run on the runtime, two at a time, or NAME alone.
# They are linked with the shared library of CUDA, and with the static one. Output and exit status equal those of an
# H200. Headers take most of the time of nvcc, so most programs are compiled together; `alone` compiles each by itself.
# 77: there is no nvcc that compiles.
runtime=$1 source=$2 programs=$2/tests/runtime/programs
nvcc=${NVCC:-nvcc}
code="arch=compute_90a,code=[sm_90a,compute_90a]" # The runtime reads the PTX, and the registers from the machine code.
LD_LIBRARY_PATH=$runtime
export LD_LIBRARY_PATH
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT

# These take arguments, print names or constant bytes of their kernels, hold managed variables, or have helpers in a header
# that run before main.
own="calls|occupancy|driver_calls|graph_calls|ipc2|sticky|functions|two_units|children2|grid_handles"
own="$own|$(cd "$programs" && grep -l '__managed__\|"s.h"' ./*.cu | sed 's|^./||; s/[.]cu$//' | tr '\n' '|')none"
has_kernels() { cat "$@" 2>/dev/null | grep -q '__global__\|__device__'; }

if [ $# -eq 2 ] || [ "$3" = alone ]; then
    printf 'int main(){}\n' >"$work/one.cu"
    "$nvcc" -o "$work/one" "$work/one.cu" >"$work/said" 2>&1 || { cat "$work/said"; exit 77; }
    for expected in "$programs"/expect/*.out; do
        basename "$expected" .out
    done >"$work/names"
    [ $# -eq 2 ] || own='.*'
    {
        grep -vxE "$own" "$work/names" | while read -r name; do
            kind=host
            ! has_kernels "$programs/$name.cu" || kind=p
            ! grep -q '^#include "h.h"' "$programs/$name.cu" || kind=h
            echo "$name" >>"$work/$kind"
        done
        for kind in h p host; do
            [ ! -e "$work/$kind" ] || xargs -n 16 <"$work/$kind" | tr ' ' +
        done
        grep -xE "$own" "$work/names"
    } | xargs -P 2 -n 1 "$0" "$runtime" "$source" || exit 1
    exit 0
fi

# together NAME...: one source of these programs. Each has a namespace and its macros.
together() {
    for name in "$@"; do
        cat "$programs/$name.cu"
    done | grep '^#include <' | sort -u
    header=d.h
    ! grep -q '^#include "h.h"' "$programs/$1.cu" || header=h.h
    printf '#include <cstring>\n#include "%s"\n' $header
    for name in "$@"; do
        macros=$(sed -n 's/^#define \([A-Za-z_0-9]*\).*/\1/p' "$programs/$name.cu")
        for macro in $macros; do
            printf '#pragma push_macro("%s")\n#undef %s\n' "$macro" "$macro"
        done
        printf 'namespace %s_ {\n#define main run\n#include "%s.cu"\n#undef main\n}\n' "$name" "$name"
        for macro in $macros; do
            printf '#undef %s\n#pragma pop_macro("%s")\n' "$macro" "$macro"
        done
    done
    printf 'int main(int, char **argv) {\n'
    for name in "$@"; do
        printf 'if (!strcmp(argv[1], "%s")) return %s_::run();\n' "$name" "$name"
    done
    printf 'return 2;\n}\n'
}

together=
names=$(echo "$3" | tr + ' ')
whole=-rdc=false libraries="-L$runtime -lcuda"
case $names in
*' '*)
    # shellcheck disable=SC2086 # a list of names
    together $names >"$work/together.cu"
    set -- "$work/together.cu"
    together=yes
    ;;
two_units) whole=-rdc=true && set -- "$programs/two_units_a.cu" "$programs/two_units_b.cux" ;;
children2 | grid_handles) whole=-rdc=true libraries=-lcudadevrt && set -- "$programs/$names.cu" ;;
*)
    grep -q '<cuda.h>\|"d.h"' "$programs/$names.cu" || libraries=
    set -- "$programs/$names.cu"
    ;;
esac
objects=
for file in "$@"; do
    object=$work/$(basename "${file%.*}").o
    language=cu # a program without code for the device needs no compiler of it
    # shellcheck disable=SC2046,SC2086 # a list of names
    has_kernels $(printf "$programs/%s.cu " $names) "$file" || language="c++ -include cuda_runtime.h"
    # shellcheck disable=SC2086 # a list of flags
    "$nvcc" -w -O1 -std=c++17 -gencode "$code" $whole "-I$programs" -x $language -c "$file" -o "$object" || exit 1
    objects="$objects $object"
done
failed=0
for kind in shared static; do
    # shellcheck disable=SC2086 # lists of files and flags
    "$nvcc" -gencode "$code" $whole -cudart $kind $objects $libraries -o "$work/program" || exit 1
    preload=
    [ $kind = shared ] || preload=$runtime/libcudart.so.13
    for name in $names; do
        devices=1
        case $name in peers*) devices=2 ;; esac
        LD_PRELOAD=$preload WSIM_REPORT=none WSIM_DEVICES=$devices "$work/program" ${together:+"$name"} >"$work/out" 2>"$work/err"
        status=$?
        expected=$programs/expect/$name
        if [ $status -ne "$(cat "$expected.rc")" ] || ! cmp -s "$work/out" "$expected.out"; then
            echo "$name, $kind library: exit status $status"
            diff "$expected.out" "$work/out"
            cat "$work/err"
            failed=1
        fi
    done
done
exit $failed
