"""Runs of several processes: keys, ports and limits. The other rank is started by the shell, beside the one that is watched."""
import socket

from deeds import both, in_shell, setting
from follow import Case


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return str(one.getsockname()[1])


OTHER = 'RANK=1 SLURM_PROCID=1 SLURM_LOCALID=1 "$@" > other 2>&1 &'
MAKE = "(umask 077; openssl rand -hex 32 > key)"
KEY = ["--swarmx.key_file", "key"]
IS_ROOT = '[ "$(id -u)" = 0 ] || exit 77\n'
NOBODY = IS_ROOT + 'setpriv --reuid=65534 test -x "$1" || exit 77\nchmod 755 .; chmod 644 *.*; exec setpriv --reuid=65534 --regid=65534 --clear-groups bash -c \'' + OTHER + ' exec "$@"\' - "$@"'
SLURM = {"SLURM_PROCID": "0", "SLURM_NTASKS": "2", "SLURM_JOB_ID": "77", "SLURM_STEP_ID": "0", "SLURM_STEP_NODELIST": "localhost",
         "SLURM_STEP_NUM_TASKS": "2", "SLURM_LOCALID": "0", "SLURM_NODEID": "0", "MASTER_PORT": free_port()}


def ranks(name, hint, how, before=MAKE, wrap=OTHER, words=KEY, env=None):
    torch = {"RANK": "0", "WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": free_port()}
    return Case(name, hint, words=[*words, "--swarmx.timeout", "20"], before=before, wrap=wrap, how=how, env=torch if env is None else env)


CASES = [
    ranks("a key in a pipe", "name another, and make one: (umask 077; openssl rand -hex 32 > key.key)", both(
        in_shell("(umask 077; openssl rand -hex 32 > key.key)"), setting("swarmx.key_file", "key.key")), before="mkfifo key"),
    ranks("a key that others may read", "chmod 600 key; if other users could read the key, make another one", in_shell("chmod 600 key"),
          before=MAKE + "; chmod 644 key"),
    ranks("a key of another user", "chown 0 key, if no other user knows the key", in_shell("chown 0 key"),
          wrap=IS_ROOT + "[ -e once ] || chown 1234 key; touch once\n" + OTHER),
    ranks("a key that may not be read", "let its owner give it to user 65534: chown 65534 key", in_shell("chown 65534 key"),
          before=MAKE + "; mkdir -p -m 777 out; chmod 777 out; touch other; chmod 666 other", wrap=NOBODY),
    ranks("an address of another machine", "give a number that is an address of this machine, and a port that is free",
          lambda run, hint: run.env.update(MASTER_ADDR="127.0.0.1"), env={"RANK": "0", "WORLD_SIZE": "2", "MASTER_ADDR": "192.0.2.1",
                                                                          "MASTER_PORT": free_port()}),
    ranks("a step without MUNGE", "or give all ranks --swarmx.key_file FILE", setting("swarmx.key_file", "key"), words=[], env=SLURM,
          wrap='[ ! -e /run/munge/munge.socket.2 ] || exit 77\n' + OTHER),
]
