#!/bin/sh
# run.sh WSIM PLANTED - wsim run, env and merge on a program with planted mistakes. The output, the status and the
# signal are the program's own; each mistake is one paragraph; the right twin has none.
wsim=$1 planted=$2
# A sanitizer takes SIGSEGV, which the checks of the host need.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}handle_segv=0
export ASAN_OPTIONS
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
failed=0

fail() { echo "$*"; head -5 "$work/err"; failed=1; }
# status WANTED COMMAND...: its output stays in out and err.
status() {
    wanted=$1
    shift
    "$@" >"$work/out" 2>"$work/err"
    got=$?
    [ $got -eq "$wanted" ] || fail "$*: status $got, not $wanted"
}
has() { grep -q -- "$1" "$work/err" || fail "no '$1' in the report of: $last"; }
hasnt() { ! grep -q -- "$1" "$work/err" || fail "'$1' in the report of: $last"; }
run() { # WANTED CASE TWIN OPTIONS...
    wanted=$1 case=$2 twin=$3
    shift 3
    last="run $* $case $twin"
    status "$wanted" "$wsim" run "$@" "$planted" "$case" "$twin"
}

# each mistake once, and none in its twin
while read -r case rule; do
    run 1 "$case" wrong --check all,leak
    has "^[^ ].*: $rule: "
    has "findings 1 notes 0"
    run 0 "$case" right --check all,leak
    has "findings 0 notes 0"
done <<CASES
leak api.leak
freed api.freed
twice api.freed
freed_kernel memory.bounds
outside memory.bounds
unchecked api.unchecked
race race.global
streams api.streams
legacy api.streams
halves api.streams
given api.streams
updated api.streams
again api.streams
freed_later api.streams
host_read api.host
host_write api.host
managed api.host
managed_variable api.host
fills api.host
host_pool memory.bounds
null memory.bounds
host_heap memory.bounds
dependent race.dependency
over race.dependency
edges race.dependency
nodes api.streams
captured race.dependency
zeros init.global
CASES
run 0 chain wrong --check all
has "note: .*advice.dependency.chain\|advice.dependency.chain: "
has "findings 0 notes 1"
run 0 chain right --check all
has "findings 0 notes 0"
run 1 freed_kernel wrong
has "is freed; \|is freed$"
run 1 unchecked wrong
has "planted.c:[0-9]*: api.unchecked: cudaMalloc returns cudaErrorMemoryAllocation, and"
run 1 unchecked_launch wrong
has "planted.c:[0-9]*: api.unchecked: cudaLaunchKernel returns cudaErrorInvalidValue (kernel add: a block of 2048 x "
run 1 mangled wrong
if ldconfig -p 2>/dev/null | grep -q libstdc++.so.6; then
    has "api.unchecked: cudaLaunchKernel returns cudaErrorInvalidValue (kernel ns::scale<4>: a block of 2048 x "
    run 1 mangled wrong --format sarif
    has "(kernel ns::scale<4>: a block"
fi
run 0 mangled right
run 1 unchecked_launch wrong
has "api.unchecked: cudaMemcpy returns cudaErrorInvalidValue (2048 bytes from byte 0 of buffer 1 on, which has 1024), and"
run 1 null wrong
has "memory.bounds: writes 4 bytes at 0x0, a null pointer$"
run 1 host_heap wrong
has "memory.bounds: writes 4 bytes of memory of the host, which no device has access to"
run 1 host_pool wrong
has "that no device has access to"
run 1 inside wrong
has "returns cudaErrorInvalidValue (byte 16 of buffer 1: a free takes the first byte), and"
run 0 inside right
run 1 given wrong
has "api.streams: a fill in stream 2 writes 1024 bytes of 'buffer 1', and an allocation in stream 1 gives them: nothing"
has '^    buffer 1: 1024 bytes of device memory'
has 'findings 1 notes 0'
run 1 host_read wrong
has "api.host: the host reads byte [0-9]* of 'buffer [0-9]', which a copy in stream 1 may still write; missing: a wait"
run 1 outside wrong
has "a GPU goes on"
hasnt "the launch ends here"
grep -q "goes on" "$work/out" || fail "the program ends at a store that a GPU completes"
# the line of the program that calls code of the toolkit, and where that was inlined
has '^add.cuh:20: memory.bounds'
has '^    kernel add, .*, PTX line [0-9]* (inlined at add.cu:30)'
run 1 outside wrong --format json -o "$work/report.json"
grep -A4 '"inlined_at"' "$work/report.json" | grep -q '"line": 30' || fail "JSON does not say where a store was inlined"
run 0 outside wrong --check none

# The line of a call is one of the program, not of a header of CUDA. addr2line has to know inlined functions; that of
# binutils does not for all compilers.
run 1 leak wrong --check all,leak --format json -o "$work/report.json"
offset=$(sed -n 's/^ *"offset": \([0-9]*\).*/\1/p' "$work/report.json" | head -1)
if [ "$(addr2line -i -e "$planted" "$(printf '0x%x' "${offset:-0}")" 2>/dev/null | grep -c ':[1-9]')" -gt 1 ]; then
    run 1 leak wrong --check all,leak
    has '^planted.c:[0-9]*: api.leak'
fi
# Without optimisation the function of the header is a call of its own. Calls of one line are one finding.
leaks() { # ADDR2LINE VARIABLE=VALUE
    offset=$(sed -n 's/^ *"offset": \([0-9]*\).*/\1/p' "$work/report.json" | head -1)
    "$1" -e "$planted" "$(printf '0x%x' "${offset:-0}")" 2>/dev/null | grep -q cuda_runtime_calls.h || return 0
    last="run leaks wrong with $1"
    status 1 env "$2" "$wsim" run --check all,leak "$planted" leaks wrong
    has '^planted.c:[0-9]*: api.leak'
    hasnt 'cuda_runtime_calls.h:[0-9]*: api.leak'
    has '^    1 more call of this line$'
    has 'findings 2 notes 0'
}
run 1 leaks wrong --check all,leak --format json -o "$work/report.json"
leaks addr2line "PATH=$PATH"
if command -v llvm-addr2line >/dev/null; then
    mkdir "$work/llvm" && ln -s "$(command -v llvm-addr2line)" "$work/llvm"
    leaks llvm-addr2line "PATH=$work/llvm"
    last="run leak wrong with llvm-addr2line alone"
    status 1 env PATH="$work/llvm" "$wsim" run --check all,leak "$planted" leak wrong
    has '^planted.c:[0-9]*: api.leak'
fi
run 0 leaks right --check all,leak
# The place of a launch is in the program, and not in what nvcc makes of the kernel.
run 1 freed_later wrong --format json -o "$work/report.json"
offset=$(sed -n 's/^ *"other_offset": \([0-9]*\).*/\1/p' "$work/report.json" | head -1)
if addr2line -e "$planted" "$(printf '0x%x' "${offset:-0}")" 2>/dev/null | grep -q planted.c; then
    place=$(grep -n 'the place of the launch' "$(dirname "$0")/planted/planted.c" | cut -d: -f1)
    run 1 freed_later wrong
    has "the other call: .*planted.c:$place"
fi

# a leak is a note by default, and nothing without checks
run 0 leak wrong
has "note: api.leak"
run 0 race wrong --check none
has "launches 1 findings 0"
run 0 leak wrong --check memory
hasnt api.leak

# no space for the record of a process: the status is not that of a run without findings
last="a record without space"
status 2 "$wsim" run --records="$work/lost" sh -c 'trap "" XFSZ; ulimit -f 0; exec "$0" race right >/dev/null' "$planted"
grep -q "1 of 1 processes could not write" "$work/err" || fail "the lost record is not mentioned"
status 2 "$wsim" run --merge "$work/lost"

# a finding that is left out does not count, in the report and in the status of each process
ignored() { # STATUS COUNT CASE OPTIONS...
    wanted=$1 count=$2 case=$3
    shift 3
    run "$wanted" "$case" wrong --check all,leak "$@"
    has "findings $((1 - count)) notes 0"
    if [ "$count" = 1 ]; then has "^1 ignored"; else hasnt "ignored"; fi
    last="run sh -c $case $*"
    status "$wanted" "$wsim" run --check all,leak "$@" sh -c '"$0" "$1" wrong' "$planted" "$case"
}
ignored 0 1 race --ignore race.global
ignored 0 1 race --ignore init --ignore race@race
has "^--ignore init leaves out no finding$"
ignored 0 1 race --ignore race@race:20
ignored 1 0 race --ignore race@race:21
ignored 0 1 outside --ignore memory@add
ignored 0 1 leak --ignore api.leak@leak
ignored 0 1 leak --ignore "api.leak@$(basename "$planted")"
ignored 1 0 leak --ignore api.leak@main
ignored 1 0 leak --ignore api.freed
run 2 race wrong --ignore race.globl
has "did you mean 'race.global'"
status 2 "$wsim" run --env --ignore race.globl
last="WSIM_IGNORE"
status 0 env "PATH=$PATH" WSIM_IGNORE=init,race@race WSIM_STATUS=1 "$planted" race wrong
status 0 env WSIM_REPORT=text+ WSIM_IGNORE=init,race@race WSIM_STATUS=1 "$planted" race wrong
has "findings 0 notes 0 ignored 1$"
has "WSIM_IGNORE: init leaves out no finding"
status 9 env WSIM_IGNORE=race.globl "$planted" race wrong
has "WSIM_IGNORE=race.globl is wrong"

# The line of a call is known after the process ended. A comment in the source does the same.
line=$(grep -n 'void \*a = take(BYTES);$' "$(dirname "$0")/planted/planted.c" | cut -d: -f1)
run 1 leak wrong --check all,leak
if grep -q "^planted.c:$line: api.leak" "$work/err"; then
    ignored 0 1 leak --ignore "api.leak@planted.c:$line"
    ignored 1 0 leak --ignore "api.leak@planted.c:1"
    run 0 noted wrong --check all,leak
    has "^1 ignored, 1 of them by comments$"
    run 0 noted wrong --check all,leak --format sarif -o "$work/report.sarif"
    grep -q '"justification": "the system takes it back"' "$work/report.sarif" || fail "SARIF lacks the reason"
fi
status 1 "$wsim" run --check all,leak --records "$work/later" --ignore api.leak@other.c "$planted" leak wrong
status 1 "$wsim" run --merge "$work/later"
status 0 "$wsim" run --merge --ignore api.leak "$work/later"
grep -q "^1 ignored" "$work/out" || fail "merge does not say what it ignores"
# a symptom that is left out is no mistake, and its cause stays one
run 1 race wrong --ignore race.warp
has "findings 1 notes 0"
hasnt "explains:"

# a baseline: known findings do not count, new ones do
status 0 "$wsim" run --check all,leak --write-baseline "$work/known" sh -c '"$0" race wrong; "$0" leak wrong' "$planted"
[ "$(grep -c '^api.leak \|^race.global ' "$work/known")" = 2 ] || fail "the baseline lacks a finding"
last="run --baseline"
status 0 "$wsim" run --check all,leak --baseline "$work/known" sh -c 'cd / && "$0" race wrong && "$0" leak wrong' "$planted"
has "^2 in the baseline"
status 1 "$wsim" run --check all,leak --baseline "$work/known" sh -c '"$0" race wrong && "$0" freed wrong' "$planted"
has "^1 in the baseline"
has "of the baseline has no finding now"
has "findings 1 "
run 1 race wrong --ignore init --format json -o "$work/report.json"
grep -q '"unused": \[' "$work/report.json" || fail "JSON does not say what left nothing out"
run 0 race wrong --ignore race --format sarif -o "$work/report.sarif"
grep -q '"justification": "--ignore race"' "$work/report.sarif" || fail "SARIF has no suppression"

# two calls of one function have two entries
status 0 "$wsim" run --check all,leak --write-baseline "$work/known" "$planted" leaks wrong
run 0 leaks wrong --check all,leak --baseline "$work/known"
has "in the baseline$"
hasnt "no finding now"
sed -i.old '$d' "$work/known"
run 1 leaks wrong --check all,leak --baseline "$work/known"

# costs: each count with the least that it could be; lines that cost nothing are left out
run 0 race right --lines 9
has '^executed  sectors (ideal)  line$'
has '^launches  blocks  warp instructions  occurrences  sectors (ideal)  kernel$'
hasnt 'mov.u32'
has '^ *8  *32 (32)  add.cu:30'
status 0 "$wsim" run --format json "$planted" race right
[ "$(grep -c '"wavefronts_ideal": 0' "$work/err")" -gt 1 ] || fail "JSON lacks lines without costs"

# findings name the buffer: number, bytes, the call, the parameter
run 1 outside wrong
has "byte 1024 of 'buffer 1', which has 1024"
has "^    buffer 1: 1024 bytes of device memory of planted.c:[0-9]*; parameter out points to its byte 4$"
run 1 freed_kernel wrong
has "writes 4 bytes at byte 0 of 'buffer 1', which is freed"
has "^    buffer 1: 1024 bytes .*; parameter out points to it$"
last="a program without debugging information"
cp "$planted" "$work/bare" && strip --strip-debug "$work/bare" 2>/dev/null &&
    status 1 "$wsim" run "$work/bare" outside wrong && has "^    buffer 1: .* of [a-z]* (bare+0x[0-9a-f]*); parameter"

# JUnit: a test case a kernel, findings are failures
run 1 race wrong --format junit -o "$work/junit.xml"
for part in '<testsuite name="wsim run" tests="2" failures="1" errors="0">' '<testcase classname="wsim" name="race">' \
    '<failure type="race.global" message="warp 1 writes byte 0 of ' '<testcase classname="wsim" name="calls of the runtime">'; do
    grep -qF "$part" "$work/junit.xml" || fail "JUnit lacks $part"
done
grep -q 'race.warp' "$work/junit.xml" && fail "JUnit has a symptom"
run 0 race right --format junit -o "$work/junit.xml"
grep -qF 'tests="2" failures="0" errors="0"' "$work/junit.xml" || fail "JUnit of a right program has failures"
run 3 unmodelled wrong --format junit -o "$work/junit.xml"
grep -qF '<error type="unmodelled"' "$work/junit.xml" || fail "JUnit lacks what has no model"

# costs are counted where a report shows them, now or later
while read -r counted options; do
    last="run $options"
    # shellcheck disable=SC2086 # words are options
    [ "$counted" = "$("$wsim" run $options sh -c 'echo "lines=$WSIM_LINES"' 2>"$work/err" </dev/null)" ] || fail "it is not $counted"
done <<EOF
lines=1 --format text
lines=1 --format json
lines= --format sarif
lines= --format junit
lines= --lines 0
lines=1 --format junit --records $work/costs
lines= --lines 0 --records $work/costs
EOF
run 1 leak wrong --check all,leak --format junit --records "$work/junit" -o "$work/junit.xml"
grep -A1 -F 'name="calls of the runtime"' "$work/junit.xml" | grep -q '<failure type="api.leak"' || fail "JUnit lacks a call"
status 1 "$wsim" run --merge --format junit "$work/junit"
grep -qF 'failures="1"' "$work/out" || fail "merge has no JUnit"
# JUnit is not green if the program ends badly, and no finding says so
run 7 status right --format junit -o "$work/junit.xml"
grep -qF '<error type="status" message="ended with status 7"/>' "$work/junit.xml" || fail "JUnit lacks the status"
run 142 endless wrong --format junit -o "$work/junit.xml"
grep -qF 'message="ended by signal 14; kernel endless was running"/>' "$work/junit.xml" || fail "JUnit lacks the signal"
run 142 endless wrong --format json -o "$work/ended.json"
tr -d '\n ' <"$work/ended.json" | grep -qF '"died":1,"running":["endless"]' || fail "JSON lacks the kernel that was running"
# a report that cannot be written stops the run before it begins
for option in -o --write-baseline; do
    run 2 race right $option "$work/absent/report"
    [ -s "$work/out" ] && fail "$option of a missing folder: the program ran"
done
run 2 race right --shard 2/2 --records "$work/refused"
[ -z "$(ls "$work/refused")" ] || fail "a refused part leaves a folder"
if command -v python3 >/dev/null; then
    python3 -c 'import sys, xml.dom.minidom as x; x.parse(sys.argv[1])' "$work/junit.xml" || fail "JUnit is no XML"
fi
status 2 "$wsim" run --format junit "$work/kernel.ptx"
has "format junit is not available here"

# output and status are the program's own
run 1 race wrong
printf 'begins\nends\n' | cmp -s - "$work/out" || fail "the output is not the program's own"
run 7 status wrong
has "race.global"
run 139 host_device wrong
has "api.host: the host writes byte 12 of buffer 1, 1024 bytes of device memory"
grep -q '^6$' "$work/out" || fail "the kernel has not read device memory"
run 139 host_device wrong --check none
hasnt "api.host"
run 0 host_device right
has "findings 0"
[ "$(grep -c '^6$' "$work/out")" = 2 ] || fail "managed or pinned memory is lost"
run 3 host_handler wrong
run 0 host_handler right
run 142 endless wrong
has "^kernel endless was running$"
run 0 endless right
hasnt "was running"
run 143 killed wrong
has "race.global"
status 2 "$wsim" run "$work/nothing"
status 2 "$wsim" run --check rcae "$planted" race wrong
status 2 "$wsim" run --kernel k "$planted" race wrong
status 2 "$wsim" run --shard 2/2 --records "$work/r" "$planted" race wrong

# processes of a tree add up: two equal findings are one, of two launches
run 1 children wrong
has "launches 2 findings 1 "
has "in 2 launches"
status 1 "$wsim" run sh -c '"$0" race wrong; "$0" race right; exit 0' "$planted"
has "launches 2 findings 1 "

# without -lineinfo, lines of PTX tell findings apart
run 1 race wrong
has "explains: race, PTX line [0-9]*: race.warp: .* times)$"
has "^compile with nvcc -lineinfo"
run 0 race right
hasnt "lineinfo"

# what did not run is no good answer: the program exits with 0
run 3 unmodelled wrong
has "^not run, 2 times: multi: .*multimem is not modelled"
has " findings 0 notes 0 not run 2$"
run 0 unmodelled right
hasnt "not run"
status 3 "$wsim" run --check none "$planted" unmodelled wrong
status 3 "$wsim" run --format json -o "$work/lacks.json" sh -c '"$0" unmodelled wrong; exit 0' "$planted"
grep -q '"what": "multi"' "$work/lacks.json" || fail "JSON does not say what did not run"
status 3 "$wsim" run --format sarif -o "$work/lacks.sarif" "$planted" unmodelled wrong
grep -q '"ruleId": "unmodelled"' "$work/lacks.sarif" || fail "SARIF does not say what did not run"
status 3 "$wsim" run --records "$work/lacks" "$planted" unmodelled wrong
status 3 "$wsim" run --merge "$work/lacks"

# formats, and where they go
run 1 race wrong --format json -o "$work/report.json"
python=$(command -v python3) || echo "no python3: sums of reports are not compared"
[ -z "$python" ] || "$python" -m json.tool "$work/report.json" >/dev/null || fail "no JSON"
# A program reads all lines, and each kernel has their sums.
status 1 "$wsim" run --format json -o "$work/report.json" sh -c '"$0" race wrong; "$0" streams wrong; exit 0' "$planted"
[ -z "$python" ] || "$python" - "$work/report.json" <<'END' || fail "kernels are not the sums of their lines"
import json, sys
report = json.load(open(sys.argv[1]))
for key in 'wavefronts', 'wavefronts_ideal', 'sectors', 'sectors_ideal':
    for kernel in report['kernels']:
        assert kernel[key] == sum(line[key] for line in report['lines'] if line['kernel'] == kernel['kernel']), key
assert len(report['lines']) > 5 and any(kernel['wavefronts'] + kernel['sectors'] for kernel in report['kernels'])
END
run 1 race wrong --report sarif -o "$work/report.sarif"
grep -q '"ruleId": "race.global"' "$work/report.sarif" || fail "no SARIF"
run 7 status wrong --format html -o "$work/report.html"
grep -q 'race.global' "$work/report.html" || fail "no HTML"

# costs that were not counted are not there
run 0 race right --lines 0
hasnt wavefronts

# names of files: letters that are no ASCII stay, control characters do not reach the terminal
run 1 named wrong
has '^naïf?\[1m.cu:7: race.global: '
(eval "$("$wsim" env)" && WSIM_CHECK=all "$planted" named wrong) >"$work/out" 2>"$work/err"
has '^wsim: naïf?\[1m.cu:7: race.global: '
(eval "$("$wsim" env)" && WSIM_CHECK=$(printf '\033[1m') "$planted" named wrong) >"$work/out" 2>"$work/err"
has '^wsim: WSIM_CHECK=?\[1m is wrong'

# only some kernels
run 2 race wrong --launches '^Race$'
has "matches no kernel that was launched"
run 0 repeats wrong --launches '^ad'
has " findings 0"
run 1 race wrong --launches '^ra.e$'

# by hand
(eval "$("$wsim" env)" && "$planted" race wrong) >"$work/out" 2>"$work/err"
[ $? -eq 1 ] || fail "wsim env: status"
last="wsim env" has "race.global"

# a launch whose outcome is known does not run, and output and report are the same
for case in "repeats right" "repeats wrong" "repeats right --check none" "repeats wrong --check none" \
    "recurs wrong" "recurs wrong --check none" "recurs wrong --check none --lines 0" \
    "revisits wrong" "revisits wrong --check none" "revisits wrong --check race" "revisits wrong --check init,memory" \
    "revisits wrong --launches spread"; do
    # shellcheck disable=SC2086
    set -- $case
    name=$1 twin=$2
    shift 2
    "$wsim" run "$@" "$planted" $name $twin >"$work/short" 2>"$work/short.err"
    short=$?
    WSIM_REPEATS=1 "$wsim" run "$@" "$planted" $name $twin >"$work/long" 2>"$work/long.err"
    [ $? -eq $short ] || fail "$case: another status"
    cmp "$work/short" "$work/long" || fail "$case: another output"
    cmp "$work/short.err" "$work/long.err" || fail "$case: another report"
done
# A sample under sanitizers asks for no speed.
if [ "${WSIM_TEST_SAMPLE:-1}" -lt 32 ]; then
    "$wsim" run --check none --lines 0 --timeout 20 "$planted" recurs right >/dev/null 2>&1 || fail "recurs: all launches ran"
    "$wsim" run --lines 0 --timeout 20 "$planted" revisits right >/dev/null 2>&1 || fail "revisits: all launches ran"
fi

# Machine code counts accesses of shared memory with --assembler. These two stand for ptxas and nvdisasm: the machine
# code has each access of the PTX. The rule, without them, joins two loads.
mkdir "$work/cuda"
cat >"$work/cuda/ptxas" <<'END'
#!/bin/sh
while [ "$1" != -o ]; do in=$1 && shift; done
cp "$in" "$2"
END
cat >"$work/cuda/nvdisasm" <<'END'
#!/bin/sh
awk '/^\.visible \.entry|\.entry / {name = $0; sub(/.*\.entry /, "", name); sub(/[(].*/, "", name)
                                   print "\t.section\t.text." name ",\"ax\",@progbits"; print ".text." name ":"}
     /\.loc/ {place = $0; sub(/.*\.loc[ \t]*[0-9]*[ \t]*/, "", place); sub(/[ \t].*/, "", place)}
     /\.shared\./ {word = /ld\.shared/ ? "LDS R0, [R1]" : "STS.64 [R1], R0"
                    print "\t//## File \"k.ptx\", line " place "\n        /*0000*/    " word " ;"}' "$3"
END
chmod +x "$work/cuda/ptxas" "$work/cuda/nvdisasm"
counts() { awk '$NF == "pair" {print $5}' "$work/err"; }
run 0 shared right
[ "$(counts)" = 32 ] || fail "the rule counts $(counts) wavefronts"
has "^wavefronts of shared memory in pair are predicted by a rule"
for kept in "" "--records $work/assembled"; do
    # shellcheck disable=SC2086 # an option and its argument
    run 0 shared right --assembler "$work/cuda/ptxas" $kept
    [ "$(counts)" = 48 ] || fail "machine code counts $(counts) wavefronts"
    hasnt "predicted"
    has "^machine code counts the accesses of shared memory in 1 module$"
    status 0 "$wsim" run --format json -o "$work/report.json" --assembler "$work/cuda/ptxas" "$planted" shared right
    grep -q '"counted_by": "machine code"' "$work/report.json" || fail "JSON does not say what counted"
done
[ ! -e "$work/assembled/assembler" ] || fail "a socket is left"
status 0 "$wsim" run --assembler "$work/cuda" sh -c '"$0" shared right & "$0" shared right; wait; true' "$planted"
last="two processes at once" && has "in 2 modules$"
run 0 shared right --assembler none
[ "$(counts)" = 32 ] || fail "--assembler none counts $(counts) wavefronts"
run 2 shared right --assembler "$work/nowhere"
has "there is no ptxas"
printf '#!/bin/sh\necho "ptxas fatal: no licence"\nexit 1\n' >"$work/cuda/ptxas"
run 0 shared right --assembler "$work/cuda"
has "counts of a module follow a rule, because .*/ptxas: ptxas fatal: no licence"
[ "$(counts)" = 32 ] || fail "without machine code: $(counts) wavefronts"

# a program does not outlive wsim
"$wsim" run sh -c 'echo $$ >"$0"; exec sleep 60' "$work/pid" >"$work/out" 2>"$work/err" &
runner=$!
for _ in 1 2 3 4 5 6 7 8 9 10; do [ -s "$work/pid" ] || sleep 0.1; done
kill -KILL $runner
wait $runner 2>"$work/err"
sleep 0.2
case $(cut -d' ' -f3 "/proc/$(cat "$work/pid")/stat" 2>"$work/err") in
"" | Z | X) ;;
*) fail "the program goes on without wsim" ;;
esac

# parts: one part checks each launch; merge names a lost part; a part that is there does not run again
for i in 0 2; do
    status 0 "$wsim" run --shard $i/3 --records "$work/parts" "$planted" race right
done
last="merge of two parts"
status 2 "$wsim" merge "$work/parts"
grep -q 'parts that are missing: 1 (of 3)' "$work/out" || fail "the missing part is not named"
status 2 "$wsim" run --merge --format sarif -o "$work/parts.sarif" "$work/parts"
[ -s "$work/parts.sarif" ] || fail "the report of a merge is lost with a part"
status 0 "$wsim" run --shard 1/3 --records "$work/parts" "$planted" race right
status 0 "$wsim" merge "$work/parts"
status 0 "$wsim" run --shard 1/3 --records "$work/parts" "$planted" race right
has "is there already"
status 2 "$wsim" run --shard 1/3 --records "$work/parts" "$planted" race wrong
has "is of another command"

# damaged records: causes that are no findings, numbers that cannot be added; more parts than there can be
status 2 "$wsim" run --shard 0/65537 --records "$work/parts" "$planted" race right
has "up to 65536"
mkdir -p "$work/hostile/0-of-4294967295" "$work/hostile/0-of-1" "$work/large"
echo '{"ended": 0, "command": ""}' >"$work/hostile/0-of-1/end.json"
record='{"schema": "wsim.process", "program": "p", "whole": true, "findings": [{"rule": "r", "text": "t", "cause"'
echo "$record: 1000000000}]}" >"$work/hostile/0-of-1/a.wsim.json"
echo "$record: -7}]}" >"$work/hostile/0-of-1/b.wsim.json"
status 1 "$wsim" merge "$work/hostile"
grep -q 'findings 1 ' "$work/out" || fail "a cause that is no finding hides one"
echo "$record: 0, \"count\": 9223372036854775807}]}" >"$work/large/a.wsim.json"
status 2 "$wsim" merge "$work/large"
has "no record of a process"
# members of another form than a process writes: no number of a reason, no text, a row that is too wide
form() { # NAME MEMBERS
    mkdir -p "$work/$1"
    echo "{\"schema\": \"wsim.process\", \"program\": \"p\", \"whole\": true, $2}" >"$work/$1/a.wsim.json"
}
for number in -5 77 100000000; do
    form reason '"findings": [{"rule": "r", "text": "t", "suppressed": '$number'}]'
    status 1 "$wsim" merge "$work/reason"
done
form why '"printed": [{"at": "a:1", "executed": true, "why": [7]}, {"at": "a:1", "executed": true, "why": [7, 8]}]'
form empty '"findings": [3, null], "kernels": [1, {}], "missing": [{}], "lacks": [3], "visits": [2], "printed": [5, {}]'
form wide '"printed": [{"at": "a:1"}], "visits": [{"at": "a:1", "values": [{"variable": "x", "values": [[1], [1, 2, 3, 4]]}]}]'
for name in why empty wide; do
    for format in text json; do
        "$wsim" merge --format $format "$work/$name" >"$work/out" 2>"$work/err"
        [ $? -le 3 ] || fail "a record with members of another form ends wsim: $name"
    done
done
for i in $(seq 0 40); do mkdir -p "$work/many/$i-of-99" && echo '{"ended": 0}' >"$work/many/$i-of-99/end.json"; done
status 2 "$wsim" merge "$work/many"
grep -q 'missing: 41 42 .* \.\.\. (of 99)' "$work/out" || fail "the list of lost parts ends inside a number"
exit $failed
