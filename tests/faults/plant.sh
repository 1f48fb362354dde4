#!/bin/sh
# plant.sh SOURCE_DIR [--all] [--record] [--jobs N] [FAULT...] - are the tests sensitive? Plants the faults of faults.txt
# one at a time in a copy of the sources, builds it and runs the tests. At least one must fail. Prints the test that
# caught each fault. Fails if a fault survives, does not compile, or no longer fits the sources (stale).
#   --all      run every test on every fault; otherwise the tests that caught it before come first, then the quick
#              ones, and the slow oracle and the digests see only the faults that these miss
#   --record   write the tests that caught these faults into faults.txt
#   --jobs N   N copies work side by side, one processor each; 1: one copy on two processors
#
# plant.sh SOURCE_DIR --fit - seconds: plants nothing, but lists faults that cannot be planted. These are scripts that
# change nothing, names or mistakes that occur twice, and faults that no test is recorded for. A test of every build.
source=$(cd "$1" && pwd) || exit 2
shift
all=no record=no fit=no jobs=1
while :; do
    case ${1-} in
    --jobs) jobs=$2 && shift ;;
    --fit) fit=yes ;;
    --all) all=yes ;;
    --record) record=yes ;;
    *) break ;;
    esac
    shift
done
here=$source/tests/faults
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
quick='^(unit|rows|reject|golden/[^d]|legality/[ost]|cli|lint)/'
slow='^(oracle|golden/digests)/'
failed=0
mkdir "$work/passes" # names of tests that pass without a fault, '/' as '+'

# copy_sources: this job's copy of the sources, configured
copy_sources() {
    mkdir -p "$here_work/copy" || exit 2
    for part in "$source"/*; do
        case ${part##*/} in
        build* | lab) ;;
        *) cp -R "$part" "$here_work/copy/" || exit 2 ;;
        esac
    done
    rm "$here_work/copy/bench/CMakeLists.txt" # no timings
    cmake -S "$here_work/copy" -B "$here_work/build" -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=-O1 \
        -DWSIM_TESTS=ON -DWSIM_EXAMPLES=OFF -DWSIM_INSTALL=OFF >"$here_work/build.log" 2>&1 ||
        { cat "$here_work/build.log"; exit 2; }
}

# build [TARGET...]: these, or all
build() {
    [ $# -eq 0 ] || set -- --target "$@"
    cmake --build "$here_work/build" --parallel $parallel "$@" >"$here_work/build.log" 2>&1
}

# programs PATTERN: the programs of the build that these tests run; all, if they read a directory of it
programs() {
    ctest --test-dir "$here_work/build" --show-only --verbose --tests-regex "$1" |
        sed -n 's/.*Test command: //p' | tr -d '"' | tr ' ' '\n' | grep "^$here_work/build/" |
        while read -r program; do
            [ -d "$program" ] && echo all || echo "${program##*/}"
        done | sort -u
}

# caught PATTERN: names of the tests that fail, on one line
caught() {
    ctest --test-dir "$here_work/build" --parallel $parallel --timeout 120 --tests-regex "$1" --no-tests=error \
        >"$here_work/test.log" 2>&1 && return
    sed -n '/(Skipped)$/d; s/^[[:space:]]*[0-9]* - \([^ ]*\) (.*/\1/p' "$here_work/test.log" | sort -u | paste -sd ' ' -
    grep -q 'tests FAILED' "$here_work/test.log" || echo "(ctest failed)"
}

# known TESTS: pattern of these
known() {
    [ -z "$1" ] || echo "^($(echo "$1" | tr ' ' '|'))\$"
}

# passes TEST: whether it passes without a fault
passes() {
    mark=$work/passes/$(echo "$1" | tr / +)
    [ -e "$mark" ] && return
    build $(programs "^$1\$") && [ -z "$(caught "^$1\$")" ] && : >"$mark"
}

row() { # NAME TESTS
    printf '%s: %s\n' "$1" "$2" | tee -a "$work/rows"
}

bad() { # NAME VERDICT
    row "$1" "**$2**"
}

plant() { # NAME FILE SCRIPT TESTS
    file=$here_work/copy/$2
    first='' by='' compiles=yes
    [ $all = yes ] || first=$(known "$4")
    cp "$file" "$here_work/original" || exit 2
    sed "$3" "$here_work/original" >"$file"
    if cmp -s "$file" "$here_work/original"; then
        bad "$1" "stale: the sed script changes nothing"
        return
    fi
    [ -n "$first" ] && build $(programs "$first") && by=$(caught "$first")
    case $by in *'(ctest failed)'*) by='' ;; esac # no test has that name any more
    if [ -z "$by" ]; then
        if build; then
            by=$(caught "$quick")
            [ -n "$by" ] && [ $all = no ] || by="$by${by:+ }$(caught "$slow")"
        else
            compiles=no
            grep -m 5 'error' "$here_work/build.log" >&2
        fi
    fi
    cat "$here_work/original" >"$file"
    names=''
    for test in $by; do
        passes "$test" && names="$names${names:+ }$test"
    done
    if [ $compiles = no ]; then
        bad "$1" "does not compile"
    elif [ -n "$names" ]; then
        row "$1" "$names"
    else
        bad "$1" "survives${by:+ (without it these fail too: $by)}"
    fi
}

# The lines "by" of faults.txt: a fault that was not planted now, or that survives, keeps its tests.
record_tests() {
    grep -v '\*\*' "$work/rows" >"$work/good"
    awk 'NR == FNR { at = index($0, ": "); new[substr($0, 1, at - 1)] = "by    " substr($0, at + 2); next }
        $1 == "fault" { name = $2; by = "" }
        $1 == "by" { by = $0; next }
        $1 == "what" && (name in new) { by = new[name] }
        $1 == "what" && by != "" { print by }
        { print }' "$work/good" "$here/faults.txt" >"$work/faults" && cat "$work/faults" >"$here/faults.txt"
}

wanted() { # NAME FAULT...
    name=$1
    shift
    [ $# -eq 0 ] && return 0
    for one; do [ "$one" = "$name" ] && return 0; done
    return 1
}

complain() { # NAME SENTENCE
    echo "$1: $2"
    failed=1
}

check_fit() { # NAME FILE SCRIPT TESTS
    sed "$3" "$source/$2" >"$work/planted" || complain "$1" "sed does not take the script"
    cmp -s "$work/planted" "$source/$2" && complain "$1" "the sed script changes nothing in $2"
    printf '%s\n' "$1" >>"$work/names"
    printf '%s %s\n' "$2" "$(cksum <"$work/planted")" >>"$work/mistakes"
    [ -n "$4" ] || complain "$1" "no test is recorded: tests/faults/plant.sh . --record $1"
}

check_lists() {
    for twice in $(sort "$work/names" | uniq -d); do
        complain "$twice" "is there twice"
    done
    for file in $(sort "$work/mistakes" | uniq -d | cut -d ' ' -f 1); do
        complain "$file" "is changed in the same way by two faults"
    done
}

plant_all() { # COMMAND FAULT...
    plant_with=$1
    shift
    planted=0 # of these a job takes every jobs-th
    name='' script='' tests=''
    while read -r key rest; do
        case $key in
        fault) name=$rest script='' tests='' ;;
        in) file_in=$rest ;;
        sed) script="$script$rest
" ;;
        by) tests=$rest ;;
        what)
            if wanted "$name" "$@"; then
                planted=$((planted + 1))
                [ $((planted % jobs)) -ne "$job" ] || $plant_with "$name" "$file_in" "$script" "$tests" </dev/null
            fi
            ;;
        esac
    done <"$here/faults.txt"
    [ $planted -gt 0 ] || { echo "no such fault" >&2; exit 2; }
}

if [ $fit = yes ]; then
    jobs=1 job=0
    plant_all check_fit "$@"
    check_lists
    [ $failed = 0 ] && echo "$planted faults, all of which can be planted"
    exit $failed
fi

parallel=2
[ "$jobs" -eq 1 ] || parallel=1
for job in $(seq 0 $((jobs - 1))); do
    (here_work=$work/$job && copy_sources && plant_all plant "$@") || : >"$work/broken" &
done
wait
[ ! -e "$work/broken" ] || exit 2
survived=$(grep -c '\*\*' "$work/rows")
echo
echo "$(grep -c . "$work/rows") faults, $survived not caught"
[ $record = yes ] && record_tests
[ "$survived" -eq 0 ]
