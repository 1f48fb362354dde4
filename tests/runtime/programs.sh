#!/bin/sh
# programs.sh RUNTIME_DIR SOURCE_DIR - programs in CUDA C++ run on the runtime as they are. They are linked with the
# shared library of CUDA, and with the static one. Output and exit status equal those of an H200. 77: there is no nvcc that
# compiles.
runtime=$1 programs=$2/tests/runtime/programs
nvcc=${NVCC:-nvcc}
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
failed=0
LD_LIBRARY_PATH=$runtime
export LD_LIBRARY_PATH
printf 'int main(){}\n' >"$work/one.cu"
"$nvcc" -o "$work/one" "$work/one.cu" >"$work/said" 2>&1 || { cat "$work/said"; exit 77; }

# Compiles once and links twice. The runtime reads the PTX, and the registers from the machine code.
build() { # NAME rdc|whole LIBRARIES SOURCES...
    name=$1 way=$2 libraries=$3 link=-nodlink
    shift 3
    [ "$way" = whole ] || link=-rdc=true
    objects=
    for source in "$@"; do
        object=$work/$name-$(basename "${source%.*}").o
        language=cu # a program without code for the device needs no compiler of it
        grep -q '__global__\|__device__' "$source" || language="c++ -include cuda_runtime.h"
        # shellcheck disable=SC2086 # a list of flags
        "$nvcc" -w -O1 -std=c++17 -gencode "arch=compute_90a,code=[sm_90a,compute_90a]" ${link#-nodlink} -x $language -c "$source" -o "$object" || return
        objects="$objects $object"
    done
    for kind in shared static; do
        # shellcheck disable=SC2086 # lists of files and flags
        "$nvcc" -gencode "arch=compute_90a,code=[sm_90a,compute_90a]" $link -cudart $kind $objects $libraries -o "$work/$name.$kind"
    done
}
for source in "$programs"/*.cu; do
    name=$(basename "$source" .cu)
    case $name in
    two_units_a) name=two_units && set -- rdc "" "$source" "$programs/two_units_b.cux" ;;
    children2 | grid_handles) set -- rdc -lcudadevrt "$source" ;;
    basics | clusters | context_flags | contexts | contexts2 | host_memory | refused_free | short_memory | linker | driver2 | driver_calls | driver_ptx | graph_calls | drvgraph | link2 | peers3 | texture_modes | update | update_order | vmm) set -- whole "-L$runtime -lcuda" "$source" ;;
    *) set -- whole "" "$source" ;;
    esac
    build "$name" "$@" >"$work/$name.said" 2>&1 &
    n=$((${n:-0} + 1))
    [ $((n % 4)) -ne 0 ] || wait
done
wait

run() { # PROGRAM EXPECTED_FILE_WITHOUT_SUFFIX
    [ -x "$1" ] || { echo "$1 does not compile:"; cat "${1%.*}.said"; failed=1; return; }
    case $1 in */peers*) devices=2 ;; *) devices=1 ;; esac
    WSIM_REPORT=none WSIM_DEVICES=$devices "$1" >"$work/out" 2>"$work/err"
    status=$?
    if [ $status -ne "$(cat "$2.rc")" ] || ! cmp -s "$work/out" "$2.out"; then
        echo "$1: exit status $status"
        diff "$2.out" "$work/out"
        cat "$work/err"
        failed=1
    fi
}
for expected in "$programs"/expect/*.out; do
    name=$(basename "$expected" .out)
    run "$work/$name.shared" "${expected%.out}"
    LD_PRELOAD=$runtime/libcudart.so.13
    export LD_PRELOAD
    run "$work/$name.static" "${expected%.out}"
    unset LD_PRELOAD
done
exit $failed
