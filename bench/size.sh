#!/bin/sh
# size.sh LIBRARY GOALS - the text of the shared library, beside its goal in goals.tsv. Fails if it is larger.
command -v size >/dev/null || { echo "skipped: no size"; exit 77; }
goal=$(awk '$1 == "libwsim.so" && $2 == "text" { print $3 }' "$2")
text=$(size "$1" | awk 'NR == 2 { print $1 }')
if [ "${text:-0}" -gt 0 ] && [ "$text" -le "${goal:-0}" ]; then
    echo "libwsim.so: $text bytes of text <= $goal"
else
    echo "libwsim.so: $text bytes of text > $goal, the goal in bench/goals.tsv"
    size -t "${1%.so*}.a" 2>/dev/null | sort -rn | sed -n 2,12p
    exit 1
fi
