"""The package in the build folder that WEFT_PACKAGE names, or the installed one; the program WEFT,
with which runs are compared."""
import json
import os
import pathlib
import subprocess
import sys

import pytest

if "WEFT_PACKAGE" in os.environ:
    sys.path.insert(0, os.environ["WEFT_PACKAGE"])

PARAMS = {
    "train_input": {"data_dir": "corpus.txt", "batch_size": 6, "micro_batch_size": 2},
    "eval_input": {"data_dir": "corpus.txt", "batch_size": 2},
    "model": {"hidden_size": 8, "num_hidden_layers": 1, "num_heads": 2, "filter_size": 16, "max_sequence_length": 8,
              "vocab_size": 14},
    "optimizer": {"learning_rate": 0.01, "max_gradient_norm": 1},
    "runconfig": {"max_steps": 6, "eval_frequency": 3, "eval_steps": 1},
    "wafer": {"rows": 2, "cols": 2},
}


@pytest.fixture
def tiny():
    """The parameter file gpt_tiny.yaml: the tree's, or that of an installed package."""
    file = pathlib.Path(__file__).resolve().parents[2] / "configs/gpt_tiny.yaml"
    return str(file) if file.exists() else "gpt_tiny.yaml"


@pytest.fixture
def params(tmp_path, monkeypatch):
    """A small run, in a folder with its corpus, which is the current one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "corpus.txt").write_text("".join(chr(97 + i * i % 13) for i in range(2000)))
    (tmp_path / "small.yaml").write_text(json.dumps(PARAMS, indent=1))
    return json.loads(json.dumps(PARAMS))


@pytest.fixture
def weft_program():
    """A function that runs `weft`, and returns the finished process."""
    def run(*words):
        return subprocess.run([os.environ["WEFT"], *map(str, words)], text=True, capture_output=True, timeout=300)
    if "WEFT" not in os.environ:
        pytest.skip("WEFT names no program to compare with")
    return run


@pytest.fixture
def metrics_of():
    """A function that reads the metrics of a run's folder."""
    def read(folder):
        return [json.loads(line) for line in (pathlib.Path(folder) / "metrics.jsonl").read_text().splitlines()]
    return read
