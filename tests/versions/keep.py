#!/usr/bin/env python3
"""Writes the files of this version, which later versions must read, into tests/versions/VERSION: keep.py WEFT."""
import gzip
import json
import pathlib
import re
import shutil
import sys
import tempfile

from common import ALL_STEPS, HERE, ROOT, STEPS, hashes, train, weft

# A GPT of 792 parameters whose masks are updated, with a network of its own file.
PARAMS = """\
train_input:
  data_dir: corpus.txt
  tokenizer: char
  batch_size: 4
  micro_batch_size: 2
  seed: 1
model:
  network: network.yaml
  hidden_size: 8
  num_hidden_layers: 1
  num_heads: 2
  filter_size: 16
  max_sequence_length: 8
  vocab_size: 14
optimizer:
  optimizer_type: AdamW
  weight_decay: 0.1
  max_gradient_norm: 1.0
  learning_rate: 0.01
sparsity:
  algorithm: rigl
  sparsity: 0.5
  update_freq: 2
  update_stop: 100
wafer:
  rows: 2
  cols: 2
  lanes: 2
  sram_kib: 16
runconfig:
  seed: 1
  max_steps: 3
"""
TEXT = "".join(chr(97 + i * i % 13) for i in range(400))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    program = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory(prefix="weft-") as temporary:
        folder = pathlib.Path(temporary)
        version = re.search(r"\d+\.\d+\.\d+", weft(program, "--version", cwd=folder)).group()
        (folder / "params.yaml").write_text(PARAMS)
        # A plan has one mask, that of the steps before the first mask update.
        (folder / "static.yaml").write_text(re.sub(r"  (algorithm|update_\w+): .*\n", "", PARAMS))
        (folder / "corpus.txt").write_text(TEXT)
        network = (ROOT / "sw/network/gpt2.yaml").read_text().replace("network: gpt2", "network: kept")
        (folder / "network.yaml").write_text(network)

        train(program, folder, STEPS, "model")
        train(program, folder, ALL_STEPS, "all")
        weft(program, "run", "--params", "static.yaml", "--mode", "compile_only", "--save", "plan", cwd=folder)
        weft(program, "tokenizer", "train", "corpus.txt", "--vocab_size", 262, "--out", "tokenizer", "--quiet", cwd=folder)
        weft(program, "tokenize", "corpus.txt", "--tokenizer", "tokenizer", "--out", "shard.bin", "--quiet", cwd=folder)
        weft(program, "fingerprint", "--params", "params.yaml", "--num_steps", STEPS, "--backend", "model", "--out", "steps.fingerprint",
             cwd=folder)

        kept = HERE / version
        shutil.rmtree(kept, ignore_errors=True)
        kept.mkdir()
        for name in ("params.yaml", "static.yaml", "corpus.txt", "network.yaml", "shard.bin", "steps.fingerprint"):
            shutil.copy(folder / name, kept / name)
        shutil.copytree(folder / "tokenizer", kept / "tokenizer")
        shutil.copytree(folder / "model", kept / "model", ignore=shutil.ignore_patterns(".lock", "events.*"))
        run_params = kept / "model/train/params.yaml"  # has full paths
        run_params.write_text(run_params.read_text().replace(f"{folder}/", "../../"))
        (kept / "plan.gz").write_bytes(gzip.compress((folder / "plan").read_bytes(), mtime=0))
        (kept / "hashes.json").write_text(json.dumps(hashes(folder / "all")) + "\n")
        print(f"{kept}: {sum(file.stat().st_size for file in kept.rglob('*') if file.is_file())} bytes")


if __name__ == "__main__":
    main()
