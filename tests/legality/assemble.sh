#!/bin/sh
# assemble.sh WSIM [NEIGHBOURS [SEED]] - asks the assembler itself. Every listed operation, and random neighbours (a
# word dropped, added, replaced, two swapped), go through ptxas for each common target, with the registers of
# `wsim layout`. ptxas must accept spellings that `wsim check` calls legal and reject the rest. Exceptions are
# undocumented spellings, and those that are legal without a word that the assembler ignores. WSIM_TEST_SAMPLE=N asks
# one target in N for one spelling in N. Skipped (77) where there is no ptxas. Run it with a newer CUDA to see what has changed.
wsim=$1
neighbours=${2:-500} every=${WSIM_TEST_SAMPLE:-1}
seed=${3:-1}
version=${PTX_VERSION:-9.0}
overlooked='row|col|bf16|bf16x2|tf32|s4|u4|b1|b8x16|b6x16_p32|b4x16_p64|v2|v4|xor|and|or'
overlooked="$overlooked|global_address|rank|box_dim|global_dim|global_stride|element_stride|elemtype"
overlooked="$overlooked|interleave_layout|swizzle_mode|swizzle_atomicity|fill_mode"
command -v ptxas >/dev/null || { echo "skipped: no ptxas on PATH"; exit 77; }
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
failed=0

list_operations() {
    for family in mma mma.sp mma.sp::ordered_metadata ldmatrix stmatrix movmatrix cp.async \
        wmma.load.a wmma.load.b wmma.load.c wmma.store.d wmma.mma tensormap.replace; do
        "$wsim" ops --family $family --format csv |
            awk -F, -v most="$version" 'NR > 1 && $4 + 0 <= most + 0 { print $1 }'
    done
}

# spelling, tab, the operation it is a neighbour of
make_neighbours() {
    awk -F. -v count="$neighbours" -v seed="$seed" '
        function any(n) { return 1 + int(rand() * n) }
        { line[NR] = $0; for (i = 2; i <= NF; i++) if (!seen[$i]++) word[++words] = $i }
        END {
            srand(seed)
            while (count-- > 0) {
                base = line[any(NR)]
                n = split(base, w, ".")
                at = 1 + any(n - 1)
                how = any(4)
                if (how == 1) w[at] = ""
                if (how == 2) w[at] = w[at] "." word[any(words)]
                if (how == 3) w[at] = word[any(words)]
                if (how == 4) { other = 1 + any(n - 1); x = w[at]; w[at] = w[other]; w[other] = x }
                text = w[1]
                for (i = 2; i <= n; i++) if (w[i] != "") text = text "." w[i]
                print text "\t" base
            }
        }'
}

# The operand text that goes with a spelling, from the registers of its layouts; nothing if wsim
# cannot read it. Two 32-bit registers of f64 are one. Metadata and scale factors stand without
# braces: with them ptxas fails later on, where it has to emulate the instruction. Copies have no
# registers but addresses.
operands() {
    case $1 in
    cp.async*.L2::cache_hint*) echo "[tile], [addr], 16, addr" && return ;;
    cp.async.*) echo "[tile], [addr], 16" && return ;;
    tensormap.*_dim* | tensormap.*element_stride*) echo "[addr], 1, r0" && return ;;
    tensormap.*global_stride*) echo "[addr], 1, addr" && return ;;
    tensormap.*global_address*) echo "[addr], addr" && return ;;
    tensormap.*.rank*) echo "[addr], r0" && return ;;
    tensormap.*) echo "[addr], 1" && return ;;
    esac
    "$wsim" layout "$1" --lane 0 --reg 0 --format json 2>/dev/null | awk -v spelling="$1" '
        function list(n, prefix,   text) {
            for (text = ""; n > 0; n--) text = text (text ? ", " : "") prefix used++
            return "{" text "}"
        }
        { gsub(/[",]/, "") }
        $1 == "operand:" { operand = $2 }
        $1 == "format:" { format = $2 }
        $1 == "registers:" {
            if (operand == "d" && spelling ~ /^wmma.load/) {
                prefix = format == "f64" ? "d" : format == "f32" ? "f" : "r"
                print list(format == "f64" ? $2 / 2 : $2, prefix) ", [addr], 256"
                exit
            }
            if (operand == "d" && spelling ~ /^ldmatrix/) { print list($2, "r") ", [addr]"; exit }
            if (operand == "r" && spelling ~ /^wmma/) {
                prefix = format == "f64" ? "d" : format == "f32" ? "f" : "r"
                print "[addr], " list(format == "f64" ? $2 / 2 : $2, prefix) ", 256"
                exit
            }
            if (operand == "r") { print "[addr], " list($2, "r"); exit }
            if (spelling ~ /^movmatrix/) { print "r0, r1"; exit }
            prefix = format == "f64" ? "d" : format == "f32" ? "f" : "r"
            text = text (text ? ", " : "")
            if (operand == "e") text = text "r" used++ ", 0"
            else if (operand ~ /^sf/) text = text "r" used++ ", {0, 0}"
            else text = text list(format == "f64" ? $2 / 2 : $2, prefix)
        }
        END { if (text) print text }'
}

# spelling, tab, operands: neighbours that wsim cannot read get the operands of their origin
give_operands() {
    while IFS="$(printf '\t')" read -r spelling origin; do
        text=$(operands "$spelling")
        [ -n "$text" ] || text=$(operands "$origin")
        printf '%s\t%s\n' "$spelling" "$text"
    done
}

# One kernel with all lines of $work/lines that are not in $work/rejected. Line N of the list is line N + 8 of the
# kernel.
write_kernel() {
    cat <<END
.version $version
.target $1
.address_size 64
.visible .entry k() {
.reg .b32 r<64>; .reg .f32 f<64>; .reg .f64 d<64>;
.reg .b64 addr;
.shared .align 16 .b8 tile[4096];
mov.u64 addr, tile;
END
    awk -F'\t' 'FILENAME == ARGV[1] { rejected[$1]; next }
        FNR in rejected { print ""; next }
        { print $1 " " $2 ";" }' "$work/rejected" "$work/lines"
    echo "ret; }"
}

# assemble TARGET GPU: the numbers of the lines that ptxas does not take, into $work/rejected.
# An error can hide others, so again until nothing is left to reject.
assemble() {
    : >"$work/rejected"
    while :; do
        write_kernel "$1" >"$work/kernel.ptx"
        ptxas -arch "$2" -O0 -o /dev/null "$work/kernel.ptx" >"$work/messages" 2>&1 && return 0
        sed -n 's/.*line \([0-9]*\); *\(error\|fatal\).*/\1/p' "$work/messages" |
            awk '$1 > 8 { print $1 - 8 }' | sort -un >"$work/more"
        [ -s "$work/more" ] || return 1
        cat "$work/more" >>"$work/rejected"
    done
}

# Spellings that are illegal because of a word that the assembler ignores; they are legal without it.
is_overlooked() { # TARGET SPELLING
    for word in $(echo "$2" | tr . '\n' | grep -xE "$overlooked" | sort -u); do
        echo "$2" | awk -v word="$word" '{
            n = split($0, w, ".")
            for (skip = 2; skip <= n; skip++) if (w[skip] == word) {
                text = w[1]
                for (i = 2; i <= n; i++) if (i != skip) text = text "." w[i]
                print text
            }
        }'
    done | "$wsim" check --arch "$1" - | grep -q '^legal'
}

compare() { # TARGET
    cut -f1 "$work/lines" | "$wsim" check --arch "$1" - >"$work/answers"
    awk -F'\t' 'FILENAME == ARGV[1] { rejected[$1]; next }
        FILENAME == ARGV[2] { answer[FNR] = $0; next }
        {
            taken = !(FNR in rejected)
            if (taken ? answer[FNR] !~ /^legal|undocumented/ : answer[FNR] ~ /^legal/)
                print taken "\t" $1 "\t" $2 "\t" answer[FNR]
        }' "$work/rejected" "$work/answers" "$work/lines" >"$work/wrong"
    wrong=0
    while IFS="$(printf '\t')" read -r taken spelling text answer; do
        [ "$taken" = 1 ] && is_overlooked "$1" "$spelling" && continue
        wrong=$((wrong + 1))
        echo "$1: $spelling $text: ptxas $([ "$taken" = 1 ] && echo takes || echo rejects) it," \
             "wsim says $answer"
    done <"$work/wrong"
    echo "$1: $(wc -l <"$work/lines") spellings, $(sort -u "$work/rejected" | wc -l) rejected," \
         "$(grep -c '^legal' "$work/answers") legal, $wrong wrong"
    [ $wrong -eq 0 ] || failed=1
}

list_operations >"$work/operations"
{
    sed 's/.*/&\t&/' "$work/operations"
    make_neighbours <"$work/operations"
} | awk -v every="$every" 'NR % every == 1 % every' | give_operands >"$work/lines"
[ -s "$work/lines" ] || { echo "wsim lists no operations" >&2; exit 1; }

# This assembler may have no code generator for sm_70 any more, but it knows the target.
for target in $({ echo sm_70 && ptxas --help | grep -o "'sm_[0-9a-z]*'" | tr -d "'"; } | sort -uV | awk -v every="$every" 'NR % every == 1 % every'); do
    gpu=$target
    [ "$target" = sm_70 ] && ! ptxas --help | grep -q "'sm_70'" && gpu=sm_75
    "$wsim" check --arch "$target" - </dev/null >/dev/null 2>&1
    if [ $? -gt 1 ]; then
        echo "$target: not a target of wsim"
    elif assemble "$target" "$gpu"; then
        compare "$target"
    else
        echo "$target: ptxas fails without saying where:" && grep -v Advisory "$work/messages"
        failed=1
    fi
done
exit $failed
