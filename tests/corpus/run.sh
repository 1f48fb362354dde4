#!/bin/sh
# run.sh PROGRAM [FILE/KERNEL]... - runs the kernels of kernels.tsv. A planted mistake is found in the plain order, without a
# seed, with the rule of the table. A correct kernel has no finding: in the plain order, with a seed, with late copies.
program=$(realpath "$1")
export WSIM_ASSEMBLER=none # counts are not compared, and ptxas takes half a second for each kernel
shift
cd "$(dirname "$0")" || exit 2
out=$(mktemp) && trap 'rm -f "$out"' EXIT
failed=0

# launch FILE KERNEL GRID BLOCK CLUSTER MODE OPTION...
launch() {
    file=$1.ptx kernel=$2 grid=$3 block=$4 cluster=$5 mode=$6
    shift 6
    [ "$cluster" = 1 ] || set -- "$@" --cluster "$cluster"
    [ "$mode" = plain ] || set -- "$@" --"$mode"
    "$program" run "$file" --kernel "$kernel" --grid "$grid" --block "$block" --json --max-instructions 5000000 "$@" \
        --arg 'a[65536]=1' --arg 'b[65536]=0' --arg 'u[4096]' --arg s32:0 >"$out" 2>&1
    status=$?
}

fail() {
    echo "$file $kernel: $*"
    tr ',' '\n' <"$out" | grep -E '"(rule|text)"' | head -4
    failed=1
}

while IFS='	' read -r name kernel grid block cluster mode expects what; do
    case $name in '#'* | '') continue ;; esac
    case " $* " in '  ' | *" $name/$kernel "*) ;; *) continue ;; esac
    launch "$name" "$kernel" "$grid" "$block" "$cluster" "$mode"
    case $expects in
    correct)
        [ $status -eq 0 ] || fail "a correct kernel has findings"
        launch "$name" "$kernel" "$grid" "$block" "$cluster" "$mode" --seed 3
        [ $status -eq 0 ] || fail "a correct kernel has findings with --seed 3"
        launch "$name" "$kernel" "$grid" "$block" "$cluster" "$mode" --async late
        [ $status -eq 0 ] || fail "a correct kernel has findings with --async late" ;;
    missed)
        [ $status -eq 0 ] || fail "it is found now ($what): write the rule into kernels.tsv" ;;
    *)
        grep -q "\"rule\": *\"$expects\"" "$out" || fail "no $expects ($what)" ;;
    esac
done <kernels.tsv
exit $failed
