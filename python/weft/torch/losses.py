"""Losses: cross-entropy with tokens or classes, squared error; and which tokens have labels."""

import torch

from .graph import Operation
from .moves import name_of
from .values import Cells, Pending


def _no_labels(place):
    return place.refuse("its labels are not an input of the module", "give the labels as a further input")


def target_of(lowering, node, place):
    """The input with the labels, and the cells of a node of labels."""
    found = lowering.values[node]
    target = lowering.sources.only(found) if isinstance(found, Cells) else None
    if target is None or target not in lowering.inputs[1:] or target is lowering.segments:
        raise _no_labels(place)
    return target, found.offsets().reshape(-1)


def tokens_of(lowering, tokens):
    """ "all" or "first", if these are all tokens in order, or the first token of each sequence; else ""."""
    tokens = tokens.reshape(-1)
    if torch.equal(tokens, torch.arange(lowering.sequences * lowering.tokens)):
        return "all"
    return "first" if torch.equal(tokens, lowering.tokens * torch.arange(lowering.sequences)) else ""


def emit(lowering, place, source, features, which):
    """The loss of scores, whose kind follows from their number and tokens."""
    vocab = lowering.operations[0].tensors["tokens"][1].shape[0] if lowering.operations else 0
    kind = "loss" if which == "all" and source.features == vocab else "class_loss"
    lowering.labelled = which
    source.maker.scores = kind
    lowering.emit(Operation(kind, place, inputs=[lowering.part(source, features, place)]))


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
    lowering.target, offsets = target_of(lowering, labels, place)
    which = tokens_of(lowering, tokens)
    if not which or not torch.equal(offsets, torch.arange(tokens.numel())):
        raise place.refuse(
            "label t is not compared with the logits of token t",
            "give the next tokens as second input, without shifts, or a class for each sequence's first token",
        )
    if not torch.equal(features, torch.arange(source.features)):
        raise place.refuse("logits are not in the order of the vocabulary", "use logits as the head makes them")
    lowering.smoothing = float(smoothing)
    emit(lowering, place, source, features, which)
    result = lowering.sources.cells_of(lowering.sources.add("loss", "loss"), ())
    return (result, None) if name == "nll_loss_forward" else result


def squared_error(lowering, node):
    place = lowering.captured.place(node)
    outputs, labels, reduction = [*node.args, 1][:3]
    if reduction != 1:
        raise place.refuse("sums squared errors over tokens", "use the mean")
    if not lowering.depends(outputs):
        outputs, labels = labels, outputs
    lowering.target, offsets = target_of(lowering, labels, place)
    cells = lowering.cells(outputs)
    source = lowering.sources.only(cells)
    which = tokens_of(lowering, cells.offsets()) if source is not None and source.features == 1 else ""
    if not which or not torch.equal(offsets, torch.arange(cells.ids.numel())):
        raise place.refuse(
            "compares other numbers than one of each token, or of each sequence's first token, with its label",
            "end with a linear layer of one output",
        )
    lowering.labelled = which
    source.maker.scores = "squared_error"
    lowering.emit(Operation("squared_error", place, inputs=[source.whole]))
    return lowering.sources.cells_of(lowering.sources.add("loss", "loss"), ())
