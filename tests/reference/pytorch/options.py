#!/usr/bin/env python3
"""Each optimizer, schedule and option of cases.json: 50 steps in Weft and in PyTorch.

    options.py build/weft build/parity       (`make parity`: keeps PyTorch's curves, writes bench/results/parity_options.jsonl)

Ends with 1 if a loss is apart by more than the bound.
"""

import json
import pathlib
import shutil
import subprocess
import sys

import compare

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(ROOT / "bench"))
import measured  # noqa: E402

STEPS, BOUND = 50, 0.02


def run(command):
    subprocess.run([str(word) for word in command], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


def case(weft, folder, spec, name, curve):
    """Returns the largest distance of the losses, and its step; writes PyTorch's losses to `curve`."""
    model_dir = folder / "options" / name
    shutil.rmtree(model_dir, ignore_errors=True)
    words = [weft, "run", "--params", spec["params"], "--wafer.backend", "model", "--model_dir", model_dir]
    words += ["--num_steps", STEPS, "--mode", "train", "--runconfig.save_initial_checkpoint", "true"]
    for key, value in {"train_input.shuffle": "false", **spec["options"][name]}.items():
        words += ["--" + key, value]
    run(words)
    script = [sys.executable, HERE / "train_gpt2.py", "--params", model_dir / "train" / "params.yaml"]
    run([*script, "--checkpoint", model_dir / "checkpoint_0.safetensors", "--steps", STEPS, "--curve", curve])
    return compare.largest_difference(compare.losses(model_dir / "metrics.jsonl"), compare.losses(curve), STEPS)


def main():
    weft, folder = (pathlib.Path(word).resolve() for word in sys.argv[1:])
    spec = json.loads((HERE / "cases.json").read_text(encoding="utf-8"))
    kept = HERE / "recorded" / "options"
    kept.mkdir(parents=True, exist_ok=True)
    rows, good = [], True
    for name in spec["options"]:
        apart, step = case(weft, folder, spec, name, kept / f"{name}.csv")
        good = good and apart <= BOUND
        rows.append({"table": "options", "option": name, "difference": float(apart), "step": int(step)})
        print(*rows[-1].values(), "" if apart <= BOUND else "MISSED", sep="  ", flush=True)
    measured.write("parity_options", "make parity", rows)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
