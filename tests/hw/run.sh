#!/bin/sh
# run.sh WSIM_HW WSIM - on a GPU: hardware and model agree on a few cases of everything; a model
# that is wrong (of another generation) is found, its cases are different offline too, also when made
# small, and what was recorded replays. Skipped (77) where wsim-hw is not built or there is no GPU.
hw=$1 wsim=$2
[ -x "$hw" ] || { echo "skipped: wsim-hw is not built"; exit 77; }
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
form=mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16

"$hw" diff --results 2000 >report 2>messages
status=$?
[ $status -ne 77 ] || { cat messages; exit 77; }
tail -1 report
[ $status -eq 0 ] || { cat messages report; exit 1; }

"$hw" diff --ops $form --arch sm_70 --cases 130 -o wrong.trace >wrong 2>/dev/null
[ $? -eq 1 ] || { echo "the model of sm_70 was not found out"; exit 1; }
[ "$wsim" = none ] && exit 0
"$wsim" replay --arch sm_70 wrong.trace >/dev/null
[ $? -eq 1 ] || { echo "the differences do not replay"; exit 1; }
"$hw" minimize wrong.trace --arch sm_70 -o small.trace 2>messages
[ $? -eq 1 ] || { echo "the differences are not made small"; cat messages; exit 1; }
"$wsim" replay --arch sm_70 small.trace >/dev/null
[ $? -eq 1 ] || { echo "the small cases do not differ"; exit 1; }
"$hw" record --cases 13 -o all.trace && "$wsim" replay all.trace | tail -1
