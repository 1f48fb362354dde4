#!/bin/sh
# lines.sh PROGRAM TABLE LAUNCH.json... - what `wsim run` says each line of the source costs is what Nsight Compute
# said of it on an H200: wavefronts and sectors, and their ideals. Lines with a reason in the last column are left out,
# but have to be in the table for it: a line that the table does not have must cost nothing.
WSIM_ASSEMBLER=none && export WSIM_ASSEMBLER
program=$1 table=$2
shift 2
work=$(mktemp) && trap 'rm -f "$work"' EXIT
for launch in "$@"; do
    "$program" run --launch "$launch" --lines 1000000 --check init,sync >>"$work" || exit 1
done
awk -v table="$table" '
function differs(line, what, want, got) {
    if (want == got) return
    printf "line %s: %s %s, and Nsight Compute has %s\n", line, got, what, want
    failed = 1
}
BEGIN {
    FS = "\t"
    while ((getline text < table) > 0) {
        if (text ~ /^#/ || split(text, field, FS) < 6) continue
        known[field[1]] = 1
        for (i = 2; i <= 5; i++) want[field[1], i] = field[i]
        why[field[1]] = field[7]
        rows++
    }
    FS = " "
}
$1 ~ /^[0-9]+$/ && $6 ~ /^(accesses|transposes)\.cu:[0-9]+$/ {
    line = $6
    sub(/.*:/, "", line)
    if (!(line in known)) {
        if ($2 != "-" || $4 != "-") { printf "line %s costs %s wavefronts, %s sectors, and is not in the table\n", line, $2, $4; failed = 1 }
        next
    }
    seen[line] = 1
    if (why[line] != "") next
    differs(line, "wavefronts", want[line, 2], $2)
    differs(line, "ideal wavefronts", want[line, 3], $3)
    differs(line, "sectors", want[line, 4], $4)
    differs(line, "ideal sectors", want[line, 5], $5)
    compared++
}
END {
    for (line in known) if (!(line in seen) && why[line] == "") { print "line " line " is not in the report"; failed = 1 }
    if (compared * 2 < rows) { print "only " compared + 0 " of " rows " lines were compared"; failed = 1 }
    exit failed
}' "$work"
