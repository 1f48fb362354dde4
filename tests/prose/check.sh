#!/bin/sh
# check.sh [PATH...] - findings of plain English in PATHs (prose.py), or with no PATH the whole project against
# allowed.tsv. PROSE_VENV is the environment that has proselint; it is made if it is not there. Skipped (77)
# where Python 3.10, venv or the package index are missing.
here=$(cd "$(dirname "$0")" && pwd)
venv=${PROSE_VENV:-${XDG_CACHE_HOME:-$HOME/.cache}/wsim-prose}
skip() { echo "skipped: $*"; exit 77; }
if ! "$venv/bin/python" -c 'import proselint' 2>/dev/null; then
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null || skip "Python 3.10 is needed"
    python3 -m venv "$venv" >/dev/null 2>&1 || skip "no venv (Debian: python3-venv)"
    "$venv/bin/pip" install -q --disable-pip-version-check "proselint==0.16.0" >/dev/null 2>&1 ||
        skip "pip cannot install proselint"
fi
exec "$venv/bin/python" "$here/prose.py" "$@"
