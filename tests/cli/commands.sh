#!/bin/sh
# commands.sh PROGRAM SOURCE_DIR - wsim accepts every command that a page or the playground shows in its own block. Each
# runs in the folder of tests/, examples/ and traces/. It may have findings or miss a file of the reader, but it must be
# understood. An example of the playground misses none. All commands, also those inside a sentence, have names that
# `wsim --help` lists.
program=$(cd "$(dirname "$1")" && pwd)
source=$2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
LC_ALL=C PATH=$program:$PATH WSIM_ASSEMBLER=none
export LC_ALL PATH WSIM_ASSEMBLER
ln -s "$source/tests" "$source/examples" "$source/traces" "$source/lab" "$work"
mkdir -p "$work/docs/gallery" "$work/src" "$work/include" # where pages draw, and folders of a reader
cd "$work" || exit 2

pages="$source/README.md $source/CONTRIBUTING.md $source/examples/README.md
    $(ls "$source"/docs/*.md "$source"/docs/tutorials/*.md "$source"/docs/site/*.md)"
play=$source/docs/site/playground/examples.js
cp "$source"/examples/kernels/*.ptx "$source/tests/lint/garbage.cu" . # files of the playground
cp garbage.cu src && cp garbage.cu include

# Blocks without a language or of the shell, and indented lines (pages.sh has those behind a $);
# a line that ends with a backslash goes on.
# shellcheck disable=SC2086 # a list of files
awk 'FNR == 1 { open = inside = 0; line = "" }
     /^```/ { inside = !open && ($0 == "```" || $0 == "```sh"); open = !open; next }
     !open && /^    wsim [a-z]/ && !/[[<\\]|\.\.\.$/ { sub(/^ */, ""); print; next }
     inside { line = line $0
              if (sub(/\\$/, "", line)) next
              if (line ~ /^wsim [a-z]/) print line
              line = "" }' \
    $pages | sort -u >.commands
sed -n "s/^    command: \"\(.*\)\",.*/wsim \1/p; s/^    command: '\([^']*\)',.*/wsim \1/p" "$play" >.play
[ "$(wc -l <.play)" -eq "$(grep -c 'command:' "$play")" ] || { echo "$play: commands in another form"; exit 1; }

failed=0 run=0
wsim --help | sed -n 's/^  \([a-z]*\)  .*/\1/p' >.names
echo help >>.names
# shellcheck disable=SC2086
for name in $({ cat .commands .play; grep -ohE '(`|^    \$ )wsim [a-z]+' $pages; } | sed 's/^[`$ ]*wsim \([a-z]*\).*/\1/' | sort -u); do
    grep -qx "$name" .names || { echo "wsim $name: wsim --help does not list it"; failed=1; }
done

while IFS= read -r command; do
    sh -c "$command" >.out 2>.said </dev/null
    status=$?
    run=$((run + 1))
    case $status in
    0 | 1 | 3) continue ;;
    2) grep -qi -e 'no such file' -e 'no such program' -e 'programs need the runtime' .said && ! grep -qxF "$command" .play && continue ;;
    esac
    echo "exit $status: $command"
    head -3 .said
    failed=1
done <<E
$(cat .commands .play)
E
[ $run -ge 20 ] || { echo "only $run commands"; failed=1; }
exit $failed
