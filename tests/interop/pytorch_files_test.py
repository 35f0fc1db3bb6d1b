#!/usr/bin/env python3
"""Files of PyTorch as a checkpoint_path: what the refusal says is done, and the run begins with the same weights.

pytorch_files_test.py WEFT, in an environment with PyTorch and safetensors.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import torch
from safetensors.torch import load_file

WEFT = pathlib.Path(sys.argv.pop(1)).resolve()
PARAMS = """train_input: {data_dir: corpus.txt, batch_size: 4, micro_batch_size: 2}
eval_input: {data_dir: corpus.txt, batch_size: 4}
model: {hidden_size: 8, num_hidden_layers: 1, num_heads: 2, max_sequence_length: 8, vocab_size: 14}
optimizer: {learning_rate: 0.01}
runconfig: {max_steps: 1}
wafer: {rows: 2, cols: 2}
"""


class PyTorchFiles(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="weft-"))
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "corpus.txt").write_text("".join(chr(97 + i * i % 13) for i in range(2000)))
        (self.folder / "mine.yaml").write_text(PARAMS)
        self.run_weft("--model_dir", "out")
        self.weights = {name: value for name, value in load_file(self.folder / "out/checkpoint_1.safetensors").items()
                        if not name.startswith("weft.")}
        self.loss = self.evaluate("out/checkpoint_1.safetensors")

    def run_weft(self, *words, code=0):
        done = subprocess.run([WEFT, "run", "--params", "mine.yaml", *words], cwd=self.folder, text=True, timeout=300,
                              capture_output=True, check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout if code == 0 else done.stderr

    def evaluate(self, weights):
        said = self.run_weft("--mode", "eval", "--model_dir", "new", "--checkpoint_path", weights)
        return re.search(r"loss +([0-9.]+)", said).group(1)

    def refused(self, weights):
        return self.run_weft("--mode", "eval", "--model_dir", "new", "--checkpoint_path", weights, code=2)

    def follow(self, said):
        """Runs the command of the hint, which writes OUT.safetensors."""
        line = re.search(r"HINT: [^:]*: (python3 .*)\.$", said.strip()).group(1)
        environment = {**os.environ, "PATH": f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"}
        subprocess.run(["bash", "-c", line], cwd=self.folder, check=True, env=environment, timeout=300)

    def test_a_state_dict_is_converted_by_the_command_of_its_refusal(self):
        for zipped, name in ((True, "is a file of PyTorch, "), (False, "is a file of PyTorch before 1.6, ")):
            torch.save({"module.transformer." + n: v for n, v in self.weights.items()}, self.folder / "model.bin",
                       _use_new_zipfile_serialization=zipped)
            said = self.refused("model.bin")
            self.assertIn(name, said)
            self.follow(said)
            self.assertEqual(self.evaluate("OUT.safetensors"), self.loss)

    def test_a_checkpoint_of_nano_gpt_is_converted_and_turned(self):
        turned = {n: v.t().contiguous() if ".c_" in n and v.dim() == 2 else v for n, v in self.weights.items()}
        model = {"_orig_mod.transformer." + n: v for n, v in turned.items()}
        torch.save({"model": model, "optimizer": {}, "iter_num": 5, "model_args": {"n_layer": 1}}, self.folder / "my ckpt.pt")
        self.follow(self.refused("my ckpt.pt"))
        shutil.move(self.folder / "OUT.safetensors", self.folder / "IN.safetensors")
        said = self.refused("IN.safetensors")
        self.assertIn("the order of nn.Linear (nanoGPT)", said)
        self.follow(said)
        self.assertEqual(self.evaluate("OUT.safetensors"), self.loss)


if __name__ == "__main__":
    unittest.main()
