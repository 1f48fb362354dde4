#!/bin/sh
# digests.sh MODEL_HW SOURCE_DIR - the model's results of scalar instructions have the digests that a GPU
# recorded (wsim-hw scalar --digests), form by form. Skipped (77) without zstd or without a recording.
hw=$1 recorded=$2/traces/sm_90a/scalar.digests.zst
command -v zstd >/dev/null || { echo "skipped: no zstd"; exit 77; }
[ -e "$recorded" ] || { echo "skipped: no recording"; exit 77; }
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
zstd -dqc "$recorded" >gpu || exit 2
number() { sed -n "s/^#$1: //p" gpu; }
[ "$(number stream)" = "$(sed -n 's/^#define WSIM_SCALAR_STREAM //p' "$2/include/wsim/harness/stream_scalar.h")" ] ||
    { echo "the recording is of another stream"; exit 1; }
cases=$(sed -n 's/.*\tcases=\([0-9]*\)\t.*/\1/p' gpu | sort -u)
[ "$(echo "$cases" | wc -w)" = 1 ] || { echo "not one number of cases: $cases"; exit 1; }
"$hw" scalar --results "$cases" --seed "$(number seed)" --digests model >/dev/null || exit 1
grep -v '^#' gpu | sort >was
grep -v '^#' model | sort >is
[ "$(wc -l <was)" -gt 5000 ] || { echo "only $(wc -l <was) forms are recorded"; exit 1; }
# Forms that have come since are no fault; recorded ones stay.
comm -23 was is >difference
[ ! -s difference ] || { echo "$(wc -l <difference) forms differ from the recording:"; head -20 difference; exit 1; }
echo "$(wc -l <was) forms, $cases sources each"
