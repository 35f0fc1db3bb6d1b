"""Batches of a program, as they come from a DataLoader, in the form of a run."""

import numpy
import torch

from .errors import Refusal

_FORMS = "give token ids, a pair (inputs, labels), or a dict with input_ids"


def split(batch):
    """Inputs and labels, [sequences][tokens], of a batch: token ids, whose labels are the next ones; a pair of inputs
    and labels; or a dict of `transformers`, whose labels are not shifted yet."""
    if isinstance(batch, dict) or hasattr(batch, "keys"):
        return _of_dict(batch)
    if isinstance(batch, (tuple, list)) and len(batch) == 1:
        batch = batch[0]
    if isinstance(batch, (tuple, list)) and len(batch) == 2 and _is_ids(batch[0]):
        return _pair(*batch)
    if not _is_ids(batch):
        raise Refusal("data", f"a batch is {_kind(batch)}", _FORMS)
    if batch.shape[1] < 2:
        raise Refusal("data", "a batch has one token, which has no next one", "give sequences of at least 2 tokens")
    return _pair(batch[:, :-1], batch[:, 1:])


def _kind(batch):
    if torch.is_tensor(batch):
        return f"a tensor of the shape {tuple(batch.shape)} and type {str(batch.dtype).partition('.')[2]}"
    if isinstance(batch, (tuple, list)):
        return f"a {type(batch).__name__} of {len(batch)}"
    return f"a {type(batch).__name__}"


def _is_ids(one):
    return hasattr(one, "shape") and len(one.shape) == 2 and not torch.as_tensor(one).is_floating_point()


def _pair(inputs, labels):
    inputs, labels = torch.as_tensor(inputs), torch.as_tensor(labels)
    if inputs.shape != labels.shape or labels.is_floating_point():
        raise Refusal("data", f"inputs are {_kind(inputs)}, and labels {_kind(labels)}", "give a label for each input")
    return inputs.cpu().contiguous(), labels.cpu().contiguous()


def _of_dict(batch):
    if "input_ids" not in batch:
        raise Refusal("data", f"a batch has the keys {', '.join(map(str, batch.keys()))}", _FORMS)
    ids = torch.as_tensor(batch["input_ids"]).cpu()
    labels = torch.as_tensor(batch["labels"] if batch.get("labels") is not None else ids).cpu()
    mask = batch.get("attention_mask")
    if mask is not None:
        mask = torch.as_tensor(mask).cpu() != 0
        if not (mask[:, :-1] | ~mask[:, 1:]).all():
            raise Refusal("data", "attention_mask hides a token before others", "pad sequences at their ends")
        labels = labels.masked_fill(~mask, -100)
    last = labels.new_full((len(labels), 1), -100)
    return _pair(ids, torch.cat([labels[:, 1:], last], 1))


class Padded:
    """Batches of a network: sequences of `length` tokens. Padding has no labels, and no earlier token attends to it.

    A micro-batch must have labels. A sequence without any is therefore replaced by a copy of another one, which takes
    half of the labels: sums over labels stay the same."""

    def __init__(self, length, sequences=None):
        self.length, self.sequences = length, sequences

    def __call__(self, inputs, labels):
        rows = self.sequences or len(inputs)
        if len(inputs) > rows:
            raise Refusal("data", f"a batch has {len(inputs)} sequences, the first one {rows}", f"give up to {rows}")
        if inputs.shape[1] > self.length:
            raise Refusal(
                "data", f"a sequence has {inputs.shape[1]} tokens, the network {self.length}",
                f"give up to {self.length}, or compile the module for more",
            )  # fmt: skip
        ids, wanted = numpy.zeros((rows, self.length), "int32"), numpy.full((rows, self.length), -1, "int32")
        ids[: len(inputs), : inputs.shape[1]] = inputs.numpy()
        wanted[: len(inputs), : inputs.shape[1]] = labels.clamp(min=-1).numpy()
        share(ids, wanted)
        return ids, wanted


def share(ids, labels):
    """Gives each sequence labels, in place."""
    counts = (labels >= 0).sum(1)
    if 0 < counts.sum() < len(ids):
        raise Refusal("data", f"a batch has {counts.sum()} labels for {len(ids)} sequences", "give more labels")
    for row in numpy.flatnonzero(counts == 0) if counts.any() else ():
        giver = counts.argmax()
        moved = numpy.flatnonzero(labels[giver] >= 0)[counts[giver] // 2 :]
        ids[row], labels[row] = ids[giver], -1
        labels[row, moved], labels[giver, moved] = labels[giver, moved], -1
        counts[row], counts[giver] = len(moved), counts[giver] - len(moved)
