#!/bin/sh
# cli.sh [--record] PROGRAM CASE.cmd... - runs each case, a shell script that calls `wsim`, in an
# empty directory, and compares with CASE.out: what it printed, what it said on standard error
# (behind "2> "), and its exit status. --record writes CASE.out instead.
record=no
if [ "$1" = --record ]; then
    record=yes
    shift
fi
program=$(cd "$(dirname "$1")" && pwd)
shift
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
unset NO_COLOR COLUMNS
LC_ALL=C PATH=$program:$PATH
export LC_ALL PATH

failed=0
for case in "$@"; do
    script=$(cd "$(dirname "$case")" && pwd)/$(basename "$case")
    expected=${case%.cmd}.out
    mkdir "$work/dir"
    (cd "$work/dir" && sh "$script") >"$work/stdout" 2>"$work/stderr" </dev/null
    status=$?
    rm -rf "$work/dir"
    { cat "$work/stdout"; sed 's/^/2> /' "$work/stderr"; echo "exit $status"; } >"$work/out"
    if [ $record = yes ]; then
        cmp -s "$work/out" "$expected" || { cp "$work/out" "$expected"; echo "recorded $expected"; }
    elif ! diff -u "$expected" "$work/out"; then
        failed=1
    fi
done
exit $failed
