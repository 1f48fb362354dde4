#!/bin/sh
# oneline.sh CC SOURCE_DIR - the library needs no build system: one compiler line makes a shared
# library, one line a program with the library inside. And it has no writable globals.
cc=$1
cd "$2" || exit 2
out=$(mktemp -d) && trap 'rm -rf "$out"' EXIT
set -e

echo "\$ $cc -std=c11 -shared -fPIC -Iinclude sim/*/*.c -o libwsim.so"
"$cc" -std=c11 -shared -fPIC -Iinclude sim/*/*.c -o "$out/libwsim.so"

echo "\$ $cc -std=c11 -Iinclude tests/install/consumer/consumer.c sim/*/*.c -o consumer"
"$cc" -std=c11 -Iinclude tests/install/consumer/consumer.c sim/*/*.c -o "$out/consumer"
"$out/consumer"

# GNU size lists sections; where there is another size, this part is left out. -fno-pic, so
# that constant tables with pointers are plainly read-only.
if size --version 2>/dev/null | grep -q GNU; then
    mkdir "$out/objects" && source=$PWD
    (cd "$out/objects" && "$cc" -std=c11 -fno-pic -I"$source/include" -c "$source"/sim/*/*.c)
    size -A "$out"/objects/*.o | awk '/\.o/ { object = $1 }
        /^\.(data|bss|tdata|tbss)[ .]/ && $1 !~ /rel\.ro/ && $2 > 0 {
            print object ": " $2 " writable bytes in " $1; bad = 1 }
        END { exit bad }'
fi
