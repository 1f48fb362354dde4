#!/bin/sh
# record.sh [BUILD_DIR] - writes the expected output of all cases anew, from the program in
# BUILD_DIR (build). Look at the difference before you commit it.
cd "$(dirname "$0")/../.." || exit 2
[ -x "${1:-build}/wsim" ] || { echo "record.sh: ${1:-build}/wsim is no program" >&2; exit 2; }
exec tests/cli/cli.sh --record "${1:-build}/wsim" tests/cli/*.cmd
