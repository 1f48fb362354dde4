#!/bin/sh
# engine.sh GENERATE MODEL_HW - in the engine of whole kernels, every form of every scalar instruction equals the
# model of one lane. The kernels are those of a GPU.
generate=$1 hw=$2
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
"$generate" scalar sm_90a || exit 2
cases=1000
[ -n "$WSIM_TEST_SAMPLE" ] && cases=100
MODEL_GPU_ENGINE=$work "$hw" scalar --results $cases >said 2>&1
status=$?
tail -1 said
[ $status -eq 0 ] || { head -60 said; exit 1; }
grep -q ', 0 differences in 0 forms, 0 not built$' said || exit 1
# The comparison sees: a kernel of another instruction in place of one.
part=$(grep -l ' /[*] << [*]/ add.u32 ' scalar*.ptx)
sed -i 's, << [*]/ add.u32 , << */ sub.u32 ,' "$part"
MODEL_GPU_ENGINE=$work "$hw" scalar --ops add.u32 --results 100 >/dev/null 2>&1
[ $? -eq 1 ] || { echo "sub.u32 in place of add.u32 is not seen"; exit 1; }
