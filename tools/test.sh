#!/usr/bin/env bash
# test.sh [--quick] - installs what is missing, builds and runs all tests: with gcc and -Werror in
# build-werror/, then with clang, -Werror, address and undefined-behaviour sanitizers in
# build-clang-asan/. --quick is gcc alone. Exit status 0 if all passed; the last line is ctest's.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/lib/install.sh

quick=no
case ${1-} in
'') ;;
--quick) quick=yes ;;
*) sed -n '2,4s/^# //p' "$0"; exit 2 ;;
esac

need_for_program
need_for_tests
[ $quick = yes ] || need_for_clang
install_missing

# test_preset PRESET [CMAKE_ARGUMENTS...]: ctest's verdict goes to `verdict`.
failed=0
summary=()
test_preset() {
    local preset=$1 log=build-$1/test.log
    shift
    say "cmake --preset $preset $*"
    verdict="build failed"
    if cmake --preset "$preset" "$@" && cmake --build --preset "$preset" --parallel "$(cpus)"; then
        say "ctest --preset $preset"
        ctest --preset "$preset" --parallel "$(cpus)" 2>&1 | tee "$log" || failed=1
        verdict=$(grep 'tests passed' "$log") || failed=1
    else
        failed=1
    fi
    summary+=("== $preset" "$verdict")
}

gcc=()
! has_compiler gcc c || gcc=(-DCMAKE_C_COMPILER=gcc)
test_preset werror ${gcc[@]+"${gcc[@]}"}
[ $quick = yes ] || test_preset clang-asan

printf '\n'
printf '%s\n' "${summary[@]}"
exit $failed
