#!/bin/sh
# lines.sh [--record] WSIM SOURCE_DIR - everyday lines of PTX, tests/data/lines.tsv. No line that the assembler
# accepts is called illegal, and no line that it refuses is called legal. --record asks ptxas for its answers anew
# (CUDA 13.0 or later on PATH) and writes them into the table.
record=no
[ "$1" = --record ] && record=yes && shift
wsim=$1
table=$2/tests/data/lines.tsv
targets="sm_80 sm_90a"
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
failed=0

# Whether ptxas takes a kernel with this line.
takes() { # TARGET LINE
    cat >"$work/kernel.ptx" <<END
.version 9.0
.target $1
.address_size 64
.const .align 4 .f32 cc[4];
.visible .entry k(.param .b64 pp) {
.reg .b16 h<64>; .reg .b32 r<64>; .reg .f32 f<64>; .reg .f64 d<64>; .reg .b64 rd<64>;
.reg .b128 q<8>; .reg .pred p<8>;
.shared .align 16 .b8 tile[4096];
.local .align 16 .b8 loc[64];
$2
LL: ret; }
END
    ptxas -arch "$1" -O0 -o /dev/null "$work/kernel.ptx" >"$work/messages" 2>&1
}

grep -v '^#' "$table" | cut -f1 >"$work/lines"
if [ $record = yes ]; then
    while IFS= read -r line; do
        answers=
        for target in $targets; do
            takes $target "$line" && answers=${answers}1 || answers=$answers.
            grep -q 'line 10; *\(error\|fatal\)' "$work/messages" ||
                [ "${answers%1}" != "$answers" ] || { cat "$work/messages"; exit 2; }
        done
        printf '%s\t%s\n' "$line" "$answers"
    done <"$work/lines" >"$work/answers" || { tail -5 "$work/answers"; exit 2; }
    { grep '^#' "$table"; cat "$work/answers"; } >"$work/table" && cp "$work/table" "$table"
fi

column=0
for target in $targets; do
    column=$((column + 1))
    "$wsim" check --arch $target - <"$work/lines" >"$work/out"
    [ $? -eq 1 ] || { echo "wsim check --arch $target: exit status"; failed=1; }
    grep -v '^#' "$table" | awk -F'\t' -v column=$column -v target=$target '
        FILENAME == ARGV[1] { answer[FNR] = $0; next }
        {
            taken = substr($2, column, 1) == "1"
            split(answer[++n], word, "\t")
            count[taken, word[1]]++
            if (word[1] == (taken ? "illegal" : "legal")) {
                print target ": " $1 " is " (taken ? "" : "not ") "taken, but " answer[n]
                wrong++
            }
        }
        END {
            if (length(answer) != n) { print length(answer) " answers for " n " lines"; wrong++ }
            printf "%s: taken: %d legal, %d unmodelled; rejected: %d illegal, %d unmodelled; %d wrong\n",
                target, count[1, "legal"], count[1, "unmodelled"], count[0, "illegal"],
                count[0, "unmodelled"], wrong
            exit wrong != 0 || n < 200
        }' "$work/out" - || failed=1
done
exit $failed
