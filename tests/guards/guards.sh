#!/bin/sh
# guards.sh CC SOURCE_DIR - a row that does not fit does not compile. Plants the rows of guards.txt one at a time in a
# copy of the tables. The compiler must refuse each with the sentence of its guard. Every guard of sim/isa/limits.c is
# said there at least once.
cc=$1
source=$(cd "$2" && pwd) || exit 2
guards=$source/tests/guards/guards.txt
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
failed=0 planted=0

fail() {
    echo "guards: $*"
    failed=1
}

# compile: the tables of the copy, by nothing but the compiler's front end.
compile() {
    for file in limits tables forms lookup; do
        "$cc" -std=c11 -fsyntax-only -I"$work/include" "$work/sim/isa/$file.c" || return 1
    done
}

# try NAME FILE SCRIPT SENTENCE
try() {
    planted=$((planted + 1))
    sed "$3" "$source/$2" >"$work/$2"
    if cmp -s "$source/$2" "$work/$2"; then
        fail "$1: no longer fits $2"
    elif compile >"$work/log" 2>&1; then
        fail "$1: compiles"
    elif ! tr -d '\n' <"$work/log" | grep -qF "$4"; then
        fail "$1: refused without '$4':"
        head -5 "$work/log"
    fi
    cp "$source/$2" "$work/$2"
}

mkdir -p "$work/sim"
cp -R "$source/sim/isa" "$source/sim/num" "$source/sim/base" "$source/sim/machine" "$work/sim/"
cp -R "$source/include" "$work/"
compile || { fail "the tables as they are do not compile"; exit 1; }

name='' file='' script='' said=''
while read -r key rest; do
    case $key in
    guard) name=$rest file='' script='' ;;
    in) file=$rest ;;
    sed) script="$script$rest
" ;;
    says)
        try "$name" "$file" "$script" "$rest"
        said="$said$rest
"
        ;;
    '' | '#'*) ;;
    *) fail "guards.txt: unknown word '$key'" ;;
    esac
done <"$guards"

# Sentences in limits.c that no planted row provokes.
tr -d '\n' <"$source/sim/isa/limits.c" | grep -o '"[a-z_]*\.\(def\|h\): [^"]*"' | tr -d '"' |
    sort -u >"$work/sentences"
while read -r sentence; do
    case $said in
    *"$sentence"*) ;;
    *) fail "no row is planted for '$sentence'" ;;
    esac
done <"$work/sentences"

[ $failed = 0 ] && echo "guards: $planted rows that do not fit, none compiles"
exit $failed
