#!/bin/sh
# record.sh [BUILD_DIR] - after a change under traces/ or of evidence in the tables: writes
# sim/isa/recorded.def, the table of what the recordings hold, and docs/evidence.md, with the build
# in BUILD_DIR (build). Look at the difference before you commit it. What a merge has spoilt is
# renewed too: check out either side of the table first, so that it compiles.
cd "$(dirname "$0")/../.." || exit 2
build=${1:-build}
cmake --build "$build" --target test_golden_recorded &&
    CK_DEFAULT_TIMEOUT=300 "$build/tests/test_golden_recorded" --record &&
    cmake --build "$build" --target wsim &&
    "$build/wsim" ops --evidence --format markdown >docs/evidence.md
