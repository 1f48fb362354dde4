#!/bin/sh
# evidence.sh PROGRAM SOURCE_DIR - docs/generated/evidence.md is what evidence.py makes of the program's evidence.
"$1" ops --evidence --format json | "$2/tests/golden/evidence.py" | diff "$2/docs/generated/evidence.md" -
