#!/bin/sh
# advice.sh WSIM - programs that lack PTX or a symbol table. The message names a change of the build. Taken literally, it
# makes the program run. 77: there is no nvcc that compiles.
wsim=$1
nvcc=${NVCC:-nvcc}
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
failed=0
unset NVCC_APPEND_FLAGS NVCC_PREPEND_FLAGS
cat >"$work/one.cu" <<'SOURCE'
#include <cstdio>
__global__ void one(int *p) { *p = 7; }
int main() {
    int *p, host = 0;
    cudaMalloc(&p, 4);
    one<<<1, 1>>>(p);
    cudaMemcpy(&host, p, 4, cudaMemcpyDeviceToHost);
    cudaFree(p);
    printf("%d\n", host);
}
SOURCE
"$nvcc" -o "$work/one" "$work/one.cu" >"$work/said" 2>&1 || { cat "$work/said"; exit 77; }

fail() { echo "$last: $*"; head -3 "$work/err"; failed=1; }
build() { # FLAGS...
    last="nvcc $*"
    "$nvcc" -w "$@" "$work/one.cu" -o "$work/one" >"$work/said" 2>&1 || fail "$(head -1 "$work/said")"
}
run() { # STATUS OUTPUT OPTIONS...
    status=$1 output=$2
    shift 2
    "$wsim" run "$@" "$work/one" >"$work/out" 2>"$work/err"
    got=$?
    [ $got -eq "$status" ] || fail "wsim run $*: status $got, not $status"
    [ "$(cat "$work/out")" = "$output" ] || fail "wsim run $*: the output is '$(cat "$work/out")'"
}
says() { grep -q -- "$1" "$work/err" || fail "no '$1'"; }
advice() { sed -n "s/.*: add \(-gencode [^ ]*[a-z0-9]\).*/\1/p" "$work/err" | head -1; }

# machine code alone: the flags of the message, in NVCC_APPEND_FLAGS of an unchanged command
while read -r number flags; do
    # shellcheck disable=SC2086 # a list of flags
    build $flags
    run 3 0
    says "machine code and no PTX: add -gencode arch=compute_$number,code=compute_$number (NVCC_APPEND_FLAGS does it for an unchanged build)"
    more=$(advice)
    # shellcheck disable=SC2086 # a list of flags
    NVCC_APPEND_FLAGS=$more build $flags
    run 0 7
done <<CASES
90a -gencode arch=compute_90a,code=sm_90a
90 -arch=compute_90 -code=sm_90
90 -rdc=true -gencode arch=compute_80,code=sm_80
CASES
# shellcheck disable=SC2086 # a list of flags
build -gencode arch=compute_90,code=sm_90 $more
run 0 7

# PTX of a newer architecture: the flags, and the architecture, of the message
for newer in 120 120a; do
    build -gencode "arch=compute_$newer,code=compute_$newer"
    run 3 0
    says "the fat binary has PTX for compute_$newer, which sm_90a does not run: add -gencode arch=compute_90,code=compute_90, or "
    more=$(advice)
    run 0 7 --arch "$(sed -n 's/.*with --arch \([^ ]*\) of wsim run.*/\1/p' "$work/err" | head -1)"
done
# shellcheck disable=SC2086 # a list of flags
build -gencode arch=compute_120a,code=compute_120a $more
run 0 7

# the static runtime in a stripped program
build -gencode arch=compute_90,code=compute_90
strip "$work/one"
run 3 0
says "is stripped, so wsim cannot replace it: build it with -cudart shared, or run it before strip"
build -gencode arch=compute_90,code=compute_90 -cudart shared
strip "$work/one"
run 0 7
exit $failed
