#!/bin/sh
# suite.sh WSIM PLANTED CTEST - wsim run on the test suite of a project: relative folders, lost records, wrong variables, limits of
# time, signals, several programs.
wsim=$1 planted=$2 ctest=$3
here=$(cd "$(dirname "$0")" && pwd) || exit 2
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}handle_segv=0
export ASAN_OPTIONS
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
failed=0

fail() { echo "$last: $*"; head -5 out err; failed=1; }
status() { # WANTED COMMAND...: its output stays in out and err
    wanted=$1
    shift
    last="$*"
    "$@" >out 2>err
    got=$?
    [ $got -eq "$wanted" ] || fail "status $got, not $wanted"
}
has() { grep -q -- "$1" err || fail "no '$1' in err"; }
says() { grep -q -- "$1" out || fail "no '$1' in out"; }
lives() { # the process of pid; init may not take in its children here
    case $(cut -d' ' -f3 "/proc/$(cat pid)/stat" 2>kill.err) in "" | Z | X) return 1 ;; esac
}
hasnt() { ! grep -q -- "$1" err || fail "'$1' in err"; }

# A suite below another folder: ctest runs its tests there.
mkdir -p build
cp "$planted" build/first && cp "$planted" build/second
cat >build/CTestTestfile.cmake <<END2
add_test(right "$work/build/first" race right)
add_test(status "$work/build/second" race right)
END2
status 0 "$wsim" run --records records -- "$ctest" --test-dir build
hasnt 'No such file'
status 0 "$wsim" run --merge records
says '^processes 2 launches 2 findings 0'
for i in 0 1; do
    status 0 "$wsim" run --shard $i/2 --records parts -- "$ctest" --test-dir build
done
status 0 "$wsim" run --merge parts
says '^processes 4 launches 4 findings 0'
(eval "$("$wsim" run --env --records hand)" && cd build && ./first race right) >out 2>err
status 0 "$wsim" run --merge hand
says '^processes 1 launches 1 '
status 2 "$wsim" run --records out/records true

# Nothing checked is no good answer.
mkdir empty
status 2 "$wsim" run --merge empty
has 'no process left a record'
status 0 "$wsim" run --shard 0/1 --records nothing true
has 'used CUDA: nothing was checked'
status 2 "$wsim" run --merge nothing
status 0 "$wsim" run "$ctest" --test-dir build -N
has 'used CUDA: nothing was checked'
status 0 "$wsim" run build/first race right
hasnt 'nothing was checked'

# A wrong variable, also where the program takes no notice of errors.
status 2 env WSIM_SHARD=9/3 "$wsim" run build/first leak right --quiet
has 'WSIM_SHARD=9/3 is wrong'
status 2 env WSIM_SHARD=9/3 "$wsim" run sh -c 'build/first race right; exit 0'
has '1 of 1 processes ran nothing: a variable WSIM_... of the environment is wrong'
status 2 env WSIM_ARCH=none "$wsim" run sh -c 'build/first race right; exit 0'

for value in -1 " -1" +1 1x "" 4294967296/9 0/65537 1/1 " 0/2" 0/2/3; do
    [ -z "$value" ] || status 2 env WSIM_SHARD="$value" "$wsim" run build/first race right
    [ -z "$value" ] || status 2 env WSIM_SEED="$value" "$wsim" run build/first race right
    status 2 "$wsim" run --shard "$value" --records shards build/first race right
done
status 2 env WSIM_CHECK="$(printf '%4000s')" "$wsim" run build/first race right
has ' is wrong: expected all, none, or a list of '
for value in '[]' '{}' '{"most": 1, "warp": 32}' '{"most": 1, "block": [1]}' '{"most": -1}' '{"most": 1, "places": 3}'; do
    status 2 env WSIM_LOOK="$value" "$wsim" run build/first race right
    has 'WSIM_LOOK is no JSON of --print'
done

# A variable that is none, but looks like one, has its line once.
status 0 env WSIM_CHEKC=none WSIM_SHARDS=2 WSIM_HOME=/ "$wsim" run sh -c 'build/first race right; build/first race right'
[ "$(grep -c '^WSIM_CHEKC is no variable of the runtime; did you mean WSIM_CHECK?$' err)" = 1 ] || fail "WSIM_CHEKC"
hasnt 'WSIM_SHARDS is\|WSIM_HOME'
(eval "$("$wsim" run --env)" && WSIM_DEVICE=2 exec build/first race right) >out 2>err
has '^wsim: WSIM_DEVICE is no variable of the runtime; did you mean WSIM_DEVICES?$'

# A record that is lost, and a report.
(eval "$("$wsim" run --env --records gone)" && rm -r gone && exec build/first race right) >out 2>err
[ $? -eq 2 ] || fail "a lost record is not an error"
(eval "$("$wsim" run --env)" && WSIM_REPORT_FILE=gone/report WSIM_REPORT=text+ exec build/first race right) >out 2>err
[ $? -eq 2 ] || fail "a lost report is not an error"

# memory is always on
status 1 "$wsim" run --check race build/first outside wrong
has 'memory.bounds'
status 0 "$wsim" run --check none build/first outside wrong

# Many small processes share the parts evenly: their first launches do not all belong to part 0.
tree='for i in 1 2 3 4 5 6 7 8; do "$0" race wrong "$i" || true; done'
for i in 0 1; do
    status 1 "$wsim" run --shard $i/2 --records spread sh -c "$tree; exit 0" build/first
    checked="$checked $(sed -n 's/^ *\([0-9]*\) .* race$/\1/p' err)"
done
# shellcheck disable=SC2086 # words
set -- $checked
[ $# -eq 2 ] && [ $(($1 + $2)) -eq 8 ] || fail "the parts check$checked of 8 launches"
status 1 "$wsim" run --merge spread

# A part that fails has its number. A new baseline has its count on standard error.
status 8 "$wsim" run --shard 1/2 --records worst sh -c 'exit 8'
status 0 "$wsim" run --shard 0/2 --records worst build/first race right
status 2 "$wsim" run --merge worst
has 'part 1 ended with status 8'
status 0 "$wsim" run --write-baseline known build/first race wrong
has '^wrote [0-9]* findings\{0,1\} to known$'

# A limit of time ends all processes, and the report is there.
status 124 "$wsim" run --timeout 2 sh -c 'build/first race wrong; (sleep 61 & echo $! >pid); sleep 62'
has 'race.global'
has 'the program did not end in 2 s'
! lives || fail "a process goes on after the limit of time"
status 0 "$wsim" run --timeout 60 build/first race right
status 1 "$wsim" run --max-instructions 1000 sh -c 'build/first turns right; exit 0'
has 'launch.instructions.many: '
status 0 "$wsim" run --max-instructions 1000000 build/first turns right
status 2 "$wsim" run --timeout 0 build/first race right
status 2 "$wsim" run --max-instructions x build/first race right

# A signal for wsim ends the tree, and the report is there.
for signal in TERM HUP; do
    rm -f pid begun
    "$wsim" run sh -c 'build/first race wrong; echo >begun; sleep 63 & echo $! >pid; wait' >out 2>err &
    runner=$!
    for _ in $(seq 100); do [ -s pid ] || sleep 0.1; done
    kill -$signal $runner
    wait $runner
    last="a signal $signal"
    has "race.global"
    ! lives || fail "a process goes on"
done

# A place is a path from the current folder, or else the name of the file.
if "$wsim" run build/first leak right && "$wsim" run --check all,leak build/first leak wrong 2>&1 | grep -q '^planted.c:'; then
    status 1 sh -c 'cd "$1" && "$2" run --check all,leak "$3" leak wrong' - "$here" "$wsim" "$planted"
    has '^planted/planted.c:[0-9]*: api.leak: '
fi

# Findings of two programs, without lines, are two, and each names its program.
status 1 "$wsim" run --check all,leak sh -c 'build/first race wrong; build/second outside wrong; build/second race wrong; exit 0'
has '^    program build/first$'
has '^    program build/second$'
has ' findings 3 '
status 1 "$wsim" run --format sarif -o all.sarif sh -c 'build/first race wrong; build/second race wrong; exit 0'
status 1 "$wsim" run --format json -o all.json sh -c 'build/first race wrong; build/second outside wrong; exit 0'
last="several programs"
python=$(command -v python3) || echo "no python3: SARIF and JSON of several programs are not read"
[ -z "$python" ] || "$python" - <<'END2' || fail "a finding has the wrong program"
import json
sarif = json.load(open('all.sarif'))["runs"][0]
assert "informationUri" not in sarif["tool"]["driver"], sarif["tool"]
found = {(r["ruleId"], r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]) for r in sarif["results"]}
assert {("race.global", "build/first"), ("race.global", "build/second")} <= found, found
assert all(r["properties"]["program"] for r in sarif["results"])
findings = json.load(open('all.json'))["findings"]
assert all(f["process"] > 0 for f in findings) and len({f["process"] for f in findings}) == 2
assert {f["program"].rsplit('/', 1)[1] for f in findings if f["rule"] == "memory.bounds"} == {"second"}
END2
exit $failed
