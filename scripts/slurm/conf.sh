# shellcheck shell=bash disable=SC2154
# The cluster's slurm.conf, and the commands that find it. Sourced by scripts/cluster.

free_ports() {  # free_ports N: of own_address, apart from those that the system gives to clients
  python3 - "$1" "$(own_address)" <<'END'
import random, socket, sys
found = []
for port in random.sample(range(16000, 30000), 14000):
    with socket.socket() as probe:
        try:
            probe.bind((sys.argv[2], port))
            found.append(str(port))
        except OSError:
            continue
    if len(found) == int(sys.argv[1]):
        break
print(*found)
END
}

# Address at which Slurm listens: any address, or that of the machine's name, which may be reachable from other
# machines.
own_address() { getent ahostsv4 "$(hostname)" | awk '{ print $1; exit }'; }

check_loopback() {
  [[ "$(own_address)" == 127.* ]] ||
    fail "Slurm would listen at '$(own_address)', the address of this machine's name" "as root, or 127.0.1.1 $(hostname) in /etc/hosts"
}

node_lines() {  # node_lines N PORT...: the controller's, then the nodes' own
  local i nodes=$1 about="CPUs=4 State=UNKNOWN"
  shift
  if [ "$(cat "$state/network")" = namespaces ]; then
    echo "SlurmctldHost=hub($hub_address)"
    for i in $(seq "$nodes"); do echo "NodeName=n$i NodeHostname=n$i NodeAddr=$subnet.$i $about"; done
    return
  fi
  echo "SlurmctldHost=$(hostname)($(own_address))"
  echo "CommunicationParameters=NoCtldInAddrAny,NoInAddrAny"
  echo "SlurmctldPort=$1"
  for i in $(seq "$nodes"); do
    shift
    echo "NodeName=n$i NodeHostname=$(hostname) NodeAddr=$(own_address) Port=$1 $about"
  done
}

# Timeouts are short, for tests: a requeued job waits cred_expire seconds, a silent node is down after SlurmdTimeout.
write_conf() {  # write_conf N
  local ports=()
  [ "$(cat "$state/network")" = namespaces ] || read -ra ports <<<"$(free_ports $(($1 + 1)))"
  cat >"$state/slurm.conf" <<END
ClusterName=weft
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
CryptoType=crypto/munge
AuthInfo=socket=$state/munge.sock,cred_expire=5
StateSaveLocation=$state/save
SlurmdSpoolDir=$state/spool/%n
SlurmctldPidFile=$state/slurmctld.pid
SlurmdPidFile=$state/%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/linear
MpiDefault=none
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobRequeue=1
ReturnToService=2
SlurmdTimeout=20
MessageTimeout=20
KillWait=30
TreeWidth=1000
SlurmdParameters=config_overrides
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0,bf_interval=1
$(node_lines "$1" "${ports[@]}")
PartitionName=wafers Nodes=n[1-$1] Default=YES MaxTime=INFINITE State=UP
END
  # Slurm before 23.11 does not support the keyword, and works without cgroups by default.
  if [ "$(slurmd -V | sed 's/[^0-9]*\([0-9]*\)\.\([0-9]*\).*/\1\2/')" -ge 2311 ]; then
    echo CgroupPlugin=disabled >"$state/cgroup.conf"
  fi
}

# Slurm's commands for callers outside the namespaces: they enter the hub's namespace, because otherwise replies could
# not reach them. Inside, in a job, they run unchanged.
write_commands() {
  local name path here
  here=$(readlink /proc/self/ns/net)
  to_enter hub
  mkdir "$state/bin"
  for name in sacct salloc sattach sbatch sbcast scancel scontrol sdiag sinfo sprio squeue srun sstat strigger; do
    path=$(PATH=${PATH#"$state/bin:"} command -v "$name") || continue
    {
      echo '#!/bin/sh'
      echo "[ \"\$(readlink /proc/self/ns/net)\" = '$here' ] || exec $path \"\$@\""
      echo "exec ${enter[*]/#--wdns=*/--wdns=\"\$PWD\"} $path \"\$@\""
    } >"$state/bin/$name"
    chmod +x "$state/bin/$name"
  done
}
