# shellcheck shell=bash disable=SC2154
# Start of a cluster, until all nodes are idle. Sourced by scripts/cluster.

PATH=$PATH:/usr/sbin:/sbin  # folders of daemons, which a user's PATH may lack

check_commands() {
  local name
  for name in munged slurmctld slurmd srun sinfo python3 setsid flock; do
    command -v "$name" >/dev/null || fail "no $name on this machine" "scripts/setup slurm"
  done
}

check_folder() {
  case "$state" in
    *[!A-Za-z0-9_./+-]*) fail "Slurm cannot have its state in '$state'" "WEFT_CLUSTER= a folder with a plain name" ;;
  esac
  # Socket paths are limited to 107 bytes, and slurmd's are spool/n1/n1_4294967295.4294967294.
  [ ${#state} -le 65 ] || fail "$state is too long a name for sockets" "WEFT_CLUSTER= a folder of at most 65 letters"
  is_made || [ -z "$(ls -A "$state" 2>/dev/null)" ] ||
    fail "$state holds something else" "WEFT_CLUSTER= a folder that is empty or does not exist"
}

# Reports why a start failed, and removes everything.
give_up() {
  local name
  trap - EXIT
  echo "cluster: the start failed: $1" >&2
  for name in $(missing_daemons) slurmctld; do
    [ -s "$state/log/$name" ] || continue
    echo "--- the last lines of $name's log" >&2
    tail -n 8 "$state/log/$name" >&2
  done
  remove_all
  fail "nothing runs, nothing is left" "the lines above say why; scripts/cluster up --help"
}

wait_for() {  # wait_for SECONDS WHAT COMMAND...: until it succeeds, or a daemon has died
  local until=$((SECONDS + $1)) what=$2 dead
  shift 2
  until "$@"; do
    dead=$(missing_daemons)
    [ -z "$dead" ] || give_up "$dead ended"
    [ $SECONDS -lt $until ] || give_up "$what took too long"
    sleep 0.1
  done
}

all_idle() {  # all_idle N
  [ "$(with_env timeout 10 sinfo -h -N -t idle -o %N 2>/dev/null | sort -u | wc -l)" = "$1" ]
}

start_daemons() {  # start_daemons N
  local i
  python3 -c 'import os; os.write(1, os.urandom(128))' >"$state/munge.key"
  spawn munged munged --foreground --force --key-file="$state/munge.key" --socket="$state/munge.sock" \
    --pid-file="$state/munged.pid" --seed-file="$state/munge.seed" --log-file="$state/log/munged" --num-threads=2
  wait_for 20 "munged's socket" test -S "$state/munge.sock"
  to_enter hub
  spawn slurmctld "${enter[@]}" slurmctld -D -c -f "$state/slurm.conf"
  for i in $(seq "$1"); do
    mkdir "$state/spool/n$i"
    to_enter "n$i"
    spawn "n$i" "${enter[@]}" slurmd -D -c -N "n$i" -f "$state/slurm.conf"
  done
}

up() {
  local nodes="" network="" began
  while [ $# -gt 0 ]; do
    case "$1" in
      --loopback) network=loopback ;;
      --help | -h) usage && return ;;
      *) nodes=$1 ;;
    esac
    shift
  done
  [[ "$nodes" =~ ^([1-9][0-9]?|1[0-9][0-9]|200)$ ]] || fail "up: '$nodes' nodes" "scripts/cluster up 3; at most 200"
  check_commands
  check_folder
  lock
  if is_made && [ -z "$(missing_daemons)" ]; then
    [ "$(cat "$state/nodes")" = "$nodes" ] || fail "$(cat "$state/nodes") nodes are up in $state" "scripts/cluster down first"
    echo "cluster: $nodes nodes are up on $(cat "$state/network") already"
    return
  fi
  remove_all  # remains of a cluster that died
  [ -n "$network" ] || { if namespaces_work; then network=namespaces; else network=loopback; fi; }
  [ "$network" = namespaces ] || check_loopback
  began=$(date +%s%N)
  mkdir -p "$state"
  touch "$state/made"
  trap 'give_up "a command failed"' EXIT
  mkdir "$state"/{pid,log,save,spool}
  echo "$nodes" >"$state/nodes"
  echo "$network" >"$state/network"
  make_network "$nodes"
  write_conf "$nodes"
  write_commands
  start_daemons "$nodes"
  wait_for 60 "waiting for idle nodes" all_idle "$nodes"
  trap - EXIT
  # shellcheck disable=SC2016
  printf 'cluster: %d nodes idle on %s after %.1f s; eval "$(scripts/cluster env)"\n' "$nodes" "$network" \
    "$(python3 -c "import sys; print((int(sys.argv[2]) - int(sys.argv[1])) / 1e9)" "$began" "$(date +%s%N)")"
}
