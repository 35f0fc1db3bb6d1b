"""Interfaces of other packages: docs/reference/torch.md."""
