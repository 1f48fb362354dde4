#!/bin/sh
# gallery.sh [--record] PROGRAM SOURCE_DIR - the commands of docs/gallery.md draw its pictures. Each is well-formed
# XML (checked by xmllint, if installed), the folder has no others, and each PNG shows its SVG (png.sh). --record
# draws them anew.
record=no
if [ "$1" = --record ]; then
    record=yes
    shift
fi
PATH=$(cd "$(dirname "$1")" && pwd):$PATH
cd "$2" || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
unset NO_COLOR COLUMNS
failed=0
sed -n '/^```sh/,/^```/p' docs/gallery.md | grep '^wsim ' >"$work/commands"
[ -s "$work/commands" ] || { echo "docs/gallery.md has no commands"; exit 1; }
mkdir "$work/new"
while IFS= read -r command; do
    picture=$(echo "$command" | sed -n 's|.*docs/gallery/\([a-z_]*\.svg\)$|\1|p')
    [ -n "$picture" ] || { echo "no picture: $command"; failed=1; continue; }
    grep -q "](gallery/$picture)" docs/gallery.md || { echo "not shown: $picture"; failed=1; }
    sh -c "$(echo "$command" | sed "s|docs/gallery/$picture|$work/new/$picture|")" >/dev/null
    [ $? -le 1 ] || { echo "fails: $command"; failed=1; } # 1: there was a difference
    [ $record = no ] || cp "$work/new/$picture" "docs/gallery/$picture"
    cmp "$work/new/$picture" "docs/gallery/$picture" || failed=1
done <"$work/commands"
for picture in docs/gallery/*.svg; do
    png=${picture%.svg}.png
    [ -f "$work/new/$(basename "$picture")" ] || { echo "no command draws $picture"; failed=1; }
    grep -aqs "of the SVG with the SHA-256 $(sha256sum <"$picture" | cut -d' ' -f1)" "$png" || [ $record = yes ] ||
        { echo "$png is no picture of it: build the target gallery-png"; failed=1; }
    grep -q "](gallery/$(basename "$png"))" docs/gallery.md || { echo "not linked: $png"; failed=1; }
done
for png in docs/gallery/*.png; do
    [ -f "${png%.png}.svg" ] || [ $record = yes ] || { echo "no picture: $png"; failed=1; }
done
[ $record = yes ] || [ "$(cat docs/gallery/*.png | wc -c)" -lt 1000000 ] || { echo "the PNGs have more than a megabyte"; failed=1; }
if command -v xmllint >/dev/null; then
    xmllint --noout --nonet "$work"/new/*.svg || failed=1
else
    echo "xmllint is not here: whether pictures are well-formed was not looked at"
fi
# Nothing from outside: no address but the name of the format, no script, no style.
grep -nE 'href|<script|<style|<image|@import|url\([^#]' "$work"/new/*.svg && failed=1
grep -noE 'https?://[^" ]*' "$work"/new/*.svg | grep -v 'http://www.w3.org/2000/svg' && failed=1
exit $failed
