#!/bin/sh
# values.sh PROGRAM SOURCE_DIR - commands take the formats and colours that completion offers. The first example of
# each command takes each value, with few random cases.
PATH=$(cd "$(dirname "$1")" && pwd):$PATH
cd "$2" || exit 2
said=$(mktemp) && trap 'rm -f "$said"' EXIT
failed=0 tried=0
join_lines() { sed -e ':a' -e '/\\$/N; s/\\\n *//; ta'; }
for command in $(wsim complete help '' | cut -f1); do
    case $command in bench | try) continue ;; esac # takes its time, writes files
    example=$(wsim "$command" --help | sed '1,/^Examples:$/d; s/^  //' | join_lines | sed -n 1p)
    for option in --format --report --color; do
        for value in $(wsim complete "$command" "$option=" | cut -f1); do
            sh -c "$(echo "$example" | sed 's/--random 1000000/--random 1000/') $value" >/dev/null 2>"$said" </dev/null
            tried=$((tried + 1))
            ! grep -q -E ': (it can|must) be' "$said" || { echo "$example $value: $(cat "$said")"; failed=1; }
        done
    done
done
[ $tried -gt 50 ] || { echo "only $tried values are offered"; failed=1; }
exit $failed
