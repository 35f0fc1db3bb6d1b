"""Steps of training as a run's params.yaml says them."""

import contextlib
import fnmatch
import math

import torch


def phase_rate(phase, t):
    """Returns the learning rate of a phase's step `t`, from 0, as in docs/reference/optimizers.md and the Model Zoo."""
    kind, length = phase["scheduler"], phase["total_iters"]
    first, last = phase.get("initial_learning_rate"), phase.get("end_learning_rate")
    passed = sum(t >= milestone for milestone in phase.get("milestones", []))
    if kind == "Constant":
        return phase["learning_rate"]
    if kind in ("Linear", "Polynomial"):
        left = max(0.0, 1 - t / length) ** phase.get("power", 1)
        return last + (first - last) * left
    if kind == "CosineDecay":
        return last + (first - last) * (1 + math.cos(math.pi * min(t, length) / length)) / 2
    if kind == "CosineAnnealing":
        return phase["eta_min"] + (first - phase["eta_min"]) * (1 + math.cos(math.pi * t / phase["T_max"])) / 2
    if kind == "Exponential":
        return first * phase["decay_rate"] ** (t // length if phase["staircase"] else t / length)
    if kind == "InverseExponentialTimeDecay":
        done = t ** phase["step_exponent"] / length
        return first / (1 + phase["decay_rate"] * (math.floor(done) if phase["staircase"] else done))
    if kind == "InverseSquareRootDecay":
        return first * phase["scale"] / math.sqrt(max(t, phase["warmup_steps"]))
    if kind == "Step":
        return first * phase["gamma"] ** (t // phase["step_size"])
    if kind == "MultiStep":
        return first * phase["gamma"] ** passed
    if kind == "PiecewiseConstant":
        return phase["learning_rates"][passed]
    raise SystemExit(f"optimizer.learning_rate: no scheduler {kind} here.")


def learning_rate(phases, step):
    """Returns the learning rate of `step`, counted from 0."""
    for phase in phases[:-1]:
        if step < phase["total_iters"]:
            return phase_rate(phase, step)
        step -= phase["total_iters"]
    return phase_rate(phases[-1], step)


class Lion(torch.optim.Optimizer):
    """Algorithm 2 of Chen et al., "Symbolic Discovery of Optimization Algorithms" (2023)."""

    def __init__(self, groups, betas):
        super().__init__(groups, {"lr": 0.0, "weight_decay": 0.0})
        self.betas = betas

    @torch.no_grad()
    def step(self):
        b1, b2 = self.betas
        for group in self.param_groups:
            for p in filter(lambda p: p.grad is not None, group["params"]):
                m = self.state[p].setdefault("m", torch.zeros_like(p))
                c = b1 * m + (1 - b1) * p.grad
                p.sub_(group["lr"] * (c.sign() + group["weight_decay"] * p))
                m.mul_(b2).add_((1 - b2) * p.grad)


def chosen(name, patterns):
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def make_optimizer(model, options):
    """Decay is for matrices without no_decay_params, and for decay_params; frozen_params get no gradient."""
    kind, betas = options["optimizer_type"], tuple(options["betas"])
    if kind.startswith("Adam") and not options["correct_bias"]:
        raise SystemExit("optimizer.correct_bias: torch.optim.AdamW always corrects. HINT: set it to true.")
    decayed, others = [], []
    for name, p in model.named_parameters():
        p.requires_grad_(not chosen(name, options.get("frozen_params", [])))
        if p.dim() == 2:
            decays = not chosen(name, options.get("no_decay_params", []))
        else:
            decays = chosen(name, options.get("decay_params", []))
        (decayed if decays else others).append(p)
    groups = [{"params": decayed, "weight_decay": options["weight_decay"]}, {"params": others, "weight_decay": 0.0}]
    if kind == "SGD":
        momentum = {key: options[key] for key in ("momentum", "dampening", "nesterov")}
        return torch.optim.SGD(groups, lr=0.0, **momentum)
    if kind == "Lion":
        return Lion(groups, betas)
    rule = {"AdamW": torch.optim.AdamW, "Adam": torch.optim.Adam}[kind]
    return rule(groups, lr=0.0, betas=betas, eps=options["eps"])


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
            if named[name].grad is not None:
                named[name].grad *= mask
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
        for group in optimizer.param_groups:
            group["lr"] = learning_rate(options["learning_rate"], step)
        optimizer.step()
        yield step + 1, loss.item(), norm.item()
