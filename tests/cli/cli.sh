#!/bin/sh
# cli.sh [--record] PROGRAM CASE.cmd... - runs each case, a shell script that calls `wsim`, in an empty directory. Compares
# standard output, standard error (each line after "2> ") and the exit status with CASE.out. --record writes CASE.out
# instead. A list of targets is folded into <targets>, but not that of arch.cmd: a new target changes few cases.
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
LC_ALL=C PATH=$program:$PATH WSIM_ASSEMBLER=none
export LC_ALL PATH WSIM_ASSEMBLER
here=$(pwd)

# Few processes a case, because there are hundreds: one for the directory, one for the shell of the case, one to compare.
failed=0 n=0
for case; do
    case $case in /*) script=$case ;; *) script=$here/$case ;; esac
    expected=${script%.cmd}.out
    n=$((n + 1))
    mkdir "$work/$n"
    cd "$work/$n" || exit 2
    sh "$script" >"$work/out" 2>"$work/stderr" </dev/null
    status=$?
    [ ! -s "$work/stderr" ] || sed 's/^/2> /' "$work/stderr" >>"$work/out"
    echo "exit $status" >>"$work/out"
    [ "${script##*/}" = arch.cmd ] || {
        sed -e 's/sm_[0-9a-f]*\.\.sm_[0-9a-f]*/<targets>/g' -e 's/sm_[0-9a-f]*\( sm_[0-9a-f]*\)\{3,\}/<targets>/g' \
            -e 's/<targets>\( <targets>\)*/<targets>/g' "$work/out" >"$work/folded"
        mv "$work/folded" "$work/out"
    }
    if [ $record = yes ]; then
        cmp -s "$work/out" "$expected" || { cp "$work/out" "$expected"; echo "recorded $expected"; }
    elif ! diff -u "$expected" "$work/out"; then
        failed=1
    fi
done
exit $failed
