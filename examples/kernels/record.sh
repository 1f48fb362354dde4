#!/bin/sh
# record.sh - makes the PTX of the kernels anew, where nvcc (13.0: $NVCC) is. Names of files in it lose
# their folders: where somebody compiled it is nobody's business.
cd "$(dirname "$0")" || exit 2
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
for source in *.cu; do
    name=${source%.cu}
    case $name in
    *tma* | *wgmma*) arch=compute_90a ;;
    *) arch=compute_80 ;;
    esac
    "$nvcc" -std=c++17 -ptx -O3 -lineinfo -arch=$arch -o "$name.ptx" "$source" || exit 1
    sed 's|^\(\t\.file\t[0-9]* "\).*/|\1|' "$name.ptx" >"$name.new" && mv "$name.new" "$name.ptx"
done
