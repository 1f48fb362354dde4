#!/bin/sh
# table.sh - the table of docs/generated/corpus.md, from kernels.tsv. run.sh shows that it is so.
cd "$(dirname "$0")" || exit 2
awk -F '\t' '
/^#/ { next }
{
    split($1, part, "/")
    if (!((part[2]) in known)) { known[part[2]] = 1; suites[++n] = part[2] }
    if (part[1] == "correct") { correct[part[2]]++; all_correct++; next }
    bugs[part[2]]++; all_bugs++
    if ($7 == "missed") { missed[part[2]] = missed[part[2]] (missed[part[2]] ? "; " : "") $8; next }
    found[part[2]]++; all_found++
}
END {
    print "# Recall and precision"
    print ""
    print "Kernels of [tests/corpus](../../tests/corpus/README.md), each with one planted mistake, or with none and a tricky look."
    print "`tests/corpus/table.sh` makes this page; the test `corpus/run` shows that it is so."
    print ""
    print "| suite | mistakes | found | missed | correct kernels | false alarms |"
    print "| --- | --- | --- | --- | --- | --- |"
    for (i = 1; i <= n; i++) {
        s = suites[i]
        printf "| %s | %d | %d | %s | %d | 0 |\n", s, bugs[s], found[s], missed[s] ? missed[s] : "", correct[s]
    }
    printf "| **all** | **%d** | **%d** | | **%d** | **0** |\n", all_bugs, all_found, all_correct
    print ""
    print "A mistake is found in the plain order of warps and blocks, without a seed. Correct kernels run three times: in the plain"
    print "order, with a seed, and with `--async late`. Notes and advice count as found where the table of the kernels names them."
    print ""
    print "The missed mistakes break no rule of PTX. A struct is one symbol of PTX, so an index that leaves one of its arrays"
    print "stays inside of the symbol. The address of a local variable is the same number in all threads. A thread that gets it from another"
    print "one accesses its own memory, on a GPU too, and a thread may get its own address back the same way."
}' kernels.tsv
