#!/bin/sh
# build.sh [-o FILE] [TARGET...] - builds wsim-hw with a C compiler and nvcc (CUDA 13.0 or newer)
# and nothing else; no GPU needed. TARGETs are such as sm_90a; without any, all that the compiler
# has of the list below go into one fat binary. Environment: CC, NVCC, WORK (a folder to keep), JOBS (parallel
# compilations, 2), OPTIMIZE (-O3), SCALARS and WGMMAS (N: one form in N). LIBRARY has the static libraries of a build,
# harness first; without it they are compiled. With jansson the program has `wsim-hw launch`, which writes results
# into launch files. With STATIC=1 jansson, and the libraries that unpack files, are linked into the program.
set -e
here=$(cd "$(dirname "$0")" && pwd) && root=$(cd "$here/../.." && pwd)
out=$PWD/wsim-hw
if [ "$1" = -o ]; then
    case $2 in /*) out=$2 ;; *) out=$PWD/$2 ;; esac
    shift 2
fi
cc=${CC:-cc}
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
"$nvcc" --version >/dev/null 2>&1 || { echo "build.sh: no nvcc; set NVCC" >&2; exit 2; }
if [ -z "$WORK" ]; then
    WORK=$(mktemp -d)
    trap 'rm -rf "$WORK"' EXIT
fi
mkdir -p "$WORK" && WORK=$(cd "$WORK" && pwd)
jobs=${JOBS:-2}
targets=${*:-sm_75 sm_80 sm_86 sm_89 sm_90a sm_100a sm_103a sm_120a}

# Drops the assembler's advice about sparse instructions without ordered metadata.
quietly() {
    "$@" >"$WORK/messages" 2>&1 || { cat "$WORK/messages" >&2; return 1; }
    grep -v '; info    : Advisory: ' "$WORK/messages" >&2 || true
}

code='' there=''
for target in $targets; do
    number=${target#sm_}
    if "$nvcc" --list-gpu-code | grep -qx "sm_${number%[af]}"; then
        code="$code -gencode arch=compute_$number,code=$target"
        there="${there:+$there }$target"
    else
        echo "build.sh: this nvcc has no $target" >&2
    fi
done
[ -n "$code" ] || exit 2

cd "$WORK"
# compile FLAGS... <LIST: each file of a list to FOLDER-NAME.o, as rooms may have files of one name.
compile() {
    # shellcheck disable=SC2016 # $1 and so on are the inner shell's
    xargs -P "$jobs" -I{} sh -c 'file=$1
        shift
        "$@" -c "$file" -o "$(basename "$(dirname "$file")")-$(basename "$file" .c).o" || exit 255' \
        sh {} "$cc" -std=c11 "${OPTIMIZE:--O3}" -D_POSIX_C_SOURCE=200809L -I"$root/include" "$@"
}
rm -f libwsim.a
if [ -z "$LIBRARY" ]; then
    printf '%s\n' "$root"/sim/*/*.c "$root"/harness/*/*.c | compile
    ar rcs libwsim.a ./*.o && rm ./*.o
    # Files of the tools have names of their own, so those inside the library get its prefix.
    "$root/cmake/prefix.sh" "${NM:-nm}" "${OBJCOPY:-objcopy}" names libwsim.a
    LIBRARY=libwsim.a
fi
sum=$(cat "$root"/include/wsim/*.h "$root"/include/wsim/*/*.h "$root"/sim/*/* "$root"/harness/*/* "$root"/tools/lib/*.[ch] "$here"/*.* | cksum | cut -d' ' -f1)
# Codecs of files, and launch files; `libs` are the libraries that they need.
launch='' libs='' codecs=''
has() { echo "#include <$1>" | "$cc" -E - >/dev/null 2>&1; }
need() { # LIBRARY
    file=$("$cc" -print-file-name="lib$1.a")
    if [ -n "$STATIC" ] && [ -e "$file" ]; then libs="$libs $file"; else libs="$libs -l$1"; fi
}
if has zstd.h; then need zstd && codecs="$codecs -DHAVE_ZSTD"; fi
if has lzma.h; then need lzma && codecs="$codecs -DHAVE_LZMA"; fi
if has zlib.h; then need z && codecs="$codecs -DHAVE_ZLIB"; fi
if has jansson.h; then
    need jansson && launch=-DHW_LAUNCH
else
    echo "build.sh: no jansson: without the command launch" >&2
fi
# shellcheck disable=SC2086 # lists of words
printf '%s\n' "$here"/*.c "$root"/tools/lib/*.c |
    if [ -n "$launch" ]; then grep -v '/hw/generate'; else grep -v -e '/hw/generate' -e '/hw/launch'; fi |
    compile $codecs $launch -DHW_SOURCE="\"$sum\"" -DHW_TARGETS="\"$there\""
# shellcheck disable=SC2086 # a list of words
"$cc" -std=c11 -O2 -I"$root/include" "$here"/generate*.c hw-access_line.o hw-scalar_form.o $LIBRARY -lpthread -o generate
./generate --every "${WGMMAS:-1}" kernels.cu group 8

# Kernels of scalar instructions, for one target. Forms that the assembler refuses are left out and listed.
case " $there " in *' sm_90a '*) target=sm_90a ;; *) target=${there%% *} ;; esac
./generate --every "${SCALARS:-1}" scalar "$target"
printf '%s\n' scalar*.ptx | xargs -P "$jobs" -n 1 "$here/assemble.sh" "$nvcc" "$target"
cat scalar*.refused >refused
[ ! -s refused ] || echo "build.sh: $target: $(wc -l <refused) forms of scalar instructions are legal, but refused by the assembler: $WORK/refused" >&2
images='' names='' count=$(printf '%s\n' scalar*.ptx | wc -l) part=0
while [ "$part" -lt "$count" ]; do
    printf '.section .rodata\n.balign 64\n.global hw_scalar%s\nhw_scalar%s: .incbin "scalar%s.cubin"\n' $part $part $part
    images="$images extern const char hw_scalar${part}[];" names="$names hw_scalar$part,"
    part=$((part + 1))
done >scalar_images.S
echo '.section .note.GNU-stack,"",%progbits' >>scalar_images.S
"$cc" -c scalar_images.S -o scalar_images.o
echo "$images const void *const hw_scalar_images[] = {$names 0};" >scalar_list.c
"$cc" -std=c11 -c scalar_list.c

# Kernels of warpgroups: PTX for the target that its first line names, assembled two at a time.
images='' names=''
target=$(sed -n '1s|^// ||p' group0.ptx)
case " $there " in
*" $target "*)
    # shellcheck disable=SC2016 # $1 and so on are the inner shell's
    for part in group*.ptx; do echo "${part%.ptx}"; done |
        xargs -P "$jobs" -I{} sh -c 'key=$({ "$1" --version; echo "$2"; cat "$3.ptx"; } | cksum)
            [ -e "$3.cubin" ] && [ "$(cat "$3.key" 2>/dev/null)" = "$key" ] && exit # made before, of the same
            "$1" -arch="$2" -cubin -Xptxas -O1 -o "$3.cubin" "$3.ptx" >"$3.messages" 2>&1 ||
                { cat "$3.messages" >&2; rm -f "$3.cubin"; exit 255; }
            echo "$key" >"$3.key"' sh "$nvcc" "$target" {}
    for part in group*.ptx; do
        part=${part%.ptx}
        printf '.section .rodata\n.balign 64\n.global hw_%s\nhw_%s: .incbin "%s.cubin"\n' "$part" "$part" "$part"
        images="$images extern const char hw_${part}[];" names="$names hw_$part,"
    done >images.S
    echo '.section .note.GNU-stack,"",%progbits' >>images.S
    "$cc" -c images.S -o images.o
    ;;
esac
echo "$images const void *const hw_images[] = {$names 0};" >image_list.c
"$cc" -std=c11 -c image_list.c
cu=$(printf '%s ' "$here"/*.cu)
# shellcheck disable=SC2086 # a list of words
quietly "$nvcc" -std=c++17 -O2 --threads 0 -I"$here" -I"$root/include" $code -o "$out" \
    kernels.cu $cu ./*.o $LIBRARY $libs -lpthread
rm ./*.o
echo "$out: $there"
