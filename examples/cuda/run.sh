#!/bin/sh
# run.sh BUILD_DIR - builds kernels.cu with the library of BUILD_DIR and runs it on an H100 or H200. Nsight Compute,
# if installed, counts the shared-memory accesses of its kernels. Exit status: 0, 1 a result differs, 2 error, 77
# skipped: no nvcc or no GPU.
build=$(cd "${1:?BUILD_DIR}" && pwd) || exit 2
cd "$(dirname "$0")/../.." || exit 2
program=$build/examples/cuda/kernels
ncu=${NCU:-ncu}
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
if [ ! -x "$program" ] || [ -n "$(find examples/cuda/kernels.cu -newer "$program")" ]; then
    [ -x "$nvcc" ] || { echo "run.sh: skipped: no nvcc; set NVCC" >&2; exit 77; }
    mkdir -p "$build/examples/cuda" &&
        "$nvcc" -std=c++17 -O2 -gencode arch=compute_90a,code=sm_90a -Iinclude \
            -o "$program" examples/cuda/kernels.cu "$build/libwsim.a" || exit 2
fi
"$program" || exit
command -v "$ncu" >/dev/null || { echo "run.sh: no ncu, nothing is counted; set NCU" >&2; exit 0; }
wavefronts=l1tex__data_pipe_lsu_wavefronts_mem_shared_op
conflicts=l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op
"$ncu" --csv --page raw --print-units base \
    --metrics "${wavefronts}_ld.sum,${wavefronts}_st.sum,${conflicts}_ld.sum,${conflicts}_st.sum" \
    "$program" | grep '^"' |
    awk -F '","' -v w="$wavefronts" -v c="$conflicts" '
        function count(column) { gsub(/,/, "", $at[column]); return $at[column] }
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i
                  printf "%-16s %14s %9s %13s %9s\n", "kernel", "wavefronts ld", "st",
                         "conflicts ld", "st" }
        NR > 2 { name = $at["Kernel Name"]
                 sub(/^void /, "", name)
                 sub(/\(.*/, "", name)
                 printf "%-16s %14s %9s %13s %9s\n", name, count(w "_ld.sum"), count(w "_st.sum"),
                        count(c "_ld.sum"), count(c "_st.sum") }'
