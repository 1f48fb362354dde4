#!/bin/sh
# program.sh WSIM PLANTED SOURCE_DIR - ci/program.sh on a command with a mistake, on one without, and on one without CUDA.
PATH=$(dirname "$1"):$PATH
planted=$2
script=$3/ci/program.sh
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
failed=0
expect() { # STATUS COMMAND...
    wanted=$1
    shift
    "$script" "$@" >said 2>&1
    got=$?
    [ $got -eq "$wanted" ] || { echo "status $got, not $wanted: $*"; cat said; failed=1; }
}
holds() { "$@" || { echo "not so: $*"; cat said; failed=1; }; }
expect 1 sh -c '"$0" race wrong && "$0" race right' "$planted"
holds grep -q 'race.global' said
holds grep -q '"ruleId": "race.global"' wsim-report/findings.sarif
holds grep -q 'race.global' wsim-report/report.html
expect 0 "$planted" race right
holds grep -q 'findings 0 ' said
holds grep -q '"results": \[\]' wsim-report/findings.sarif
expect 4 sh -c 'exit 4'
holds grep -q 'no process left a record there' said
expect 2 true
expect 3 "$planted" unmodelled wrong
holds grep -q 'not run, 2 times: multi' said
holds [ -s wsim-report/report.html ]
WSIM_OPTIONS='--check memory,init' expect 0 "$planted" race wrong
WSIM_OPTIONS='--shard 0/2' expect 0 "$planted" race right
holds [ -d wsim-report/records/0-of-2 ]
# the tests run in another folder
expect 1 sh -c 'mkdir below && cd below && "$0" race wrong' "$planted"
holds grep -q '^processes 1 launches 1 findings 1 ' said
expect 2
exit $failed
