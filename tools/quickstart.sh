#!/usr/bin/env bash
# quickstart.sh - from a bare machine to the first result. Installs what is missing, builds library, program and an example in
# build/, and runs the example. Then it builds the shared library and the runtime of CUDA programs.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/lib/install.sh

need_for_program
install_missing

build() { # TARGET...
    say "cmake --build build --target $*"
    cmake --build build --parallel "$(cpus)" --target "$@"
}
say "cmake -B build"
cmake -B build
build wsim quickstart

say "build/examples/quickstart"
build/examples/quickstart

later=(wsim_shared)
[ "$(uname)" != Linux ] || later+=(wsim_runtime)
build "${later[@]}"

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
