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


class Padding:
    """Tokens that attention hides: `token` fills them; `name` of the input that marks them, or None if the token does;
    `shown`: its value for tokens that are seen."""

    def __init__(self, token=None, name=None, shown=1):
        self.token, self.name, self.shown = token, name, shown

    @classmethod
    def of(cls, masks):
        if masks.used is None:
            return cls()
        return cls(masks.token, masks.used.name if masks.used.kind == "input" else None, masks.shown)

    def hidden(self, ids, mask):
        """The tokens that are hidden, [sequences][tokens], which are the last ones of each sequence."""
        if self.token is not None and self.name is None:
            hidden = ids == self.token
        elif mask is None:
            return torch.zeros(ids.shape, dtype=torch.bool)
        else:
            hidden = (torch.as_tensor(mask).cpu() != 0) != bool(self.shown)
        if hidden.shape != ids.shape or hidden[:, 0].any() or (hidden[:, :-1] & ~hidden[:, 1:]).any():
            raise Refusal("data", "attention_mask hides a token before others", "pad sequences at their ends")
        return hidden

    def replace(self, inputs, hidden):
        """Inputs with the token of padding where they are hidden, and nowhere else at an end."""
        if self.token is None:
            return inputs
        last = (~hidden).sum(1, keepdim=True) - 1
        if (inputs.gather(1, last) & 0xFFFFFF == self.token).any():
            raise Refusal(
                "data", f"the last token of a sequence is {self.token}, which the network takes for padding",
                "compile the module with an example that is padded with another token",
            )  # fmt: skip
        return inputs.masked_fill(hidden, self.token)


class Form:
    """What the batches of a program have.

    `names` of the module's inputs; `segments`: that of kinds of segments, or None, and then the `segment` of all
    tokens; `losses`: of each its kind, the tokens with labels (losses.Loss) and the name of the labels, or None;
    `length`: the only length of sequences, where attention sees all tokens, else None; `is_full`: it sees all but
    padding; `padding`: of tokens that attention hides; `untrained`: the token without a gradient, or None. A batch of
    token ids alone, or with a label for each, is one of split()."""

    def __init__(
        self, names=("inputs",), segments=None, losses=(("loss", "all", None),), length=None, is_full=False,
        padding=Padding(), untrained=None, segment=0,
    ):  # fmt: skip
        self.names, self.segments, self.losses, self.length = names, segments, losses, length
        self.is_full, self.padding, self.untrained, self.segment = is_full, padding, untrained, segment

    @classmethod
    def of(cls, lowering, operations, length):
        name = lambda source: None if source is None else source.name  # noqa: E731
        names = [one.name for one in lowering.inputs]
        full = not all(one.causal for one in operations)
        losses = [(one.kind, one.labelled, name(one.target)) for one in lowering.losses]
        padding = Padding.of(lowering.masks)
        only = length if full and padding.token is None else None
        return cls(names, name(lowering.segments), losses, only, full, padding, lowering.untrained, lowering.segment)

    def _is_plain(self, batch):
        """Returns true for a batch of split()."""
        if [kind for kind, *_ in self.losses] != ["loss"] or self.segments is not None:
            return False
        kind, labelled, target = self.losses[0]
        if not hasattr(batch, "keys"):
            return self.padding.name is None and labelled != "next"
        return "input_ids" in batch and not (target in batch and labelled == "all")

    def split(self, batch):
        """Inputs and labels, [sequences][tokens], as words of a run: kinds of segments above the token ids, classes
        above labels that are tokens, and -1 for a missing label."""
        inputs, labels, hidden = self._split(batch)
        if self.length is not None and (inputs.shape[1] != self.length or hidden.any()):
            raise Refusal(
                "data", f"a sequence does not have {self.length} tokens, and attention would see its padding",
                f"give sequences of {self.length} tokens, or hide padding from attention by a mask",
            )  # fmt: skip
        self._check_untrained(inputs, labels, hidden)
        return self.padding.replace(inputs, hidden).long() + (self.segment << 24), labels

    def _check_untrained(self, inputs, labels, hidden):
        """Refuses the token of padding_idx, but for padding: Weft would train its row."""
        if self.untrained is None:
            return
        behind = (labels.flip(1) != -1).cumsum(1).flip(1) == 0  # no label from here on
        padding = hidden if self.is_full else behind
        if ((inputs & 0xFFFFFF == self.untrained) & ~padding).any():
            raise Refusal(
                "data", f"a sequence has the token {self.untrained}, which padding_idx does not train",
                "use it for padding alone, or leave out padding_idx",
            )  # fmt: skip

    def _hidden(self, batch, ids):
        """The tokens that a mask hides, [sequences][tokens]."""
        names = self.padding.name, "attention_mask"
        parts = batch if hasattr(batch, "keys") else {}
        if not parts and self.padding.name is not None:
            parts = self._parts(batch)
        mask = next((parts[name] for name in names if parts.get(name) is not None), None)
        return self.padding.hidden(ids, mask)

    def _split(self, batch):
        if self._is_plain(batch):
            if self.is_full and not (isinstance(batch, (tuple, list)) and len(batch) == 2):
                raise Refusal(
                    "data", f"a batch is {_kind(batch)}, whose labels are the next tokens, which attention sees",
                    "give labels, which the module's forward takes",
                )  # fmt: skip
            inputs, labels = split(batch)
            hidden = self._hidden(batch, inputs)
            return inputs, labels.clamp(min=-1).masked_fill(hidden, -1), hidden
        parts = self._parts(batch)
        ids = torch.as_tensor(parts[self.names[0]]).cpu()
        if not _is_ids(ids):
            raise Refusal("data", f"token ids are {_kind(ids)}", "give [sequences][tokens]")
        inputs = ids.long()
        if self.segments is not None:
            segments = torch.as_tensor(parts[self.segments]).cpu().long()
            if segments.shape != ids.shape or segments.min() < 0 or segments.max() > 255:
                raise Refusal("data", f"{self.segments} is {_kind(segments)}", "give a segment from 0 for each token")
            inputs = inputs + (segments << 24)
        hidden = self._hidden(batch, ids)
        words = [self._labels(torch.as_tensor(parts[n]).cpu(), ids, *one[:2]) for n, one in enumerate(self.losses)]
        labels = words[0] if len(words) == 1 else _both(*words)
        if (labels[hidden] != -1).any():
            raise Refusal("data", "a token that attention hides has a label", "set its label to -100")
        return inputs, labels, hidden

    def _parts(self, batch):
        """The parts of a batch by name; the labels of each loss by its number."""
        targets = [name for *_, name in self.losses]
        given = [name for name in self.names if name not in targets]
        optional = [self.padding.name] if hasattr(batch, "keys") else []
        names = [name for name in self.names if name in targets] if len(targets) > 1 else ["labels"]
        if isinstance(batch, dict) or hasattr(batch, "keys"):
            parts = dict(batch)
            known = [targets[0], "labels", "label"] if len(targets) == 1 else []
            names = [next((one for one in known if one in parts), "labels")] if known else names
        else:
            parts = dict(zip([*given, *names], batch)) if len(batch) == len(given) + len(names) else {}
        if any(name not in parts for name in [*names, *given] if name not in optional):
            raise Refusal(
                "data", f"a batch is {_kind(batch)}, which lacks a part", f"give {', '.join([*given, *names])}"
            )
        order = targets if len(targets) > 1 else names
        return {
            **{name: parts.get(name) for name in given}, **{n: parts[name] for n, name in enumerate(order)}
        }  # fmt: skip

    @staticmethod
    def _labels(labels, ids, loss, labelled):
        numbers = loss == "squared_error"
        if numbers != labels.is_floating_point():
            raise Refusal(
                "data", f"labels are {_kind(labels)}", "give numbers" if numbers else "give integers from 0, or -100"
            )
        words = labels.float().contiguous().view(torch.int32) if numbers else labels.clamp(min=-1)
        if labelled in ("all", "next"):
            if labels.shape != ids.shape:
                raise Refusal("data", f"labels are {_kind(labels)}", "give a label for each token")
            if labelled == "next":
                words = torch.cat([words[:, 1:], words.new_full((len(words), 1), -1)], 1)
            return words.long()
        if labels.numel() != len(ids):
            raise Refusal("data", f"labels are {_kind(labels)}", "give a label for each sequence")
        made = ids.new_full(ids.shape, -1, dtype=torch.int64)
        made[:, 0] = words.reshape(-1)
        return made


def _both(classes, tokens):
    """Words of two labels, in 32 bits: a class, 255 for none, above a token, 2^24 - 1 for none."""
    words = ((classes & 0xFF) << 24) | (tokens & 0xFFFFFF)
    return words - ((words >> 31) << 32)


class Padded:
    """Batches of a network: sequences of `length` tokens, filled with `token`. Padding has no labels, and no earlier
    token attends to it.

    A micro-batch must have labels. A sequence without any is therefore replaced by a copy of another one, which takes
    half of the labels: sums over labels stay the same."""

    def __init__(self, length, sequences=None, token=0):
        self.length, self.sequences, self.token = length, sequences, token

    def __call__(self, inputs, labels):
        rows = self.sequences or len(inputs)
        if len(inputs) > rows:
            raise Refusal("data", f"a batch has {len(inputs)} sequences, the first one {rows}", f"give up to {rows}")
        if inputs.shape[1] > self.length:
            raise Refusal(
                "data", f"a sequence has {inputs.shape[1]} tokens, the network {self.length}",
                f"give up to {self.length}, or compile the module for more",
            )  # fmt: skip
        ids, wanted = (numpy.full((rows, self.length), value, "int32") for value in (self.token, -1))
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
