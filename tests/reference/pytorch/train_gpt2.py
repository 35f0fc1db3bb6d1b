#!/usr/bin/env python3
"""Trains, in PyTorch and fp32, the GPT-2, GPT-J or LLaMA that a Weft run trains, on the same samples in the same order.

    train_gpt2.py --params MODEL_DIR/train/params.yaml --checkpoint MODEL_DIR/checkpoint_0.safetensors \\
                  --steps 1000 --curve curve.csv --gradients gradients.safetensors --save weights.safetensors
    train_gpt2.py --params MODEL_DIR/train/params.yaml --checkpoint weights.safetensors --eval

The parameters are what `weft run` wrote down as understood; the checkpoint is Weft's, of `save_initial_checkpoint:
true`, or any file of such weights. Its masks (weft.mask.*) are kept.
"""

import argparse

import numpy
import safetensors_file
import torch
import yaml
from gpt2 import Gpt2
from gptj import GptJ
from llama import Llama
from samples import Samples, read_tokens
from training import nudge, train


def load(model, path):
    """Puts a checkpoint's weights into the model; returns its masks by name."""
    tensors, _ = safetensors_file.read(path)
    own = {name.removeprefix("transformer."): torch.from_numpy(values.astype(numpy.float64)) for name, values in tensors.items()}
    model.load_state_dict({name: own[name] for name in model.state_dict()})
    return {name: own["weft.mask." + name] for name, _ in model.named_parameters() if "weft.mask." + name in own}


def record(model, steps, words, eval_loss):
    """The curve, a line a step; the first gradient, clipped; the weights after the step to save.

    `eval_loss(step)` is the loss over eval_input, or None."""
    with open(words.curve, "w", encoding="utf-8") as curve:
        print("step,loss,grad_norm" + (",eval_loss" if words.evals else ""), file=curve)
        for step, loss, norm in steps:
            after = eval_loss(step)
            evals = ("," + ("" if after is None else f"{after:.6f}")) if words.evals else ""
            print(f"{step},{loss:.6f},{norm:.5g}{evals}", file=curve, flush=words.evals)
            if step == 1 and words.gradients:
                first = {name: p.grad.float().numpy() for name, p in model.named_parameters() if p.grad is not None}
                safetensors_file.write(words.gradients, first, "BF16")
            if words.save and step == (words.save_step or words.steps):
                weights = {name: values.float().numpy() for name, values in model.state_dict().items()}
                safetensors_file.write(words.save, weights, words.save_dtype)


def evaluate(model, samples, params):
    """The mean loss over eval_input: eval_steps batches of it, or all."""
    size, steps = params["eval_input"]["batch_size"], params["runconfig"]["eval_steps"]
    count = min(samples.count, steps * size) if steps else samples.count
    total = 0.0
    with torch.no_grad():
        for first in range(0, count, size):
            numbers = range(first, min(first + size, count))
            total += model(*samples.batch(numbers)).item() * len(numbers)
    return total / count


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--params", required=True, help="a run's params.yaml")
    parser.add_argument("--checkpoint", required=True, help="weights to start from, or to evaluate")
    parser.add_argument("--eval", action="store_true", help="print the loss over eval_input, no training")
    parser.add_argument("--evals", action="store_true", help="evaluate every runconfig.eval_frequency steps")
    parser.add_argument("--threads", type=int, help="threads of PyTorch")
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--curve", default="curve.csv", help="file for step, loss and gradient norm")
    parser.add_argument("--gradients", help="file for the first step's gradients, clipped, bf16")
    parser.add_argument("--save", help="file for the weights")
    parser.add_argument("--save-step", type=int, help="after how many steps; default: the last")
    parser.add_argument("--save-dtype", default="F32", choices=["F32", "F16", "BF16"])
    parser.add_argument("--nudge", type=float, default=0.0, help="change the start by this share of itself, at random")
    parser.add_argument("--bf16-weights", action="store_true", help="round the weights, not their masters, to bf16")
    parser.add_argument("--double", action="store_true", help="compute in double precision")
    return parser.parse_args()


def main():
    words = arguments()
    with open(words.params, encoding="utf-8") as file:
        params = yaml.safe_load(file)
    if words.threads:
        torch.set_num_threads(words.threads)
    torch.set_default_dtype(torch.float64 if words.double else torch.float32)
    model = {"gpt2": Gpt2, "gptj": GptJ, "llama": Llama}[params["model"]["network"]](params["model"])
    masks = {name: mask.to(torch.get_default_dtype()) for name, mask in load(model, words.checkpoint).items()}
    data, length = params["train_input"], params["model"]["max_sequence_length"]
    if words.eval or words.evals:
        tokens = read_tokens(params["eval_input"]["data_dir"], data["tokenizer"], data["data_dir"])
        held_out = Samples(tokens, length)
    if words.eval:
        print(f"loss {evaluate(model, held_out, params):.6f}")
        return

    def eval_loss(step):
        due = words.evals and (step % params["runconfig"]["eval_frequency"] == 0 or step == words.steps)
        return evaluate(model, held_out, params) if due else None

    samples = Samples(read_tokens(data["data_dir"], data["tokenizer"]), length, data["seed"] if data["shuffle"] else None)
    nudge(model, words.nudge)
    record(model, train(model, masks, params, samples, words.steps, words.bf16_weights), words, eval_loss)


if __name__ == "__main__":
    main()
