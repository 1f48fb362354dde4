# join.awk - awk -f join.awk -v tool=NAME FAMILY.csv... CASES CASES >OUT.trace
#
# Puts the counts of Nsight Compute's reports (--csv --page raw --print-units base) into the cases
# they belong to. A report holds the launches of one family of counters, in the order of the cases.
# The kernel of a launch has the name of the instruction with _ for . and : ; anything else is
# refused, and so are a launch too many or too few and a value that is no count. CASES is read twice.
#
# Copies (cp.async) have no separate counter of wavefronts. Their count is that of all operations less that of the
# kernel itself, which a copy without active lanes shows; such a copy costs 1.

function refuse(words) {
    print "join.awk: " words >"/dev/stderr"
    failed = 1
    exit 2
}

# A line of a report: every value is in quotes.
function split_csv(line, cell) {
    if (substr(line, 1, 1) != "\"" || substr(line, length(line)) != "\"")
        return 0
    return split(substr(line, 2, length(line) - 2), cell, "\",\"")
}

# Places of the columns that are needed, from the line that names them.
function read_names(cell, n,   i, p, q) {
    columns = n
    kernel_at = wavefronts_at = conflicts_at = 0
    p = "_mem_shared" (family == "cp" ? "" : "_op_" family) ".sum"
    q = "_mem_shared_op_" (family == "cp" ? "ldgsts" : family) ".sum"
    for (i = 1; i <= n; i++) {
        if (cell[i] == "Kernel Name") kernel_at = i
        if (cell[i] == "l1tex__data_pipe_lsu_wavefronts" p) wavefronts_at = i
        if (cell[i] == "l1tex__data_bank_conflicts_pipe_lsu" q) conflicts_at = i
    }
    if (!kernel_at || !wavefronts_at || !conflicts_at)
        refuse(FILENAME ": not the counters of family " family)
}

function number(text) {
    gsub(/,/, "", text)
    if (text !~ /^[0-9]+$/)
        refuse(FILENAME ":" FNR ": \"" text "\" is no count")
    return text
}

# Which counters an instruction shows in.
function family_of(spelling) {
    if (spelling ~ /^(ld|wmma\.load)/) return "ld"
    if (spelling ~ /^(st|wmma\.store)/) return "st"
    if (spelling ~ /^(atom|red)\./) return "atom"
    if (spelling ~ /^cp\.async\./) return "cp"
    refuse("no counter is known for " spelling)
}

FNR == 1 {
    family = FILENAME
    sub(/.*\//, "", family)
    is_report = sub(/\.csv$/, "", family)
    columns = 0
    if (!is_report) {
        pass++
        split("", cases)
    }
}

is_report {
    n = split_csv($0, cell)
    if (!n)
        next
    if (!columns && cell[1] == "ID") {
        read_names(cell, n)
        next
    }
    if (!columns)
        refuse(FILENAME ":" FNR ": values before the names of the columns")
    if (n != columns)
        refuse(FILENAME ":" FNR ": " n " values, " columns " columns")
    if (cell[1] == "") # the units
        next
    launches[family]++
    kernel[family, launches[family]] = cell[kernel_at]
    wavefronts[family, launches[family]] = number(cell[wavefronts_at])
    conflicts[family, launches[family]] = number(cell[conflicts_at])
    next
}

pass == 1 && (/^#/ || /^$/) { next }
/^#generator: / { print $0 ", " tool; next }
/^#/ || /^$/ { print; next }

{
    spelling = symbol = $0
    sub(/\t.*/, "", spelling)
    symbol = spelling
    gsub(/[.:]/, "_", symbol)
    f = family_of(spelling)
    k = ++cases[f]
    if (match($0, /\tsize=[0-9]+/))
        symbol = symbol "_" substr($0, RSTART + 6, RLENGTH - 6)
    if (k > launches[f])
        refuse("the report of family " f " ends after launch " k - 1 ": none for " spelling)
    if (kernel[f, k] != symbol)
        refuse("launch " k " of family " f " is of " kernel[f, k] ", not of " spelling)
    warm = /\tlines=warm/
    if (pass == 1) {
        if (f == "cp" && /\tmask=00000000/)
            itself[symbol, warm] = wavefronts[f, k] - 1
        next
    }
    if (f == "cp" && !((symbol, warm) in itself))
        refuse("what the kernel of " symbol (warm ? ", warm," : "") " costs itself is not known: no mask=00000000")
    own = f != "cp" ? 0 : itself[symbol, warm] + /\tmask=00000000/
    printf "%s\twavefronts=%d\tconflicts=%s\n", $0, wavefronts[f, k] - own, conflicts[f, k]
}

END {
    for (f in launches)
        if (!failed && cases[f] != launches[f])
            refuse("the report of family " f " has " launches[f] " launches, the trace " \
                   cases[f] + 0 " cases")
}
