#!/bin/sh
# cluster.sh - wsim-hw diff cut into shares, one for each task of a queue. Plain sh.
#
#     cluster.sh share DIR [OPTION...]    one share: task I of N
#     cluster.sh merge DIR N              when all N are done: one status out of theirs
#     cluster.sh all DIR N [OPTION...]    without a queue: all shares in turn, then merge
#
# OPTIONs are those of wsim-hw diff. I and N, counted from 0, come from WSIM_SHARD and WSIM_SHARDS,
# else from Slurm's array. WSIM_HW is the program (./wsim-hw). Share I leaves DIR/I.json, DIR/I.trace (cases that
# differ), DIR/I.log and DIR/I.status. It exits like wsim-hw, or with 2 if wsim-hw is missing or was killed. merge
# exits with 0 if all shares are equal, and with 2 if one is missing, failed, or has another number of shares.
# Otherwise it exits with 1 if one differs, and with 77 if no share found a GPU.
#
#     sbatch --array=0-15 --gres=gpu:1 --wrap 'ci/cluster.sh share out --results 100000000'
#     ci/cluster.sh merge out 16
hw=${WSIM_HW:-./wsim-hw}

usage() { sed -n '4,6s/^# *//p' "$0" >&2; exit 2; }
fail() { echo "cluster.sh: $*" >&2; exit 2; }
is_number() { case $1 in '' | *[!0-9]*) return 1 ;; esac; }
decimal() { # NUMBER: without zeros in front
    decimal=$1
    while [ "${decimal#0?}" != "$decimal" ]; do decimal=${decimal#0}; done
    echo "$decimal"
}

share() { # DIR [OPTION...]
    dir=$1
    shift
    i=${WSIM_SHARD:-$((${SLURM_ARRAY_TASK_ID:-0} - ${SLURM_ARRAY_TASK_MIN:-0}))}
    n=${WSIM_SHARDS:-${SLURM_ARRAY_TASK_COUNT:-1}}
    if ! is_number "$i" || ! is_number "$n" || [ "$i" -ge "$n" ]; then
        fail "share $i of $n: it is 0 to N-1"
    fi
    i=$(decimal "$i") n=$(decimal "$n")
    mkdir -p "$dir" || exit 2
    rm -f "$dir/$i.status"
    : >"$dir/$i.json" && : >"$dir/$i.log" || exit 2
    "$hw" diff "$@" --shard "$i/$n" --json -o "$dir/$i.trace" >"$dir/$i.json" 2>"$dir/$i.log"
    status=$?
    echo "$status of $n" >"$dir/$i.status" || exit 2
    case $status in 0 | 1 | 2 | 77) return $status ;; esac
    return 2 # it is not there, or was killed; merge says with what it ended
}

merge() { # DIR N
    is_number "$2" || usage
    set -- "$1" "$(decimal "$2")"
    equal=0 different=0 skipped=0 failed=0 i=0
    while [ $i -lt "$2" ]; do
        status=missing cut=''
        [ ! -f "$1/$i.status" ] || read -r status cut <"$1/$i.status"
        [ "$cut" = "of $2" ] || status="$status${cut:+, a share $cut}"
        case $status in
        0) equal=$((equal + 1)) ;;
        1) different=$((different + 1)) && echo "share $i differs: wsim replay $1/$i.trace" ;;
        77) skipped=$((skipped + 1)) ;;
        *) failed=$((failed + 1)) && echo "share $i: $status, see $1/$i.log" ;;
        esac
        i=$((i + 1))
    done
    echo "$2 shares: $equal equal, $different different, $skipped without a GPU, $failed failed"
    [ $i -gt 0 ] || return 2
    [ $skipped -lt $i ] || return 77
    [ $((failed + skipped)) -eq 0 ] || return 2
    [ $different -eq 0 ]
}

all() { # DIR N [OPTION...]
    dir=$1 shares=$2 turn=0
    is_number "$shares" || usage
    shift 2
    while [ $turn -lt "$shares" ]; do
        WSIM_SHARD=$turn WSIM_SHARDS=$shares share "$dir" "$@"
        turn=$((turn + 1))
    done
    merge "$dir" "$shares"
}

[ $# -ge 2 ] || usage
command=$1
shift
case $command in
share) share "$@" ;;
merge | all) [ $# -ge 2 ] || usage; "$command" "$@" ;;
*) usage ;;
esac
