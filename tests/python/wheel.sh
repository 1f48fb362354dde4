#!/bin/sh
# wheel.sh PYTHON CC SOURCE_DIR BUILD_DIR - builds the wheel, around the static libraries of BUILD_DIR,
# installs it into a clean environment and tests it there: python/tests, the types of the package
# and of a program that uses it. 77 where there is no venv, no headers of Python or no network.
python=$1 source=$3 build=$4
out=$(mktemp -d) && trap 'rm -rf "$out"' EXIT
CC=$2
export CC PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1 PIP_NO_COMPILE=1 PIP_RETRIES=1 PIP_TIMEOUT=15

skip() {
    echo "skipped: $*"
    exit 77
}

"$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' || skip "Python 3.10 is needed"
"$python" -c 'import os, sysconfig
raise SystemExit(not os.path.exists(os.path.join(sysconfig.get_paths()["include"], "Python.h")))' ||
    skip "no Python.h (Debian: python3-dev)"
"$python" -m venv "$out/clean" >"$out/log" 2>&1 || skip "no venv (Debian: python3-venv)"

# The build needs two packages, and so does whoever uses it; what pip cannot get, nobody can test.
pip=$out/clean/bin/pip
"$pip" download -q --no-deps --no-binary :none: -d "$out/probe" scikit-build-core >"$out/log" 2>&1 || {
    tail -3 "$out/log"
    skip "pip gets nothing from the package index"
}
set -e
"$pip" wheel -q --no-deps -w "$out/dist" -C cmake.define.WSIM_PREBUILT="$build" "$source"
wheel=$(echo "$out"/dist/*.whl)
basename "$wheel"
# What is in it is the package, and nothing that happened to lie beside its sources.
"$out/clean/bin/python" -m zipfile -l "$wheel" | awk 'NR > 1 { print $1 }' |
    grep -vE '^wsim/([a-z_]+\.pyi?|py\.typed|_wsim\.abi3\.so)$|\.dist-info/' && exit 1
"$pip" install -q "${wheel}[test]"

# Away from the source, so that what is tested is what is installed.
cp -r "$source/python/tests" "$out/tests"
cd "$out/tests"
WSIM_SOURCE=$source "$out/clean/bin/python" -m pytest -q -p no:cacheprovider --strict-markers .
MYPYPATH=. "$out/clean/bin/mypy" --strict --cache-dir "$out/mypy" -p wsim -m typed

# Without its optional packages it needs NumPy and cffi alone.
"$pip" uninstall -q -y ml_dtypes
"$out/clean/bin/python" -c 'import numpy, wsim
op = wsim.op("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32")
bits = wsim.encode("bf16", numpy.ones((16, 16)))
assert (op.run(a=bits, b=bits[:, :8]).d == 16).all()'
