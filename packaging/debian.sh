#!/usr/bin/env bash
# debian.sh [-j JOBS] OUT_DIR [CMAKE_ARGUMENT...] - builds the Debian packages of this tree into OUT_DIR:
# libwsimX.Y, libwsim-dev and wsim. It installs what the build needs and is missing.
set -e
jobs=2
[ "${1-}" = -j ] && jobs=$2 && shift 2
[ $# -ge 1 ] || { sed -n '2,3s/^# //p' "$0"; exit 2; }
source=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1" && out=$(cd "$1" && pwd)
shift
. "$source/tools/lib/install.sh"
need_for_program
need 'has_tool dpkg-shlibdeps' dpkg-dev
need 'has_tool file' file
install_missing
build=$(mktemp -d) && trap 'rm -rf "$build"' EXIT

# Flags of the distribution, but without debugging information, which would be stripped anyway.
export DEB_CFLAGS_MAINT_STRIP=-g DEB_BUILD_MAINT_OPTIONS=hardening=+bindnow
CFLAGS="$(dpkg-buildflags --get CFLAGS) $(dpkg-buildflags --get CPPFLAGS)"
LDFLAGS=$(dpkg-buildflags --get LDFLAGS)
export CFLAGS LDFLAGS
umask 022
cmake -S "$source" -B "$build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr \
    -DCMAKE_INSTALL_SYSCONFDIR=/etc -DWSIM_DEBIAN=ON -DWSIM_TESTS=OFF -DWSIM_EXAMPLES=OFF \
    -DCMAKE_SKIP_INSTALL_ALL_DEPENDENCY=ON -DWSIM_ZSH_FUNCTIONS=vendor-completions "$@"
cmake --build "$build" --parallel "$jobs" --target wsim wsim_manual wsim_shared wsim_harness wsim_runtime
(cd "$build" && cpack -G DEB -B "$build/packages")

# CPack calls ldconfig in scripts, where Debian has a trigger, and writes no symbols file. That file records the first
# version of each function, so that a program depends on no newer library than it needs. One that has gone ends the
# build.
for package in "$build"/packages/libwsim[0-9]*.deb; do
    name=$(dpkg-deb -f "$package" Package)
    version=$(dpkg-deb -f "$package" Version)
    dpkg-deb -R "$package" "$build/library"
    rm "$build/library/DEBIAN/postinst" "$build/library/DEBIAN/postrm"
    mkdir -p "$build/debian"
    printf 'Source: wsim\n\nPackage: %s\nArchitecture: any\n' "$name" >"$build/debian/control"
    (cd "$build" && dpkg-gensymbols -q -c1 -p"$name" -v"${version%-*}" -Plibrary \
        -I"$source/packaging/abi/${name#libwsim}.symbols" -Olibrary/DEBIAN/symbols)
    chmod 644 "$build/library/DEBIAN/symbols"
    dpkg-deb --root-owner-group -b "$build/library" "$package" >/dev/null
done
cp "$build"/packages/*.deb "$out/"
