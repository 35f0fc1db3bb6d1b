"""Steps of training as a run's params.yaml says them."""

import contextlib
import math

import torch


def learning_rate(phases, step):
    """Of `step`, counted from 0. A phase's last value is reached after its total_iters steps."""
    for phase in phases:
        length = phase["total_iters"]
        if phase["scheduler"] == "Constant":
            first = last = phase["learning_rate"]
        else:
            first, last = phase["initial_learning_rate"], phase["end_learning_rate"]
        if length == 0 or step < length:
            done = step / length if length else 0
            left = (1 + math.cos(math.pi * done)) / 2 if phase["scheduler"] == "CosineDecay" else 1 - done
            return last + (first - last) * left
        step -= length
    return last


def make_optimizer(model, options):
    """Decay, which is decoupled, is for matrices only."""
    if not options["correct_bias"]:
        raise SystemExit("optimizer.correct_bias: torch.optim.AdamW always corrects. HINT: set it to true.")
    parameters = list(model.parameters())
    groups = [
        {"params": [p for p in parameters if p.dim() == 2], "weight_decay": options["weight_decay"]},
        {"params": [p for p in parameters if p.dim() != 2], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=0.0, betas=tuple(options["betas"]), eps=options["eps"])


@contextlib.contextmanager
def rounded_to_bf16(parameters):
    """The parameters are their bf16 inside, and themselves again after it."""
    masters = [p.detach().clone() for p in parameters]
    with torch.no_grad():
        for p in parameters:
            p.copy_(p.to(torch.bfloat16))
    yield
    with torch.no_grad():
        for p, master in zip(parameters, masters):
            p.copy_(master)


def nudge(model, size):
    """Multiplies each parameter by 1 + size * normal."""
    torch.manual_seed(1)
    with torch.no_grad():
        for p in model.parameters():
            p.mul_(1 + size * torch.randn_like(p))


def train(model, masks, params, samples, steps, bf16_weights=False):
    """Yields after each step: its number from 1, the loss before its update, the gradient's norm before clipping.

    The parameters' `grad` is then the clipped gradient. Masks are by parameter's name."""
    options, named = params["optimizer"], dict(model.named_parameters())
    optimizer = make_optimizer(model, options)
    clip = options["max_gradient_norm"] or math.inf
    for step in range(steps):
        with rounded_to_bf16(list(named.values())) if bf16_weights else contextlib.nullcontext():
            loss = model(*samples.step(step, params["train_input"]["batch_size"]))
            optimizer.zero_grad()
            loss.backward()
        for name, mask in masks.items():
            named[name].grad *= mask
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
        for group in optimizer.param_groups:
            group["lr"] = learning_rate(options["learning_rate"], step)
        optimizer.step()
        yield step + 1, loss.item(), norm.item()
