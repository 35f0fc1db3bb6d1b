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


class Cells:
    """For each element, the element of a source that it is: `ids` have the source's number and the index in it.

    `view` stands for the ids of a whole parameter, or of a view of it, without memory: sizes and strides of a tensor on
    the device `meta`. Ids are then made when they are needed, and not kept."""

    def __init__(self, ids=None, source=None, view=None):
        self._ids, self._source, self.view = ids, source, view

    @classmethod
    def whole(cls, source, shape):
        return cls(source=source, view=torch.empty(tuple(shape), device="meta"))

    @property
    def ids(self):
        return self._ids if self.view is None else self._made(self._source.base)

    def _made(self, base):
        view = self.view
        count = (view if view._base is None else view._base).numel()
        return torch.arange(base, base + count).as_strided(view.shape, view.stride(), view.storage_offset())

    @property
    def shape(self):
        return tuple((self._ids if self.view is None else self.view).shape)

    def moved(self, result):
        """The cells of a view of `view`; None: it is no view, but has other elements, or copies."""
        root = self.view if self.view._base is None else self.view._base
        return Cells(source=self._source, view=result) if result is root or result._base is root else None

    def numbers(self):
        """Numbers of the sources."""
        if not all(self.shape):
            return set()
        if self.view is not None:
            return {self._source.number}
        least, most = int(self._ids.min()) >> _BITS, int(self._ids.max()) >> _BITS
        return {least} if least == most else set(torch.unique(self._ids >> _BITS).tolist())

    def of(self, number):
        return self.ids >> _BITS == number

    def offsets(self):
        return self._ids & ((1 << _BITS) - 1) if self.view is None else self._made(0)

    @property
    def T(self):
        return Cells(self._ids.T) if self.view is None else Cells(source=self._source, view=self.view.T)

    @property
    def is_whole(self):
        """Returns true for all elements of a parameter, each once, in its order or transposed."""
        return self.view is not None and self.view.numel() == self._source.tensor.numel() and self.view.dim() == 2 and (
            self.is_in_order or self.T.is_in_order
        )

    @property
    def is_in_order(self):
        return self.view is not None and self.view.storage_offset() == 0 and self.view.is_contiguous()


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
