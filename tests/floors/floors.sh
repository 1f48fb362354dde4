#!/bin/sh
# floors.sh SOURCE_DIR - holds the floor plan. Rooms of sim/ (libwsim), harness/ (libwsim-harness) and runtime/ use
# lower rooms only, as the wsim_room and wsim_runtime_room lines say. Only kernels of num, quick steps and comparisons
# of launch files hold floats. No room of a library prints or exits, and no room below ptx allocates. Tools and
# examples use include/ only; tools/hw, tools/lib and benches use nothing of the program. The oracle shares nothing
# with sim/.
cd "$1" || exit 2
here=tests/floors

no_words() { # RULE WORDS FIND_ARGUMENTS...
    rule=$1 words=$2
    shift 2
    find "$@" -name '*.[ch]' -exec awk -v rule="$rule" -v words="$words" -f $here/words.awk {} +
}
no_include() { # RULE PATTERN DIRECTORY
    [ ! -d "$3" ] || find "$3" -name '*.[ch]' -exec grep -nHE "#include.*($2)" {} + |
        sed "s|\$|   <- $1|"
}

broken=$({
    find sim harness runtime \( -name '*.[ch]' -o -name '*.def' \) -exec awk -f $here/includes.awk \
        CMakeLists.txt runtime/CMakeLists.txt include/wsim/*.h include/wsim/*/*.h {} +
    no_words 'no floating point in sim/ and harness/ but in kernels and to print it' 'float|double|__int128' sim harness \
        ! -path 'sim/kernels/*' ! -path 'sim/step/quick_float.h' ! -path 'sim/step/output.c' \
        ! -path 'harness/launch/compare.c' ! -path 'harness/launch/number.c' ! -path 'harness/launch/file.h'
    no_words 'sim/ and harness/ never print or exit' \
        'printf|fprintf|puts|fputs|putchar|perror|stdout|stderr|exit|_Exit|abort' sim harness
    no_words 'nothing but assembler, launch, lint, trace, threads, ptx and run allocates or opens files' \
        'malloc|calloc|realloc|free|strdup|alloca|fopen|FILE' sim harness ! -path 'harness/trace/*' ! -path 'harness/launch/*' \
        ! -path 'harness/assembler/*' ! -path 'harness/lint/*' ! -path 'harness/threads/*' ! -path 'sim/ptx/*' ! -path 'sim/state/*' ! -path 'sim/decode/*' ! -path 'sim/sync/*' \
        ! -path 'sim/watch/*' ! -path 'sim/step/*' ! -path 'sim/run/*'
    no_words 'the runtime prints by wsimrt_say, output.c and record.c alone' \
        'printf|fprintf|puts|fputs|fwrite|putchar|perror|stdout|stderr' runtime \
        ! -path 'runtime/core/process.c' ! -path 'runtime/core/runtime.h' ! -path 'runtime/core/output.c' ! -path 'runtime/core/record.c' ! -path 'runtime/core/report.h'
    no_include 'only its tests use the runtime' '["/](runtime|core|cuda|cudart)/[^"]*"' tools
    # Doors are rows: a name of one stands in the tables and nowhere else.
    grep -rnE '\b(WSIM_)?DOOR_[A-Z]' sim harness tools python bench examples include 2>/dev/null \
        --include='*.[ch]' --include='*.hpp' --include='*.py' --include='*.def' |
        grep -vE '^sim/isa/(isa\.h|tables\.c|door\.def|family\.def)|:.*DOOR_(COUNT|##id)' |
        sed 's|$|   <- doors are compared in the tables only: ask wsim_op_info.does, or a column of door.def|'
    no_include 'tools use include/ only' '["/](sim|harness)/[^"]*"' tools
    no_include 'messages of wire/ use include/ only' '"' wire
    grep -rn '#include.*"wire/' tools runtime sim harness --include='*.[ch]' |
        grep -v '^tools/wsim/program/\|^runtime/core/' | sed 's|$|   <- only the program and the runtime send messages|'
    for outside in tools/hw tools/lib tools/ptxrun bench examples tests/hw tests/golden tests/fuzz; do
        no_include 'only the program and its tests use tools/wsim' '"[^"]*/wsim/[^"]*"' $outside
    done
    no_include 'examples use include/ only' '["/](sim|harness)/[^"]*"' examples
    no_include 'the oracle shares nothing with sim/, the tests that compare it do' '["/](sim|harness)/[^"]*"' tests/oracle |
        grep -v '/test_[^/]*:'
} 2>&1)
[ -z "$broken" ] || { echo "$broken"; exit 1; }
