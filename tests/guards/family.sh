#!/bin/sh
# family.sh CC SOURCE_DIR - plants the new family of docs/adding-an-instruction.md in a copy of the sources. Uses it
# first with the door NONE and without the lines of a door, then with all lines.
cc=$1
source=$(cd "$2" && pwd) || exit 2
page=$source/docs/adding-an-instruction.md
here=$source/tests/guards
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT

# The blocks of the page's section: "FILE<tab>LINE<tab>ANCHOR" of lines to plant, and whole files.
blocks() {
    awk -v out="$work" '
        /^## / { inside = /^## A new family/ }
        !inside { next }
        /^In `/ { split($0, part, "`"); file = part[2]; whole = 0 }
        /^The file `/ { split($0, part, "`"); file = part[2]; whole = 1 }
        /^```/ { open = !open; first = 1; next }
        !open { next }
        whole { print > (out "/" file); next }
        first { anchor = $0; first = 0; next }
        { print file "\t" $0 "\t" anchor }' "$page"
}

# plant FILE LINE ANCHOR: after the line that is there.
plant() {
    awk -v line="$2" -v anchor="$3" '
        { print }
        $0 == anchor && !done { print line; done = 1 }
        END { exit !done }' "$work/$1" >"$work/planted" || { echo "$1 has no line '$3'"; exit 1; }
    cp "$work/planted" "$work/$1"
}

# try NAME FLAGS|FILES...: the library and the program, in one line.
try() {
    name=$1
    shift
    if ! (cd "$work" && "$cc" -std=c11 -O0 -DWSIM_NO_KERNELS -Wall -Werror -Iinclude "$here/family.c" sim/*/*.c "$@" -o "$name") || ! "$work/$name"; then
        echo "family: $name fails"
        exit 1
    fi
}

cp -R "$source/sim" "$source/harness" "$source/include" "$work/"
blocks >"$work/lines" || exit 1
tab=$(printf '\t')
lines=0
while IFS="$tab" read -r file line anchor; do
    case $line in
    *TURN,*"IN(D)"*) plant "$file" "$(echo "$line" | sed 's/TURN, /NONE, /')" "$anchor" ;;
    DOOR* | *exec_*) continue ;;
    *) plant "$file" "$line" "$anchor" ;;
    esac
    lines=$((lines + 1))
done <"$work/lines"
mv "$work/sim/exec/turn.c" "$work/turn.c"
try row_alone
rows=$lines

rm -r "$work/sim" "$work/harness" "$work/include"
cp -R "$source/sim" "$source/harness" "$source/include" "$work/"
mv "$work/turn.c" "$work/sim/exec/"
lines=0
while IFS="$tab" read -r file line anchor; do
    plant "$file" "$line" "$anchor"
    lines=$((lines + 1))
done <"$work/lines"
(cd "$work" && echo harness/*/*.c) >"$work/harness.files"
# shellcheck disable=SC2046 # a list of files
try with_door -DWITH_DOOR $(cat "$work/harness.files")
echo "family: $rows lines without a door, $lines and a file with one"
