#!/bin/sh
# self.sh SOURCE_DIR - floors.sh can fail: it finds each of these broken files in a copy of the sources, but no words
# in comments and strings.
cd "$1" || exit 2
copy=$(mktemp -d) && trap 'rm -rf "$copy"' EXIT
mkdir -p "$copy/tests" && cp -R CMakeLists.txt include sim harness runtime "$copy" && cp -R tests/floors "$copy/tests"
mkdir -p "$copy/tools/hw" "$copy/tools/wsim/program" "$copy/bench" "$copy/wire" "$copy/tests/oracle"
failed=0 number=0
# Each line goes into a file of its own. floors.sh names the broken ones and no other.
planted() { # EXPECTED_STATUS FILE LINE
    number=$((number + 1))
    name=$(echo "$2" | sed "s|planted|planted$number|")
    printf '%s\n' "$3" >"$copy/$name"
    printf '%s\t%s\t%s\n' "$1" "$name" "$3" >>"$copy/planted"
}
tests/floors/floors.sh "$copy" || { echo "the copy is broken before a file is planted"; exit 1; }
planted 0 sim/num/planted.c    '#include "../base/base.h"'
planted 1 sim/num/planted.c    '#include "../layout/layout.h"'
planted 1 sim/base/planted.c   '#include "../../harness/trace/trace.h"'
planted 1 harness/show/planted.c '#include "../../sim/watch/touch.h"'
planted 1 sim/trace.h            '#include "../harness/trace/trace.h"'
planted 1 harness/trace/planted.c '#include "../base/base.h"'
planted 1 sim/isa/planted.c    '#include <wsim/exec.h>'
planted 1 sim/machine/planted.c '#include <wsim/wsim.h>'
planted 1 sim/exec/planted.c   '#include "isa/isa.h"'
planted 1 harness/trace/planted.c 'static double half;'
planted 0 sim/kernels/planted.h 'static float half;'
planted 1 sim/exec/planted.h 'static float half;'
planted 1 sim/num/planted.h    'typedef /* a */ float /* b */ number;'
planted 1 sim/exec/planted.c   'void *p(void) { return malloc(4); }'
planted 0 harness/trace/planted.c 'void *p(void) { return malloc(4); }'
planted 1 harness/trace/planted.c 'void p(void) { printf("x"); }'
planted 0 sim/exec/planted.c   'const char *s = "a \" float"; /* double */ int my_free; // exit'
planted 1 sim/exec/planted.c   'int p(int door) { return door == DOOR_MMA; }'
planted 1 tools/planted.c      'int p(int door) { return door == WSIM_DOOR_BULK; }'
planted 0 tools/planted.c      '#include <wsim/exec.h>'
planted 1 tools/planted.c      '#include "../sim/num/num.h"'
planted 0 tools/hw/planted.c   '#include "../lib/launch_files.h"'
planted 1 tools/hw/planted.c   '#include "../wsim/common/tool.h"'
planted 1 bench/planted.c      '#include "../tools/wsim/run/machine.h"'
planted 0 harness/launch/planted.c 'void *p(void) { return malloc(4); }'
planted 1 harness/launch/planted.c 'static double half;'
planted 1 tests/oracle/slow.c  '#include "../../sim/num/num.h"'
planted 0 runtime/cuda/planted.c '#include "core/runtime.h"'
planted 1 runtime/cuda/planted.c '#include "core/state.h"'
planted 1 runtime/cuda/planted.c '#include "cudart/cudart.h"'
planted 1 runtime/core/planted.c '#include "cuda/driver.h"'
planted 1 runtime/core/planted.c '#include "../sim/base/base.h"'
planted 1 runtime/core/planted.c 'void p(void) { printf("x"); }'
planted 1 tools/planted.c        '#include "../runtime/core/runtime.h"'
planted 1 wire/planted.h         '#include "core/state.h"'
planted 0 wire/planted.h         '#include <sys/socket.h>'
planted 1 tools/hw/planted.c     '#include "wire/assembler.h"'
planted 0 tools/wsim/program/planted.c '#include "wire/assembler.h"'
tests/floors/floors.sh "$copy" >"$copy/said" 2>&1 && failed=1
while IFS="$(printf '\t')" read -r expected name line; do
    found=0
    ! grep -q "$name" "$copy/said" || found=1
    [ $found -eq "$expected" ] || { echo "$name with: $line: found $found times, expected $expected"; failed=1; }
done <"$copy/planted"
exit $failed
