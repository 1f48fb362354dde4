#!/bin/sh
# statements.sh WSIM FOLDER LINT.DEF - lint says of each statement of statements.cu what the comment
# before it says, and nothing else; every rule of lint is among them.
set -eu
wsim=$1 file=$2/statements.cu rules=$3
found=$(mktemp)
trap 'rm -f "$found" "$found.ptx"' EXIT
status=0
"$wsim" lint -q --arch sm_90a --wide "$file" >"$found" || status=$?
[ $status = 1 ] || { echo "exit status $status instead of 1"; exit 1; }

# A finding belongs to the last statement that begins at or before its line.
awk '
NR == FNR {
    if (match($0, /^ *\/\/ (nothing|[a-z]+\.[a-z.]+)/)) { wanted = $0; sub(/^ *\/\/ */, "", wanted); sub(/:.*/, "", wanted) }
    else if (/^ *asm/) { begin[++n] = FNR; want[n] = wanted == "nothing" ? "" : wanted; wanted = "nothing" }
    next
}
{
    split($0, part, ":"); line = part[2]; rule = $NF; gsub(/[][]/, "", rule)
    for (k = n; k && begin[k] > line;) k--
    if (index(" " got[k] " ", " " rule " ") == 0) got[k] = got[k] (got[k] == "" ? "" : " ") rule
}
END {
    for (k = 0; k <= n; k++)
        if (got[k] != want[k]) {
            printf "line %d: found (%s), wanted (%s)\n", begin[k], got[k], want[k]; bad = 1
        }
    if (n < 40) { print "only " n " statements"; bad = 1 }
    exit bad
}' "$file" "$found"

# A message of the PTX reader points to the operand, or to the braces around it.
awk '
NR == FNR { line[FNR] = $0; next }
match($0, /not .%[0-9]+., a [.]/) {
    operand = substr($0, RSTART, RLENGTH); gsub(/^not .|., a [.]$/, "", operand)
    split($0, part, ":"); seen++
    at = substr(line[part[2]], part[3], length(operand))
    if (at != operand && at !~ /^[{]/) { print "elsewhere: " $0; bad = 1 }
}
END { if (seen < 3) print "only " seen " operands"; exit bad || seen < 3 }' "$file" "$found"

# A file of PTX is held against its own target, or against --arch.
"$wsim" lint -q "$2/targets.ptx" >"$found.ptx" && { echo "targets.ptx: exit status 0"; exit 1; }
[ "$(sed -n 's/.*ptx:\([0-9]*:1\): error: .*\[arch.feature.missing\]$/\1/p' "$found.ptx" | paste -sd ' ' -)" = "7:1 8:1 9:1 10:1" ] ||
    { echo "targets.ptx:"; cat "$found.ptx"; exit 1; }
"$wsim" lint -q --arch sm_90a "$2/targets.ptx" || { echo "targets.ptx: not on sm_90a"; exit 1; }

# Its version is its own too.
"$wsim" lint -q "$2/version.ptx" >>"$found" && { echo "version.ptx: exit status 0"; exit 1; }
"$wsim" lint -q --ptx 9.0 "$2/version.ptx" || { echo "version.ptx: not of PTX 9.0"; exit 1; }

# Without a target each statement is held against the one that suits it best.
"$wsim" lint -q --wide "$2/targets.cu" || { echo "targets.cu: exit status $? instead of 0"; exit 1; }
"$wsim" lint -q --arch sm_90a "$2/targets.cu" >/dev/null && { echo "targets.cu: all of it on sm_90a"; exit 1; }

for rule in $(sed -n 's/^LINT([A-Z_]*, "\([a-z.]*\)".*/\1/p' "$rules"); do
    grep -q "\[$rule\]\$" "$found" || { echo "no statement provokes $rule"; exit 1; }
done
