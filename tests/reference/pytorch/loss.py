"""Cross-entropy as a wafer has it."""

import torch
from torch.nn import functional


def cross_entropy(model, logits, labels):
    """Mean in nats, of logits [sequences, tokens, vocabulary]. `model` is that section of a params.yaml: what a label keeps
    when it is smoothed is a bf16."""
    kept = torch.tensor(1.0 - model.get("label_smoothing", 0.0), dtype=torch.float64).to(torch.bfloat16)
    return functional.cross_entropy(logits.flatten(0, 1), labels.flatten(), label_smoothing=1.0 - kept.item())
