#!/bin/sh
# oneline.sh CC SOURCE_DIR LIBRARY - the library needs no build system: one compiler line makes a shared
# library, with which a program runs. And LIBRARY, the static one, has no writable globals.
cc=$1 library=$3
cd "$2" || exit 2
out=$(mktemp -d) && trap 'rm -rf "$out"' EXIT
set -e

echo "\$ $cc -std=c11 -shared -fPIC -Iinclude sim/*/*.c -o libwsim.so"
"$cc" -std=c11 -shared -fPIC -Iinclude sim/*/*.c -o "$out/libwsim.so"

echo "\$ $cc -std=c11 -Iinclude tests/install/consumer/consumer.c libwsim.so -o consumer"
"$cc" -std=c11 -Iinclude tests/install/consumer/consumer.c "$out/libwsim.so" -o "$out/consumer"
LD_LIBRARY_PATH=$out DYLD_LIBRARY_PATH=$out "$out/consumer"

# GNU size lists sections; where there is another size, this part is left out. Tables with pointers, which only the
# loader writes, have their own sections (rel.ro).
if size --version 2>/dev/null | grep -q GNU; then
    size -A "$library" | awk '/\.o/ { object = $1; objects++ }
        /^\.(data|bss|tdata|tbss)[ .]/ && $1 !~ /rel\.ro/ && $2 > 0 {
            print object ": " $2 " writable bytes in " $1; bad = 1 }
        END { exit bad || objects < 50 }'
fi
