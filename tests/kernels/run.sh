#!/bin/sh
# run.sh PROGRAM LAUNCH.json - a launch file of this folder: what the kernel leaves, prints and costs is
# what an H200 recorded. Skipped (77): the build has no xz, which keeps the large files small; or its
# accesses of shared memory are not counted yet, which is all that differs.
out=$(mktemp) && trap 'rm -f "$out"' EXIT
"$1" run --launch "$2" --lines 0 >"$out" 2>&1
status=$?
[ $status -eq 0 ] && exit 0
cat "$out"
grep -q 'which this build cannot read' "$out" && exit 77
[ $status -eq 1 ] && grep -q " findings 0 different $(grep -c ' counter ' "$out")\$" "$out" && exit 77
exit 1
