#!/bin/sh
# ncu.sh [--branch] [--keep FOLDER] FILE -o TRACE - counts accesses of shared memory with Nsight
# Compute: one warp, one access a launch. FILE has a case a line (wsim-hw patterns; or any trace of
# counts, which is measured again). --keep leaves the reports. NCU and WSIM_HW say where ncu and
# wsim-hw are. Exit status: 0, 2 error, 77 skipped: no GPU or no ncu.
here=$(cd "$(dirname "$0")" && pwd)
ncu=${NCU:-ncu} hw=${WSIM_HW:-wsim-hw}
branch='' keep='' file='' out=''

fail() {
    echo "ncu.sh: $*" >&2
    exit 2
}

while [ $# -gt 0 ]; do
    case $1 in
    --branch) branch=--branch ;;
    --keep | -o)
        [ $# -gt 1 ] || fail "$1 needs a value"
        case $1 in --keep) keep=$2 ;; -o) out=$2 ;; esac
        shift ;;
    -*) fail "no such option: $1" ;;
    *) [ -z "$file" ] || fail "one FILE at a time"; file=$1 ;;
    esac
    shift
done
[ -n "$file" ] && [ -n "$out" ] || { sed -n '2,5s/^# //p' "$0" >&2; exit 2; }
command -v "$hw" >/dev/null || fail "no wsim-hw; set WSIM_HW"
command -v "$ncu" >/dev/null || { echo "ncu.sh: skipped: no ncu; set NCU" >&2; exit 77; }
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT

# Once without the profiler: what cannot run is found in a second.
"$hw" access $branch "$file" -o "$work/cases" || exit

# The launches of one family of counters under the profiler: two counters are one pass over each.
# Launches that are left out would still cost half of their time, so the others are not made.
profile() {
    wavefronts=l1tex__data_pipe_lsu_wavefronts_mem_shared_op_$1.sum
    conflicts=l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_$1.sum
    if [ "$1" = cp ]; then # all operations together: it has no counter of its own
        wavefronts=l1tex__data_pipe_lsu_wavefronts_mem_shared.sum
        conflicts=l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ldgsts.sum
    fi
    grep -E "^($2)" "$work/cases" >"$work/$1.cases" || return 0
    "$ncu" --csv --page raw --print-units base --cache-control none --clock-control none \
        --metrics "$wavefronts,$conflicts" --log-file "$work/$1.csv" \
        "$hw" access $branch "$work/$1.cases" -o "$work/again" >"$work/said" 2>&1 && return
    tail -5 "$work/said" "$work/$1.csv" >&2
    fail "the profiler failed"
}
profile ld 'ld|wmma\.load'
profile st 'st|wmma\.store'
profile atom 'atom|red'
profile cp cp

if [ -n "$keep" ]; then
    mkdir -p "$keep" && cp "$work"/*.csv "$keep" || exit 2
fi
version=$("$ncu" --version | sed -n 's/^Version \([^ ]*\).*/\1/p')
awk -f "$here/join.awk" -v tool="Nsight Compute ${version:-unknown}" \
    "$work"/*.csv "$work/cases" "$work/cases" >"$work/trace" || exit 2
cp "$work/trace" "$out"
