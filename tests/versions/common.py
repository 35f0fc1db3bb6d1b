"""Shared by keep.py and versions_test.py: the files of a release, and a way to run a program on them."""
import json
import pathlib
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
STEPS, ALL_STEPS = 3, 5  # steps of the kept checkpoint, and of the run whose hashes are kept


def weft(program, *words, cwd, code=0):
    """Both outputs of a command, which ends with `code`, or one of several codes."""
    done = subprocess.run([str(program), *map(str, words)], cwd=cwd, text=True, timeout=300, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    codes = code if isinstance(code, tuple) else (code,)
    assert done.returncode in codes, f"{' '.join(map(str, words))}: {done.returncode}\n{done.stdout}"
    return done.stdout


def train(program, folder, steps, model_dir, *words, params="params.yaml", code=0):
    return weft(program, "run", "--params", params, "--model_dir", model_dir, "--backend", "model", "--mode", "train", "--num_steps", steps,
                *words, cwd=folder, code=code)


def hashes(folder):
    return [json.loads(line)["state_hash"] for line in (folder / "metrics.jsonl").read_text().splitlines()]
