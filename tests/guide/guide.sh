#!/bin/sh
# guide.sh CMAKE CC SOURCE_DIR WORK_DIR - checks the example of docs/adding-an-instruction.md. Plants its row in a
# copy of the sources and runs the commands of the page. Exactly the tests named on the page fail, among those that
# read the tables. The copy stays in WORK_DIR, so that the next run builds what has changed.
WSIM_ASSEMBLER=none && export WSIM_ASSEMBLER
cmake=$1 cc=$2 source=$3 work=$4
page=$source/docs/adding-an-instruction.md
copy=$work/copy
failed=0

# The parts of the page: a file, a row, the line above it, commands, tests.
file=$(sed -n 's|.*`\(sim/isa/[a-z]*\.def\)`, below.*|\1|p' "$page" | head -1)
below=$(sed -n 's/.*below `\([a-z0-9_]*\)`.*/\1/p' "$page" | head -1)
row=$(sed -n '/^```diff/,/^```$/s/^+//p' "$page")
sed -n 's|^build/wsim|wsim|p' "$page" >"$work/commands" || exit 2
sed -n '/^## What turns red/,/^## /s/^| `\([a-z]*\/[a-z_\/]*\)`.*/\1/p' "$page" | sort >"$work/named"
[ -n "$file" ] && [ -n "$below" ] && [ -n "$row" ] && [ -s "$work/commands" ] && [ -s "$work/named" ] ||
    { echo "the page has no file, row, commands or tests any more"; exit 2; }

# Times are kept, so that the next run builds what has changed.
rm -rf "$copy" && mkdir -p "$copy" || exit 2
for part in "$source"/*; do
    case ${part##*/} in
    build* | lab | runtime) ;;
    *) cp -Rp "$part" "$copy/" || exit 2 ;;
    esac
done
rm "$copy/bench/CMakeLists.txt" # no timings
awk -v below="($below," -v row="$row" '{ print } index($0, below) { print row; n++ } END { exit n != 1 }' \
    "$source/$file" >"$work/new" || { echo "$file has no row $below"; exit 1; }
cmp -s "$work/new" "$work/planted" || cp "$work/new" "$work/planted"
cp -p "$work/planted" "$copy/$file"

# The folders of the tests that the page names, and the other tests that read rows and need no runtime.
suites='^(rows|reject|legality/(table|suggestions)|unit/isa|golden/evidence|cpp/index_table|cli/(ops|check|main|names|arch|first|fits|why|pages|tutorials))/?'
{
    "$cmake" -S "$copy" -B "$work/build" -DCMAKE_C_COMPILER="$cc" -DCMAKE_BUILD_TYPE=None \
        -DCMAKE_C_FLAGS=-O1 -DWSIM_TESTS=ON -DWSIM_EXAMPLES=OFF -DWSIM_INSTALL=OFF &&
        "$cmake" --build "$work/build" --parallel 2 --target wsim test_rows test_reject \
            test_unit_isa test_legality_table test_legality_suggestions test_golden_evidence index_table
} >"$work/log" 2>&1 || { echo "the row does not compile:"; grep -m 5 -A 3 -i error "$work/log"; exit 1; }

while read -r command; do
    (cd "$work/build" && eval "./$command") >"$work/said" 2>&1 ||
        { echo "exit status $?: $command"; head -3 "$work/said"; failed=1; }
done <"$work/commands"

# Comparing paths with the plain one takes long at -O1, and a new row does not change it.
ctest --test-dir "$work/build" --parallel 2 --tests-regex "$suites" --exclude-regex '^rows/paths' \
    --no-tests=error >"$work/log" 2>&1
grep -q 'tests passed' "$work/log" || { tail -3 "$work/log"; failed=1; }
sed -n 's/^[[:space:]]*[0-9]* - \([^ ]*\) (.*/\1/p' "$work/log" | sort -u >"$work/red"
if ! diff "$work/named" "$work/red" >"$work/difference"; then
    echo "tests that the page says turn red (<), and that do (>):"
    grep '^[<>]' "$work/difference"
    failed=1
fi
exit $failed
