#!/bin/sh
# record.sh - compiles the kernels to PTX again; needs nvcc 13.0 ($NVCC). Names of files in the PTX lose their
# folders, so the PTX does not depend on the machine.
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
