#!/bin/sh
# threads.sh PROGRAM FOLDER - launches of this folder whose blocks interact leave, find and count the same
# with any number of host threads.
out=$(mktemp -d) && trap 'rm -rf "$out"' EXIT
failed=0
cd "$2" || exit 2
for launch in */*.json; do
    folder=$(dirname "$launch")
    grep -qE 'atom\.|\.acquire|volatile|\.relaxed' "$folder"/*.ptx || continue
    for threads in 1 2 3 8; do
        "$1" run --launch "$launch" --threads $threads --check=all --lines 1000 >"$out/$threads" 2>&1
        echo "status $?" >>"$out/$threads"
        grep -q 'which this build cannot read' "$out/1" && break
        grep -q '^status [01]$' "$out/1" || { cat "$out/1"; exit 1; }
        cmp -s "$out/1" "$out/$threads" && continue
        echo "$launch: one thread and $threads threads differ"
        diff "$out/1" "$out/$threads" | head -5
        failed=1
    done
done
exit $failed
