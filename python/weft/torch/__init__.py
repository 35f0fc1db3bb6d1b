"""PyTorch modules on Weft: docs/reference/torch.md."""

from .compile import compile
from .errors import Refusal
from .program import Program
from .trainer import Trainer

__all__ = ["Program", "Refusal", "Trainer", "compile"]
