"""Runs of several processes: where they meet, and how many there are."""
import random
import socket

from deeds import both, in_shell, setting
from follow import Case

KEY = "umask 077; openssl rand -hex 32 > run.key"
KEYED = ["--swarmx.key_file", "run.key"]


def port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return str(one.getsockname()[1])


def place(world, **more):
    return {"RANK": "0", "WORLD_SIZE": str(world), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port(), **more}


def step(**more):
    """A step of Slurm of two tasks; a value of None leaves a variable out."""
    variables = {"SLURM_PROCID": "0", "SLURM_STEP_NUM_TASKS": "2", "SLURM_JOB_ID": str(random.randrange(1, 1 << 30)),
                 "SLURM_STEP_ID": "0", "SLURM_STEP_NODELIST": "127.0.0.1", **more}
    return {name: value for name, value in variables.items() if value is not None}


def with_env(**variables):
    return lambda run, hint: run.env.update(variables)


def without(*names):
    return lambda run, hint: [run.env.pop(name) for name in names]


def start(ranks):
    """Starts so many processes, which know it."""
    def how(run, hint):
        run.ranks = ranks
        if "WORLD_SIZE" in run.env:
            run.env["WORLD_SIZE"] = str(ranks)
    return how


def case(name, hint, how, *words, env=None, key=True, **more):
    return Case(name, hint, words=[*(KEYED if key else []), *words], env=place(2) if env is None else env,
                before=KEY + "; " + more.pop("before", "true"), how=how, **more)


EVAL = ["--mode", "eval", "--eval_input.data_dir", "corpus.txt", "--checkpoint_path", "from/checkpoint_1.safetensors"]
WEIGHTS = "WEFT run --params mine.yaml --model_dir from --quiet"

CASES = [
    case("ranks without a key", "make one with `umask 077; openssl rand -hex 32 > run.key`, and give all ranks --swarmx.key_file run.key",
         both(in_shell(KEY), lambda run, hint: run.words.extend(KEYED), start(2)), key=False),
    case("ranks of what one does", "start one, without RANK, WORLD_SIZE and srun", without("RANK", "WORLD_SIZE"), "--mode", "validate_only"),
    case("no wafer among ranks", "start more ranks: the root, those of MemoryX, the nodes and at least one wafer", start(3),
         "--memoryx.ranks", "1"),
    case("MemoryX of one rank", "start 3 ranks or more, or leave RANK out", start(3), "--memoryx.ranks", "1", env=place(1)),
    case("MemoryX of one process", "then one process does all, with the same bits", without("RANK"), "--memoryx.ranks", "1", env=place(1)),
    case("more wafers than ranks", "start 3 ranks, or 4 with one that reads the data, or leave num_csx out", start(3), "--num_csx", "2"),
    case("more wafers than ranks, and data", "start 3 ranks, or 4 with one that reads the data", start(4), "--num_csx", "2"),
    case("wafers as ranks are", "or leave num_csx out", both(lambda run, hint: run.drop_word("num_csx"), start(2)), "--num_csx", "2"),
    case("a rank for the data of an evaluation", "start 2 ranks with --mode eval", start(2), *EVAL, "--num_csx", "1", env=place(3),
         before=WEIGHTS),
    case("more wafers than may be lost", "HINT: use fewer", both(setting("swarmx.min_csx", "1"), start(2)), "--swarmx.min_csx", "2"),
    case("eager updates of ranks", "leave it out where wafers are processes of their own",
         both(lambda run, hint: run.drop_word("memoryx.eager_update"), start(2)), "--memoryx.eager_update", "true"),
    case("MemoryX of an evaluation", "leave it out of --mode eval", both(lambda run, hint: run.drop_word("memoryx.ranks"), start(3)),
         *EVAL, "--memoryx.ranks", "1", env=place(3), before=WEIGHTS),
    case("flash of ranks", "leave memoryx.dram_gib out; more ranks have more DRAM",
         both(lambda run, hint: run.drop_word("memoryx.dram_gib"), start(3)), "--memoryx.ranks", "1", "--memoryx.dram_gib", "1", env=place(3)),
    case("masks of ranks", "use one of them, not both", both(lambda run, hint: run.drop_word("memoryx.ranks"), start(3)),
         "--memoryx.ranks", "1", "--sparsity.algorithm", "set", "--sparsity.sparsity", "0.5", "--max_steps", "4",
         "--sparsity.update_freq", "1", "--sparsity.update_stop", "3", env=place(3)),
    case("a host and a port", "write the host alone, and the port into MASTER_PORT", both(with_env(MASTER_ADDR="127.0.0.1"), start(2)),
         env=place(2, MASTER_ADDR="127.0.0.1:29500")),
    case("two hosts", "write the name of one host alone", both(with_env(MASTER_ADDR="127.0.0.1"), start(2)),
         env=place(2, MASTER_ADDR="127.0.0.1 127.0.0.2")),
    case("a list of nodes", "write the first of them, localhost", both(with_env(MASTER_ADDR="localhost"), start(2)),
         env=place(2, MASTER_ADDR="localhost,n[2-3]")),
    case("a list of no nodes", "write the first of them", both(with_env(MASTER_ADDR="localhost"), start(2)),
         env=place(2, MASTER_ADDR="[localhost")),
    case("a name that nobody knows", "set MASTER_ADDR to the address of rank 0's host as a number, for all ranks",
         both(with_env(MASTER_ADDR="127.0.0.1"), start(2)), env=place(2, MASTER_ADDR="nowhere.invalid")),
    case("a port in words", "set MASTER_ADDR to rank 0's host and MASTER_PORT to a free port of it, for all ranks",
         both(with_env(MASTER_PORT=port()), start(2)), env=place(2, MASTER_PORT="any")),
    case("a step of no nodes", "set MASTER_ADDR to rank 0's host", both(with_env(MASTER_ADDR="127.0.0.1"), start(2)),
         env=step(SLURM_STEP_NODELIST=None), rank="SLURM_PROCID"),
    case("rank 0 on another node", "set MASTER_ADDR=localhost for all ranks", both(with_env(MASTER_ADDR="localhost"), start(2)),
         env=step(SLURM_STEP_NODELIST="elsewhere,localhost", SLURMD_NODENAME="localhost"), rank="SLURM_PROCID"),
    case("a step of no number", "set RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT, which override those of a launcher",
         both(lambda run, hint: run.env.update(place(2)), start(2)), env=step(SLURM_STEP_NUM_TASKS="some")),
    case("another world", "set RANK, too, if WORLD_SIZE is right; else leave WORLD_SIZE out", both(without("WORLD_SIZE"), start(2)),
         env=step(WORLD_SIZE="3"), rank="SLURM_PROCID"),
]
