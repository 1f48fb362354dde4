#!/bin/sh
# compile.sh WSIM NVCC KERNELS SOURCE_DIR - the generated kernels compile for every target of the harness. The code
# has exactly the legal matrix operations of the target, by name. It has one form of ld, st, atom, red or cp.async for
# each machine access, under a predicate @p, and these are legal too. Skipped (77) without nvcc. PTX_VERSION is that of
# nvcc (9.0).
wsim=$1 nvcc=$2 kernels=$3 source=$4
version=${PTX_VERSION:-9.0}
[ -x "$nvcc" ] || { echo "skipped: no nvcc"; exit 77; }
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
failed=0 compiled=0

legal_on() {
    for family in mma mma.sp mma.sp::ordered_metadata ldmatrix stmatrix movmatrix \
        wmma.load.a wmma.load.b wmma.load.c wmma.store.d wmma.mma; do
        "$wsim" ops --arch "$1" --family $family --format csv |
            awk -F, -v most="$version" 'NR > 1 && $4 + 0 <= most + 0 { print $1 }'
    done
}

accesses_on() {
    for family in ld st atom red cp.async; do
        "$wsim" ops --arch "$1" --family $family --format csv | sed '1d; s/,.*//'
    done
}

for target in sm_75 sm_80 sm_86 sm_89 sm_90a sm_100a sm_103a sm_120a; do
    number=${target#sm_}
    "$nvcc" --list-gpu-code | grep -qx "sm_${number%a}" || { echo "$target: not in this nvcc"; continue; }
    rm -rf "$work/keep" && mkdir "$work/keep"
    if ! "$nvcc" -std=c++17 -I"$source/tools/hw" -I"$source/include" \
        -gencode "arch=compute_$number,code=$target" \
        --keep --keep-dir "$work/keep" -cubin -o "$work/cubin" "$kernels" >"$work/log" 2>&1; then
        echo "$target: does not compile"
        grep -v Advisory "$work/log" | head -20
        failed=1
        continue
    fi
    legal_on "$target" 2>"$work/empty" | sort >"$work/legal"
    accesses_on "$target" 2>>"$work/empty" | sort >"$work/accesses"
    grep -hoE '((mma|ldmatrix|stmatrix|movmatrix|wmma)|@p (ld|st|atom|red|cp))(\.[A-Za-z0-9_:]+)+ ' \
        "$work"/keep/*.ptx | sed 's/^@p/p/; s/ $//' | sort -u >"$work/there"
    sed -n 's/^p //p' "$work/there" | sort >"$work/counted"
    grep -v '^p ' "$work/there" | diff "$work/legal" - >"$work/difference" &&
        comm -13 "$work/accesses" "$work/counted" >"$work/difference"
    if [ -s "$work/difference" ] || [ ! -s "$work/counted" ]; then
        echo "$target: legal (<) and compiled (>) differ:"
        head -20 "$work/difference"
        failed=1
    fi
    echo "$target: $(wc -l <"$work/there") operations"
    compiled=$((compiled + 1))
done

[ $compiled -gt 0 ] || failed=1
exit $failed
