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


class Form:
    """What the batches of a program have: `names` of the module's inputs; `segments`: that of kinds of segments, or
    None; `target`: that of the labels, or None; `loss`: the kind of the loss; `labelled`: "all" tokens, or the "first"
    of each sequence; `length`: the only length of sequences, where attention sees all tokens, else None. A batch of
    token ids alone, or with a label for each, is one of split()."""

    def __init__(self, names=("inputs",), segments=None, target=None, loss="loss", labelled="all", length=None):
        self.names, self.segments, self.target = names, segments, target
        self.loss, self.labelled, self.length = loss, labelled, length

    @classmethod
    def of(cls, lowering, operations, length):
        name = lambda source: None if source is None else source.name  # noqa: E731
        names = [one.name for one in lowering.inputs]
        full = not all(one.causal for one in operations)
        labelled, loss = lowering.labelled, operations[-1].kind
        return cls(names, name(lowering.segments), name(lowering.target), loss, labelled, length if full else None)

    @property
    def is_plain(self):
        return self.loss == "loss" and self.segments is None

    def split(self, batch):
        """Inputs and labels, [sequences][tokens], as words of a run: kinds of segments above the token ids, and -1 for
        a missing label."""
        inputs, labels = self._split(batch)
        if self.length is not None:
            mask = batch.get("attention_mask") if hasattr(batch, "get") else None
            if inputs.shape[1] != self.length or (mask is not None and not torch.as_tensor(mask).bool().all()):
                raise Refusal(
                    "data", f"a sequence does not have {self.length} tokens, and attention would see its padding",
                    f"give sequences of {self.length} tokens, or compile the module for others",
                )  # fmt: skip
        return inputs, labels

    def _split(self, batch):
        if self.is_plain:
            inputs, labels = split(batch)
            return inputs, labels.clamp(min=-1)
        parts = self._parts(batch)
        ids, labels = torch.as_tensor(parts[self.names[0]]).cpu(), torch.as_tensor(parts["labels"]).cpu()
        if not _is_ids(ids):
            raise Refusal("data", f"token ids are {_kind(ids)}", "give [sequences][tokens]")
        inputs = ids.long()
        if self.segments is not None:
            segments = torch.as_tensor(parts[self.segments]).cpu().long()
            if segments.shape != ids.shape or segments.min() < 0 or segments.max() > 255:
                raise Refusal("data", f"{self.segments} is {_kind(segments)}", "give a segment from 0 for each token")
            inputs = inputs + (segments << 24)
        return inputs, self._labels(labels, ids)

    def _parts(self, batch):
        """The parts of a batch by name; those of the labels by "labels"."""
        given = [name for name in self.names if name != self.target]
        if isinstance(batch, dict) or hasattr(batch, "keys"):
            parts = dict(batch)
            labels = next((one for one in (self.target, "labels", "label") if one in parts), None)
        else:
            parts = dict(zip([*given, "labels"], batch)) if len(batch) == len(given) + 1 else {}
            labels = "labels"
        if labels not in parts or any(name not in parts for name in given):
            raise Refusal(
                "data", f"a batch is {_kind(batch)}, which lacks a part", f"give {', '.join([*given, 'labels'])}"
            )
        return {**{name: parts[name] for name in given}, "labels": parts[labels]}

    def _labels(self, labels, ids):
        numbers = self.loss == "squared_error"
        if numbers != labels.is_floating_point():
            raise Refusal(
                "data", f"labels are {_kind(labels)}", "give numbers" if numbers else "give integers from 0, or -100"
            )
        words = labels.float().contiguous().view(torch.int32) if numbers else labels.clamp(min=-1)
        if self.labelled == "all":
            if labels.shape != ids.shape:
                raise Refusal("data", f"labels are {_kind(labels)}", "give a label for each token")
            return words.long()
        if labels.numel() != len(ids):
            raise Refusal("data", f"labels are {_kind(labels)}", "give a label for each sequence")
        made = ids.new_full(ids.shape, -1, dtype=torch.int64)
        made[:, 0] = words.reshape(-1)
        return made


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
        missing = (labels < 0) & (labels > -(1 << 23))  # words of numbers below 0 are less
        wanted[: len(inputs), : inputs.shape[1]] = labels.masked_fill(missing, -1).numpy()
        share(ids, wanted)
        return ids, wanted


def share(ids, labels):
    """Gives each sequence labels, in place."""
    counts = (labels != -1).sum(1)
    if 0 < counts.sum() < len(ids):
        raise Refusal("data", f"a batch has {counts.sum()} labels for {len(ids)} sequences", "give more labels")
    for row in numpy.flatnonzero(counts == 0) if counts.any() else ():
        giver = counts.argmax()
        moved = numpy.flatnonzero(labels[giver] != -1)[counts[giver] // 2 :]
        ids[row], labels[row] = ids[giver], -1
        labels[row, moved], labels[giver, moved] = labels[giver, moved], -1
        counts[row], counts[giver] = len(moved), counts[giver] - len(moved)
