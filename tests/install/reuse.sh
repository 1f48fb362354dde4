#!/bin/sh
# reuse.sh BUILD_DIR SOURCE_DIR WORK COMPILER ARGUMENT... - a compiler launcher (CMAKE_C_COMPILER_LAUNCHER). It copies the object
# that BUILD_DIR has of a room, if that was compiled with the same flags, and compiles otherwise. WORK/objects gets a line for
# each: "reused" or "compiled", and the source. WORK/flags has the flags and sources of BUILD_DIR:
# reuse.sh --flags BUILD_DIR writes them.

# Flags that change no object of a correct source.
ignored='-Werror|-Wall|-Wextra|-Wpedantic|-fstack-usage|-fdiagnostics-color=always|-c|-o|-M*'
if [ "$1" = --flags ]; then
    awk -v ignored="$(echo "$ignored" | sed 's/\*/.*/g')" '/^ *"command": / {
            n = split($0, word, /[ ",]+/)
            flags = ""
            for (i = 1; i < n; i++)
                if (word[i] ~ /^-/ && word[i] !~ ("^(" ignored ")$"))
                    flags = flags word[i] " "
            sub(/.* -c /, "")
            sub(/".*/, "")
            print flags $0
        }' "$2/compile_commands.json"
    exit
fi
build=$1 root=$2 work=$3
shift 3
source='' out='' deps='' last='' flags=''
for word; do
    case $last in -o) out=$word ;; -c) source=$word ;; -MF) deps=$word ;; esac
    eval "case \$word in $ignored) ;; -*) flags=\"\$flags\$word \" ;; esac"
    last=$word
done
name=${source#"$root"/}
case $name in
sim/*/*.c | harness/*/*.c)
    room=${name#*/}
    object=$build/CMakeFiles/wsim_${room%%/*}.dir/$name.o
    if [ -f "$object" ] && grep -qxFe "$flags$source" "$work/flags"; then
        cp "$object" "$out" && echo "reused $name" >>"$work/objects"
        [ -z "$deps" ] || echo "$out: $source" >"$deps"
        exit
    fi
    echo "compiled $name" >>"$work/objects"
    ;;
esac
exec "$@"
