#!/bin/sh
# record.sh [--numbers] [BUILD_DIR] - run it after a change under traces/ or of evidence in the tables. Writes
# traces/held.tsv and traces/recordings.tsv, with a line for each recorded operation, and sim/evidence/recorded.def,
# the same as numbers. Also writes docs/generated/evidence.md, with the build in BUILD_DIR (build). Look at the
# difference before you commit it. After a merge of held.tsv, --numbers renews the files made of it without reading a
# recording.
cd "$(dirname "$0")/../.." || exit 2
how=--record
[ "$1" = --numbers ] && how=--numbers && shift
build=${1:-build}
[ -e sim/evidence/recorded.def ] || : >sim/evidence/recorded.def
cmake --build "$build" --target test_golden_recorded &&
    CK_DEFAULT_TIMEOUT=300 "$build/tests/golden/test_golden_recorded" $how &&
    cmake --build "$build" --target wsim &&
    "$build/wsim" ops --evidence --format json | tests/golden/evidence.py >docs/generated/evidence.md
