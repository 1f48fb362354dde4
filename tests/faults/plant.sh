#!/bin/sh
# plant.sh SOURCE_DIR [--all] [--record] [FAULT...] - are the tests sensitive? Plants the faults of faults.txt one at
# a time in a copy of the sources, builds it and runs the tests. At least one must fail. Prints the test that caught each
# fault. Fails if a fault survives, does not compile, or no longer fits the sources (stale). Takes minutes.
#   --all      run every test on every fault; otherwise the slow oracle and the digests see only
#              the faults that the quick tests miss
#   --record   renew the rows of these faults in README.md
#
# plant.sh SOURCE_DIR --fit - seconds: plants nothing, but lists faults that cannot be planted. These are scripts that
# change nothing, names or mistakes that occur twice, and faults that README.md lacks. A test of every build.
source=$(cd "$1" && pwd) || exit 2
shift
all=no record=no fit=no
while :; do
    case ${1-} in
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
quick='^(unit|rows|reject|golden/[^d]|legality/[ts]|cli|lint)/'
slow='^(oracle|golden/digests)/'
failed=0

copy_sources() {
    mkdir "$work/copy"
    for part in "$source"/*; do
        case ${part##*/} in
        build* | lab | runtime) ;;
        *) cp -R "$part" "$work/copy/" || exit 2 ;;
        esac
    done
    rm "$work/copy/bench/CMakeLists.txt" # no timings
}

build() {
    cmake --build "$work/build" --parallel 2 >"$work/build.log" 2>&1
}

# caught PATTERN: names of the tests that fail, on one line
caught() {
    ctest --test-dir "$work/build" --parallel 2 --timeout 120 --tests-regex "$1" --no-tests=error \
        >"$work/test.log" 2>&1 && return
    sed -n 's/^[[:space:]]*[0-9]* - \([^ ]*\) (.*/\1/p' "$work/test.log" | sort -u | paste -sd ' ' -
    grep -q 'tests FAILED' "$work/test.log" || echo "(ctest failed)"
}

row() { # NAME FILE WHAT CAUGHT
    printf '| %s | %s | %s | %s |\n' "$1" "$3" "$2" "$4" | tee -a "$work/table"
}

bad() { # NAME FILE WHAT VERDICT
    row "$1" "$2" "$3" "**$4**"
    failed=1
}

plant() { # NAME FILE SCRIPT WHAT
    file=$work/copy/$2
    cp "$file" "$work/original" || exit 2
    sed "$3" "$work/original" >"$file"
    if cmp -s "$file" "$work/original"; then
        bad "$1" "$2" "$4" "stale: the sed script changes nothing"
    elif ! build; then
        bad "$1" "$2" "$4" "does not compile"
        grep -m 5 'error' "$work/build.log" >&2
    else
        by=$(caught "$quick")
        [ -n "$by" ] && [ $all = no ] || by="$by${by:+ }$(caught "$slow")"
        by=${by% }
        if [ -n "$by" ]; then row "$1" "$2" "$4" "$by"; else bad "$1" "$2" "$4" "survives"; fi
    fi
    cat "$work/original" >"$file"
}

# The table of README.md, in the order of faults.txt: a fault that was not planted now keeps its row.
renew_table() {
    sed '/^| fault |/,$d' "$here/README.md" >"$work/readme"
    sed -n '/^| fault |/,$p' "$here/README.md" >"$work/known"
    sed -n '1,2p' "$work/table" >>"$work/readme"
    sed -n 's/^fault //p' "$here/faults.txt" | while read -r name; do
        grep -h "^| $name |" "$work/table" "$work/known" | sed 1q
    done >>"$work/readme"
    cat "$work/readme" >"$here/README.md"
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

check_fit() { # NAME FILE SCRIPT WHAT
    sed "$3" "$source/$2" >"$work/planted" || complain "$1" "sed does not take the script"
    cmp -s "$work/planted" "$source/$2" && complain "$1" "the sed script changes nothing in $2"
    printf '%s\n' "$1" >>"$work/names"
    printf '%s %s\n' "$2" "$(cksum <"$work/planted")" >>"$work/mistakes"
    grep -q "^| $1 | $4 | $2 | [^ ]" "$here/README.md" ||
        complain "$1" "README.md has no such row: $4 | $2"
}

check_lists() {
    for twice in $(sort "$work/names" | uniq -d); do
        complain "$twice" "is there twice"
    done
    for file in $(sort "$work/mistakes" | uniq -d | cut -d ' ' -f 1); do
        complain "$file" "is changed in the same way by two faults"
    done
    for name in $(sed -n '/^| fault |/,$ s/^| \([a-z0-9-]*\) |.*/\1/p' "$here/README.md"); do
        case $name in fault | ---) continue ;; esac
        grep -qx "$name" "$work/names" || complain "$name" "is in README.md alone"
    done
}

plant_all() { # COMMAND FAULT...
    plant_with=$1
    shift
    planted=0
    name='' script=''
    while read -r key rest; do
        case $key in
        fault) name=$rest script='' ;;
        in) file_in=$rest ;;
        sed) script="$script$rest
" ;;
        what)
            if wanted "$name" "$@"; then
                $plant_with "$name" "$file_in" "$script" "$rest" </dev/null
                planted=$((planted + 1))
            fi
            ;;
        esac
    done <"$here/faults.txt"
    [ $planted -gt 0 ] || { echo "no such fault" >&2; exit 2; }
}

if [ $fit = yes ]; then
    plant_all check_fit "$@"
    check_lists
    [ $failed = 0 ] && echo "$planted faults, all of which can be planted"
    exit $failed
fi

copy_sources
cmake -S "$work/copy" -B "$work/build" -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=-O1 \
    -DWSIM_TESTS=ON -DWSIM_EXAMPLES=OFF -DWSIM_INSTALL=OFF >"$work/build.log" 2>&1 &&
    build || { cat "$work/build.log"; exit 2; }
by=$(caught "$quick")$(caught "$slow")
[ -z "$by" ] || { echo "without any fault these fail already: $by"; exit 2; }

printf '%s\n' '| fault | what | where | caught by |' '| --- | --- | --- | --- |' | tee "$work/table"
plant_all plant "$@"
echo
echo "$(grep -c . "$work/table" | awk '{ print $1 - 2 }') faults," \
     "$(grep -c '\*\*' "$work/table") not caught"
[ $record = yes ] && renew_table
exit $failed
