"""The measured tables of docs/, in Markdown: a function for each, whose arguments are rows of a results file."""

import statistics
import textwrap

ALGORITHMS = {"static": "static, random", "set": "SET", "rigl": "RigL", "dense": "dense"}


def table(head, rule, lines):
    return "".join(f"{line}\n" for line in [head, rule, *lines])


def cells(*values):
    return "| " + " | ".join(str(value) for value in values) + " |"


def gemm(rows):
    def line(row):
        n, ideal = row["n"], row["ideal"]
        even, scattered, valve = row["even"], row["scattered"], row["valve_a_row"]
        return (
            f"| {n:>3} | {ideal:>7.3f} | {even:>15.3f} | {even / ideal:>10.3f} | {scattered:>12.3f} |"
            f" {scattered / ideal:>10.3f} | {valve:>13.3f} | {valve / ideal:>10.3f} |"
        )

    return table(
        "|   n | n/(n+2) | n for every row | of n/(n+2) | n on average | of n/(n+2) | a valve a row | of n/(n+2) |",
        "|----:|--------:|----------------:|-----------:|-------------:|-----------:|--------------:|-----------:|",
        map(line, rows),
    )


def micro_batch(rows):
    return table(
        "|                                 |   dense | 90 %, in order | 90 %, by load | by load / dense |",
        "|:--------------------------------|--------:|---------------:|--------------:|----------------:|",
        (
            f"| {row['what']:<31} | {row['dense']:>7} | {row['in_order']:>14} | {row['by_load']:>13} |"
            f" {row['by_load'] / row['dense']:>15.3f} |"
            for row in rows
        ),
    )


def figure5(rows):
    """Speed-ups at 90 % zeros, a line per width and columns per number of wafers; then the RTL farthest from its estimate."""
    wafers = list(dict.fromkeys(row.get("wafers", 1) for row in rows))
    at_90 = {(row["width"], row.get("wafers", 1)): row for row in rows if row["sparsity"] == 0.9}

    def values(width, count):
        row = at_90[width, count]
        return f"{row['estimate']:.2f}", "" if row["rtl"] is None else f"{row['rtl']:.2f}"

    def line(width):
        return cells(width, *(value for count in wafers for value in values(width, count)))

    heads = (f"{'one wafer' if count == 1 else f'{count} wafers'}, {kind}" for count in wafers for kind in ("estimated", "RTL"))
    text = table(cells("width", *heads), "|--:|" + "--:|" * (2 * len(wafers)), map(line, sorted({row["width"] for row in rows})))
    counted = [row for row in rows if row["rtl"] is not None]
    if not counted:
        return text
    row = max(counted, key=lambda one: abs(one["estimate"] / one["rtl"] - 1))
    off = 100 * abs(row["estimate"] / row["rtl"] - 1)
    count = row.get("wafers", 1)
    sentence = (f"The RTL's points are within {off:.1f} % of the lines. The farthest is width {row['width']} at"
                f" {100 * row['sparsity']:g} % on {'one wafer' if count == 1 else f'{count} wafers'}: {row['rtl']:.2f} in RTL and"
                f" {row['estimate']:.2f} estimated.")
    return f"{text}\n{textwrap.fill(sentence, 100)}\n"


def mask_update_costs(rows):
    columns = ["step", "compile", "mask", "choice", "set", "rigl"]
    return table(
        "| | a step | a whole compile | its half that depends on the mask | choosing weights | a mask update of SET |"
        " a mask update of RigL |",
        "|:--|--:|--:|--:|--:|--:|--:|",
        (cells(row["config"], *(f"{1000 * row[column]:.1f} ms" for column in columns)) for row in rows),
    )


def mask_update_losses(rows):
    """The last evaluation of each run, a line per algorithm and a column per seed."""
    last = max(row["step"] for row in rows)
    ends = {name: [row for row in rows if row["algorithm"] == name and row["step"] == last] for name in ALGORITHMS}
    means = {name: statistics.mean(row["eval_loss"] for row in runs) for name, runs in ends.items()}
    seeds = [row["seed"] for row in ends["static"]]
    lines = [
        cells(
            ALGORITHMS[name],
            runs[0]["parameters"],
            *(f"{row['eval_loss']:.4f}" for row in runs),
            f"{means[name]:.4f}",
            f"{means[name] - means['static']:+.4f}",
        )
        for name, runs in ends.items()
    ]
    return table(
        cells("| parameters left", *(f"seed {seed}" for seed in seeds), "mean", "mean less static's"),
        "|:--|" + "--:|" * (len(seeds) + 3),
        lines,
    )


def slice_of_xl(rows):
    """A layer of GPT-3 XL with the mapping of 850 x 1000 tiles, on smaller meshes."""
    return table(
        "| tiles | features, of the filter | a sequence | cycles, RTL | estimated | of the lanes, RTL | estimated |",
        "|:--|--:|--:|--:|--:|--:|--:|",
        (cells(row["tiles"], f"{row['hidden']}, {row['filter']}", f"{row['seq']} tokens", f"{row['cycles']:,.0f}",
               f"{row['estimated_cycles']:,.0f}", f"{row['share_of_lanes']:.3f}", f"{row['estimated_share']:.3f}") for row in rows),
    )


def attention_spread(rows):
    """Cycles of attention over 8 rows and 8 columns in both forms; RTL."""
    return table(
        "| f, SP | stored: forward | backward | shared: forward | backward | times faster | backward |",
        "|:--|--:|--:|--:|--:|--:|--:|",
        (cells(f"{row['features']}, {row['tokens']}", *(f"{row[key]:,.0f}" for key in ("stored", "stored_back", "shared", "shared_back")),
               f"{row['times']:.2f}", f"{row['times_back']:.2f}") for row in rows),
    )


def programs(rows):
    """Cycles of the examples next to the fewest that each limit allows; RTL."""
    counts = ("cycles", "memory", "multiply_adds", "link", "beats")
    return table(
        "| program | in a tile | cycles | memory | multiply-adds | link | beats | what binds | share |",
        "|:--|:--|--:|--:|--:|--:|--:|:--|--:|",
        (cells(row["program"], row["size"], *(f"{row[key]:,.0f}" for key in counts), row["bound"], f"{row['share']:.2f}") for row in rows),
    )


def solver(rows):
    """BiCGSTAB by points of a tile, next to the peak of the lanes; RTL."""
    return table(
        "| points in a tile | cycles a point and iteration | operations counted | share of the lanes' peak |",
        "|--:|--:|--:|--:|",
        (cells(f"{row['points']:.0f}", f"{row['cycles']:.1f}", f"{row['operations']:.0f}", f"{row['share']:.3f}") for row in rows),
    )
