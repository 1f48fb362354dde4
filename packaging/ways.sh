#!/usr/bin/env bash
# ways.sh [--ways "deb wheel browser cmake pip"] "bookworm trixie" RELEASE_DIR - tests the files of release.sh in fresh Debian systems, a bare
# one for each way. It prints the time to the first answer: that of the first command of wsim try. Then it compares the sums of the
# files, and uses the libraries. "cmake" and "pip" build sources; "browser" opens the site in Debian's Chromium. It needs root and
# debootstrap.
set -euo pipefail
ways="deb wheel browser cmake pip"
[ "${1-}" != --ways ] || { ways=$2 && shift 2; }
[ $# -eq 2 ] && [ "${1#-}" = "$1" ] || { sed -n '2,5s/^# //p' "$0"; exit 2; }
roots=$1 out=$(cd "$2" && pwd)
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'umount "$work"/*/proc 2>/dev/null || true; rm -rf "$work"' EXIT
. packaging/roots.sh

command_of() { # WAY
    case $1 in
    deb) echo 'apt-get install -y /release/libwsim0*.deb /release/wsim_*.deb' ;;
    wheel) echo 'apt-get install -y python3-venv && python3 -m venv /v &&
        /v/bin/pip install /release/*_x86_64.whl && ln -s /v/bin/wsim /usr/local/bin' ;;
    cmake) echo 'apt-get install -y gcc libc6-dev cmake make pkg-config libpopt-dev libjansson-dev &&
        tar -xzf /release/wsim-source-*.tar.gz && cd wsim-* && cmake -B build && cmake --build build --parallel --target wsim &&
        ln -s "$PWD/build/wsim" /usr/local/bin' ;;
    pip) echo 'apt-get install -y gcc python3-venv python3-dev pkg-config libpopt-dev libjansson-dev && python3 -m venv /v &&
        /v/bin/pip install /release/wsim-[0-9]*.tar.gz && ln -s /v/bin/wsim /usr/local/bin' ;;
    browser) echo 'apt-get install -y --no-install-recommends chromium && tar -xzf /release/wsim-site-*.tar.gz' ;;
    *) echo "ways.sh: no way '$1'" >&2 && exit 2 ;;
    esac
}
answer_of() { # WAY
    case $1 in
    browser) echo '/p/bin/python /page.py /site /usr/bin/chromium' ;;
    *) echo 'wsim try /tmp/try >/dev/null && cd /tmp/try && wsim run reverse.ptx --block 64 --arg "float x[64]=0"' ;;
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
    if [ "$2" = browser ]; then # what presses the keys is there before the time counts
        cp packaging/page.py "$root"
        quietly in_root "$root" 'apt-get install -y python3-venv libatomic1 && python3 -m venv /p && /p/bin/pip install playwright'
    fi
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
done
for way in $ways; do # those that compile are the last ones
    for suite in $roots; do answers "$suite" "$way"; done
done
