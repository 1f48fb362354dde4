#!/usr/bin/env bash
# test.sh [--quick] - installs what is missing, builds and runs all tests. It uses gcc and -Werror in build-werror/,
# then clang, -Werror, address and undefined-behaviour sanitizers in build-clang-asan/. Both run a sample of each long
# loop, which is whole in the deep tests. --quick is for the minute between two edits: gcc, the tests labelled quick.
# Exit status 0 if all passed; the last line is ctest's.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/lib/install.sh

quick=no
case ${1-} in
'') ;;
--quick) quick=yes ;;
*) sed -n '2,5s/^# //p' "$0"; exit 2 ;;
esac

need_for_program
need_for_tests
need_for_speed
[ $quick = yes ] || need_for_clang
[ $quick = yes ] || need_for_qemu
[ $quick = yes ] || need_for_python
[ $quick = yes ] || need_for_browser
install_missing

# test_preset PRESET SAMPLE [CMAKE_ARGUMENTS...]: of the rounds of a long loop one in SAMPLE.
failed=0
summary=()
labels=()
[ $quick = no ] || labels=(-L quick)
test_preset() {
    local preset=$1 log=build-$1/test.log verdict start=$SECONDS built
    export WSIM_TEST_SAMPLE=$2
    shift 2
    # A folder keeps the generator that it was made with.
    [ -e "build-$preset/CMakeCache.txt" ] || ! has_tool ninja || set -- -G Ninja "$@"
    say "cmake --preset $preset $*"
    verdict="build failed"
    if cmake --preset "$preset" "$@" && cmake --build --preset "$preset" --parallel "$(cpus)"; then
        built=$SECONDS
        say "ctest --preset $preset"
        ctest --preset "$preset" ${labels[@]+"${labels[@]}"} --parallel "$(cpus)" 2>&1 | tee "$log" || failed=1
        verdict="$(grep 'tests passed' "$log") ($((built - start)) s to build, $((SECONDS - built)) s to test)" || failed=1
    else
        failed=1
    fi
    summary+=("== $preset" "$verdict")
}

gcc=()
! has_compiler gcc c || gcc=(-DCMAKE_C_COMPILER=gcc)
if [ $quick = yes ]; then
    test_preset werror 16 ${gcc[@]+"${gcc[@]}"}
else
    test_preset werror 4 ${gcc[@]+"${gcc[@]}"}
    # Programs start 15 ms sooner without relocations, and the tests start thousands.
    fixed=()
    [ "$(uname)" != Linux ] || fixed=(-DCMAKE_EXE_LINKER_FLAGS=-no-pie)
    test_preset clang-asan 32 ${fixed[@]+"${fixed[@]}"}
fi

printf '\n'
printf '%s\n' "${summary[@]}"
exit $failed
