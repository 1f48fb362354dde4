#!/bin/sh
# help.sh PROGRAM SOURCE_DIR - every command that `wsim --help` lists, and every part of one, has a --help of its own with
# two examples. Each example runs without an error and prints nothing on standard error. With
# WSIM_TEST_SAMPLE=N a million random cases become a million by N squared.
WSIM_ASSEMBLER=none && export WSIM_ASSEMBLER
PATH=$(cd "$(dirname "$1")" && pwd):$PATH
cd "$2" || exit 2
commands=$(wsim --help | sed -n 's/^  \([a-z]*\)  .*/\1/p')
commands="$commands $(for command in $commands; do # and their parts
    wsim "$command" --help | sed -n '/^Parts/,$ s/^  [a-z]* [^ ]*  *\([a-z]*\)  .*/\1/p'
done)"
[ -n "$commands" ] || { echo "wsim --help lists no commands"; exit 1; }

# replay shows recordings of the repository, packed with a program that need not be there; try writes files (try.cmd); records and
# programs come from tests/runtime
runs_here() {
    case $1 in
    'wsim try'* | 'wsim run --merge'* | *ctest*) return 1 ;;
    *traces/*) [ -d traces ] && command -v zstd >/dev/null ;;
    esac
}

cases=$((1000000 / ${WSIM_TEST_SAMPLE:-1} / ${WSIM_TEST_SAMPLE:-1}))

# Joins lines that end with a backslash.
join_lines() { sed -e ':a' -e '/\\$/N; s/\\\n *//; ta'; }

said=$(mktemp) || exit 2
help=$said.help
trap 'rm -f "$said" "$help"' EXIT
failed=0
for command in $commands; do
    wsim "$command" --help >"$help" || { echo "$command --help fails"; failed=1; }
    examples=$(sed '1,/^Examples:$/d; /^Parts/,$d; /^$/d; s/^  //' "$help" | join_lines)
    [ "$(echo "$examples" | wc -l)" -eq 2 ] || { echo "$command: not two examples"; failed=1; }
    long=$(awk 'length > 80' "$help")
    # a long list of options is in groups: a heading, then at least one option
    awk -v command="$command" '
        /^Examples:$/ { exit }
        /^[A-Z][^.]*:$/ && !text { if (last) empty = 1; groups++; last = 1; next }
        /^  .*--[a-z]/ && !text { options++; last = 0; next }
        NR > 1 && /^[A-Za-z]/ { text = 1 }
        END { if (empty || (options > 20 && groups < 3)) { print command ": options without groups"; exit 1 } }' "$help" || failed=1
    [ -z "$long" ] || { echo "$command: longer than 80 columns: $long"; failed=1; }
    echo "$examples" >"$said.examples"
    while IFS= read -r example; do
        runs_here "$example" || { echo "not run: $example"; continue; }
        sh -c "$(echo "$example" | sed "s/--random 1000000/--random $cases/")" >/dev/null 2>"$said" </dev/null
        status=$?
        [ $status -le 1 ] && [ ! -s "$said" ] && continue
        echo "exit $status: $example"
        cat "$said"
        failed=1
    done <"$said.examples"
    rm -f "$said.examples"
done
exit $failed
