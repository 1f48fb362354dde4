#!/bin/sh
# run.sh FOLDER - builds and runs the programs of this folder. FOLDER/kernels.tar.gz has a table NAME.txt
# for each program, and for each test the launch file NAME.json with NAME.ptx and its data.
# Set NVCC for another compiler. Exit status 1 if a program failed.
out=${1:?usage: run.sh FOLDER}
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
mkdir -p "$out" && out=$(cd "$out" && pwd) || exit 2
cd "$(dirname "$0")" || exit 2
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
mkdir "$work/kernels"
failed=0
# Launch files name the PTX of nvcc; the programs run the code of ptxas.
build() { # NAME PROGRAM FLAGS...
    source=$1 program=$2
    shift 2
    "$nvcc" -std=c++17 -O1 "$@" "$source.cu" -o "$work/$program" >"$work/$program.said" 2>&1 ||
        { cat "$work/$program.said"; touch "$work/failed"; }
}
for name in edges atomics warp mbarrier cluster; do
    build $name $name -arch=sm_90a &
    "$nvcc" -std=c++17 -O1 -arch=compute_90a -ptx "$name.cu" -o "$work/kernels/$name.ptx" 2>/dev/null &
done
build spaces spaces_90a -gencode arch=compute_90a,code=sm_90a &
build spaces spaces_90 -gencode arch=compute_90,code=compute_90 &
build spaces spaces_80 -gencode arch=compute_80,code=compute_80 &
build meet meet -arch=sm_90a &
wait
for program in edges atomics warp mbarrier cluster spaces_90a spaces_90 spaces_80; do
    timeout 60 "$work/$program" "$work/kernels" >"$work/kernels/$program.txt" 2>&1
    status=$?
    [ $status -eq 0 ] || { echo "$program: exit status $status"; tail -3 "$work/kernels/$program.txt"; failed=1; }
    echo "$program: $(wc -l <"$work/kernels/$program.txt") lines"
done
# Collectives at different places, from PTX. A barrier with an exited warp may hang.
"$work/meet" meet.ptx meet 64 8 >"$work/kernels/meet.txt" 2>&1 || { echo "meet: failed"; failed=1; }
timeout 20 "$work/meet" meet.ptx counted 128 1 >"$work/kernels/counted.txt" 2>&1
echo "counted: exit status $? (124: it hangs)"
grep -h '^#\|^NOTE\|^FAILED' "$work"/kernels/atomics.txt "$work"/kernels/edges.txt "$work"/kernels/warp.txt
grep -c . "$work/kernels/mbarrier.txt" >/dev/null && sed -n '1,40p' "$work/kernels/mbarrier.txt"
grep -h 'grid 1 block 32 shared 100 ' "$work"/kernels/spaces_*.txt | cut -f1,4,5 | sort -u
[ -e "$work/failed" ] && failed=1
tar -C "$work" -czf "$out/kernels.tar.gz" kernels || failed=1
ls -l "$out/kernels.tar.gz"
exit $failed
