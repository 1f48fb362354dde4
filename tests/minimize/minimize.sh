#!/bin/sh
# minimize.sh WSIM PLANTED - wsim replay --minimize shrinks each planted disagreement. At most the allowed operands
# are left, and only the element that differed first differs. Repetition gives the same result, also from the result
# itself.
wsim=$1 planted=$2
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
failed=0
complain() { echo "$name: $*"; failed=1; }

"$planted" list >list
[ -s list ] || { echo "nothing is planted"; exit 1; }
while read -r name arch most; do
    "$planted" record "$name" >whole.trace || exit 2
    "$wsim" replay --minimize --arch "$arch" whole.trace >small.trace 2>said
    [ $? -eq 1 ] || complain "not exit status 1"
    "$wsim" replay --minimize --arch "$arch" whole.trace -o again.trace 2>/dev/null
    cmp small.trace again.trace || complain "another result the second time"
    "$wsim" replay --arch "$arch" small.trace >/dev/null
    [ $? -eq 1 ] || complain "the small case does not differ"
    "$wsim" replay --minimize --arch "$arch" small.trace 2>/dev/null | grep -v '^#' >again.cases
    grep -v '^#' small.trace | cmp - again.cases || complain "made smaller the second time"

    read -r before _ first <<-END
	$("$planted" count "$arch" <whole.trace)
	END
    read -r after differences place <<-END
	$("$planted" count "$arch" <small.trace)
	END
    echo "$name: $before -> $after at $place"
    [ "$place" = "$first" ] || complain "now at $place, before at $first"
    [ "$differences" = 1 ] || complain "$differences elements differ"
    [ "$after" -lt "$before" ] && [ "$after" -le "$most" ] || complain "$after operands are left"
    grep -q ": $after of $before nonzero" said || complain "told: $(cat said)"
done <list
exit $failed
