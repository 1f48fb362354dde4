#!/bin/sh
# probes.sh PROBES SOURCE_DIR - the probes that are recorded are those that the program prints:
# operands and comments, line by line. Skipped (77) without zstd.
probes=$1 source=$2
command -v zstd >/dev/null || { echo "skipped: no zstd"; exit 77; }
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
failed=0

# compare FILE FAMILY...: cases of mma, without header and results
compare() {
    recording=$source/$1
    shift
    zstd -dcq "$recording" | sed '1,8d; s/\td=.*//' |
        awk '/^#/ { comment = $0; next } /^mma/ { print comment; print }' >"$work/recorded"
    "$probes" "$@" | sed '1,8d; s/\td=.*//' >"$work/printed"
    if ! cmp -s "$work/recorded" "$work/printed" || ! [ -s "$work/printed" ]; then
        echo "$*: not what $recording has"
        diff "$work/recorded" "$work/printed" | cut -c1-200 | head -4
        failed=1
    fi
}
compare traces/sm_90a/probes.trace.zst singles saturation doubles
compare traces/sm_90a/groups.trace.zst groups
compare tests/data/unmodelled/metadata.trace.zst nibbles
"$probes" nothing 2>/dev/null && { echo "a family that is not there was printed"; failed=1; }
exit $failed
