#!/bin/sh
# directives.sh [--record] WSIM SOURCE_DIR - declarations, functions and calls, tests/data/directives.tsv. `wsim check`
# finds an error in the modules that the assembler refuses, and none in the others. --record asks ptxas for its answers
# anew (CUDA 13.0 on PATH) and writes them into the table.
record=no
[ "$1" = --record ] && record=yes && shift
wsim=$1
table=$2/tests/data/directives.tsv
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT

# A module for each line of the table: NUMBER.ptx. @N has its own heading. @K is a kernel, @B begins one, @F are functions to call, and @C
# declares what they take.
grep -v '^#' "$table" | awk -F'\t' -v work="$work" '{
    entry = ".visible .entry k(.param .u64 p) { .reg .b32 r<4>; .reg .b64 rd<4>; "
    gsub(/@K/, entry ".reg .pred q<3>; ret; }", $1)
    gsub(/@B/, entry ".reg .f32 f<4>; .reg .pred q<3>;", $1)
    gsub(/@F/, ".func fn0() { ret; } .func (.param .u32 r) fn1(.param .u32 a) { ret; } " \
               ".func (.reg .u32 r) fn2(.reg .u32 a) { mov.u32 r, a; ret; } " \
               ".func fn3(.param .align 8 .b8 a[16]) { ret; } .func fn4(.param .u32 a, .param .f32 b) { ret; } " \
               ".func fn5(.param .b64 a) { ret; } .func (.param .b8 r) fn6(.param .f64 a) { ret; }", $1)
    gsub(/@C/, ".reg .b32 r<4>; .reg .b64 rd<4>; .reg .u32 u<4>; .reg .s32 s<4>; .reg .b16 h<4>; .reg .f32 f<4>; " \
               ".reg .f64 d<4>; .reg .pred q<3>; .param .u32 pa; .param .u32 pb; .param .f32 pf; .param .u64 pl; " \
               ".param .b32 pw; .param .align 8 .b8 pc[16]; .param .b8 pc4[16]; .param .align 16 .b8 pc16[16]; " \
               ".param .b8 pb8; .param .f64 pd;", $1)
    file = work "/" NR ".ptx"
    if (!sub(/^@N /, "", $1))
        $1 = ".version 9.0\n.target sm_90a\n.address_size 64\n" $1
    print $1 >file
    close(file)
}'
count=$(grep -vc '^#' "$table")
if [ $record = yes ]; then
    number=0
    grep -v '^#' "$table" | cut -f1 | while IFS= read -r line; do
        number=$((number + 1))
        answer=.
        ptxas -arch sm_90a -O0 -c -o /dev/null "$work/$number.ptx" >/dev/null 2>&1 && answer=1
        printf '%s\t%s\n' "$line" "$answer"
    done >"$work/answers"
    { grep '^#' "$table"; cat "$work/answers"; } >"$work/table" && cp "$work/table" "$table"
fi

"$wsim" check "$work"/*.ptx >"$work/out" 2>"$work/err"
[ $? -eq 1 ] || { echo "wsim check: exit status"; cat "$work/err"; exit 1; }
grep -v '^#' "$table" | awk -F'\t' -v count="$count" '
    FILENAME == ARGV[1] {
        if (match($0, /[0-9]+\.ptx:[0-9]+:[0-9]+: error/)) error[substr($0, RSTART) + 0] = $0
        next
    }
    {
        n++
        if ($2 == "1" && n in error) { print $1 " is taken, but " error[n]; wrong++ }
        if ($2 != "1" && !(n in error)) { print $1 " is not taken, but has no error"; wrong++ }
    }
    END { exit wrong != 0 || n != count || n < 20 }' "$work/out" -
