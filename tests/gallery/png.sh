#!/bin/sh
# png.sh SOURCE_DIR [NAME...] - renders the pictures of docs/gallery (all whose PNG is of another SVG, or those named) with a
# browser without a screen. Each PNG says which SVG it is of, by its checksum; gallery.sh holds them to that.
for browser in chromium chromium-browser google-chrome; do
    command -v $browser >/dev/null && break
    browser=
done
[ -n "$browser" ] || { echo "no chromium, which renders them"; exit 1; }
here=$(cd "$(dirname "$0")" && pwd)
cd "$1/docs/gallery" || exit 2
shift
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
for picture in ${*:-*.svg}; do
    name=${picture%.svg}
    sum="of the SVG with the SHA-256 $(sha256sum <"$name.svg" | cut -d' ' -f1)"
    ! grep -aqs "$sum" "$name.png" || [ $# -gt 0 ] || continue
    size=$(sed -n '1s/.* width="\([0-9]*\)" height="\([0-9]*\)".*/\1,\2/p' "$name.svg")
    "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir="$work/profile" --no-first-run \
        --host-resolver-rules='MAP * ~NOTFOUND' --disable-background-networking --disable-component-update --hide-scrollbars \
        --window-size="$size" --screenshot="$work/$name.png" "file://$PWD/$name.svg" >/dev/null 2>"$work/log" ||
        { cat "$work/log"; exit 1; }
    python3 "$here/png_small.py" "$work/$name.png" "$name.png" "$sum" || exit 1
    echo "$name.png: $(wc -c <"$name.png") bytes"
done
