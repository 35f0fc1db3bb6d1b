"""The measured pictures of docs/, as SVG: a function for each, whose argument is the rows of a results file.

The same rows and version of matplotlib give the same bytes.
"""

import functools
import io
import math
import statistics

import matplotlib
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, NullLocator

from page_predictions import MOST_WAFERS, by_model
from page_tables import ALGORITHMS

COLORS = ["#c2571a", "#d99a2b", "#5b9a3c", "#1f9e9a", "#0b62a4", "#5a3e99", "#222222"]
GRAY, BLUE, ORANGE, GREEN, YELLOW = "#888888", "#0b62a4", "#c2571a", "#5b9a3c", "#d99a2b"
SETTINGS = {
    "svg.hashsalt": "weft",
    "svg.fonttype": "none",  # texts stay texts
    "font.family": "sans-serif",
    "font.size": 10,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "legend.frameon": False,
}


def new_figure(height=4.2):
    figure = Figure(figsize=(7.2, height), layout="constrained")
    return figure, figure.subplots()


def svg(figure):
    out = io.StringIO()
    figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    return "".join(f"{line.rstrip()}\n" for line in out.getvalue().splitlines())


def picture(draw):
    """Decorator: `draw(rows, axes)` draws on the axes of a new figure; the result is a function from rows to SVG."""

    @functools.wraps(draw)
    def drawn(rows):
        with matplotlib.rc_context(SETTINGS):
            figure, axes = new_figure()
            draw(rows, axes)
            return svg(figure)

    return drawn


def set_ticks(axis, ticks, labels=None):
    axis.set_major_locator(FixedLocator(ticks))
    axis.set_minor_locator(NullLocator())
    axis.set_ticklabels([str(tick) for tick in ticks] if labels is None else labels)


def logarithmic(axes, base=10):
    axes.set_xscale("log", base=base)
    axes.set_yscale("log", base=base)


def points(axes, x, y, color, filled=False, label=None):
    axes.plot(x, y, "o", color=color, markerfacecolor=color if filled else "white", label=label, zorder=3)


@picture
def utilization(rows, axes):
    """FPU utilization of a GEMM by non-zero weights, next to n / (n + 2)."""
    n = [row["n"] for row in rows]
    fine = [2 ** (step / 16) for step in range(32, 129)]
    axes.plot(fine, [k / (k + 2) for k in fine], color=GRAY, label="n / (n + 2)")
    for key, label, color in [
        ("scattered", "a random mask, n on average", ORANGE),
        ("valve_a_row", "a random mask, a valve per row", GREEN),
        ("even", "n weights in every row", BLUE),
    ]:
        points(axes, n, [row[key] for row in rows], color, filled=key == "even", label=label)
    axes.set(xscale="log", xlim=(3.7, 276), ylim=(0, 1.03))
    axes.set(xlabel="n: non-zero weights for a row and an output", ylabel="beats that multiply / cycles")
    set_ticks(axes.xaxis, n)
    axes.legend(loc="lower right")


def speed_up(rows):
    """Cycles of a transformer block, dense over sparse: a panel per number of wafers, a line per width, and a point per count
    of the RTL."""
    panels = {}
    for row in rows:
        panels.setdefault(row.get("wafers", 1), []).append(row)
    with matplotlib.rc_context(SETTINGS):
        figure = Figure(figsize=(7.2, 4.2) if len(panels) == 1 else (10.4, 4.6), layout="constrained")
        for axes, (wafers, own) in zip(figure.subplots(1, len(panels), squeeze=False)[0], panels.items()):
            speed_up_panel(own, axes)
            tokens = own[0].get("tokens", 32)
            axes.set_title(f"{'one wafer' if wafers == 1 else f'{wafers} wafers'}, {tokens} tokens a column")
            if wafers == next(iter(panels)):
                axes.legend(loc="upper left")
                axes.set_ylabel("cycles dense / sparse")
        figure.supxlabel("fraction of weights that are zero (axis: dense weights per remaining weight)", fontsize=10)
        return svg(figure)


def speed_up_panel(rows, axes):
    axes.plot([1, 100], [1, 100], color="#bbbbbb", label="only weights take time")
    widths = sorted({row["width"] for row in rows})
    for at in reversed(range(len(widths))):
        own = [row for row in rows if row["width"] == widths[at]]
        color = COLORS[at % len(COLORS)]
        kept = [1 / (1 - row["sparsity"]) for row in own]
        axes.plot(kept, [row["estimate"] for row in own], color=color, label=f"width {widths[at]}")
        counted = [(x, row["rtl"]) for x, row in zip(kept, own) if row["rtl"]]
        if counted:
            points(axes, *zip(*counted), color)
    points(axes, [], [], COLORS[-1], label="counted in the RTL (lines: estimates)")
    logarithmic(axes)
    axes.set(xlim=(0.96, 104), ylim=(0.96, 104))
    sparsities = sorted({row["sparsity"] for row in rows})
    set_ticks(axes.xaxis, [1 / (1 - sparsity) for sparsity in sparsities], [f"{100 * s:g} %" for s in sparsities])
    set_ticks(axes.yaxis, [1, 2, 5, 10, 20, 50, 100])


@picture
def scaling(rows, axes):
    """Speed-up of a step by the number of wafers, a line per model."""
    axes.plot([1, MOST_WAFERS], [1, MOST_WAFERS], color="#bbbbbb", label="linear")
    models = list(by_model(rows).items())
    for at in reversed(range(len(models))):
        name, steps = models[at]
        color = [ORANGE, YELLOW, GREEN, BLUE, COLORS[5]][at % 5]
        speed_ups = [steps[1]["seconds"] / row["seconds"] for row in steps.values()]
        axes.plot(list(steps), speed_ups, color=color, label=f"GPT-3 {name}")
        points(axes, list(steps), speed_ups, color)
    logarithmic(axes, base=2)
    axes.set(xlim=(0.94, 205), ylim=(0.94, 205), xlabel="wafers", ylabel="speed-up over one wafer")
    for axis in (axes.xaxis, axes.yaxis):
        set_ticks(axis, [1, 2, 4, 8, 16, 32, 64, 128, MOST_WAFERS])
    axes.legend(loc="upper left")


@picture
def mask_updates(rows, axes):
    """Eval loss of the sparse runs less the mean of those with static masks: lines are means, points are runs."""
    steps = sorted({row["step"] for row in rows})

    def losses(algorithm, step):
        return [row["eval_loss"] for row in rows if row["algorithm"] == algorithm and row["step"] == step]

    static = {step: statistics.mean(losses("static", step)) for step in steps}
    most = 0.02
    for algorithm, color in [("static", GRAY), ("set", ORANGE), ("rigl", BLUE)]:
        means = [statistics.mean(losses(algorithm, step)) - static[step] for step in steps]
        axes.plot(steps, means, color=color, label=ALGORITHMS[algorithm])
        runs = [(step, loss - static[step]) for step in steps for loss in losses(algorithm, step)]
        points(axes, *zip(*runs), color, filled=algorithm != "static")
        most = max(most, *(abs(loss) for _, loss in runs))
    limit = 0.02 * math.ceil(most / 0.02)
    axes.set(xlim=(0, 1.03 * steps[-1]), ylim=(-limit, limit), xlabel="steps")
    axes.set_ylabel("eval loss less the mean of static masks, nats")
    axes.legend(loc="lower right")


def timeline(rows):
    """Intervals of time in which each part of a training step is busy: a row per part, a color per step."""
    parts = list(dict.fromkeys(row["part"] for row in rows))
    with matplotlib.rc_context({**SETTINGS, "axes.grid.axis": "x"}):
        figure, axes = new_figure(height=2.4)
        for step, (label, color) in enumerate([("a step", BLUE), ("the next", YELLOW)]):
            for at, part in enumerate(parts):
                own = [row for row in rows if row["part"] == part and row["step"] == step]
                bars = [(1000 * row["begin"], 1000 * (row["end"] - row["begin"])) for row in own]
                axes.broken_barh(bars, (at - 0.32, 0.64), color=color, linewidth=0, label="" if at else label)
        axes.set(ylim=(len(parts) - 0.5, -0.5), xlabel="milliseconds")
        axes.set_xlim(0, 1000 * max(row["end"] for row in rows))
        axes.tick_params(axis="y", length=0)
        set_ticks(axes.yaxis, range(len(parts)), parts)
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1), borderaxespad=0, ncol=2)
        return svg(figure)


def readme(rows):
    """Signals of a tile, a row each, next to the losses of the trained model, Weft's and PyTorch's."""
    waves = [row for row in rows if "signal" in row]
    curve, evals = ([row for row in rows if row.get("table") == table] for table in ("curve", "evals"))
    signals = list(dict.fromkeys(row["signal"] for row in waves))
    with matplotlib.rc_context({**SETTINGS, "axes.grid": False, "font.size": 9}):
        figure = Figure(figsize=(10.4, 3.1), layout="constrained")
        left, right = figure.subplots(1, 2, width_ratios=[1.9, 1])
        for row in waves:
            at = signals.index(row["signal"])
            color = {"main": BLUE, "psum": ORANGE}.get(row["text"], [GREEN, GREEN, ORANGE, GRAY, GRAY][at % 5])
            left.broken_barh([(row["begin"] + 0.04, row["end"] - row["begin"] - 0.08)], (at - 0.36, 0.72), color=color, linewidth=0)
            left.text((row["begin"] + row["end"]) / 2, at, row["text"].replace("-", "\N{MINUS SIGN}"), color="white", fontsize=7,
                      ha="center", va="center")
        first, last = min(row["begin"] for row in waves), max(row["end"] for row in waves)
        left.set(xlim=(first, last), ylim=(len(signals) - 0.5, -0.5), xlabel="cycles of one tile's RTL in a training step", title="weights, sums and threads of a tile")
        left.set_xticks(range(first, last + 1, 2))
        left.tick_params(axis="y", length=0)
        set_ticks(left.yaxis, range(len(signals)), signals)
        right.plot([row["step"] for row in curve], [row["loss"] for row in curve], color=BLUE, linewidth=1, label="training")
        points(right, [row["step"] for row in evals], [row["weft"] for row in evals], BLUE, filled=True, label="evaluation")
        theirs = [row for row in evals if row["pytorch"] is not None]
        right.plot([row["step"] for row in theirs], [row["pytorch"] for row in theirs], "x", color=ORANGE, label="evaluation, PyTorch", zorder=4)
        right.set(xlim=(0, 1.03 * curve[-1]["step"]), xlabel="training steps", title="loss of a GPT, nats per character")
        right.set_ylim(top=min(3, curve[0]["loss"]))
        right.grid(color="#dddddd")
        right.legend(loc="upper right")
        return svg(figure)
