#!/bin/sh
# pages.sh PROGRAM PAGE.md... - the sessions of a page are the output of the program. In an indented block a line "$
# command" is run. The lines up to the next command or the end of the block are its output, standard error too. It
# runs in a folder of its own that has tests/ and examples/. Pages break long lines where they like: only words count.
#
# pages.sh --record PROGRAM PAGE.md... writes the outputs anew.
WSIM_ASSEMBLER=none && export WSIM_ASSEMBLER
record=no
[ "$1" != --record ] || { record=yes; shift; }
program=$(cd "$(dirname "$1")" && pwd)
shift
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
LC_ALL=C PATH=$program:$PATH
source=$(cd "$(dirname "$0")/../.." && pwd)
export LC_ALL PATH

# Writes NUMBER.cmd and NUMBER.want for each session of a page.
split_page() {
    awk -v work="$work" '
        /^    \$ / { n++; sub(/^    \$ /, ""); print >(work "/" n ".cmd"); inside = 1; next }
        !/^(    .*)?$/ { inside = 0 }
        inside         { print >(work "/" n ".want") }' "$1"
}

words() { tr -s ' \n' '\n' | sed '/^$/d'; }

# The page with what its commands say now.
record_page() {
    while IFS= read -r line || [ -n "$line" ]; do
        case $line in
        '    $ '*)
            printf '%s\n' "$line"
            printf '%s\n' "${line#    \$ }" >"$work/cmd"
            mkdir "$work/dir" && ln -s "$source/tests" "$source/examples" "$work/dir"
            (cd "$work/dir" && sh "$work/cmd" 2>&1 </dev/null) | sed 's/^/    /; s/ *$//'
            rm -rf "$work/dir"
            inside=yes ;;
        '    '*) [ $inside = yes ] || printf '%s\n' "$line" ;;
        '') [ $inside = yes ] || printf '\n' ;;
        *) [ $inside = no ] || printf '\n'; inside=no; printf '%s\n' "$line" ;;
        esac
    done <"$1"
}

if [ $record = yes ]; then
    for page in "$@"; do
        inside=no
        record_page "$page" >"$work/page" && cat "$work/page" >"$page"
    done
    exit 0
fi

failed=0
for page in "$@"; do
    rm -f "$work"/*
    split_page "$page"
    number=1
    while [ -f "$work/$number.cmd" ]; do
        [ -f "$work/$number.want" ] || : >"$work/$number.want"
        mkdir "$work/dir" && ln -s "$source/tests" "$source/examples" "$work/dir"
        (cd "$work/dir" && sh "$work/$number.cmd" 2>&1 </dev/null) | words >"$work/got"
        rm -rf "$work/dir"
        if ! words <"$work/$number.want" | cmp -s - "$work/got"; then
            echo "$page: $(cat "$work/$number.cmd")"
            tr '\n' ' ' <"$work/got"
            echo
            failed=1
        fi
        number=$((number + 1))
    done
    least=3
    [ "${page##*/}" != README.md ] || least=1
    [ $number -gt $least ] || { echo "$page: fewer than $least sessions"; failed=1; }
done
exit $failed
