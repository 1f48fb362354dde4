#!/bin/sh
# family.sh CC SOURCE_DIR - plants new rows in a copy of the sources.
#   family.c   the new family of docs/adding-an-instruction.md: first with the door NONE and without the lines of a
#              door, then with all lines
#   closed.c   an invented type e3m4, and rows of mma for it and for a new shape: their evidence is "inferred"
cc=$1
source=$(cd "$2" && pwd) || exit 2
page=$source/docs/adding-an-instruction.md
here=$source/tests/guards
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
cp -R "$source/sim" "$source/harness" "$source/include" "$work/"

# plant FILE LINE START: after the first line that begins with START.
plant() {
    awk -v line="$2" -v start="$3" '
        { print }
        index($0, start) == 1 && !done { print line; done = 1 }
        END { exit !done }' "$work/$1" >"$work/planted" || { echo "$1 has no line '$3'"; exit 1; }
    cp "$work/planted" "$work/$1"
}

# try PROGRAM FLAGS ROOMS...: PROGRAM.c of this folder with these rooms. make compiles what has changed. Files of the rooms
# in $looked pass the front end alone, because the program calls none of their functions.
cat >"$work/makefile" <<'END'
flags := -std=c11 -O0 -DWSIM_NO_KERNELS -Wall -Werror -Iinclude -MMD
objects := $(patsubst %.c,%.o,$(wildcard $(addsuffix /*.c,$(ROOMS))))
program: $(objects) $(patsubst %.c,%.looked,$(wildcard $(addsuffix /*.c,$(LOOKED))))
	$(CC) $(flags) $(FLAGS) $(PROGRAM) $(objects) -o $@
%.o: %.c
	$(CC) $(flags) -c $< -o $@
%.looked: %.c
	$(CC) $(flags) -fsyntax-only $<
-include $(objects:.o=.d)
END
looked=
try() {
    program=$1 flags=$2
    shift 2
    rm -f "$work/program"
    if ! (cd "$work" && make -s CC="$cc" PROGRAM="$here/$program.c" FLAGS="$flags" ROOMS="$*" LOOKED="$looked" program) || ! "$work/program"; then
        echo "$program.c${flags:+ with $flags} fails"
        exit 1
    fi
}

plant sim/isa/format.def 'BINARY(E3M4,  "e3m4",   8,  0, 1,  3,  4,    3,  NAN,  0x7F,                    TENSOR,  0)' 'BINARY(E4M3,'
plant sim/isa/mma.def 'MMA(m16n8k32_e3m4, DENSE, M16N8K32, ROW_COL, T(F32), T(F32), T(E3M4), T(E3M4), FP8, FP8, 84, ISA_DENSE, PLAIN)' 'MMA(m16n8k32_fp8_f32,'
plant sim/isa/mma.def 'MMA(m16n8k64_fp8, DENSE, M16N8K64, ROW_COL, T(F32), T(F32), FLOAT8, FLOAT8, FP8, FP8, 84, ISA_DENSE, PLAIN)' 'MMA(m16n8k32_e3m4,'

# The blocks of the page's section: "FILE<tab>LINE<tab>ANCHOR" of lines to plant, and whole files.
awk -v out="$work" '
    /^## / { inside = /^## A new family/ }
    !inside { next }
    /^In `/ { split($0, part, "`"); file = part[2]; whole = 0 }
    /^The file `/ { split($0, part, "`"); file = part[2]; whole = 1 }
    /^```/ { open = !open; first = 1; next }
    !open { next }
    whole { sub(".*/", "", file); print > (out "/" file); next }
    first { anchor = $0; first = 0; next }
    { print file "\t" $0 "\t" anchor }' "$page" >"$work/lines" || exit 1

tab=$(printf '\t')
rows=0
while IFS="$tab" read -r file line anchor; do
    case $line in
    *TURN,*"IN(D)"*) plant "$file" "$(echo "$line" | sed 's/TURN, /NONE, /')" "$anchor" ;;
    DOOR* | *exec_*) continue ;;
    *) plant "$file" "$line" "$anchor" ;;
    esac
    rows=$((rows + 1))
done <"$work/lines"
# Rooms of a program that parses, executes and asks for evidence: those of the room cases, and three more.
rooms=
for room in $(sed -n 's/^wsim_room(cases *ON \(.*\) HARNESS)$/\1/p' "$source/CMakeLists.txt") spell names evidence; do
    rooms="$rooms sim/$room/"
done
# shellcheck disable=SC2086 # a list of folders
{
    try family "" $rooms
    try closed "" $rooms
}

# All lines: the row gets its door.
lines=$rows
while IFS="$tab" read -r file line anchor; do
    case $line in
    *TURN,*"IN(D)"*)
        sed 's/^\(FAMILY(TURNMATRIX,.*\)NONE, /\1TURN, /' "$work/$file" >"$work/planted" && cp "$work/planted" "$work/$file"
        grep -qF "$line" "$work/$file" || { echo "$file has another line than '$line'"; exit 1; }
        ;;
    DOOR* | *exec_*)
        plant "$file" "$line" "$anchor"
        lines=$((lines + 1))
        ;;
    esac
done <"$work/lines"
mv "$work/turn.c" "$work/sim/exec/"
for room in $(cd "$source" && echo sim/*/ harness/*/); do
    case "$rooms " in *" $room "*) ;; *) looked="$looked $room" ;; esac
done
# shellcheck disable=SC2086
try family -DWITH_DOOR $rooms
echo "family: $rows lines without a door, $lines and a file with one"
