#!/bin/sh
# join.sh SOURCE_DIR WSIM - recorded reports of Nsight Compute become a trace (tools/hw/ncu.sh, join.awk). The trace
# is the expected one and replays. A report that does not match its cases is refused and leaves no trace.
source=$1 wsim=$2 here=$1/tests/hw/ncu
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
export NCU="$here/fake.sh" WSIM_HW="$here/fake.sh" REPORTS="$work/reports"
failed=0

complain() {
    echo "$*"
    failed=1
}

# join [OPTIONS]: what ncu.sh makes of the reports.
join() {
    rm -f "$work/trace"
    "$source/tools/hw/ncu.sh" "$@" "$here/cases.trace" -o "$work/trace" 2>"$work/said"
}

fresh() {
    rm -rf "$REPORTS" && mkdir "$REPORTS" && cp "$here"/*.csv "$REPORTS"
}

# refused NAME WORDS FILE SED: the reports with one change.
refused() {
    fresh
    sed -i "$4" "$REPORTS/$3"
    cmp -s "$REPORTS/$3" "$here/$3" && complain "$1: the change changes nothing"
    join
    [ $? -eq 2 ] || complain "$1: accepted"
    grep -q "$2" "$work/said" || complain "$1: said $(cat "$work/said")"
    [ ! -e "$work/trace" ] || complain "$1: left a trace"
}

fresh
join --keep "$work/kept" || complain "not joined: $(cat "$work/said")"
diff "$here/expected.trace" "$work/trace" || complain "another trace"
cmp "$here/ld.csv" "$work/kept/ld.csv" || complain "--keep left another report"
if [ "$wsim" != none ]; then
    "$wsim" replay "$work/trace" >"$work/table" || complain "the trace does not replay"
    tail -1 "$work/table" | grep -q '^ *12 *12 *0 *0 ' || complain "$(cat "$work/table")"
fi

refused 'a launch is missing' 'family st ends after launch 2' st.csv '$d'
refused 'a launch too many' 'family atom has 7 launches, the trace 6' atom.csv '$p'
refused 'a family without launches' 'family ld ends after launch 0' ld.csv '7,$d'
refused 'another kernel' 'is of ld_shared_b64, not of ld.shared.b128' ld.csv '7,$s/ld_shared_b128/ld_shared_b64/'
refused 'an order that differs' 'launch 1 of family ld' ld.csv '7{h;d};8{G}'
refused 'no value' '"n/a" is no count' ld.csv '8s/"[0-9]*"$/"n\/a"/'
refused 'a part of a pass' '"0.50" is no count' ld.csv '8s/"[0-9]*"$/"0.50"/'
refused 'other counters' 'not the counters of family st' st.csv 's/_op_st/_op_ld/g'
refused 'a value is missing' '20 values, 21 columns' st.csv '9s/,"[0-9]*"$//'
refused 'no names' 'values before the names' st.csv '/^"ID"/d'

fresh
join --nothing
[ $? -eq 2 ] || complain "--nothing: accepted"
NCU=/nowhere/ncu join
[ $? -eq 77 ] || complain "without ncu: not skipped"
rm "$REPORTS/st.csv"
join
[ $? -eq 2 ] || complain "ncu fails: accepted"
exit $failed
