#!/bin/sh
# programs.sh RUNTIME_DIR SOURCE_DIR [NAME] - programs in CUDA C++ run on the runtime as they are, two at a time, or NAME
# alone. They are linked with the shared library of CUDA, and with the static one. Output and exit status equal those of
# an H200. 77: there is no nvcc that compiles.
runtime=$1 source=$2 programs=$2/tests/runtime/programs
nvcc=${NVCC:-nvcc}
code="arch=compute_90a,code=[sm_90a,compute_90a]" # The runtime reads the PTX, and the registers from the machine code.
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
LD_LIBRARY_PATH=$runtime
export LD_LIBRARY_PATH
if [ $# -eq 2 ]; then
    printf 'int main(){}\n' >"$work/one.cu"
    "$nvcc" -o "$work/one" "$work/one.cu" >"$work/said" 2>&1 || { cat "$work/said"; exit 77; }
    for expected in "$programs"/expect/*.out; do
        basename "$expected" .out
    done | xargs -P 2 -n 1 "$0" "$runtime" "$source" || exit 1
    exit 0
fi

name=$3
whole=-rdc=false libraries=
case $name in
two_units) whole=-rdc=true && set -- "$programs/two_units_a.cu" "$programs/two_units_b.cux" ;;
children2 | grid_handles) whole=-rdc=true libraries=-lcudadevrt && set -- "$programs/$name.cu" ;;
basics | clusters | context_flags | contexts | contexts2 | contexts3 | driver2 | driver_calls | driver_ptx | drvgraph | graph_calls | \
    host_memory | link2 | link3 | linker | load2 | peers3 | refused_free | short_memory | texture_modes | update | update_order | vmm)
    libraries="-L$runtime -lcuda" && set -- "$programs/$name.cu"
    ;;
*) set -- "$programs/$name.cu" ;;
esac
failed=0
objects=
for file in "$@"; do
    object=$work/$(basename "${file%.*}").o
    language=cu # a program without code for the device needs no compiler of it
    grep -q '__global__\|__device__' "$file" || language="c++ -include cuda_runtime.h"
    # shellcheck disable=SC2086 # a list of flags
    "$nvcc" -w -O1 -std=c++17 -gencode "$code" $whole -x $language -c "$file" -o "$object" || failed=1
    objects="$objects $object"
done
devices=1
case $name in peers*) devices=2 ;; esac
for kind in shared static; do
    # shellcheck disable=SC2086 # lists of files and flags
    "$nvcc" -gencode "$code" $whole -cudart $kind $objects $libraries -o "$work/$name" || failed=1
    [ $failed = 0 ] || { echo "$name does not compile"; exit 1; }
    preload=
    [ $kind = shared ] || preload=$runtime/libcudart.so.13
    LD_PRELOAD=$preload WSIM_REPORT=none WSIM_DEVICES=$devices "$work/$name" >"$work/out" 2>"$work/err"
    status=$?
    expected=$programs/expect/$name
    if [ $status -ne "$(cat "$expected.rc")" ] || ! cmp -s "$work/out" "$expected.out"; then
        echo "$name, $kind library: exit status $status"
        diff "$expected.out" "$work/out"
        cat "$work/err"
        failed=1
    fi
done
exit $failed
