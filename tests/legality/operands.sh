#!/bin/sh
# operands.sh [--record] WSIM SOURCE_DIR - statements with their operands, tests/data/operands.tsv. `wsim check FILE`
# finds an error in those that the assembler refuses, and none in the others. --record asks ptxas for its answers anew
# (CUDA 13.0 on PATH) and writes them into the table.
record=no
[ "$1" = --record ] && record=yes && shift
wsim=$1
table=$2/tests/data/operands.tsv
targets="sm_80 sm_90a sm_100a sm_110a"
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
failed=0

# A kernel for each line of standard input, which is a line of the file. Line N is line N + 8 of the file.
write_kernels() { # TARGET
    cat <<END
.version 9.0
.target $1
.address_size 64
.const .align 4 .f32 cc[4]; .global .align 16 .b8 gg[64]; .shared .align 16 .b8 tile[4096]; .global .texref tx;
.func fn() { ret; }



END
    awk '{
        print ".visible .entry k" NR "(.param .b64 pp) { .reg .b16 h<9>; .reg .b32 r<20>; .reg .s32 s<4>; " \
              ".reg .u32 u<4>; .reg .f16 hf<4>; .reg .s16 hs<4>; .reg .f16x2 hp<4>; .reg .f32 f<20>; .reg .f64 d<9>; " \
              ".reg .b64 rd<9>; .reg .b128 q<4>; .reg .pred p<9>; .local .align 16 .b8 loc[64]; " $0 " L: ret; }"
    }'
}

# Whether ptxas takes a kernel with this line.
takes() { # TARGET LINE
    printf '%s\n' "$2" | write_kernels "$1" >"$work/kernel.ptx"
    ptxas -arch "$1" -O0 -o /dev/null "$work/kernel.ptx" >"$work/messages" 2>&1
}

grep -v '^#' "$table" | cut -f1 >"$work/lines"
if [ $record = yes ]; then
    while IFS= read -r line; do
        answers=
        for target in $targets; do
            takes $target "$line" && answers=${answers}1 || answers=$answers.
        done
        printf '%s\t%s\n' "$line" "$answers"
    done <"$work/lines" >"$work/answers"
    { grep '^#' "$table"; cat "$work/answers"; } >"$work/table" && cp "$work/table" "$table"
fi

column=0
for target in $targets; do
    column=$((column + 1))
    write_kernels $target <"$work/lines" >"$work/$target.ptx"
    "$wsim" check "$work/$target.ptx" >"$work/out" 2>"$work/err"
    [ $? -eq 1 ] || { echo "wsim check on $target: exit status"; cat "$work/err"; failed=1; }
    grep -v '^#' "$table" | awk -F'\t' -v column=$column -v target=$target '
        FILENAME == ARGV[1] {
            if (match($0, /ptx:[0-9]+:[0-9]+: error/)) { split(substr($0, RSTART + 4), at, ":"); error[at[1] - 8] = $0 }
            next
        }
        {
            n++
            taken = substr($2, column, 1) == "1"
            if (taken && n in error) { print target ": " $1 " is taken, but " error[n]; wrong++ }
            if (!taken && !(n in error)) { print target ": " $1 " is not taken, but has no error"; wrong++ }
        }
        END { exit wrong != 0 || n < 20 }' "$work/out" - || failed=1
done
exit $failed
