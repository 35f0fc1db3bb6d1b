#!/usr/bin/env python3
"""Trains every case of cases.json with Weft and with PyTorch, keeps PyTorch's results for the tests, writes
bench/results/parity.jsonl, and draws docs/explanation/parity.svg. Ends with 1 if a bound is missed.

    parity.py build/weft build/parity       (`make parity`: the program, and a folder for what both write)
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys

import compare
import page

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(ROOT / "bench"))
import measured  # noqa: E402

STEPS, SHORT = 1000, 100


def run(command):
    """Returns the output of the program."""
    words = [str(word) for word in command]
    print("+", *words, flush=True)
    return subprocess.run(words, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


class Case:
    def __init__(self, weft, folder, spec, name):
        self.weft, self.name, self.dtype = weft, name, spec["dtypes"][name]
        self.model_dir, self.kept = folder / name, HERE / "recorded" / name
        keys = {**spec["all"], **spec["cases"][name], "eval_input.data_dir": "configs/corpus.txt"}
        self.words = ["run", "--params", spec["params"], "--wafer.backend", "model", "--model_dir", self.model_dir]
        for key, value in keys.items():
            self.words += ["--" + key, value]

    def checkpoint(self, step):
        return self.model_dir / f"checkpoint_{step}.safetensors"

    def script(self, checkpoint, *words):
        params = self.model_dir / "train" / "params.yaml"
        script = HERE / "train_gpt2.py"
        return run([sys.executable, script, "--params", params, "--checkpoint", checkpoint, *words])

    def train(self):
        """With checkpoints after 0, 1, SHORT and STEPS steps: a run that is stopped continues."""
        shutil.rmtree(self.model_dir, ignore_errors=True)
        for steps in (1, SHORT, STEPS):
            words = ["--num_steps", str(steps), "--runconfig.save_initial_checkpoint", "true"]
            run([self.weft, *self.words, "--mode", "train", *words])
        self.kept.mkdir(parents=True, exist_ok=True)
        words = ["--steps", STEPS, "--curve", self.kept / "curve.csv"]
        words += ["--gradients", self.kept / "gradients.safetensors"]
        words += ["--save", self.kept / "weights.safetensors", "--save-step", SHORT, "--save-dtype", self.dtype]
        self.script(self.checkpoint(0), *words)

    def curves(self):
        return compare.losses(self.model_dir / "metrics.jsonl"), compare.losses(self.kept / "curve.csv")

    def parity(self):
        """A row of the results, and True if it is within the bounds."""
        step, at = compare.largest_difference(*self.curves(), SHORT)
        mean = compare.largest_mean_difference(*self.curves())
        cosine, tensor = compare.smallest_cosine(self.checkpoint(1), self.kept / "gradients.safetensors")
        row = {"table": "curves", "case": self.name, "difference": float(step), "step": int(at), "mean_difference": float(mean),
               "cosine": float(cosine), "tensor": tensor}
        return row, step <= 0.02 and mean <= 0.005 and cosine >= 0.999

    def exchange(self):
        """Both evaluate both checkpoints of step SHORT; keeps PyTorch's losses."""
        losses = {}
        for owner, file in (("weft", self.checkpoint(SHORT)), ("pytorch", self.kept / "weights.safetensors")):
            ours = run([self.weft, *self.words, "--mode", "eval", "--checkpoint_path", file])
            theirs = self.script(file, "--eval")
            losses[owner] = [float(re.search(r"loss ([0-9.]+)", text)[1]) for text in (ours, theirs)]
        kept = {owner: pair[1] for owner, pair in losses.items()}
        (self.kept / "eval_loss.json").write_text(json.dumps(kept, indent=2) + "\n", encoding="utf-8")
        row = {"table": "exchange", "case": self.name}
        for owner, (ours, theirs) in losses.items():
            row |= {f"{owner}_weights_in_weft": ours, f"{owner}_weights_in_pytorch": theirs}
        return row, all(abs(ours - theirs) <= 0.005 * theirs for ours, theirs in losses.values())


def main():
    weft, folder = (pathlib.Path(word).resolve() for word in sys.argv[1:])
    spec = json.loads((HERE / "cases.json").read_text(encoding="utf-8"))
    cases = [Case(weft, folder, spec, name) for name in spec["cases"]]
    for case in cases:
        case.train()
    parity, exchange = ([getattr(case, what)() for case in cases] for what in ("parity", "exchange"))
    page.draw(ROOT / "docs/explanation/parity.svg", {case.name: case.curves() for case in cases})
    measured.write("parity", "make parity", (row for row, _ in parity + exchange))
    for row, good in parity + exchange:
        print(*row.values(), "" if good else "MISSED", sep="  ")
    return 0 if all(good for _, good in parity + exchange) else 1


if __name__ == "__main__":
    sys.exit(main())
