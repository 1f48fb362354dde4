#!/bin/sh
# run.sh [PARTS] - builds and runs the experiment on the first GPU, an sm_90a, in PARTS processes at once (8). The
# table goes to standard output. CC and NVCC may be set.
set -e
parts=${1:-8}
here=$(cd "$(dirname "$0")" && pwd) && root=$(cd "$here/../.." && pwd)
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"${CC:-cc}" -std=c11 -O1 -D_POSIX_C_SOURCE=200809L -I"$root/include" "$here/forms.c" \
    "$root"/sim/[!ct]*/*.c "$root"/sim/copy/*.c "$root"/sim/tensor/*.c -o forms
./forms >forms.cuh
"$nvcc" -std=c++17 -O1 -I"$work" -gencode arch=compute_90a,code=sm_90a -o wmma_stride \
    "$here/wmma_stride.cu"
[ -z "$BUILD_ONLY" ] || exit 0
i=0
while [ $i -lt "$parts" ]; do
    ./wmma_stride $i "$parts" >part.$i &
    i=$((i + 1))
done
wait
cat part.* | LC_ALL=C sort
