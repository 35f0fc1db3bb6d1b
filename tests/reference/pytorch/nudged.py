#!/usr/bin/env python3
"""Unsteady training: distance of PyTorch from itself after a slightly different start, and of Weft from PyTorch.
Prints it and writes bench/results/parity_nudged.jsonl.

    nudged.py build/weft build/parity       (the program, and a folder for what both write)
"""

import json
import pathlib
import re
import shutil
import sys

import compare
import parity

NAME, STEPS, RATE = "nudged", 100, "5e-3"
OTHERS = {
    "PyTorch, its start changed by 1e-4 of itself (`--nudge 1e-4`)": ["--nudge", "1e-4"],
    "PyTorch, its weights rounded to bf16 (`--bf16-weights`)": ["--bf16-weights"],
}


def train(case):
    """Weft's curve, PyTorch's, and by name PyTorch's others, all from the same start."""
    shutil.rmtree(case.model_dir, ignore_errors=True)
    words = ["--mode", "train", "--num_steps", STEPS, "--runconfig.save_initial_checkpoint", "true"]
    parity.run([case.weft, *case.words, *words])

    def curve(*words):
        file = case.model_dir / "curve.csv"
        case.script(case.checkpoint(0), "--steps", STEPS, "--curve", file, *words)
        return compare.losses(file)

    ours = compare.losses(case.model_dir / "metrics.jsonl")
    return ours, curve(), {name: curve(*words) for name, words in OTHERS.items()}


def same_weights(case):
    """Returns the distance of the losses that both programs compute for Weft's last checkpoint."""
    file = case.checkpoint(STEPS)
    texts = [parity.run([case.weft, *case.words, "--mode", "eval", "--checkpoint_path", file])]
    texts.append(case.script(file, "--eval"))
    ours, theirs = (float(re.search(r"loss ([0-9.]+)", text)[1]) for text in texts)
    return abs(ours - theirs)


def main():
    weft, folder = (pathlib.Path(word).resolve() for word in sys.argv[1:])
    spec = json.loads((parity.HERE / "cases.json").read_text(encoding="utf-8"))
    spec |= {"cases": {NAME: {"optimizer.learning_rate": RATE}}, "dtypes": {NAME: "F32"}}
    case = parity.Case(weft, folder, spec, NAME)
    ours, theirs, others = train(case)
    others["Weft"] = ours
    rows = []
    for name, curve in others.items():
        apart, step = compare.largest_difference(curve, theirs, STEPS)
        rows.append({"table": NAME, "what": name, "difference": float(apart), "step": int(step)})
    rows.append({"table": NAME, "what": f"the loss of Weft's weights after step {STEPS}, in both programs",
                 "difference": same_weights(case), "step": None})
    parity.measured.write("parity_nudged", "make parity", rows)
    for row in rows:
        print(*row.values(), sep="  ")


if __name__ == "__main__":
    main()
