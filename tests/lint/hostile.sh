#!/bin/sh
# hostile.sh WSIM FOLDER - lint ends well and says something sensible of files that are cut anywhere,
# of quotes, brackets and conditions that never end, and of bytes that are no text.
set -eu
wsim=$1 whole=$2/statements.cu
file=$(mktemp)
trap 'rm -f "$file"' EXIT

# look WHAT WANTED...: the exit status is one of those wanted.
look() {
    what=$1 status=0
    shift
    "$wsim" lint -q --format json "$file" >/dev/null || status=$?
    case " $* " in
    *" $status "*) ;;
    *) echo "$what: exit status $status, wanted $*"; exit 1 ;;
    esac
}

size=$(wc -c <"$whole")
cut=0
while [ $cut -lt "$size" ]; do
    head -c $cut "$whole" >"$file"
    look "cut at $cut" 0 1
    cut=$((cut + 211))
done

# deep CHARACTERS: thousands of them in a row.
deep() { awk -v text="$1" 'BEGIN { for (i = 0; i < 20000; i++) printf "%s", text }'; }
{ printf 'asm volatile('; deep '('; } >"$file"; look "brackets" 0
{ printf 'asm volatile("mov.b32 %%0, 1;" : "=r"('; deep '(['; } >"$file"; look "brackets of a value" 0
{ printf 'asm volatile("'; deep '{'; printf '");'; } >"$file"; look "braces" 0 1
{ printf '#if '; deep '('; printf '\nasm volatile("bar.sync 0;" ::: "memory");\n'; } >"$file"; look "a condition" 0
deep '#if X
' >"$file"; look "conditions" 0
deep 'R"' >"$file"; look "raw strings" 0
deep 'asm(' >"$file"; look "words" 0
deep 'asm("bar.sync 0;");' >"$file"; look "statements" 0
{ printf 'asm volatile("'; deep 'bar.sync 0; '; printf '" ::: "memory");'; } >"$file"; look "instructions" 0
{ printf 'asm volatile("mov.b32 %%99999999999999999999, %%18446744073709551616;" : "=r"(x));'; } >"$file"; look "numbers" 1
{ printf 'asm volatile("mov.b32 \000\377\x, %%0;\\' ; } >"$file"; look "escapes" 0 1
printf '\000\001\377asm("bar.sync 0;"\000' >"$file"; look "bytes" 0
