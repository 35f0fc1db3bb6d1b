"""Compiled plans, and what a machine has room for."""
import pathlib
import resource

from deeds import both, in_shell, setting, words
from faults import Faults
from follow import Case

PLAN = "WEFT run --params mine.yaml --mode compile_only --save plan"
MOVES = ["--sparsity.algorithm", "set", "--sparsity.sparsity", "0.5", "--max_steps", "4", "--sparsity.update_freq", "1",
         "--sparsity.update_stop", "3"]
NETWORK = pathlib.Path(__file__).resolve().parents[3] / "sw/network/gpt2.yaml"
BOARD = ["--wafer.rows", "4", "--wafer.cols", "2", "--wafer.sram_kib", "24", "--backend", "fpga", "--fpga.device", "emulated"]

# Threads decide if a page or another allocation meets a limit first, so a test of the pages alone follows this hint.
ELSEWHERE = {
    "set it to less, or raise the limits of this process (ulimit -v, ulimit -d, vm.max_map_count)": "Pages.WithoutMemoryForAPageTheRunIsRefused",
}


def plan(name, hint, how, *given, before=PLAN, **more):
    return Case(name, hint, words=["--plan", "plan", *given], before=before, how=how, **more)


def again(*given):
    return in_shell(f"{PLAN} {' '.join(given)}")


def keep_on_disk(run, hint):
    """A limit of the process itself counts the whole of a model as well, and the next hint says that."""
    if "dram_gib" not in hint:
        run.faults = Faults()
    else:
        run.set("memoryx.dram_gib", hint.rpartition(" ")[2])


CASES = [
    plan("a plan of other sizes", "write 4, or compile again: --mode compile_only --save FILE", setting("wafer.lanes", "4"),
         "--wafer.lanes", "2", before=PLAN),
    plan("a plan for other sizes", "or compile again: --mode compile_only --save FILE", again("--wafer.lanes", "2"), "--wafer.lanes", "2"),
    plan("a plan of another network", "give that network's file, or compile again", setting("model.network", "other.yaml"),
         before=f"sed 's/^#.*//' {NETWORK} > other.yaml; {PLAN} --model.network other.yaml"),
    plan("a plan whose W turns around", "compile again, for boards: --mode compile_only --backend fpga --save FILE",
         again(*BOARD), "--mode", "compile_only", *BOARD, before=PLAN + " --wafer.cols 5"),
    plan("a plan of masks that move", "leave --plan out: a plan is compiled for each mask update", words(*MOVES), *MOVES),
    plan("a plan of a mask", "take the settings of sparsity that it had, or compile again", setting("sparsity.sparsity", "0.5"),
         "--sparsity.sparsity", "0.75", before=PLAN + " --sparsity.sparsity 0.5"),
    Case("more tiles than memory", "--mode compile_only prints the needed memory and runs nothing",
         words=["--num_csx", "64", "--wafer.rows", "32", "--wafer.cols", "32"], faults=Faults(limits={resource.RLIMIT_DATA: 1 << 30}),
         how=lambda run, hint: run.words.extend(["--mode", "compile_only"])),
    Case("too many tiles", "or use fewer tiles, or more machines (docs/howto/run_several_processes.md)",
         words=["--num_csx", "64", "--wafer.rows", "32", "--wafer.cols", "32"], faults=Faults(limits={resource.RLIMIT_DATA: 1 << 30}),
         how=both(setting("wafer.rows", "2"), setting("wafer.cols", "2"))),
    Case("more weights than memory", "or keep a part on a disk, --memoryx.dram_gib 0.", faults=Faults(limits={resource.RLIMIT_DATA: 128 << 20}),
         words=["--model.hidden_size", "512", "--model.filter_size", "2048", "--model.num_hidden_layers", "3",
                "--model.max_sequence_length", "2", "--train_input.batch_size", "1", "--train_input.micro_batch_size", "1"],
         edits=[("  rows: 2\n  cols: 2\n", "  rows: 8\n  cols: 8\n")],
         how=keep_on_disk, steps=2),
]
