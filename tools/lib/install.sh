# shellcheck shell=bash
# install.sh - sourced by quickstart.sh and test.sh: makes sure that what they need is there.
# need TEST PACKAGE... notes the Debian packages unless TEST succeeds; install_missing installs
# what was noted. When everything is there, no package manager is called.

say() { printf '== %s\n' "$*"; }

has_tool()   { command -v "$1" >/dev/null 2>&1; }
has_module() { has_tool pkg-config && pkg-config --exists "$1"; }

# has_compiler CC LANGUAGE [FLAGS...]: it compiles and links a small program.
has_compiler() {
    local cc=$1 language=$2 out status=0
    shift 2
    has_tool "$cc" || return 1
    out=$(mktemp)
    echo '#include <stdlib.h>
          int main(void) { return EXIT_SUCCESS; }' |
        "$cc" "$@" -x "$language" - -o "$out" >/dev/null 2>&1 || status=1
    rm -f "$out"
    return $status
}

missing=()
need() {
    local test=$1
    shift
    eval "$test" || missing+=("$@")
}

need_for_program() {
    need 'has_compiler cc c'          gcc libc6-dev
    need 'has_tool cmake'             cmake
    need 'has_tool make'              make
    need 'has_tool pkg-config'        pkg-config
    need 'has_module popt'            libpopt-dev
    need 'has_module jansson'         libjansson-dev
    has_tool apt-get || return 0 # compressed traces are a convenience, not worth a refusal
    need 'has_module libzstd'         libzstd-dev
    need 'has_module liblzma'         liblzma-dev
    need 'has_module zlib'            zlib1g-dev
}

need_for_tests() {
    need 'has_module check'           check
    need 'has_compiler c++ c++'       g++
    has_tool apt-get || return 0 # matchers of another framework are tested where it is
    need 'has_module gmock'           libgmock-dev
    need 'has_tool xz'                xz-utils
}

# Half of the time that make takes beside the compiler, and no idle processor between two targets.
need_for_speed() {
    has_tool apt-get || return 0
    need 'has_tool ninja'             ninja-build
}

need_for_clang() {
    need 'has_compiler clang c -fsanitize=address,undefined' clang libclang-rt-dev
}

# The Python package is tested where there is a Python to test it with, 3.9 or later.
has_python() {
    python3 -c 'import ensurepip, os, sysconfig, venv
assert os.path.exists(os.path.join(sysconfig.get_paths()["include"], "Python.h"))' >/dev/null 2>&1
}

need_for_python() {
    has_tool apt-get || return 0
    need 'has_python'                 python3-venv python3-dev
}

# Tests open pages in a browser (122 MB, 15 s); they are skipped without one.
need_for_browser() {
    has_tool apt-get || return 0
    need 'has_tool chromium || has_tool google-chrome' chromium
    need 'has_tool xmllint'           libxml2-utils
}

# Other machines under qemu are a convenience: tests of them are skipped where it is missing.
need_for_qemu() {
    has_tool apt-get && [ "$(uname -m)" = x86_64 ] || return 0
    need 'has_tool qemu-aarch64'           qemu-user
    need 'has_tool aarch64-linux-gnu-gcc'  gcc-aarch64-linux-gnu libc6-dev-arm64-cross
    need 'has_tool s390x-linux-gnu-gcc'    gcc-s390x-linux-gnu libc6-dev-s390x-cross
}

install_missing() {
    if [ ${#missing[@]} -eq 0 ]; then
        say "everything needed is installed"
        return
    fi
    say "missing: ${missing[*]}"
    if has_tool apt-get; then
        install_with_apt
    else
        explain_install
        exit 1
    fi
}

install_with_apt() {
    local root=()
    if [ "$(id -u)" -ne 0 ]; then
        has_tool sudo || {
            say "run this as root, or install them: apt-get install ${missing[*]}"
            exit 1
        }
        root=(sudo)
    fi
    local apt=(${root[@]+"${root[@]}"} env DEBIAN_FRONTEND=noninteractive
               apt-get -q -o DPkg::Lock::Timeout=300)
    say "apt-get install ${missing[*]}"
    "${apt[@]}" update </dev/null
    "${apt[@]}" install -y --no-install-recommends "${missing[@]}" </dev/null
}

explain_install() {
    if [ "$(uname)" = Darwin ]; then
        say "install them: xcode-select --install; brew install cmake pkg-config check popt" \
            "jansson; for compressed traces: zstd xz zlib"
    else
        say "the names above are Debian's; install with your package manager: a C11 and a C++17" \
            "compiler, clang with its sanitizers, CMake 3.21, make, pkg-config, and the" \
            "development files of popt, jansson, Check, zstd, xz (lzma), zlib"
    fi
}

cpus() { getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2; }
