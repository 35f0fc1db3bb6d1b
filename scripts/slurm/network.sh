# shellcheck shell=bash disable=SC2154
# Network between the nodes. Sourced by scripts/cluster.
#
# namespaces: the hub (slurmctld, a bridge, and the commands of `env`) and each node have their own network namespace,
# with a hostname, and an /etc/hosts that lists all of them. A process holds each namespace open, so all disappear with
# it: nothing is ever created in the machine's own network, and two clusters may use the same addresses.
#
#     hub 10.87.0.254 ---- bridge ----+---- n1 10.87.0.1
#                                     +---- n2 10.87.0.2 ...
#
# loopback: all nodes use the machine's own 127.x.x.x and differ by port.

subnet=10.87.0
hub_address=$subnet.254

namespaces_work() {
  [ "$(id -u)" = 0 ] && command -v ip >/dev/null && command -v nsenter >/dev/null &&
    unshare --net --uts --mount --propagation slave sh -c 'hostname probe && mount --bind /etc/hosts /etc/hosts &&
      ip link add name bridge type bridge && ip link add name probe type veth peer name other' >/dev/null 2>&1
}

enter=()
to_enter() {  # to_enter NAME: puts into `enter` what takes a command into the namespaces of hub, n1, ...
  enter=()
  [ "$(cat "$state/network")" = namespaces ] || return 0
  enter=(nsenter --target "$(cat "$state/pid/$1.net")" --net --uts --mount --wdns="$PWD")
}

inside() {  # inside NAME COMMAND...
  to_enter "$1"
  shift
  "${enter[@]}" "$@"
}

make_namespace() {  # make_namespace NAME: with a name and names, and the machine's files
  # shellcheck disable=SC2016
  spawn "$1.net" unshare --net --uts --mount --propagation slave sh -c '
    hostname "$1" && mount --bind "$2" /etc/hosts && ip link set lo up && echo ready && exec sleep infinity
  ' sh "$1" "$state/hosts"
  local i
  for i in $(seq 100); do
    ! grep -qsx ready "$state/log/$1.net" || return 0
    sleep 0.05
  done
  echo "the namespace of $1 was not made after $((i / 20)) s" >>"$state/log/$1.net"
  return 1
}

make_network() {  # make_network N
  local i
  {
    echo "127.0.0.1 localhost"
    echo "$hub_address hub"
    for i in $(seq "$1"); do echo "$subnet.$i n$i"; done
  } >"$state/hosts"
  [ "$(cat "$state/network")" = namespaces ] || return 0
  make_namespace hub
  inside hub ip link add name bridge type bridge
  inside hub ip address add "$hub_address/24" dev bridge
  inside hub ip link set bridge up
  for i in $(seq "$1"); do
    make_namespace "n$i"
    inside hub ip link add name "n$i" type veth peer name eth0 netns "$(cat "$state/pid/n$i.net")"
    inside hub ip link set "n$i" master bridge up
    inside "n$i" ip address add "$subnet.$i/24" dev eth0
    inside "n$i" ip link set eth0 up
  done
}

set_cable() {  # set_cable NODE up|down
  [ "$(cat "$state/network")" = namespaces ] || fail "nodes on the loopback have no cable" "as root, without --loopback"
  if [ ! -e "$state/pid/$1.net" ] || [ "$1" = hub ]; then fail "no node '$1'" "n1 to n$(cat "$state/nodes")"; fi
  inside hub ip link set "$1" "$2"
}
cut() { set_cable "$1" down && echo "cluster: $1 is cut off"; }
heal() { set_cable "$1" up && echo "cluster: $1 is connected"; }
