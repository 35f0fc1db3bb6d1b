"""Masks of padding: inputs, or comparisons of the token ids with one of them, that hide the ends of sequences from
attention."""

import torch

from .values import Cells


class Masks:
    """`used`: the one mask that attention reads, or None; `shown`: its value for a token that is seen. `token`: the
    token that padding has, or None without padding."""

    def __init__(self, lowering):
        self.lowering, self.numbers = lowering, set()
        self.used, self.shown, self.token = None, 1, None
        self._tokens = {}  # of comparisons, by the mask
        self._made = {}  # masks of comparisons, by name

    def takes(self, source):
        """Returns true for a further input with a value for each token, which may be a mask."""
        lowering = self.lowering
        taken = [lowering.inputs[0], lowering.segments, *(one.target for one in lowering.losses)]
        if source in taken or source.tensor.shape != lowering.inputs[0].tensor.shape:
            return False
        self.numbers.add(source.number)
        return True

    def of_ids(self, node, name):
        """The cells of a comparison of all token ids with one, or None."""
        lowering = self.lowering
        if name not in ("eq", "ne", "not_equal") or len(node.args) < 2:
            return None
        cells, other = lowering.values.get(node.args[0]), node.args[1]
        if isinstance(other, torch.fx.Node):
            other = getattr(lowering.values[other], "tensor", None)
        ids = lowering.inputs[0]
        if not isinstance(cells, Cells) or cells.numbers() != {ids.number} or other is None or int(other) != other:
            return None
        if not torch.equal(cells.offsets().reshape(-1), torch.arange(ids.tensor.numel())):
            return None
        made = f"{ids.name} {'==' if name == 'eq' else '!='} {int(other)}"
        if made not in self._made:
            source = lowering.sources.add("mask", made, tensor=torch.zeros(ids.tensor.shape, dtype=torch.bool))
            self._made[made], self._tokens[source] = source, int(other)
            self.numbers.add(source.number)
        return lowering.sources.cells_of(self._made[made], lowering.shape(node))

    def of(self, node, place):
        """The mask on which a node depends, or None."""
        found = [one for one in self.lowering.sources_of(node) if one.number in self.numbers]
        if len(found) > 1:
            names = " and ".join(one.name for one in found)
            raise place.refuse(f"attention has the masks {names}", "hide padding by one mask")
        return found[0] if found else None

    @staticmethod
    def values_of(source, shown, visible=None):
        """The values of a mask if these tokens are seen, or all: [sequences][tokens]."""
        visible = torch.ones(source.tensor.shape, dtype=torch.bool) if visible is None else visible
        made = visible if shown else ~visible
        kind = source.tensor.dtype
        return made.to(torch.float64 if kind.is_floating_point else kind)

    def use(self, source, shown, place):
        if self.used not in (None, source):
            raise place.refuse(f"{source.name} hides tokens, elsewhere {self.used.name} does", "hide padding by one mask")
        self.used, self.shown = source, shown

    def settle(self):
        """Checks that all attention hides the same tokens, and chooses the token of padding."""
        if self.used is None:
            return
        lowering = self.lowering
        for one in lowering.operations:
            if one.kind == "attention" and not one.masked and not one.causal:
                raise one.place.refuse(
                    f"attention sees the tokens that {self.used.name} hides elsewhere", "give it the same mask"
                )
        self.token = self._token(lowering.inputs[0].tensor)
        if lowering.untrained not in (None, self.token):
            raise lowering.whole_place.refuse(
                f"{self.used.name} hides another token than padding_idx {lowering.untrained}",
                "use one token for padding",
            )

    def _token(self, ids):
        """That of a comparison, of padding_idx, or of the example's padding; else 0."""
        if self.used in self._tokens:
            return self._tokens[self.used]
        if self.lowering.untrained is not None:
            return self.lowering.untrained
        hidden = ids[(self.used.tensor != 0) != bool(self.shown)]
        return int(hidden[0]) if hidden.numel() else 0
