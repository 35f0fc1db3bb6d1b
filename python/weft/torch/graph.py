"""Operations of a network, as they are found in a module."""

from dataclasses import dataclass, field

import torch

from .places import Place
from .values import Cells, Part, Source


LOSSES = ("loss", "class_loss", "squared_error")


@dataclass(eq=False)
class Tensor:
    """A tensor of the network, whose elements are those of a parameter in an order of their own."""

    source: Source
    shape: tuple  # words of the network file
    size: tuple
    move: str  # "same", "transposed" or "reordered"
    index: torch.Tensor = None  # if reordered: for each element of the tensor, the element of the parameter
    name: str = ""

    @classmethod
    def of(cls, source, index, shape):
        """The tensor whose elements are these of the parameter: their numbers, or Cells."""
        if isinstance(index, Cells):
            if index.is_whole:
                return cls(source, shape, index.shape, "same" if index.is_in_order else "transposed")
            index = index.offsets()
        whole = torch.arange(source.tensor.numel())
        if torch.equal(index.reshape(-1), whole):
            return cls(source, shape, tuple(index.shape), "same")
        if index.dim() == 2 and torch.equal(index.T.reshape(-1), whole):
            return cls(source, shape, tuple(index.shape), "transposed")
        small = index.numel() < 1 << 31
        return cls(source, shape, tuple(index.shape), "reordered", index.to(torch.int32 if small else torch.int64))

    @property
    def parameter(self):
        return self.source.name

    def read(self, parameter):
        """The tensor's values."""
        flat = parameter.reshape(-1)
        if self.move == "reordered":
            return flat[self.index.long()]
        return flat.reshape(self.size) if self.move == "same" else flat.reshape(self.size[::-1]).T

    def write(self, values, parameter):
        """Puts the tensor's values into a contiguous parameter."""
        flat = parameter.view(-1)
        if self.move == "reordered":
            flat[self.index.reshape(-1).long()] = values.reshape(-1)
        else:
            flat.copy_((values if self.move == "same" else values.T).reshape(-1))


@dataclass(eq=False)
class Operation:
    kind: str
    place: Place
    inputs: list = field(default_factory=list)  # of Part
    out: object = None  # Source; Part after sums are folded
    add: object = None  # Part that a linear or a dropout adds
    columns: object = None  # of a linear that adds: its features, in the order of the sum
    tensors: dict = field(default_factory=dict)  # by role: Tensor, or what becomes one
    form: str = ""  # of a norm
    by: float = None  # of a scale; the part that a dropout drops of features, or an attention of weights
    epsilon: float = None
    turned: int = 0  # of a rotary: features of a head
    heads: int = 0  # of an attention
    causal: bool = True  # of an attention
    masked: bool = False  # of an attention that hides padding
    stream: bool = False  # of a norm or a dropout: its output continues the residual stream
    scores: str = ""  # of a linear whose output a loss reads: the kind of the loss
    name: str = ""

    @property
    def outputs(self):
        """Parts that the operation makes."""
        if isinstance(self.out, Part):
            return [self.out]
        return self.out.parts if self.out else []
