#!/usr/bin/env bash
# build.sh [--docs] - builds the site into build-site/site: the pages, and the playground with the program as WebAssembly.
# --docs leaves the playground out. It needs emscripten and node-acorn (Debian), python3 with venv, and the network for
# mkdocs-material (PyPI) and the sources of popt and jansson (Debian). It repeats what is missing only.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
out=$root/build-site
mkdir -p "$out"

say() { printf '== %s\n' "$*" >&2; }

if [ "${1-}" != --docs ]; then
    command -v emcc >/dev/null || { echo "build.sh: apt install emscripten node-acorn" >&2; exit 2; }
    if ! ls "$out"/sources/popt-* "$out"/sources/jansson-* >/dev/null 2>&1; then
        say "sources of popt and jansson"
        mkdir -p "$out/sources" "$out/lists/partial"
        . /etc/os-release
        printf 'Types: deb-src\nURIs: http://deb.debian.org/debian\nSuites: %s\nComponents: main\n%s\n' "$VERSION_CODENAME" \
            "Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg" >"$out/debian.sources"
        apt=(apt-get -q -o "Dir::Etc::sourcelist=$out/debian.sources" -o Dir::Etc::sourceparts=/dev/null
             -o "Dir::State::Lists=$out/lists" -o APT::Sandbox::User=root)
        "${apt[@]}" update
        (cd "$out/sources" && "${apt[@]}" source --download-only popt jansson &&
            for archive in *.orig.tar.*; do tar xf "$archive"; done)
    fi
    say "the program as WebAssembly"
    export NODE_PATH=${NODE_PATH-/usr/share/nodejs} # a node of another origin does not look for acorn there
    emcmake cmake -S "$here" -B "$out/wasm" -DSITE_SOURCES="$out/sources" >/dev/null
    cmake --build "$out/wasm" --parallel "$(nproc)"
fi

say "pages"
[ -x "$out/venv/bin/mkdocs" ] || { python3 -m venv "$out/venv" && "$out/venv/bin/pip" install -q 'mkdocs-material>=9.5,<10'; }
python3 "$here/pages.py" "$root" "$out/pages" "$here/.mkdocs.yml"
trap 'rm -f "$here/.mkdocs.yml"' EXIT

if [ "${1-}" != --docs ]; then
    play=$out/pages/playground
    mkdir -p "$play"
    cp "$here"/playground/* "$out/wasm/wsim.js" "$play"
    { printf "const WSIM_WASM = '" && gzip -9nc "$out/wasm/wsim.wasm" | base64 -w0 | tr '+/' '-_' && printf "';\n"; } >"$play/wasm.js"
    python3 - "$play" >"$play/worker_text.js" <<'P'
import json, pathlib, sys
names = ["wsim.js", "command.js", "worker.js"]
print("const WSIM_WORKER =", json.dumps("\n".join((pathlib.Path(sys.argv[1]) / name).read_text() for name in names)), end=";\n")
P
    python3 - "$root" >"$play/files.js" <<'P'
import json, pathlib, sys
root = pathlib.Path(sys.argv[1])
names = ["examples/kernels/reverse.ptx", "examples/kernels/gemm_mma.ptx", "tests/lint/garbage.cu"]
print("const FILES =", json.dumps({pathlib.Path(n).name: (root / n).read_text() for n in names}), end=";\n")
P
fi
NO_MKDOCS_2_WARNING=1 "$out/venv/bin/mkdocs" build -q -f "$here/.mkdocs.yml"
say "$out/site: $(du -sh "$out/site" | cut -f1)"
