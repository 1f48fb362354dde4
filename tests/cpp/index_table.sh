#!/bin/sh
# index_table.sh PROGRAM TABLE - the committed constants are what the library answers today.
written=$(mktemp) && trap 'rm -f "$written"' EXIT
"$1" >"$written" || exit 1
cmp -s "$written" "$2" && exit 0
diff "$2" "$written" | head -5
echo "$2 is not what the library says: cmake --build BUILD --target index-record"
exit 1
