#!/bin/sh
# frames.sh LARGE BUILD_DIR SOURCE_DIR - exactly the functions that LARGE names take more than 4 KB of stack or an
# unknown amount. The reports of the compiler (-fstack-usage: cmake/flags.cmake) are next to the objects. Skipped (77)
# where it says nothing: sanitizers, Debug, another compiler.
large=$1 build=$2 source=$3
limit=4096
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT

# Files that no longer exist do not count. Objects stand in FOLDER/CMakeFiles/TARGET.dir.
folders=$(cd "$build" && ls -d CMakeFiles runtime 2>/dev/null)
(cd "$build" && find $folders -path '*.dir/*.su') | while read -r file; do
    name=${file%%CMakeFiles/*}${file#*.dir/}
    [ ! -e "$source/${name%.su}" ] || cat "$build/$file"
done >"$work/usage"
[ -s "$work/usage" ] || { echo "skipped: no .su files in $build"; exit 77; }

# FILE:LINE:[COLUMN:]FUNCTION[.clone] BYTES static|dynamic|dynamic,bounded
awk -F'\t' -v limit=$limit '
    FILENAME == ARGV[1] { if ($0 !~ /^#/ && NF) { split($0, part, " "); known[part[1]] = 1 } next }
    {
        name = $1; sub(/.*:/, "", name); sub(/\..*/, "", name);
        where = $1; sub(/:.*/, "", where); sub(/.*\/sim\//, "sim/", where); sub(/.*\/harness\//, "harness/", where)
        count++
        if ($3 == "dynamic") { print where ": " name " takes an unknown amount of stack"; bad = 1 }
        if ($2 > limit) {
            if (!(name in known)) { print where ": " name " takes " $2 " bytes of stack"; bad = 1 }
            seen[name] = 1
        }
        if ($2 > most) { most = $2; who = name }
    }
    END {
        for (name in known)
            if (!(name in seen)) { print "no longer needed in large.txt: " name; bad = 1 }
        print count " functions, the largest frame is " most " bytes (" who ")"
        exit bad
    }' "$large" "$work/usage"
