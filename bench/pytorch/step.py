#!/usr/bin/env python3
"""Seconds of the processor for a training step of a params.yaml's model in PyTorch: fp32, one thread, random tokens.

    step.py PARAMS [--steps N] [--model.hidden_size 256 ...]

The step has forward, backward, clipping and AdamW, as `weft run` does them, with PyTorch's own GELU and attention where
it has them. Options replace values of the parameter file. Prints one JSON object: the median of 10 steps after three
more, the version, and the BLAS that multiplies matrices, `reference` being the slow one. Exit code 3: no PyTorch.
"""
import argparse
import ctypes
import json
import os
import pathlib
import statistics
import sys
import time

os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", MKL_NUM_THREADS="1")  # before the libraries are loaded
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests/reference/pytorch"))
try:
    import torch
    import yaml
except ModuleNotFoundError:
    sys.exit(3)
import gpt2
import training
from torch.nn import functional


def fuse():
    """Gpt2's blocks with what PyTorch 2 does in one call."""
    def attend(self, x):
        shape = (*x.shape[:2], self.heads, x.shape[2] // self.heads)
        q, k, v = (part.view(shape).transpose(1, 2) for part in self.c_attn(x).split(x.shape[2], dim=2))
        values = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.c_proj(values.transpose(1, 2).reshape(x.shape))

    if hasattr(functional, "scaled_dot_product_attention"):
        gpt2.Attention.forward = attend
    try:
        functional.gelu(torch.zeros(1), approximate="tanh")
        gpt2.Mlp.forward = lambda self, x: self.c_proj(functional.gelu(self.c_fc(x), approximate="tanh"))
    except TypeError:
        pass  # older than 1.12


KNOWN_BLAS = (("openblas", "OpenBLAS"), ("mkl", "MKL"), ("blis", "BLIS"), ("atlas", "ATLAS"))


class Symbol(ctypes.Structure):
    """Result of dladdr()."""
    _fields_ = [("file", ctypes.c_char_p), ("base", ctypes.c_void_p), ("name", ctypes.c_char_p), ("address", ctypes.c_void_p)]


def blas():
    """The BLAS whose sgemm PyTorch calls: that of a distribution's libblas.so.3, or one built into PyTorch."""
    maps = pathlib.Path("/proc/self/maps").read_text(encoding="utf-8").splitlines()
    files = {line.split(maxsplit=5)[5] for line in maps if "/" in line}
    for name in (name for name in files if "libtorch_cpu.so" in name):
        try:
            address = ctypes.cast(ctypes.CDLL(name).sgemm_, ctypes.c_void_p)
        except AttributeError:
            continue  # built in
        symbol = Symbol()
        if ctypes.CDLL(None).dladdr(address, ctypes.byref(symbol)):
            library = str(pathlib.Path(symbol.file.decode()).resolve()).lower()
            if not library.endswith("libtorch_cpu.so"):
                return next((known for word, known in KNOWN_BLAS if word in library), "reference")
    built = torch.__config__.show().lower()
    return next((known for word, known in KNOWN_BLAS if f"blas_info={word}" in built), "unknown")


def main(params, steps, overrides):
    torch.set_num_threads(1)
    torch.manual_seed(1)
    fuse()
    params = yaml.safe_load(pathlib.Path(params).read_text(encoding="utf-8"))
    for key, value in overrides:
        section, name = key.split(".", maxsplit=1)
        params[section][name] = yaml.safe_load(value)
    model = gpt2.Gpt2(params["model"])
    for p in model.parameters():
        torch.nn.init.normal_(p, std=0.02)
    optimizer = training.make_optimizer(model, params["optimizer"])
    for group in optimizer.param_groups:
        group["lr"] = 1e-3
    size = (params["train_input"]["batch_size"], params["model"]["max_sequence_length"])
    inputs, labels = (torch.randint(params["model"]["vocab_size"], size) for _ in range(2))

    def step():
        start = time.process_time()
        optimizer.zero_grad()
        model(inputs, labels).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), params["optimizer"]["max_gradient_norm"])
        optimizer.step()
        return time.process_time() - start

    for _ in range(3):
        step()
    seconds = statistics.median(step() for _ in range(steps))
    print(json.dumps({"seconds": seconds, "version": torch.__version__, "blas": blas()}))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("params")
    parser.add_argument("--steps", type=int, default=10)
    arguments, options = parser.parse_known_args()
    if len(options) % 2 or any(not key.startswith("--") or "." not in key for key in options[::2]):
        parser.error(f"not --section.name VALUE: {' '.join(options)}")
    main(arguments.params, arguments.steps, [(key[2:], value) for key, value in zip(options[::2], options[1::2])])
