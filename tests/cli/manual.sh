#!/bin/sh
# manual.sh PROGRAM - every command, and every part of one, has a manual page with all the options of its --help. mandoc
# or groff, if installed, find no mistake.
PATH=$(cd "$(dirname "$1")" && pwd):$PATH
commands=$(wsim --help | sed -n 's/^  \([a-z]*\)  .*/\1/p')
commands="$commands $(for command in $commands; do # and their parts
    wsim "$command" --help | sed -n '/^Parts/,$ s/^  [a-z]* [^ ]*  *\([a-z]*\)  .*/\1/p'
done)"
[ -n "$commands" ] || { echo "wsim --help lists no commands"; exit 1; }
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
failed=0
lint() { # PAGE
    if command -v mandoc >/dev/null; then
        mandoc -Tlint "$1" >"$work/said" || failed=1
        cat "$work/said"
    fi
    if command -v groff >/dev/null; then
        groff -ww -man -z "$1" >"$work/said" 2>&1 && [ ! -s "$work/said" ] || { failed=1; cat "$work/said"; }
    fi
}
for command in $commands; do
    page=$work/wsim-$command.1
    wsim help --man "$command" >"$page" || { echo "no page of $command"; failed=1; }
    lint "$page"
    sed 's/\\-/-/g; s/\\f[BRI]//g' "$page" >"$work/plain"
    for option in $(wsim "$command" --help | sed -n '/^$/q; s/^  *\(-., \)*--\([a-z0-9-]*\).*/\2/p'); do
        grep -qE -e "^(-., )?--$option(=|\$)" "$work/plain" || { echo "$command: no --$option"; failed=1; }
    done
    grep -q "^.BR wsim..$command (1)" <<END || { echo "wsim.1 does not name $command"; failed=1; }
$(wsim help --man)
END
done
wsim help --man >"$work/wsim.1" && lint "$work/wsim.1"
wsim help --man nothing >"$work/said" 2>&1
[ $? -eq 2 ] || { echo "a page of nothing"; failed=1; }
exit $failed
