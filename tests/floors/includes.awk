# Reads CMakeLists.txt and runtime/CMakeLists.txt (who may use whom), the public headers, then the files of the rooms.
# Prints each #include that goes up or sideways. A public header counts as all the rooms that it pulls in. A room of
# the runtime names another by its folder and sees its public headers alone.
$1 ~ /^wsim_room\(/ {
    split($0, part, /[() ]+/)
    room = part[2]; rooms[room] = 1
    folder[room] = /HARNESS/ ? "harness" : "sim"
    for (i = 4; part[i] != ""; i++) allowed[room, part[i]] = 1
}
$1 ~ /^wsim_runtime_room\(/ {
    n = split($0, part, /[() ]+/)
    room = part[2]; folder[room] = "runtime"
    for (i = 3; i <= n && part[i] != ""; i++)
        if (part[i] ~ /^(ON|PUBLIC)$/) list = part[i]
        else if (list == "ON") allowed[room, part[i]] = 1
        else public[room "/" part[i]] = 1
}
/^[ \t]*#[ \t]*include[ \t]*[<"]/ {
    split($0, part, /[<">]/); target = part[2]
    if (FILENAME ~ /^include\//) {
        header = FILENAME; sub(/.*\//, "", header)
        sub(/.*\//, "", target)
        pulls[header] = pulls[header] " " target
    } else {
        split(FILENAME, path, "/"); from = path[2]
        if (path[1] == "runtime") {
            if (folder[from] != "runtime") complain("is in no room of runtime/CMakeLists.txt")
            else if (target ~ /^(\.|sim\/|harness\/|tools\/)/) complain("the runtime uses include/ and its own rooms")
            else if (split(target, to, "/") > 1 && folder[to[1]] == "runtime") {
                check_room(to[1])
                if (to[1] != from && !(target in public)) complain("is a private header of " to[1])
            }
        }
        else if (target ~ /^wsim\//) check_header(substr(target, 6))
        else if (target ~ /^\.\.\/\.\.\//) { split(target, path, "/"); check_place(path[3], path[4]) }
        else if (target ~ /^\.\.\//) { split(target, to, "/"); check_place(path[1], to[2]) }
        else if (target ~ /\// && target !~ /^sys\//) complain("is no way to name a room")
    }
}
function check_header(header,    list, n, i, room) {
    sub(/.*\//, "", header)
    room = header; sub(/\.h$/, "", room)
    if (room in rooms) check_room(room)
    if (header == "wsim.h") complain("is the front door; include the room's own header")
    n = split(pulls[header], list, " ")
    for (i = 1; i <= n; i++) if (list[i] in pulls) check_header(list[i])
}
function check_place(at, to) {
    if (folder[to] != at) complain("names a room that is not in " at "/")
    check_room(to)
}
function check_room(to) {
    if (to != from && !((from, to) in allowed)) complain("goes from " from " to " to)
}
function complain(why) { print FILENAME ":" FNR ": " $0 "   <- " why }
