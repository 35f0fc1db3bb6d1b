"""PyTorch modules on Weft: docs/reference/torch.md."""

from .compile import compile
from .errors import Refusal
from .program import Program

__all__ = ["Program", "Refusal", "compile"]
