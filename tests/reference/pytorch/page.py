"""The picture of docs/explanation/parity.md."""

import contextlib
import os

import matplotlib
import numpy

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.hashsalt": "weft", "svg.fonttype": "none", "font.size": 9})
from matplotlib import pyplot  # noqa: E402  (the backend first)


EACH = 5  # steps to a point


@contextlib.contextmanager
def whole(path):
    """A new file that takes the place of `path` when all of it is written."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with open(part, "xb") as file:
            yield file
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def draw(path, curves):
    """`curves`: by case, our losses and theirs. Above both, a point being the mean of EACH steps; below how far they
    are apart at the worst of these."""
    figure, axes = pyplot.subplots(2, len(curves), figsize=(3 * len(curves), 5), sharex=True, sharey="row", height_ratios=[2, 1])
    for column, (case, (ours, theirs)) in enumerate(curves.items()):
        steps = numpy.arange(1, len(ours) + 1, EACH) + (EACH - 1) / 2
        loss, difference = axes[:, column]
        loss.set_title(case)
        loss.plot(steps, ours.reshape(-1, EACH).mean(1), color="#f2a33a", linewidth=3, label="Weft, bf16")
        loss.plot(steps, theirs.reshape(-1, EACH).mean(1), color="#0b3c6f", linewidth=0.8, label="PyTorch, fp32")
        difference.semilogy(steps, abs(ours - theirs).reshape(-1, EACH).max(1), color="#555555", linewidth=0.8)
        difference.plot([1, 100], [0.02, 0.02], color="#c0392b", linewidth=2, label="bound, first 100 steps")
        difference.set_ylim(1e-4, 1e-1)
        difference.set_xlabel("step")
        for axis in (loss, difference):
            axis.spines[["top", "right"]].set_visible(False)
    axes[0, 0].set_ylabel("loss (nats)")
    axes[1, 0].set_ylabel("difference (nats)")
    axes[0, 0].legend(frameon=False)
    axes[1, 0].legend(frameon=False, loc="upper right")
    figure.tight_layout()
    with whole(path) as file:
        figure.savefig(file, format="svg", metadata={"Date": None})
