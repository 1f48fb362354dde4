#!/usr/bin/env bash
# quickstart.sh - from a bare C compiler to the first result. Installs what is missing, builds library, program and
# examples in build/, and runs the load/store demonstrations.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/lib/install.sh

need_for_program
install_missing

say "cmake -B build && cmake --build build --target wsim_shared wsim quickstart"
cmake -B build
cmake --build build --parallel "$(cpus)" --target wsim_shared wsim quickstart

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
