#!/bin/sh
# record.sh [BUILD_DIR] - after a change under traces/: writes sim/isa/recorded.def, the table of
# what the recordings hold, with the build in BUILD_DIR (build). Look at the difference before you
# commit it. A table that a merge has spoilt is renewed too: check out either side of it first, so
# that it compiles.
cd "$(dirname "$0")/../.." || exit 2
build=${1:-build}
cmake --build "$build" --target test_golden_recorded &&
    CK_DEFAULT_TIMEOUT=300 "$build/tests/test_golden_recorded" --record
