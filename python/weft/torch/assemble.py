"""Roles and sizes of values, and the tensors of a network with the parameters' elements in them."""

import torch

from .graph import Operation, Tensor
from .rules import positions
from .sums import is_stream, readers_of


def assemble(operations, scores):
    """Sets roles and makes tensors. Returns the operations, and sizes by role. `scores`: parts that losses read."""
    makers = {part: one for one in operations for part in one.outputs}
    readers = readers_of(operations)
    hidden = _hidden(operations, scores)
    for one in operations:
        _set_roles(one, scores, hidden)
        alone = one.kind == "norm" and len(readers[one.inputs[0]]) == 1 and one.form == "layer"
        alone = alone and one.inputs[0].role == "hidden"  # such as that of BERT's output layer
        if one.kind == "norm" and not is_stream(makers[one.inputs[0]]) and not alone:
            maker = makers[one.inputs[0]]
            raise one.place.refuse(
                f"normalizes the output of {maker.place.subject}, not the residual stream",
                "put a norm at the start of a branch, on the sum of the embedding and of earlier layers",
            )
    operations = [part for one in operations for part in _split(one)]
    sizes = _sizes(operations)
    for one in operations:
        _make_tensors(one)
    _check_tied(operations)
    for one in operations:
        for part in one.outputs:
            if part not in readers:
                raise one.place.refuse(
                    "nothing reads a part of its output", "read all of its output, or make it smaller"
                )
    return operations, sizes


def _hidden(operations, scores):
    """The number of hidden features, if some linear layers outside of the stream have as many and others more: then
    they do not have those of the filter, as a pooler."""
    count = operations[0].tensors["tokens"][1].shape[1]
    found = {
        len(part.features)
        for one in operations
        if one.kind == "linear" and one.add is None
        for part in one.outputs
        if not part.role and part not in scores
    }
    return count if len(found) > 1 and count in found else None


def _set_roles(operation, scores, hidden):
    kind = operation.kind
    for part in operation.outputs:
        if kind in ("embed", "norm") or operation.add is not None:
            part.role = "hidden"
        elif kind == "attention":
            part.role = "head"
        elif kind == "linear":
            of_loss = "vocab" if operation.scores == "loss" else "class"
            inner = "hidden" if len(part.features) == hidden else "filter"
            part.role = part.role or (of_loss if part in scores else inner)
        else:
            part.role = operation.inputs[0].role
            if any(one.role != part.role for one in operation.inputs):
                words = " and ".join(one.role for one in operation.inputs)
                raise operation.place.refuse(
                    f"its inputs have features of {words}", "give it two values between the same linear layers"
                )


def _split(operation):
    """A linear layer whose outputs have different sizes or roles becomes several, one for each output."""
    parts = operation.outputs
    if operation.kind != "linear" or operation.add is not None:
        return [operation]
    read = sum(len(part.features) for part in parts)
    if read != operation.out.features:
        raise operation.place.refuse(
            f"{read} of {operation.out.features} features of its output are read",
            "read all of them, or make the layer smaller",
        )
    if len({(part.role, len(part.features)) for part in parts}) == 1:
        return [operation]
    return [
        Operation("linear", operation.place, operation.inputs, part, tensors=operation.tensors, name=f"part_{n + 1}")
        for n, part in enumerate(parts)
    ]


def _sizes(operations):
    embed = operations[0]
    sizes = dict(zip(("vocab", "hidden"), embed.tensors["tokens"][1].shape))
    if "segments" in embed.tensors:
        sizes["segment"] = embed.tensors["segments"][1].shape[0]
    heads = None
    for one in operations:
        for part in one.outputs:
            count = len(part.features)
            known = sizes.setdefault("hidden" if part.role == "head" else part.role, count)
            if known != count:
                what = {"head": "all heads together", "vocab": "logits", "class": "scores", "filter": "values between linear layers"}.get(
                    part.role, part.role
                )
                raise one.place.refuse(f"has {count} features where {what} must have {known}", f"use {known} features")
        if one.kind == "attention":
            heads = heads or one.heads
            if one.heads != heads:
                raise one.place.refuse(f"has {one.heads} heads, others {heads}", f"use {heads} heads")
    _same(operations, "norm", "epsilon", "an epsilon of")
    _same(operations, "rotary", "turned", "a number of rotated features of")
    return sizes | {"heads": heads or 1}


def _same(operations, kind, attribute, words):
    found = [one for one in operations if one.kind == kind]
    for one in found:
        value, first = getattr(one, attribute), getattr(found[0], attribute)
        if value != first:
            raise one.place.refuse(
                f"has {words} {value:g}, and {found[0].place.subject} {first:g}", f"use {first:g} everywhere"
            )


def _check_tied(operations):
    embedding = operations[0].tensors["tokens"]
    for one in operations[1:]:
        for tensor in one.tensors.values():
            if tensor.source is embedding.source and (tensor.shape, tensor.move) != (embedding.shape, "same"):
                raise one.place.refuse(
                    f"the parameter {tensor.parameter} is also the embedding, but is no head for it",
                    "share only the matrix of embedding and head",
                )


def _in_order(numbers):
    return torch.equal(numbers, torch.arange(len(numbers)))


def _make_tensors(operation):
    given, made = operation.tensors, {}
    for role, value in given.items():
        source, ids = value[0], value[1]
        if operation.kind == "embed":
            made[role] = Tensor.of(source, ids, ({"tokens": "vocab", "segments": "segment"}.get(role, "position"), "hidden"))
        elif operation.kind == "norm":
            made[role] = Tensor.of(source, ids, ("hidden",))
        else:
            columns = operation.columns
            if columns is None:
                columns = torch.cat([part.features for part in operation.outputs])
            part, times = operation.outputs[0], len(operation.outputs)
            out = part.role if times == 1 else f"{times} {part.role}"
            if role == "bias":
                made[role] = Tensor.of(source, ids[columns], (out,))
                continue
            rows = torch.empty(ids.shape[0], dtype=torch.long)
            rows[positions(operation.inputs[0], value[2])] = torch.arange(len(rows))
            matrix = ids if _in_order(rows) and _in_order(columns) else ids.offsets()[rows][:, columns]
            head = part.role == "vocab"
            shape = (operation.inputs[0].role, out)
            made[role] = Tensor.of(source, matrix.T if head else matrix, shape[::-1] if head else shape)
    operation.tensors = made
