#!/bin/sh
# programs.sh RUNTIME_DIR SOURCE_DIR shared|static - programs in CUDA C++ run on the runtime as they are: output and
# exit status equal those of an H200. 77: there is no nvcc that compiles.
runtime=$1 programs=$2/tests/runtime/programs kind=$3
nvcc=${NVCC:-nvcc}
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
failed=0
LD_LIBRARY_PATH=$runtime
export LD_LIBRARY_PATH
printf 'int main(){}\n' >"$work/one.cu"
"$nvcc" -o "$work/one" "$work/one.cu" >"$work/said" 2>&1 || { cat "$work/said"; exit 77; }

build() { # NAME SOURCES...
    name=$1
    shift
    "$nvcc" -w -O1 -std=c++17 -gencode 'arch=compute_90a,code=[sm_90a,compute_90a]' -cudart "$kind" "$@" \
        -o "$work/$name" >"$work/$name.said" 2>&1
}
for source in "$programs"/*.cu; do
    name=$(basename "$source" .cu)
    case $name in
    two_units_a) build two_units -rdc=true -x cu "$source" "$programs/two_units_b.cux" & ;;
    children2) build "$name" -rdc=true "$source" -lcudadevrt & ;;
    basics | clusters | driver2 | driver_ptx | drvgraph | link2 | texture_modes | update | vmm) build "$name" "$source" -L"$runtime" -lcuda & ;;
    *) build "$name" "$source" & ;;
    esac
    n=$((${n:-0} + 1))
    [ $((n % 4)) -ne 0 ] || wait
done
wait
[ "$kind" = shared ] || export LD_PRELOAD="$runtime/libcudart.so.13"
for expected in "$programs"/expect/*.out; do
    name=$(basename "$expected" .out)
    [ -x "$work/$name" ] || { echo "$name does not compile:"; cat "$work/$name.said"; failed=1; continue; }
    WSIM_REPORT=none "$work/$name" >"$work/out" 2>"$work/err"
    status=$?
    if [ $status -ne "$(cat "$programs/expect/$name.rc")" ] || ! cmp -s "$work/out" "$expected"; then
        echo "$name: exit status $status"
        diff "$expected" "$work/out"
        cat "$work/err"
        failed=1
    fi
done
exit $failed
