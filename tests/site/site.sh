#!/usr/bin/env bash
# site.sh PROGRAM SOURCE_DIR - builds the site and compares the playground with PROGRAM: every example has the same
# answer, message and exit status. pages.py looks at the page in Chromium. Skipped (77) without emscripten, node or
# Chromium; the first run needs the network (docs/site/build.sh).
set -u
program=$1
source=$2
for tool in emcc node; do
    command -v $tool >/dev/null || { echo "skipped: no $tool"; exit 77; }
done
for browser in chromium chromium-browser google-chrome; do
    command -v $browser >/dev/null && break
    browser=
done
[ -n "$browser" ] || { echo "skipped: no chromium"; exit 77; }
"$source/docs/site/build.sh" >&2 || exit 1
page=$source/build-site/site/playground
export WSIM_ASSEMBLER=none COLUMNS=100
failed=0
node "$source/tests/site/same.js" "$program" "$page" || failed=1

size=$(cat "$page"/*.js "$page"/*.css "$page"/*.html | gzip -9c | wc -c)
echo "compressed: $size bytes"
[ "$size" -lt 3000000 ] || { echo "the playground has 3 MB or more"; failed=1; }

"$source/build-site/venv/bin/pip" install -q playwright && "$source/build-site/venv/bin/python" "$source/tests/site/pages.py" "$page" "$(command -v $browser)" || failed=1
# Firefox too, where it is installed.
if command -v firefox-esr >/dev/null; then
    "$source/build-site/venv/bin/pip" install -q marionette-driver &&
        "$source/build-site/venv/bin/python" "$source/tests/site/firefox.py" "$page" "$(command -v firefox-esr)" || failed=1
else
    echo "left out: no firefox-esr"
fi
exit $failed
