#!/usr/bin/env python3
"""Seconds of the processor for a training step of a params.yaml's model in PyTorch: fp32, one thread, random tokens.

    step.py PARAMS [STEPS]

The step has forward, backward, clipping and AdamW, as `weft run` does them, with PyTorch's own GELU and attention where
it has them. Prints one JSON object: the median of STEPS (10) after three more, and the version. Exit code 3: no PyTorch.
"""
import json
import pathlib
import statistics
import sys
import time

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


def main(params, steps=10):
    torch.set_num_threads(1)
    torch.manual_seed(1)
    fuse()
    params = yaml.safe_load(pathlib.Path(params).read_text(encoding="utf-8"))
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
    seconds = statistics.median(step() for _ in range(int(steps)))
    print(json.dumps({"seconds": seconds, "version": torch.__version__}))


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
