# shellcheck shell=bash
# Location of a cluster's state, identification of its processes, and removal of both. Sourced by scripts/cluster.
#
#   $state/made         marks the folder as a cluster's, so that `down` may remove it
#   $state/nodes        number of nodes
#   $state/network      namespaces or loopback
#   $state/pid/NAME     process ids of hub, munged, slurmctld, n1, n2, ... (in namespaces hub.net, n1.net, ... hold them open)
#   $state/log/NAME     output of each process
#   $state/bin          Slurm's commands, as `env` prepends them to PATH

state=$(realpath -m "${WEFT_CLUSTER:-$parts/../../build/cluster}")

fail() {  # fail PROBLEM HINT
  echo "cluster: $1. HINT: $2" >&2
  exit 1
}

is_made() { [ -e "$state/made" ]; }

# Allows one `up` or `down` at a time. The lock is on the parent folder, so that no file is left.
lock() {
  mkdir -p "$(dirname "$state")"
  exec 9<"$(dirname "$state")"
  flock -w 120 9 || fail "another up or down works in $(dirname "$state")" "wait for it"
}

# spawn NAME COMMAND...: starts a daemon with a log, marked as this cluster's, detached from any terminal or pipe.
spawn() {
  local name=$1
  shift
  WEFT_CLUSTER_DAEMON="$state" SLURM_CONF="$state/slurm.conf" setsid "$@" \
    </dev/null >>"$state/log/$name" 2>&1 9<&- &
  echo $! >"$state/pid/$name"
  disown  # or the shell says that it was killed
}

alive() {  # alive NAME: it runs, and the number has not gone to somebody else's process
  local pid
  pid=$(cat "$state/pid/$1" 2>/dev/null) && python3 "$parts/processes.py" "$state" | grep -qx "$pid"
}

missing_daemons() {
  local path own missing=()
  own=$(python3 "$parts/processes.py" "$state")
  for path in "$state"/pid/*; do
    grep -qxf "$path" <<<"$own" || missing+=("$(basename "$path")")
  done
  echo "${missing[*]}"
}

# Kills all of the cluster's processes at once, including jobs. New ones may appear meanwhile, hence the repetition.
kill_all() {
  local pids round
  for round in $(seq 100); do
    pids=$(python3 "$parts/processes.py" "$state")
    [ -n "$pids" ] || return 0
    # shellcheck disable=SC2086  # one word per process
    kill -KILL $pids 2>/dev/null || true
    [ "$round" = 1 ] || sleep 0.1
  done
  fail "these processes do not die: $(echo "$pids" | tr '\n' ' ')" "ps -p PID shows what the processes wait for"
}

remove_all() {
  kill_all
  ! is_made || rm -rf "$state"
}

down() {
  lock
  local was=1
  if ! is_made && [ -z "$(python3 "$parts/processes.py" "$state")" ]; then was=""; fi
  remove_all
  if [ -n "$was" ]; then echo "cluster: down, $state removed"; else echo "cluster: none in $state, nothing to do"; fi
}
