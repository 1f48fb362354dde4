#!/bin/sh
# slurm.sh WSIM PLANTED - parts of a run as a Slurm job array on two nodes of this machine. One node dies in the middle; its
# parts run again on the other, and the merged report is that of an undisturbed run. 77: there is no Slurm.
wsim=$1 planted=$2
PATH=$PATH:/usr/sbin:/sbin
for program in slurmctld slurmd sbatch squeue scontrol; do
    command -v "$program" >/dev/null || { echo "no $program"; exit 77; }
done
work=$(mktemp -d) || exit 2
failed=0 parts=6
host=$(hostname -s)
cat >"$work/slurm.conf" <<END
ClusterName=wsim
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=17601
SlurmctldPidFile=$work/slurmctld.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdPidFile=$work/slurmd.%n.pid
SlurmdLogFile=$work/slurmd.%n.log
SlurmdSpoolDir=$work/spool.%n
StateSaveLocation=$work/state
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/none
CredType=cred/none
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdTimeout=5
KillWait=1
SlurmdParameters=config_overrides
ReturnToService=2
NodeName=one NodeHostname=$host NodeAddr=127.0.0.1 Port=17611 CPUs=1
NodeName=two NodeHostname=$host NodeAddr=127.0.0.1 Port=17612 CPUs=1
PartitionName=all Nodes=one,two Default=YES MaxTime=10 State=UP
END
mkdir "$work/state" "$work/spool.one" "$work/spool.two"
SLURM_CONF=$work/slurm.conf
export SLURM_CONF
stop() {
    for name in slurmd.one slurmd.two slurmctld; do
        [ ! -s "$work/$name.pid" ] || kill "$(cat "$work/$name.pid")" 2>/dev/null
    done
    sleep 1
    rm -rf "$work"
}
trap stop EXIT
fail() { echo "$*"; tail -n 5 "$work"/*.log; failed=1; }
# wait_for SECONDS COMMAND...
wait_for() {
    left=$((10 * $1))
    shift
    until "$@"; do
        left=$((left - 1))
        [ $left -gt 0 ] || return 1
        sleep 0.1
    done
}
idle() { [ "$(sinfo -h -N -t idle | wc -l)" -eq 2 ]; }
begun() { [ "$(find "$work/out" -name '*.part*' 2>/dev/null | wc -l)" -ge 2 ]; }
empty() { [ -z "$(squeue -h)" ]; }

slurmctld || exit 77
slurmd -N one && slurmd -N two || { echo "slurmd does not run several nodes"; exit 77; }
wait_for 20 idle || { echo "the nodes do not come up"; tail -n 3 "$work"/*.log; exit 77; }

# Each part takes a second, so that a node can die in the middle of one.
cat >"$work/job" <<END
#!/bin/sh
echo \$PPID \$\$ >"$work/pid.\$SLURMD_NODENAME"
exec "$wsim" run --shard \$SLURM_ARRAY_TASK_ID/$parts --records "$work/out" sh -c '"$planted" race wrong; sleep 1; "$planted" race right'
END
chmod +x "$work/job"
sbatch -Q --requeue --array=0-$((parts - 1)) -o "$work/%a.log" "$work/job" || fail "sbatch"
wait_for 20 begun || fail "no part begins"
# shellcheck disable=SC2046 # the daemon, the one of the step, and the step
kill -9 $(cat "$work/slurmd.two.pid" "$work/pid.two")
rm "$work/slurmd.two.pid"
scontrol update NodeName=two State=DOWN Reason=lost
lost() { squeue -h -r -o '%A %r' | sed -n 's/ BeginTime//p'; }
is_lost() { [ -n "$(lost)" ]; }
wait_for 10 is_lost || fail "no part is lost"
for job in $(lost); do # Slurm would wait for two minutes
    scontrol update JobId="$job" StartTime=now
done
wait_for 60 empty || { squeue; fail "the array does not end"; }

"$wsim" merge "$work/out" >"$work/merged"
status=$?
[ $status -eq 1 ] || fail "merge: status $status"
grep -q "findings 1 " "$work/merged" || fail "not one finding"
! grep -q missing "$work/merged" || fail "a part is lost"
[ "$(find "$work/out" -maxdepth 1 -name "*-of-$parts" | wc -l)" -eq $parts ] || fail "not $parts parts"
for i in $(seq 0 $((parts - 1))); do
    "$wsim" run --shard "$i/$parts" --records "$work/alone" sh -c '"$0" race wrong; "$0" race right' "$planted" 2>/dev/null >/dev/null
done
"$wsim" merge "$work/alone" | cmp - "$work/merged" || fail "another report than without the loss"
[ $failed -eq 0 ] || cat "$work/merged"
exit $failed
