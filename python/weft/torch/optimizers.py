"""Settings of torch.optim as keys of a run, and MemoryX's state as theirs."""

import fnmatch
import re

import torch

from .errors import Refusal

# class: keys of its groups that are keys of a run; keys that must have a value, since Weft has no other; moments by
# MemoryX's names.
_ADAM = ({"betas": "betas", "eps": "eps"}, {"amsgrad": False, "maximize": False}, {"m": "exp_avg", "v": "exp_avg_sq"})
_KNOWN = {
    "AdamW": _ADAM,
    "Adam": _ADAM,
    "SGD": (
        {"momentum": "momentum", "dampening": "dampening", "nesterov": "nesterov"},
        {"maximize": False},
        {"m": "momentum_buffer"},
    ),
    "Lion": ({"betas": "betas"}, {"maximize": False}, {"m": "exp_avg"}),
}
# Choices of PyTorch's loops, without an effect on what they compute.
_LOOPS = {"foreach", "capturable", "differentiable", "fused", "decoupled_weight_decay", "initial_lr", "params", "lr"}


def _kind(optimizer):
    name = type(optimizer).__name__
    if name == "Adam" and any(group.get("decoupled_weight_decay") for group in optimizer.param_groups):
        return "AdamW"
    return name


def settings(optimizer, program):
    """Keys of `optimizer`. Raises Refusal, which names what MemoryX has not."""
    kind, groups = _kind(optimizer), optimizer.param_groups
    if kind not in _KNOWN:
        raise Refusal(type(optimizer).__name__, "is not an optimizer of MemoryX", f"use {', '.join(_KNOWN)}")
    keys, fixed, _ = _KNOWN[kind]
    found = {"optimizer.optimizer_type": kind, "optimizer.learning_rate": float(_same(kind, groups, "lr"))}
    for name, key in keys.items():
        if name in groups[0]:
            value = _same(kind, groups, name)
            value = [float(one) for one in value] if isinstance(value, (tuple, list)) else value
            if value or key in ("betas", "eps"):
                found[f"optimizer.{key}"] = value
    for group in groups:
        for name, value in group.items():
            if name in fixed and value != fixed[name]:
                raise Refusal(kind, f"MemoryX has no {name}={value}", f"use {name}={fixed[name]}")
            if name not in keys and name not in fixed and name not in _LOOPS and name != "weight_decay":
                raise Refusal(kind, f"MemoryX has no {name}", "leave it out")
    return {**found, **_frozen(kind, groups, program), **_decay(kind, groups, program)}


def _same(kind, groups, name):
    for n, group in enumerate(groups):
        if group[name] != groups[0][name]:
            raise Refusal(
                kind, f"parameter group {n} has {name}={group[name]}, and group 0 {groups[0][name]}",
                f"use one {name} for all groups; groups may differ in weight_decay 0 alone",
            )  # fmt: skip
    return groups[0][name]


def _decay(kind, groups, program):
    """Weight decay, with the matrices that do not decay and the vectors that do."""
    decays = {id(one): group.get("weight_decay", 0) for group in groups for one in group["params"]}
    found = sorted({float(value) for value in decays.values() if value})
    if not found:
        return {}
    if len(found) > 1:
        raise Refusal(kind, f"groups have weight_decay {found[0]:g} and {found[1]:g}", "use one of them, or 0")
    without, vectors = [], []
    for name, (parameter, _) in program.mapping.items():
        decay, matrix = decays.get(id(program.module.get_parameter(parameter)), 0), len(program.shape(name)) == 2
        if matrix and not decay:
            without.append(name)
        if decay and not matrix:
            vectors.append(name)
    keys = {"optimizer.weight_decay": found[0]}
    for key, names in (("no_decay_params", without), ("decay_params", vectors)):
        if names:
            keys[f"optimizer.{key}"] = _patterns(names, program)
    return keys


def _frozen(kind, groups, program):
    """Tensors that no group has, or that need no gradient."""
    trained = {id(one) for group in groups for one in group["params"] if one.requires_grad}
    frozen = [
        name
        for name, (parameter, _) in program.mapping.items()
        if id(program.module.get_parameter(parameter)) not in trained
    ]
    if len(frozen) == len(program.mapping):
        raise Refusal(kind, "has no parameter of the module", "make it of module.parameters()")
    return {"optimizer.frozen_params": _patterns(frozen, program)} if frozen else {}


def _patterns(names, program):
    """Patterns that match these tensors alone: one for the tensors of all layers."""
    chosen, made = set(names), []
    for name in names:
        pattern = re.sub(r"^h\.\d+\.", "h.*.", name)
        alone = all(one in chosen for one in fnmatch.filter(program.mapping, pattern))
        made.append(pattern if alone else name)
    return list(dict.fromkeys(made))


def write_state(optimizer, program, checkpoint):
    """Writes the moments of a checkpoint into the state of `optimizer`, so that it can continue from there."""
    moments = _KNOWN[_kind(optimizer)][2]
    made = {}
    for name, tensor in program.tensors:
        parameter = program.module.get_parameter(tensor.parameter)
        for moment, key in moments.items():
            if f"weft.{moment}.{name}" not in checkpoint:
                continue
            flat = made.setdefault((parameter, key), torch.zeros(parameter.shape, dtype=torch.float32))
            tensor.write(torch.from_numpy(checkpoint[f"weft.{moment}.{name}"]), flat)
    for (parameter, key), values in made.items():
        state = optimizer.state[parameter]
        state[key] = values.to(parameter)
        if key.startswith("exp_avg"):
            state["step"] = torch.tensor(float(checkpoint.step))
