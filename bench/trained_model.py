#!/usr/bin/env python3
"""Trains configs/gpt_shakespeare.yaml with Weft and the same model with PyTorch: trained_model.py WEFT FOLDER [--steps N] [--record]
(`make trained-model`).

Writes the weights to configs/shakespeare/model and the losses, and a text of the model, to bench/results/trained_model.jsonl, from
which bench/pages.py makes docs/explanation/trained_model.md and README.md. FOLDER keeps the run: another call continues an
interrupted run, and repeats neither training. PyTorch starts from Weft's initial weights and reads the same samples.

--steps N   a trial of N steps: weights and results go to FOLDER, and no page changes
--record    trains nothing, and records what is there, also of a shorter run of PyTorch
"""

import argparse
import csv
import json
import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys

import measured

ROOT = measured.RESULTS.parents[1]
PARAMS = ROOT / "configs/gpt_shakespeare.yaml"
MODEL = ROOT / "configs/shakespeare/model"
PYTORCH = ROOT / "tests/reference/pytorch/train_gpt2.py"
EVERY = 50  # steps of a point of the curve
LAST = 500  # steps whose mean loss is compared
SHORT = 2  # eval steps of the short test
PROMPT = "ROMEO:"
ONE_THREAD = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}  # also in the libraries of PyTorch


def run(*command):
    """The output of a command, and its processor time in seconds."""
    words = [str(word) for word in command]
    print("+", *words, flush=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run(words, check=True, text=True, stdout=subprocess.PIPE, env=ONE_THREAD).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return out, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def add_seconds(folder, program, seconds):
    """Adds processor time to that of earlier calls."""
    path = folder / "processor_seconds.json"
    sums = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    sums[program] = sums.get(program, 0) + seconds
    path.write_text(json.dumps(sums), encoding="utf-8")


def train(weft, folder, steps, flags):
    """Both trainings, unless they are complete; `flags` are Weft's."""
    metrics, curve = folder / "metrics.jsonl", folder / "pytorch.csv"
    if not metrics.exists() or len(weft_rows(metrics)) < steps:
        add_seconds(folder, "weft", run(weft, "run", "--params", PARAMS, "--model_dir", folder, "--wafer.threads", 1, *flags)[1])
    if not curve.exists() or len(pytorch_rows(curve)) < steps:
        add_seconds(folder, "pytorch", run(sys.executable, PYTORCH, "--threads", 1, "--evals", "--params", folder / "train/params.yaml",
                                           "--checkpoint", folder / "checkpoint_0.safetensors", "--steps", steps, "--curve", curve)[1])


def weft_rows(path):
    """[{step, loss, eval_loss or none}] of a metrics.jsonl."""
    return [row for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()) if "loss" in row]


def pytorch_rows(path):
    """PyTorch's curve in this form, up to its last complete line."""
    rows = []
    with open(path, encoding="utf-8") as file:
        for row in csv.DictReader(line for line in file if line.endswith("\n")):
            rows.append({"step": int(row["step"]), "loss": float(row["loss"])})
            if row["eval_loss"]:
                rows[-1]["eval_loss"] = float(row["eval_loss"])
    return rows


def curve_rows(weft):
    """The first training loss, and then the means of EVERY steps."""
    for step in [1, *range(EVERY, len(weft) + 1, EVERY)]:
        loss = statistics.mean(row["loss"] for row in weft[max(0, step - EVERY) : step])
        yield {"table": "curve", "step": step, "loss": round(loss, 5)}


def eval_rows(weft, pytorch):
    """Weft's evaluations, with those of PyTorch; null: PyTorch has not trained so far."""
    theirs = {row["step"]: round(row["eval_loss"], 5) for row in pytorch if "eval_loss" in row}
    for row in weft:
        if "eval_loss" in row:
            yield {"table": "evals", "step": row["step"], "weft": round(row["eval_loss"], 5), "pytorch": theirs.get(row["step"])}


def eval_loss(weft, weights, *words):
    """The loss of the released weights."""
    out, _ = run(weft, "run", "--params", PARAMS, "--mode", "eval", "--json", "--checkpoint_path", weights, *words)
    return json.loads(out)["eval_loss"]


def pytorch_eval_loss(folder, weights):
    """The loss of the released weights in PyTorch."""
    out, _ = run(sys.executable, PYTORCH, "--eval", "--params", folder / "train/params.yaml", "--checkpoint", weights / "model.safetensors")
    return float(out.split()[-1])


def sample_rows(weft, folder, weights):
    """The text that the released weights write."""
    out, _ = run(weft, "run", "--params", PARAMS, "--mode", "generate", "--checkpoint_path", weights, "--prompt", PROMPT,
                 "--model_dir", folder / "none")
    yield {"table": "sample", "prompt": PROMPT, "text": out.rstrip("\n")}


def values(folder, weft_curve, pytorch_curve):
    """Training losses over the last steps that both have, and the processor time of a step, evaluations included."""
    seconds = json.loads((folder / "processor_seconds.json").read_text(encoding="utf-8"))
    common = min(len(weft_curve), len(pytorch_curve))
    yield "tokens of a step", weft_curve[0]["tokens"], "tokens"
    yield "steps of PyTorch", len(pytorch_curve), "steps"
    for name, program, rows in (("Weft", "weft", weft_curve), ("PyTorch", "pytorch", pytorch_curve)):
        yield f"{name}, mean training loss of steps {max(0, common - LAST) + 1} to {common}", \
            statistics.mean(row["loss"] for row in rows[max(0, common - LAST) : common]), "nats"
        if program in seconds:
            yield f"{name}, processor time", seconds[program], "s"


def configured_steps(weft):
    plan, _ = run(weft, "run", "--params", PARAMS, "--mode", "validate_only", "--show_config")
    return int(next(line.split()[1] for line in plan.splitlines() if line.split()[:1] == ["runconfig.max_steps"]))


def main(weft, folder, trial_steps, record_only):
    """`trial_steps` is 0 for the training of the released model."""
    if trial_steps:
        folder, weights, results = folder / f"trial_{trial_steps}", folder / f"trial_{trial_steps}/model", folder / f"trial_{trial_steps}"
        steps, flags = trial_steps, ["--num_steps", trial_steps, "--runconfig.eval_frequency", trial_steps]
    else:
        weights, results, steps, flags = MODEL, measured.RESULTS, configured_steps(weft), []
    folder.mkdir(parents=True, exist_ok=True)
    if not record_only:
        train(weft, folder, steps, flags)
    shutil.rmtree(weights, ignore_errors=True)
    run(weft, "export", "--to", "hf", weights, "--model_dir", folder, "--dtype", "bf16")
    ours, theirs = weft_rows(folder / "metrics.jsonl"), pytorch_rows(folder / "pytorch.csv")
    found = [*values(folder, ours, theirs), ("released weights, eval loss", eval_loss(weft, weights), "nats"),
             (f"released weights, eval loss of {SHORT} steps", eval_loss(weft, weights, "--runconfig.eval_steps", SHORT), "nats"),
             ("released weights, eval loss in PyTorch", pytorch_eval_loss(folder, weights), "nats")]
    rows = [*curve_rows(ours), *eval_rows(ours, theirs), *sample_rows(weft, folder, weights),
            *({"name": name, "value": value, "unit": unit} for name, value, unit in found)]
    command = f"make trained-model NUM_STEPS={trial_steps}" if trial_steps else "make trained-model"
    print(f"trained_model: {measured.write('trained_model', command, rows, results)}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weft")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--steps", type=int, default=0)
    parser.add_argument("--record", action="store_true")
    words = parser.parse_args()
    main(words.weft, words.folder, words.steps, words.record)
