# table.awk - formats a run of the bench as a table of lab/reports/performance.md, with the goals of goals.tsv.
#     build/wsim replay --bench --json | awk -f bench/table.awk bench/goals.tsv -
# A cell has nanoseconds, the ratio to the plain loop, the goal, and whether it is met. JSON of wsim has a field on
# each line.
function value(line) {
    sub(/^[^:]*: /, "", line)
    gsub(/[",]/, "", line)
    return line
}

function brief(x) {
    x += 0
    return x >= 100 ? sprintf("%.0f", x) : x >= 10 ? sprintf("%.1f", x) : x >= 1 ? sprintf("%.2f", x) : sprintf("%.3g", x)
}

# The place of the goal of a form; 0: it has none.
function goal_of(form, arch,    i) {
    for (i = 1; i <= goals; i++)
        if (index(form, from[i]) == 1 && (where[i] == "-" || where[i] == arch))
            return i
    return 0
}

function cell(row, path,    goal, got, i) {
    if (!((row, path) in ns))
        return "-"
    got = brief(ns[row, path]) "; " brief(ratio[row, path])
    i = goal_of(form[row], arch[row])
    goal = i && (i, path) in most ? most[i, path] : "-"
    if (goal == "-")
        return got
    if (goal ~ /ns$/)
        return got (ns[row, path] + 0 <= goal + 0 ? " <= " : " > ") goal + 0 " ns"
    return got (ratio[row, path] + 0 <= goal + 0 ? " <= " : " > ") goal
}

FNR == NR {
    if (/^[^#]/) {
        goals++
        from[goals] = $1
        where[goals] = $2
        most[goals, "avx512"] = $3
        most[goals, "avx2"] = $4
    }
    next
}

/"spelling":/ {
    spelling = value($0)
    gsub(/\.sync\.aligned|\.row\.col/, "", spelling)
}
/"arch":/ {
    if (!rows || form[rows] != spelling || arch[rows] != value($0)) {
        form[++rows] = spelling
        arch[rows] = value($0)
    }
}
/"path":/ { path = value($0) }
/"ns":/ { ns[rows, path] = value($0) }
/"ratio_to_float_loop":/ { ratio[rows, path] = value($0) }
/"loop_ns":/ && !/restrict/ { loop[rows] = value($0) }
/"restrict_loop_ns":/ { tight[rows] = value($0) }
/"raw":/ { raw[rows, path] = value($0) / ns[rows, path] }

END {
    print "| form | arch | loop; restrict | AVX-512 | AVX2 | vectors | plain | raw : near one |"
    print "| --- | --- | --- | --- | --- | --- | --- | --- |"
    for (i = 1; i <= rows; i++) {
        best = (i, "avx512") in raw ? raw[i, "avx512"] : raw[i, "plain"]
        printf "| `%s` | %s | %s; %s | %s | %s | %s | %s | %.1f |\n", form[i], arch[i],
            brief(loop[i]), brief(tight[i]), cell(i, "avx512"), cell(i, "avx2"),
            cell(i, "vectors"), cell(i, "plain"), best
    }
}
