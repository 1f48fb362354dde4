#!/bin/sh
# build.sh CC NVCC SOURCE_DIR WORK OUT TARGET... - tools/hw/build.sh makes OUT for these targets. It contains every
# GPU source for each target of the compiler, by the notes of its code. A part of the scalar instructions, and of
# wgmma where there is no GPU; all of them with DEEP=1. Skipped (77) without nvcc.
cc=$1 nvcc=$2 source=$3 work=$4 out=$5
shift 5
targets=$*
[ -x "$nvcc" ] || { echo "skipped: no nvcc, so the harness was not compiled"; exit 77; }
if [ -z "$DEEP" ]; then
    export OPTIMIZE=-O0 SCALARS=128
    [ -e /dev/nvidiactl ] || export WGMMAS=16
fi
CC=$cc NVCC=$nvcc WORK=$work "$source/tools/hw/build.sh" -o "$out" "$@" || exit 1
failed=0
scalar=sm_90a # what scalar instructions are for: their code is in parts, too
set -- "$source"/tools/hw/*.cu
units=$(($# + 2)) # kernels.cu, which is printed; and what the linker adds
group=$(sed -n '1s|^// ||p' "$work/group0.ptx") # what wgmma is for: its code is in parts
for target in $targets; do
    number=${target#sm_}
    "$nvcc" --list-gpu-code | grep -qx "sm_${number%a}" || { echo "$target: not in this nvcc"; continue; }
    notes=$(grep -aoE -e '-arch sm_[0-9]+[af]? ' "$out" | grep -cx -e "-arch $target ")
    [ "$target" = "$scalar" ] && notes=$((notes - $(find "$work" -name 'scalar*.cubin' | wc -l)))
    [ "$target" = "$group" ] && notes=$((notes - $(find "$work" -name 'group*.cubin' | wc -l)))
    [ "$notes" -eq $units ] || { echo "$target: code of $notes units, not $units"; failed=1; }
    "$out" list --targets | grep -qw "$target" || { echo "$target: not in list --targets"; failed=1; }
done
# Alone it works, as far as it can without a GPU.
case " $targets " in
*' sm_75 '*) "$out" list --arch sm_75 | grep -q 'mma.sync.aligned.m16n8k8' || { echo 'nothing for sm_75'; failed=1; } ;;
esac
[ "$("$out" list --arch sm_90a --ops wgmma | wc -l)" -gt 1000 ] || { echo 'no wgmma'; failed=1; }
"$out" diff --cases 1 --ops movmatrix >/dev/null 2>&1
case $? in 0 | 77) ;; *) echo 'diff fails'; failed=1 ;; esac
exit $failed
