#!/bin/sh
# plant.sh SOURCE_DIR [--all] [--record] [FAULT...] - are the tests sensitive? Plants the faults of
# faults.txt one at a time in a copy of the sources, builds, runs the tests and expects at least one
# to fail. Prints who caught what. Fails if a fault survives, does not compile, or no longer fits the
# sources (stale). Minutes, not seconds.
#   --all      let every test look at every fault; otherwise the slow oracle and the digests see only
#              what the quick tests miss
#   --record   write the table into README.md
source=$(cd "$1" && pwd) || exit 2
shift
all=no record=no
while :; do
    case ${1-} in
    --all) all=yes ;;
    --record) record=yes ;;
    *) break ;;
    esac
    shift
done
here=$source/tests/faults
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
quick='^(unit|rows|reject|golden/[^d]|legality/[ts])'
slow='^(oracle|golden/digests)/'
failed=0

copy_sources() {
    mkdir "$work/copy"
    for part in CMakeLists.txt cmake include sim tests tools traces; do
        cp -R "$source/$part" "$work/copy/" || exit 2
    done
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

wanted() { # NAME FAULT...
    name=$1
    shift
    [ $# -eq 0 ] && return 0
    for one; do [ "$one" = "$name" ] && return 0; done
    return 1
}

plant_all() { # FAULT...
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
                plant "$name" "$file_in" "$script" "$rest"
                planted=$((planted + 1))
            fi
            ;;
        esac
    done <"$here/faults.txt"
    [ $planted -gt 0 ] || { echo "no such fault" >&2; exit 2; }
}

copy_sources
cmake -S "$work/copy" -B "$work/build" -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=-O1 \
    -DWSIM_TESTS=ON -DWSIM_EXAMPLES=OFF -DWSIM_INSTALL=OFF >"$work/build.log" 2>&1 &&
    build || { cat "$work/build.log"; exit 2; }
by=$(caught "$quick")$(caught "$slow")
[ -z "$by" ] || { echo "without any fault these fail already: $by"; exit 2; }

printf '%s\n' '| fault | what | where | caught by |' '| --- | --- | --- | --- |' | tee "$work/table"
plant_all "$@"
echo
echo "$(grep -c . "$work/table" | awk '{ print $1 - 2 }') faults," \
     "$(grep -c '\*\*' "$work/table") not caught"
if [ $record = yes ]; then
    sed '/^| fault |/,$d' "$here/README.md" >"$work/readme"
    cat "$work/readme" "$work/table" >"$here/README.md"
fi
exit $failed
