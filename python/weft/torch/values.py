"""Values of a captured graph: constants, cells of known sources, and parts that are not identified yet."""

from dataclasses import dataclass, field

import torch

_BITS = 36  # an element's index in its source; the source's number is above


@dataclass(eq=False)
class Part:
    """Features of a source that operations read together: a value of the network.

    `features` are numbers of the source's features, in the value's order."""

    source: "Source"
    features: torch.Tensor
    role: str = ""
    name: str = ""


@dataclass(eq=False)
class Source:
    """An input, a parameter, or the result of an operation: [tokens][features]."""

    number: int
    kind: str  # "input", "parameter" or "value"
    name: str
    features: int = 0  # of a value
    tensor: object = None  # of an input or a parameter
    maker: object = None  # the operation of a value
    parts: list = field(default_factory=list)

    @property
    def base(self):
        return self.number << _BITS

    @property
    def whole(self):
        return self.part(torch.arange(self.features))

    def part(self, features):
        """The part with these features, in whatever order it has; None if some are in another part."""
        wanted = set(features.tolist())
        for part in self.parts:
            has = set(part.features.tolist())
            if has == wanted:
                return part
            if has & wanted:
                return None
        if len(wanted) != len(features):
            return None
        self.parts.append(Part(self, features.clone()))
        return self.parts[-1]


@dataclass(eq=False)
class Constant:
    tensor: object  # or a tuple of tensors


@dataclass(eq=False)
class Cells:
    """For each element, the element of a source that it is: number of the source, and index in it."""

    ids: torch.Tensor

    def numbers(self):
        """Numbers of the sources."""
        if not self.ids.numel():
            return set()
        least, most = int(self.ids.min()) >> _BITS, int(self.ids.max()) >> _BITS
        return {least} if least == most else set(torch.unique(self.ids >> _BITS).tolist())

    def of(self, number):
        return self.ids >> _BITS == number

    def offsets(self):
        return self.ids & ((1 << _BITS) - 1)


@dataclass(eq=False)
class Pending:
    """The result of operations that are not identified yet. `values`, `parameters`: sources that it depends on."""

    node: object
    values: frozenset
    parameters: frozenset


class Sources:
    def __init__(self):
        self.list = []

    def add(self, kind, name, **fields):
        self.list.append(Source(len(self.list), kind, name, **fields))
        return self.list[-1]

    def cells_of(self, source, shape):
        count = 1
        for size in shape:
            count *= size
        return Cells(source.base + torch.arange(count).reshape(tuple(shape)))

    def only(self, cells):
        """The source of all elements, or None."""
        numbers = cells.numbers()
        return self.list[next(iter(numbers))] if len(numbers) == 1 else None

    def rows(self, cells):
        """Source, tokens [...], and features of cells [...][features] that are the same for all tokens; else None."""
        source = self.only(cells)
        if source is None or source.kind != "value" or cells.ids.dim() == 0:
            return None
        offsets = cells.offsets()
        tokens, features = offsets // source.features, offsets % source.features
        first = features.reshape(-1, features.shape[-1])[0]
        if not (tokens == tokens[..., :1]).all() or not (features == first).all():
            return None
        return source, tokens[..., 0], first
