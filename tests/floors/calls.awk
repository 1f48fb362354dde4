# Reads `nm -A` of the objects of all rooms. Prints each knot: files of one room that call each other in a
# circle, as "ROOM FILE FILE ...", sorted. A reference to a function or a table of another file is a call,
# so whoever refers to a table of functions calls them all.
{
    n = split($0, part, /\.o:/)
    if (n < 2) next
    n = split(part[1], path, "/")
    room = path[n - 1]
    file = path[n]
    sub(/\.c$/, "", file)
    file = room "/" file
    if (!(file in room_of)) {
        room_of[file] = room
        files[++n_files] = file
    }
    if ($(NF - 1) ~ /^[TDRBVWC]$/) home[room, $NF] = file
    else if ($(NF - 1) == "U") needs[file] = needs[file] " " $NF
}

# Tarjan's strongly connected components.
function visit(v,    list, n, i, w) {
    number[v] = low[v] = ++visited
    stack[++top] = v
    on_stack[v] = 1
    n = split(needs[v], list, " ")
    for (i = 1; i <= n; i++) {
        w = home[room_of[v], list[i]]
        if (w == "" || w == v) continue
        if (!(w in number)) {
            visit(w)
            if (low[w] < low[v]) low[v] = low[w]
        } else if (on_stack[w] && number[w] < low[v]) low[v] = number[w]
    }
    if (low[v] == number[v]) print_component(v)
}
function print_component(v,    w, n, i, j, names, text) {
    do {
        w = stack[top--]
        on_stack[w] = 0
        names[++n] = w
        sub(/^[^\/]*\//, "", names[n])
        for (i = n; i > 1 && names[i] < names[i - 1]; i--) {
            j = names[i]; names[i] = names[i - 1]; names[i - 1] = j
        }
    } while (w != v)
    if (n == 1) return
    text = room_of[v]
    for (i = 1; i <= n; i++) text = text " " names[i]
    print text
}
END { for (i = 1; i <= n_files; i++) if (!(files[i] in number)) visit(files[i]) }
