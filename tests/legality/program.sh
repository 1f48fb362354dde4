#!/bin/sh
# program.sh WSIM SOURCE_DIR - wsim check on all of tests/data/legality.tsv, for every target. It prints the recorded
# answers in order, each refusal with a reason, and has the right exit status. WSIM_TEST_SAMPLE=N: one spelling in N.
wsim=$1
sample=${WSIM_TEST_SAMPLE:-1}
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
table=$work/table
failed=0

awk -v sample="$sample" '/^#/ || $1 == "spelling" || n++ % sample == 0' \
    "$2/tests/data/legality.tsv" >"$table" || exit 2

fail() {
    echo "$*" >&2
    failed=1
}

# status WANTED ARGUMENTS...: what wsim check answers for these, with standard input as it is
status() {
    wanted=$1
    shift
    "$wsim" check "$@" >"$work/out" 2>"$work/err"
    got=$?
    [ $got -eq "$wanted" ] || fail "wsim check $*: exit status $got, not $wanted"
}

grep -v '^#' "$table" | sed 1d | cut -f1 >"$work/spellings"
targets=$(awk -F'\t' '$1 == "spelling" { print $2 }' "$table")
column=0
for target in $targets; do
    column=$((column + 1))
    status 1 --arch "sm_$target" - <"$work/spellings"
    # answers beside lines of the table: the first answers are in out
    awk -F'\t' -v column=$column -v target="sm_$target" '
        FILENAME == ARGV[1] { answer[FNR] = $0; next }
        /^#/ || $1 == "spelling" { next }
        {
            legal = substr($2, column, 1) == "1" && $3 ~ /^(isa|order|repeat|later)$/
            got = answer[++n]
            if (legal ? got !~ /^legal/ : got !~ /^illegal\t./) {
                if (++wrong <= 20) print $1 " on " target ": " got
            }
        }
        END {
            if (length(answer) != n) { print length(answer) " answers for " n " lines"; wrong++ }
            exit wrong != 0
        }' "$work/out" "$table" || fail "wsim check --arch sm_$target is not as recorded"
done
[ $column -gt 0 ] || fail "no targets in $table"

legal=mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16
status 0 --arch sm_70 $legal
status 0 --arch sm_70 - <<END
$legal
$legal
END
status 1 --arch sm_70 $legal ldmatrix.sync.aligned.m8n8.x1.b16
status 2 --arch sm_71 $legal
status 3 --arch sm_70 $legal multimem.red
# Legal, and not modelled: no results are known.
status 3 --arch sm_100a cvt.rs.satfinite.e4m3x4.f32
status 3 --arch sm_70 wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16
status 0 wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16 ldmatrix.sync.aligned.m8n8.x1.shared.b16 cp.async.wait_all
status 1 --arch sm_70 multimem.red $legal ldmatrix.sync.aligned.m8n8.x1.b16
status 2 --arch sm_70 foo multimem.red ';'
exit $failed
