#!/bin/sh
# run.sh WSIM_HW FOLDER - does all experiments of this folder on the first GPU, an sm_90a, and
# writes traces and texts to FOLDER. Needs a built wsim-hw (tools/hw/build.sh), a C compiler and nvcc; CC
# and NVCC may be set. Each experiment that may trap or hang is a process of its own.
set -e
[ $# = 2 ] || { echo "usage: run.sh WSIM_HW FOLDER" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd) && root=$(cd "$here/../.." && pwd)
hw=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
mkdir -p "$2" && out=$(cd "$2" && pwd)
cc=${CC:-cc}
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

mkdir o && (cd o && "$cc" -std=c11 -O2 -D_POSIX_C_SOURCE=200809L -I"$root/include" \
    -c "$root"/sim/*/*.c "$root"/harness/*/*.c) && ar rcs libwsim.a o/*.o
"$cc" -std=c11 -O2 -I"$root/include" "$here"/*.c libwsim.a -o probes
for program in wgmma wmma undefined cp_async; do
    "$nvcc" -std=c++17 -O2 -I"$root/include" -gencode arch=compute_90a,code=sm_90a -o $program \
        "$here/$program.cu" libwsim.a
done

# record NAME FAMILY...: operands through wsim-hw, then their comments back above the cases.
record() {
    name=$1
    shift
    ./probes "$@" >operands
    "$hw" record --from operands -o results
    awk 'NR == FNR { if (!/^#/) result[++n] = $0; else if (!n) print; next }
         /^#/ { if (m || FNR > 8) print; next }
         { print result[++m] }' results operands >"$out/$name.trace"
}
record probes singles saturation doubles
record groups groups
record metadata nibbles
./wgmma >"$out/wgmma_probes.trace"
./wmma >"$out/wmma.trace" 2>"$out/wmma.txt"
./wmma copies >"$out/wmma_copies.trace"
./cp_async >"$out/cp_async_memory.trace"

mkdir each
last=$(($(./undefined) - 1))
# shellcheck disable=SC2016 # $1 and $? are the inner shell's
seq 0 $last |
    xargs -P 8 -I{} sh -c 'timeout 20 ./undefined $1 >each/$1 2>&1; echo $? >each/$1.status' - {}
for i in $(seq 0 $last); do
    cat "each/$i"
    grep -qx '[03]' "each/$i.status" || echo "run.sh: experiment $i hung or failed" >&2
done >experiments
# pick WORDS: cases that have these words in them or in their comment
pick() {
    awk -v words="$1" '/^#/ { comment = $0; next }
                       /\tsmem=/ && (comment $0) ~ words { print comment; print }' experiments
}
head -8 "$out/probes.trace" >header
pick 'name no row' >>"$out/probes.trace"
{ cat header && pick 'trap=1'; } >"$out/traps.trace"
{ cat header && pick 'equal row'; } >"$out/equal_rows.trace"
grep 'mask=' experiments >"$out/part.txt"
