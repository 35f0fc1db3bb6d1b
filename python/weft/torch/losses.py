"""Losses: cross-entropy with tokens or classes, squared error; and which tokens have labels."""

from dataclasses import dataclass

import torch

from .graph import Operation
from .moves import name_of
from .values import Cells, Pending


@dataclass(eq=False)
class Loss:
    """`labelled`: tokens with labels, "all" or the "first" of each sequence, or "next": all but the last, each of which
    has the label of the one behind it. `target`: the input with labels, or None."""

    operation: Operation
    labelled: str
    target: object

    @property
    def kind(self):
        return self.operation.kind

    @property
    def scores(self):
        return self.operation.inputs[0]

    @property
    def maker(self):
        return self.scores.source.maker


def _no_labels(place):
    return place.refuse("its labels are not an input of the module", "give the labels as a further input")


def target_of(lowering, node, place, ignored=None):
    """The input with the labels, and their elements in the order of a node; -1 for the constant that is `ignored`."""
    found = lowering.values[node]
    read = [lowering.sources.list[one] for one in sorted(found.numbers())] if isinstance(found, Cells) else []
    constants = [one for one in read if one.kind == "constant" and one.tensor.item() == ignored]
    target = next(iter(one for one in read if one not in constants), None) if len(read) - len(constants) == 1 else None
    taken = [lowering.segments, *(one.target for one in lowering.losses)]
    if target is None or target not in lowering.inputs[1:] or target in taken:
        raise _no_labels(place)
    offsets = torch.where(found.of(target.number), found.offsets(), -1) if constants else found.offsets()
    return target, offsets.reshape(-1)


def tokens_of(lowering, tokens):
    """ "all" or "first", if these are all tokens in order, or the first token of each sequence; else ""."""
    tokens = tokens.reshape(-1)
    if torch.equal(tokens, torch.arange(lowering.sequences * lowering.tokens)):
        return "all"
    return "first" if torch.equal(tokens, lowering.tokens * torch.arange(lowering.sequences)) else ""


def _next(lowering, tokens, offsets):
    """ "next" if label t + 1 is compared with token t."""
    every = torch.arange(lowering.sequences * lowering.tokens).reshape(lowering.sequences, -1)
    none = torch.full((lowering.sequences, 1), -1)  # the last token is left out, or its label is ignored
    for mine, labels in ((every[:, :-1], every[:, 1:]), (every, torch.cat([every[:, 1:], none], 1))):
        if torch.equal(tokens.reshape(-1), mine.reshape(-1)) and torch.equal(offsets, labels.reshape(-1)):
            return "next"
    return ""


def emit(lowering, place, source, features, which, target, kind=None):
    """The loss of scores; without `kind` a cross-entropy, of tokens or of classes by the scores' number and tokens."""
    vocab = lowering.operations[0].tensors["tokens"][1].shape[0] if lowering.operations else 0
    kind = kind or ("loss" if which != "first" and source.features == vocab else "class_loss")
    source.maker.scores = kind
    operation = Operation(kind, place, inputs=[lowering.part(source, features, place)])
    lowering.emit(operation)
    lowering.losses.append(Loss(operation, which, target))


def is_loss(lowering, node):
    value = lowering.values.get(node)
    source = lowering.sources.only(value) if isinstance(value, Cells) else None
    return source is not None and source.kind == "loss"


def check_use(lowering, node, name, place):
    """Refuses what computes with a loss, but for the sum of two."""
    used = [one for one in node.all_input_nodes if is_loss(lowering, one)]
    if used and not (name in ("add", "add_") and len(used) == 2 and node.kwargs.get("alpha", 1) == 1):
        raise place.refuse(
            f"{name} changes a loss", "return one loss, or the sum of a cross-entropy of classes and one of tokens"
        )


def settle(lowering, place):
    """Orders two losses: that of classes comes first, and what it alone reads."""
    kinds = [one.kind for one in lowering.losses]
    if len(kinds) == 1:
        return
    if sorted(kinds) != ["class_loss", "loss"]:
        raise place.refuse(
            f"adds the losses {' and '.join(kinds)}", "add a cross-entropy of classes and one of the tokens' vocabulary"
        )
    lowering.losses.sort(key=lambda one: one.kind == "loss")
    first, todo = set(), [lowering.losses[0].operation]
    while todo:
        one = todo.pop()
        if one not in first:
            first.add(one)
            todo.extend(part.source.maker for part in one.inputs)
    read = {part for one in first for part in one.inputs}
    first |= {one for one in lowering.operations if one.kind == "rotary" and read & set(one.inputs)}
    lowering.operations.sort(key=lambda one: one not in first)


def cross_entropy(lowering, node, name):
    place = lowering.captured.place(node)
    defaults = [None, None, None, 1, -100, 0.0]
    scores, labels, weight, reduction, ignored, smoothing = [*node.args, *defaults[len(node.args) :]]
    if name != "cross_entropy_loss":
        if not isinstance(lowering.values[scores], Pending) or name_of(scores.target) not in (
            "_log_softmax",
            "log_softmax",
        ):
            raise place.refuse("is not the cross-entropy of logits", "use F.cross_entropy")
        scores = scores.args[0]
    if weight is not None or reduction != 1 or ignored >= 0:
        raise place.refuse(
            "weights labels, sums over them or ignores a token of the vocabulary",
            "use the mean, no weights, and an ignore_index below 0",
        )
    source, tokens, features = lowering.rows(scores, place)
    target, offsets = target_of(lowering, labels, place, ignored)
    which = _next(lowering, tokens, offsets) or tokens_of(lowering, tokens)
    if not which or which != "next" and not torch.equal(offsets, torch.arange(tokens.numel())):
        raise place.refuse(
            "label t is not compared with the logits of token t",
            "give the next tokens as second input, the same tokens as transformers does, or a class for the first token "
            "of each sequence",
        )
    if not torch.equal(features, torch.arange(source.features)):
        raise place.refuse("logits are not in the order of the vocabulary", "use logits as the head makes them")
    emit(lowering, place, source, features, which, target)
    if lowering.losses[-1].kind == "loss":
        lowering.smoothing = float(smoothing)
    elif smoothing:
        raise place.refuse("smooths the labels of classes", "use label_smoothing with a loss of tokens alone")
    result = lowering.sources.cells_of(lowering.sources.add("loss", "loss"), ())
    return (result, None) if name == "nll_loss_forward" else result


def squared_error(lowering, node):
    place = lowering.captured.place(node)
    outputs, labels, reduction = [*node.args, 1][:3]
    if reduction != 1:
        raise place.refuse("sums squared errors over tokens", "use the mean")
    if not lowering.depends(outputs):
        outputs, labels = labels, outputs
    target, offsets = target_of(lowering, labels, place)
    cells = lowering.cells(outputs)
    source = lowering.sources.only(cells)
    which = tokens_of(lowering, cells.offsets()) if source is not None and source.features == 1 else ""
    if not which or not torch.equal(offsets, torch.arange(cells.ids.numel())):
        raise place.refuse(
            "compares other numbers than one of each token, or of each sequence's first token, with its label",
            "end with a linear layer of one output",
        )
    emit(lowering, place, source, torch.arange(1), which, target, "squared_error")
    return lowering.sources.cells_of(lowering.sources.add("loss", "loss"), ())
