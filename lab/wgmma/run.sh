#!/bin/sh
# run.sh BUILD_DIR OUT - builds the kernels and the recorder with the library of BUILD_DIR. On an H100 or H200 it
# records OUT/wgmma_sweep.trace and OUT/wgmma_odd.trace. With OUT "-" it only builds, into BUILD_DIR/wgmma;
# `run.sh BUILD_DIR OUT` there, or on a copy, then only runs.
cd "$(dirname "$0")/../.." || exit 2
build=${1:?BUILD_DIR} out=${2:?OUT}
cuda=${CUDA_HOME:-/usr/local/cuda}
work=$build/wgmma
here=lab/wgmma
flags="-std=c11 -D_POSIX_C_SOURCE=200809L -O2 -Wall -Wextra -Iinclude"
libs="$build/libwsim-harness.a $build/libwsim.a"
parts=8
if [ ! -x "$work/record" ]; then
    mkdir -p "$work" || exit 2
    ${CC:-cc} $flags $here/kernels.c $here/forms.c $libs -o "$work/kernels" &&
        ${CC:-cc} $flags -I"$cuda/include" $here/record.c $here/case.c $here/gpu.c $here/forms.c \
            $libs -L"$cuda/lib64/stubs" -lcuda -o "$work/record" || exit 2
    for part in $(seq 0 $((parts - 1))); do
        "$work/kernels" "$part" $parts >"$work/$part.ptx" &&
            "$cuda/bin/ptxas" -arch sm_90a -O1 "$work/$part.ptx" -o "$work/$part.cubin" \
                >"$work/$part.log" 2>&1 || exit 2
    done
fi
[ "$out" = - ] && exit 0
DRIVER=${DRIVER:-$(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -1)}
DATE=${DATE:-$(date +%Y-%m-%d)}
export DRIVER DATE
"$work/record" 1 all "$work"/*.cubin >"$out/wgmma_sweep.trace" &&
    "$work/record" 5 odd "$work"/*.cubin >"$out/wgmma_odd.trace"
