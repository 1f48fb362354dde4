#!/bin/sh
# commands.sh PROGRAM SOURCE_DIR - wsim accepts every command that a page shows in its own block. Each runs in the
# folder of tests/, examples/ and traces/. It may have findings or miss a file of the reader, but it must be
# understood.
program=$(cd "$(dirname "$1")" && pwd)
source=$2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
LC_ALL=C PATH=$program:$PATH WSIM_ASSEMBLER=none
export LC_ALL PATH WSIM_ASSEMBLER
ln -s "$source/tests" "$source/examples" "$source/traces" "$source/lab" "$work"
mkdir -p "$work/docs/gallery" # where pages draw
cd "$work" || exit 2

# Blocks without a language or of the shell; a line that ends with a backslash goes on.
awk 'FNR == 1 { open = inside = 0; line = "" }
     /^```/ { inside = !open && ($0 == "```" || $0 == "```sh"); open = !open; next }
     inside { line = line $0
              if (sub(/\\$/, "", line)) next
              if (line ~ /^wsim [a-z]/) print line
              line = "" }' \
    "$source/README.md" "$source"/docs/*.md "$source"/docs/tutorials/*.md "$source/examples/README.md" |
    sort -u >.commands

failed=0 run=0
while IFS= read -r command; do
    sh -c "$command" >.out 2>.said </dev/null
    status=$?
    run=$((run + 1))
    case $status in
    0 | 1 | 3) continue ;;
    2) grep -qi -e 'no such file' -e 'no such program' .said && continue ;;
    esac
    echo "exit $status: $command"
    head -3 .said
    failed=1
done <.commands
[ $run -ge 20 ] || { echo "only $run commands"; failed=1; }
exit $failed
