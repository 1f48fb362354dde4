# one rule by its name, some by words of theirs, some by a pattern
wsim rules mma.metadata.undefined
wsim rules matrix
wsim rules row.align
wsim rules 'wgmma.*' mma.metadata.undefined | sed -n 1,2p
wsim rules matrix --format csv
wsim rules matrix.row.align --format json
wsim rules matrix --format markdown | sed 1,4d
# all of them: as many as the table has, no line wider than a screen
wsim rules | grep -c '^[a-z]' | grep -qx "$(cat "$(dirname "$0")/../../sim/base/rule.def" "$(dirname "$0")/../../harness/lint/rule.def" "$(dirname "$0")/../../harness/lint/call.def" | grep -cE '^(RULE|ONCE|LINT|CALL)[(]')" && echo all
wsim rules | awk 'length > 80'; echo none is wider
wsim rules asm.volatile operand.field
# those of a status: as many as the table has
wsim rules unmodelled | grep -c ': unmodelled$' | grep -qx "$(grep -c '^RULE(.*", UNMODELLED, "' "$(dirname "$0")/../../sim/base/rule.def")" && echo all unmodelled
