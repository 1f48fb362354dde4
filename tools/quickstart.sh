#!/usr/bin/env bash
# quickstart.sh - from a bare machine to the first result. Installs what is missing, builds library, program, runtime of
# CUDA programs and an example in build/, and runs the example.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/lib/install.sh

need_for_program
install_missing

targets=(wsim_shared wsim quickstart)
[ "$(uname)" != Linux ] || targets+=(wsim_runtime)
say "cmake -B build && cmake --build build --target ${targets[*]}"
cmake -B build
cmake --build build --parallel "$(cpus)" --target "${targets[@]}"

say "build/examples/quickstart"
build/examples/quickstart

say "next"
cat <<'END'
   build/wsim --help                   what the program does
   build/wsim ops --family mma         every instruction it knows
   build/wsim layout ldmatrix.sync.aligned.m8n8.x4.shared.b16
                                       who holds what
   build/wsim banks ld.shared.b32 --addr 'lane*8'
                                       what an access costs
   tools/test.sh                       all tests
   docs/architecture.md                how the house is built
END
