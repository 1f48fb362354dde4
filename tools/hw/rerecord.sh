#!/bin/sh
# rerecord.sh FOLDER [PART...] - records and compares on a GPU after a change of the operand stream
# (include/wsim/harness/stream.h). Parts (default: all):
#   record   every digest of traces/ again, with the new stream: FOLDER/NAME.trace
#   diff     every mma and matrix move against the model, 10^7 results each: FOLDER/diff.txt
#   groups   every wgmma and wmma, 10^6 results each: FOLDER/diff-group.txt
#   probes   the experiments of lab/ without an answer: FOLDER/probes.tar.gz
# FOLDER/said.txt has the messages. WSIM_HW is the program; without it, it is built for WSIM_TARGET.
# OLD is a folder with the old digests as plain .trace files, if there is no zstd.
# RESULTS and GROUP_RESULTS change the numbers of results.
# Exit status: 0; 1 difference; 2 error; 77 no GPU.
out=$1
[ -n "$out" ] || { sed -n '2,11s/^# //p' "$0" >&2; exit 2; }
shift
mkdir -p "$out" && out=$(cd "$out" && pwd) || exit 2
here=$(cd "$(dirname "$0")" && pwd) && root=$(cd "$here/../.." && pwd)
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
hw=${WSIM_HW:-}
case $hw in */*) hw=$(cd "$(dirname "$hw")" && pwd)/${hw##*/} ;; esac
tab=$(printf '\t')
worst=0
: >"$out/said.txt"

say() { echo "$(date +%T) $*" | tee -a "$out/said.txt"; }
note() { # STATUS WHAT
    say "$2: exit status $1"
    [ "$1" -eq 0 ] && return
    [ "$1" -eq 1 ] && [ $worst -eq 2 ] || worst=$1
}

if [ -z "$hw" ]; then
    hw=$work/wsim-hw
    say "building wsim-hw"
    WORK=$work/build "$here/build.sh" -o "$hw" "${WSIM_TARGET:-sm_90a}" >>"$out/said.txt" 2>&1 || exit 2
fi
"$hw" list >"$work/list" 2>>"$out/said.txt" || { status=$?; say "wsim-hw list: exit status $status"; exit $status; }
say "$(wc -l <"$work/list") spellings here"

# The lines of an old trace with the number of the new stream; nothing if it has no digest.
ask() { # FILE
    case $1 in
    *.zst) zstd -dc "$1" ;;
    *) cat "$1" ;;
    esac | grep -E "^#|${tab}digest=" |
        sed "s/${tab}stream=[0-9]*${tab}/${tab}stream=$stream${tab}/" >"$work/asked"
    grep -q "${tab}digest=" "$work/asked"
}

record() {
    stream=$(sed -n 's/^#define WSIM_STREAM \([0-9]*\)$/\1/p' "$root/include/wsim/harness/stream.h")
    if [ -n "$OLD" ]; then set -- "$OLD"/*.trace; else set -- "$root"/traces/*/*digests.trace.zst; fi
    for file; do
        ask "$file" || continue
        name=$(basename "$file" .zst)
        seed=$(sed -n 's/^#seed: //p' "$work/asked")
        "$hw" record --from "$work/asked" --seed "$seed" -o "$out/$name" 2>>"$out/said.txt"
        note $? "record $name"
        # All lines again, in their order; what differs is the digest alone.
        for side in "$work/asked" "$out/$name"; do
            grep "${tab}digest=" "$side" >"$side.lines"
            sed "s/${tab}digest=.*//" "$side.lines" >"$side.keys"
        done
        cmp -s "$work/asked.keys" "$out/$name.keys" || note 2 "$name has other cases than before"
        say "$name: $(wc -l <"$out/$name.lines") digests of stream $stream, of which" \
            "$(paste -d' ' "$work/asked.lines" "$out/$name.lines" | awk -F'digest=' '{
                split($2, a, " "); n += a[1] == $3 } END { print n + 0 }') are as they were"
        rm -f "$out/$name.lines" "$out/$name.keys"
    done
}

compare() { # NAME FILTER RESULTS SEED
    "$hw" diff --ops "$2" --results "$3" --seed "$4" -o "$out/failing-$1.trace" >"$out/$1.txt" 2>>"$out/said.txt"
    note $? "$1: wsim-hw diff --ops '$2' --results $3 --seed $4"
    tail -1 "$out/$1.txt" | tee -a "$out/said.txt"
}

probe() { # NAME COMMAND...
    name=$1
    shift
    [ -x "$root/lab/$name/run.sh" ] || return 0
    "$@" >"$work/probes/$name.txt" 2>>"$out/said.txt"
    say "lab/$name: exit status $?"
}

probes() {
    mkdir -p "$work/probes"
    probe cg_cost "$root/lab/cg_cost/run.sh" "$work/probes/cg_cost"
    probe wmma_stride "$root/lab/wmma_stride/run.sh"
    tar -C "$work" -czf "$out/probes.tar.gz" probes || note 2 "probes.tar.gz"
}

for part in "${@:-record diff groups probes}"; do
    for one in $part; do
        case $one in
        record) record ;;
        diff) compare diff '[!w]*' "${RESULTS:-10000000}" 7 ;;
        groups) compare diff-group 'w[gm]*' "${GROUP_RESULTS:-1000000}" 8 ;;
        probes) probes ;;
        *) say "no such part: $one"; exit 2 ;;
        esac
    done
done
say "done"
exit $worst
