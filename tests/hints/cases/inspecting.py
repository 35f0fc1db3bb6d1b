"""weft waves, fingerprint, bisect, profile and check, and traces of a run: host/inspect."""
from deeds import DISK, TRAINED, words, wrapped
from follow import Case

PARAMS = ["--params", "mine.yaml", "--model_dir", "out"]
PHASE = "h.0.mlp.c_fc"
FROM = ["--checkpoint_path", "out/checkpoint_1.safetensors", "--max_steps", "3"]
FINGERPRINT_FROM = ["--out", "x", "--level", "phases", *FROM]


def inspect(command, hint, wrong, right, **more):
    """A command with words that are wrong, and right ones."""
    return Case(f"weft {command} {' '.join(wrong) or 'alone'}", hint, command=[command, *PARAMS], words=wrong, how=words(*right), **more)


def waves(hint, wrong, right=("--phase", PHASE), **more):
    return inspect("waves", hint, ["--phase", PHASE, *wrong], right, **more)


def fingerprint(hint, wrong, right=("--out", "x"), **more):
    return inspect("fingerprint", hint, wrong, right, **more)


WAVES = [
    waves("use --mode train, or leave it out", ["--mode", "validate_only"]),
    waves("leave it out", ["--prompt", "a"]),
    waves("leave it out; weft debug --backend model inspects the model", ["--backend", "model"]),
    waves("the first step is 1", ["--step", "0"]),
    inspect("waves", "name a phase; --phase list prints them", [], ["--phase", PHASE]),
    inspect("waves", "did you mean h.0.mlp.c_fc? --phase list prints them", ["--phase", "h.0.mlp.cfc"], ["--phase", PHASE]),
    inspect("waves", "--phase list prints them", ["--phase", "forwards"], ["--phase", "list"]),
    waves("name a folder that can be written", ["--out", "corpus.txt/x"]),
    waves("name a window within the phase", ["--cycles", "9000000-9000001"]),
    waves("write FROM-TO, e.g. 100-400, or FROM-", ["--cycles", "many"], ["--phase", PHASE, "--cycles", "100-400"]),
    waves("write ROW,COLUMN, e.g. 2,1 or 0-3,1, or all", ["--tile", "north"], ["--phase", PHASE, "--tile", "all"]),
    waves("rows are 0 to 1", ["--tile", "2,1"], ["--phase", PHASE, "--tile", "1,1"]),
    waves("name an earlier checkpoint, or a step from 2 on", [*FROM, "--step", "1"], ["--phase", PHASE, *FROM, "--step", "2"], given=TRAINED),
    waves("a step has micro-batches 0 to 1", ["--wafer", "2"], ["--phase", PHASE, "--wafer", "1"]),
]
FINGERPRINTS = [
    fingerprint("use steps, state, phases or phase", ["--out", "x", "--level", "all"], ["--out", "x", "--level", "steps"]),
    fingerprint("name the file to write the fingerprint to", []),
    fingerprint("the first step is 1", ["--out", "x", "--level", "phases", "--step", "0"], ["--out", "x", "--level", "phases", "--step", "1"]),
    fingerprint("name a phase: load, tokens, or one that weft waves --phase list prints", ["--out", "x", "--level", "phase"],
          ["--out", "x", "--level", "phase", "--phase", "load"]),
    fingerprint("write ROW,COLUMN, e.g. 2,1", ["--out", "x", "--level", "phase", "--phase", "load", "--tile", "all"],
          ["--out", "x", "--level", "phase", "--phase", "load", "--tile", "1,1"]),
    fingerprint("a step has 2", ["--out", "x", "--level", "phase", "--phase", "load", "--wafer", "2"],
          ["--out", "x", "--level", "phase", "--phase", "load", "--wafer", "1"]),
    fingerprint("name an earlier checkpoint, or a step from 2 on", [*FINGERPRINT_FROM, "--step", "1"], [*FINGERPRINT_FROM, "--step", "2"], given=TRAINED),
]
PROFILES = [
    inspect("profile", "leave it out", ["--check", "rtl"], []),
    inspect("profile", "leave it out, or write rtl or fpga", ["--backend", "model"], ["--backend", "rtl"]),
    inspect("profile", "write yes or no", ["--color", "maybe"], ["--color", "no"]),
]
FULL = "trap '' XFSZ; ulimit -f 0"  # no file may grow
DISKS = [Case(f"weft {command} where no file may grow", "raise the limit on the size of a file (ulimit -f), or name another file system", command=[command, *PARAMS], words=to,
              wrap=FULL, how=wrapped(""))
         for command, to in [("fingerprint", ["--out", "x"]), ("profile", ["--json", "x"]), ("check", ["--check.dot", "x"])]]
DISKS.append(waves("make room, or name a place on another disk", ["--out", "disk"], ["--phase", PHASE, "--out", "out"], wrap=DISK.format("4k", "disk")))
TRACED = ["--backend", "rtl", "--trace.phase", PHASE]


def traced(hint, wrong, right=TRACED):
    return Case(f"a trace of a run: {' '.join(wrong)}", hint, words=wrong, how=words(*right))


TRACES = [
    traced("name the phase; weft waves --phase list prints them", ["--trace.step", "1"]),
    traced("use --mode train", [*TRACED, "--mode", "validate_only"], [*TRACED, "--mode", "train"]),
    traced("the first step is 1", [*TRACED, "--trace.step", "0"], [*TRACED, "--trace.step", "1"]),
    traced("wafers are 0 to 0", [*TRACED, "--trace.wafer", "1"], [*TRACED, "--trace.wafer", "0"]),
    traced("use --backend rtl, or weft waves, which needs no run", ["--trace.phase", PHASE]),
    traced("name the trace, e.g. out/run.fst", [*TRACED, "--trace.out", "x"], [*TRACED, "--trace.out", "out/run.fst"]),
    traced("name a file in a folder that can be written", [*TRACED, "--trace.out", "corpus.txt/x.fst"], [*TRACED, "--trace.out", "new/x.fst"]),
]
CASES = TRACES + DISKS + WAVES + FINGERPRINTS + PROFILES
