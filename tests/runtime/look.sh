#!/bin/sh
# look.sh WSIM PLANTED - wsim run --print and --trace of programs: values in the report, in records, of several processes.
wsim=$1 planted=$2
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}handle_segv=0
export ASAN_OPTIONS
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
failed=0

fail() { echo "$last: $*"; head -20 "$work/err"; failed=1; }
# status WANTED COMMAND...: its output stays in out and err.
status() {
    wanted=$1
    shift
    last="$*"
    "$@" >"$work/out" 2>"$work/err"
    got=$?
    [ $got -eq "$wanted" ] || fail "status $got, not $wanted"
}
has() { grep -q -- "$1" "$work/err" || fail "no '$1'"; }
count() { # NUMBER PATTERN
    [ "$(grep -c -- "$2" "$work/err")" = "$1" ] || fail "not $1 times '$2'"
}
run() { # WANTED CASE TWIN OPTIONS...
    wanted=$1 case=$2 twin=$3
    shift 3
    status "$wanted" "$wsim" run --lines 0 "$@" "$planted" "$case" "$twin"
}
both='"$0" race right && "$0" race right'

# a line of the source, and one of the PTX
run 0 race right --print add.cu:30:%r0 --at-lane 3
has '^add.cu:30:%r0, kernel add, launch 1, block (0,0,0), warp 0$'
has '^ *3 *3$'
count 8 '^add.cu:30:%r0, kernel add'
printf 'begins\nends\n' | cmp -s - "$work/out" || fail "the output is not the program's own"
run 0 race right --print 9:%r1 --at-warp 2 --at-block 0,0,0
count 1 '^9:%r1, kernel add, launch 1, block (0,0,0), warp 2$'
run 0 race right --print 9 --at-most 2
count 2 '^9, kernel add'
has '^9: 6 more times; --at-most shows more$'

# addresses have the names of findings
run 0 race right --print 9:%a0,%a1 --at-lane 3 --at-most 1
has '^ *3  buffer 1+0xc  buffer 2+0xc$'
run 0 race right --trace "$work/names" --at-warp 1 --at-lane 2
grep -q '	%a0:[bu]64=buffer 1+0x88$' "$work/names" || fail "the trace has addresses without names"

# findings count as without
run 1 race wrong --print 20 --at-most 1
count 1 '^20, kernel race'
has '^processes 1 launches 1 findings 1 '

# each launch, though the runtime need not run all
status 0 "$wsim" run --lines 0 --print 9 --at-warp 0 "$planted" repeats right
count 5 '^9, kernel add, launch [1-5], '

# lines that are not there, and wrong places
run 2 race right --print add.cu:31
has '^add.cu:31: no instruction has this line; line 30 has$'
has "^wsim: --print 'add.cu:31': no instruction has this line$"
run 2 race right --print add.cu
has "^wsim: --print 'add.cu': expected FILE:LINE"
run 2 race right --at-warp 1
has 'give one of these$'
run 2 race right --print 9 --at-block 1,b
has "^wsim: --at-block '1,b': expected X,Y,Z$"

# several processes, records, and a report of both
status 0 "$wsim" run --lines 0 --print 9 --at-warp 0 --records "$work/records" sh -c "$both" "$planted"
count 2 '^9, kernel add, launch 1, '
status 0 "$wsim" run --merge --format json "$work/records"
[ "$(grep -c '"at": "9"' "$work/out")" = 3 ] || fail "the records lack what was seen"
grep -q '"process": [0-9]' "$work/out" || fail "visits do not say their process"
status 0 "$wsim" run --shard 0/2 --lines 0 --print 9 --at-warp 0 --records "$work/parts" "$planted" race right
status 0 "$wsim" run --shard 1/2 --lines 0 --print 9 --at-warp 0 --records "$work/parts" "$planted" race right
status 0 "$wsim" run --merge "$work/parts"
[ "$(grep -c '^9, kernel add, launch 1, ' "$work/out")" = 2 ] || fail "a part lacks what was seen"

# a trace has one head, and the instructions of all processes
status 0 "$wsim" run --lines 0 --trace "$work/trace" --at-warp 0 sh -c "$both" "$planted"
[ "$(grep -c '^#' "$work/trace")" = 1 ] || fail "the trace has not one head"
[ "$(grep -c '	ld.global.u32	' "$work/trace")" = 2 ] || fail "the trace lacks instructions"
cmp -s "$work/err" /dev/null && fail "no report"
status 2 "$wsim" run --trace "$work/none/trace" "$planted" race right

# the variable by hand
status 2 env WSIM_LOOK=no "$wsim" run sh -c '"$0" race right; true' "$planted"
has 'WSIM_LOOK is no JSON of --print'

exit $failed
