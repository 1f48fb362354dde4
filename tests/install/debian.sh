#!/bin/sh
# debian.sh SOURCE_DIR - builds the Debian packages; lintian reports nothing. Unpacked, the program runs and all
# dependencies exist. Skipped (77) where packages cannot be built.
source=$1
for tool in dpkg-buildflags dpkg-deb dpkg-shlibdeps file; do
    command -v $tool >/dev/null || { echo "skipped: no $tool"; exit 77; }
done
out=$(mktemp -d) && trap 'rm -rf "$out"' EXIT
set -e
abi=$(sed -n 's/^#define WSIM_VERSION_M[A-Z]* \([0-9]*\)$/\1/p' "$source/include/wsim/status.h" | paste -sd . -)
"$source/packaging/debian.sh" "$out" >"$out/log" 2>&1 || { tail -20 "$out/log"; exit 1; }
for name in "libwsim$abi" libwsim-dev wsim; do
    package=$(echo "$out/$name"_*.deb)
    [ -e "$package" ] || { echo "no package $name"; ls "$out"; exit 1; }
    dpkg-deb -x "$package" "$out/root"
done
if command -v lintian >/dev/null; then
    lintian --fail-on warning --allow-root "$out"/*.deb
fi
"$out/root/usr/bin/wsim" --version
# The package has the runtime, where the program looks for it.
eval "$("$out/root/usr/bin/wsim" env)"
[ -e "${LD_LIBRARY_PATH%%:*}/libcudart.so.13" ] || { echo "no runtime in '$LD_LIBRARY_PATH'"; exit 1; }
[ "$(find "$out/root/usr/share/man" -name 'wsim*.1.gz' | wc -l)" -gt 10 ] || { echo "no manual pages"; exit 1; }
dpkg-deb -f "$out"/libwsim-dev_*.deb Depends | grep -q "libwsim$abi (= "
dpkg-deb -I "$out/libwsim$abi"_*.deb shlibs | grep -q "^libwsim $abi libwsim$abi (>= "
dpkg-deb -I "$out/libwsim$abi"_*.deb symbols >"$out/symbols"
grep -q '^ wsim_run@Base 0\.' "$out/symbols" || { echo "no symbols of functions:"; cat "$out/symbols"; exit 1; }
dpkg-deb -I "$out/libwsim$abi"_*.deb triggers | grep -q ldconfig
