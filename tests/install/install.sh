#!/bin/sh
# install.sh WAY CMAKE CC SOURCE_DIR BUILD_DIR - a user's project finds wsim and runs with it. Covers the installed
# CMake package, static and shared, the installed pkg-config file, and the source tree as a subdirectory. The latter
# must bring no install rules, program or tests. The project uses the lines of docs/install.md.
way=$1 cmake=$2 cc=$3 source=$4 build=$5
out=$(mktemp -d) && trap 'rm -rf "$out"' EXIT
prefix=$out/moved page=$source/docs/install.md
set -e

# Blocks of the page that begin with a line.
block() { # FIRST_LINE
    awk -v first="    $1" 'index($0, first) == 1 { on = 1 } !/^    / { on = 0 } on { print substr($0, 5) }' "$page" |
        sed "s|/path/to/wsim|$source|"
}

consume() { # BUILD_DIR [CMAKE_ARGUMENTS...]
    consumer=$1
    shift
    {
        [ -s "$out/page.cmake" ] &&
            "$cmake" -S "$source/tests/install/consumer" -B "$consumer" -DWSIM_PAGE="$out/page.cmake" \
                -DCMAKE_C_COMPILER="$cc" "$@" && "$cmake" --build "$consumer"
    } >"$out/log" 2>&1 || { cat "$out/log"; exit 1; }
    "$consumer/my_test"
    "$consumer/harness"
    [ ! -e "$consumer/consumer_cpp" ] || "$consumer/consumer_cpp"
}

if [ "$way" != subdirectory ]; then
    "$cmake" --install "$build" --prefix "$out/prefix" >/dev/null
    mv "$out/prefix" "$prefix" # nothing installed may name the place where it was
    if [ -x "$prefix/bin/wsim" ]; then # comes with its pages and its completion
        for file in share/man/man1/wsim.1 share/man/man1/wsim-layout.1 share/fish/vendor_completions.d/wsim.fish \
            share/bash-completion/completions/wsim share/zsh/site-functions/_wsim; do
            [ -s "$prefix/$file" ] || { echo "not installed: $file"; exit 1; }
        done
    fi
fi
# The program finds the runtime beside itself; what shadows other libraries is in a folder of its own.
planted=$build/tests/runtime/runtime_planted
if [ "$way" = package ] && [ -x "$planted" ] && [ -x "$prefix/bin/wsim" ]; then
    status=0
    "$prefix/bin/wsim" run "$planted" race wrong >/dev/null 2>"$out/report" || status=$?
    [ $status -eq 1 ] && grep -q race.global "$out/report" || { cat "$out/report"; exit 1; }
    "$prefix/bin/wsim" env | grep -q "LD_LIBRARY_PATH='$prefix/.*/wsim'" || { "$prefix/bin/wsim" env; exit 1; }
    [ "$(cd "$(dirname "$(find "$prefix" -name libwsim-runtime.so)")" && echo lib*)" = \
        "libcuda.so.1 libcudart.so.12 libcudart.so.13 libwsim-look.so libwsim-runtime.so" ] || { echo "other objects in the runtime"; exit 1; }
fi
case $way in
package)
    block 'find_package(wsim' >"$out/page.cmake"
    consume "$out/static" -DCMAKE_PREFIX_PATH="$prefix"
    consume "$out/shared" -DCMAKE_PREFIX_PATH="$prefix" -DBUILD_SHARED_LIBS=ON
    [ -x "$prefix/bin/wsim" ] || exit 0
    # wsim_add_test: one test of each kind; that of the kernel with a race fails, the others pass.
    "$cmake" -S "$source/tests/install/consumer" -B "$out/static" -DCONSUMER_KERNELS="$source/examples/kernels" >/dev/null
    (cd "$out/static" && "${cmake%cmake}ctest" -L wsim) >"$out/log" 2>&1 || true
    [ "$(sed -n 's/^ *[0-9]*\/[0-9]* Test *#[0-9]*: *\([a-z]*\) \.* *\**\([A-Za-z]*\) .*/\1 \2/p' "$out/log" | sort | paste -sd ,)" = \
        "kernel Failed,launch Passed,lint Passed,program Passed" ] || { cat "$out/log"; exit 1; }
    echo 'find_package(wsim CONFIG REQUIRED)' >"$out/build.cmake"
    ! "$cmake" -Dwsim_DIR="$build" -S "$source/tests/install/consumer" -B "$out/inside" -DWSIM_PAGE="$out/build.cmake" >"$out/log" 2>&1 &&
        grep -q 'is a build of wsim, not an installation' "$out/log" || { cat "$out/log"; exit 1; }
    ! "$cmake" -S "$source/tests/install/consumer" -B "$out/static" -DCONSUMER_WRONG=ON >"$out/log" 2>&1 && grep -q 'one of LAUNCH' "$out/log" ||
        { echo "two kinds of test are one:"; cat "$out/log"; exit 1; }
    ;;
pkgconfig)
    command -v pkg-config >/dev/null || exit 77
    PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name wsim.pc)")
    export PKG_CONFIG_PATH
    lib=$(pkg-config --variable=libdir wsim)
    # One version in all: of the headers, of the .pc file, and (its first two numbers) of the ABI.
    version=$(sed -n 's/^#define WSIM_VERSION_[MP][A-Z]* \([0-9]*\)$/\1/p' \
        "$source/include/wsim/status.h" | paste -sd . -)
    [ "$(pkg-config --modversion wsim)" = "$version" ] || { echo "wsim.pc is not $version"; exit 1; }
    for file in "$lib/libwsim.so.${version%.*}" "$lib/libwsim.${version%.*}.dylib"; do
        [ ! -e "$file" ] || found=yes
    done
    [ "${found-}" = yes ] || { echo "no libwsim of ABI ${version%.*}:"; ls "$lib"; exit 1; }
    flags=$(sed -n 's/^[^`]*`\(pkg-config [^`]*\)`.*/\1/p' "$page") # the command of the page
    [ "$flags" = "pkg-config --cflags --libs wsim" ] || { echo "docs/install.md says '$flags'"; exit 1; }
    # shellcheck disable=SC2046 # a list of flags
    "$cc" -std=c11 "$source/tests/install/consumer/consumer.c" $($flags) -o "$out/consumer"
    LD_LIBRARY_PATH=$lib DYLD_LIBRARY_PATH=$lib "$out/consumer"
    if command -v c++ >/dev/null; then
        # shellcheck disable=SC2046
        c++ -std=c++17 "$source/tests/install/consumer/consumer.cpp" \
            $(pkg-config --cflags --libs wsim) -o "$out/consumer_cpp"
        LD_LIBRARY_PATH=$lib DYLD_LIBRARY_PATH=$lib "$out/consumer_cpp"
    fi
    # shellcheck disable=SC2046
    "$cc" -std=c11 "$source/tests/install/consumer/harness.c" \
        $(pkg-config --cflags --static --libs wsim-harness) -o "$out/harness"
    LD_LIBRARY_PATH=$lib DYLD_LIBRARY_PATH=$lib "$out/harness"
    ;;
subdirectory)
    block 'include(FetchContent)' >"$out/page.cmake"
    # With the flags of BUILD_DIR most objects are copies of its own; the rest is compiled.
    reuse=$source/tests/install/reuse.sh
    "$reuse" --flags "$build" >"$out/flags" 2>/dev/null || true # without compile_commands.json all is compiled
    consume "$out/sub" -DCMAKE_BUILD_TYPE=Release -DCMAKE_RULE_MESSAGES=OFF \
        "-DCMAKE_C_COMPILER_LAUNCHER=$reuse;$build;$source;$out"
    echo "$(grep -c ^reused "$out/objects") objects of the build, $(grep -c ^compiled "$out/objects") compiled"
    "$cmake" --install "$out/sub" --prefix "$prefix" >/dev/null
    [ ! -e "$prefix" ] || { echo "a subdirectory installed:"; find "$prefix"; exit 1; }
    [ -e "$out/sub/_deps/wsim-build/libwsim.a" ] || { echo "not built where it was looked for"; exit 1; }
    [ ! -e "$out/sub/_deps/wsim-build/wsim" ] || { echo "a subdirectory built the program"; exit 1; }
    [ ! -e "$out/sub/_deps/wsim-build/libwsim.so" ] || { echo "a subdirectory built what is not linked"; exit 1; }
    ;;
esac
