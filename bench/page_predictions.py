"""Computed tables of docs/explanation/scaling.md, as Markdown: a function for each, whose arguments are rows of the
benchmark `predictions`."""

import math
import textwrap

from page_tables import cells, table

BYTES_PER_MESSAGE = 4
BYTES_PER_PARAMETER = 20  # in MemoryX: weight, moments and sum
MOST_WAFERS = 192


def paragraph(text):
    """A paragraph of a page, wrapped at 100 columns."""
    return textwrap.fill(text, 100, break_on_hyphens=False) + "\n\n"


def scaled(value, base, units):
    """(value below the base, unit): 1234 with ["", "k"] is (1.234, "k")."""
    at = 0
    while value >= base and at + 1 < len(units):
        value /= base
        at += 1
    return value, units[at]


def in_bytes(value):
    number, unit = scaled(value, 1000, ["bytes", "kB", "MB", "GB", "TB", "PB"])
    return f"{number:.4g} {unit}"


def per_second(value, unit):
    number, prefix = scaled(value, 1000, ["", "k", "M", "G", "T", "P", "E"])
    return f"{number:.3g} {prefix}{unit}/s"


def seconds(value):
    return f"{value:.3g} s" if value < 1000 else f"{value:.0f} s"


def lanes_of(wafer):
    return wafer["rows"] * wafer["cols"] * wafer["lanes"]


def utilization(row, wafer):
    """Multiply-adds that the model requires, over those that the lanes could do."""
    return row["multiply_adds"] / (row["cycles"] * lanes_of(wafer))


def shape_of(row):
    """Groups of rows x sequences of each group in a micro-batch x columns of a sequence."""
    return f"{row['row_groups']} x {row['sequences'] // row['row_groups']} x {row['columns']}"


def gpt3(rows, wafers):
    wafer = wafers[0]

    def line(row):
        memory = in_bytes(BYTES_PER_PARAMETER * row["parameters"])
        size = [row["name"], f"{row['layers']} x {row['hidden']}", f"{row['parameters'] / 1e9:.4g} G", memory, f"{row['sram_kib']} KiB"]
        if not row["cycles"]:
            return cells(*size, "does not fit | | | |")
        shape = shape_of(row) + (", does not fit" if row["misfit"] else "")
        moved = [in_bytes(BYTES_PER_MESSAGE * row[key]) for key in ("messages", "words_back")]
        used = f"{utilization(row, wafer):.3f}"
        return cells(*size, shape, f"{row['cycles'] / 1e6:.4g} M", row["bound"], used, ", ".join(moved))

    text = paragraph(
        f"{wafer['rows']} x {wafer['cols']} tiles of {wafer['lanes']} lanes, a valve per row;"
        f" blocks are recomputed. A sequence has {rows[0]['seq']} tokens; the numbers of groups of rows, of sequences of each"
        " group in a micro-batch, and of columns for each sequence, are those that `auto` chooses for one wafer."
    ) + table(
        "| | layers x hidden | parameters | MemoryX | a tile | groups x sequences x columns | cycles of a micro-batch | bound by |"
        " of the lanes | streamed, back |",
        "|---|---:|---:|---:|---:|---:|---:|---|---:|---:|",
        map(line, rows),
    )
    misfits = "".join(f"- {row['name']}: {row['misfit']}\n" for row in rows if row["misfit"])
    if misfits:
        text += (
            "\nThe following sizes do not fit; their cycles are those of two layers, extrapolated to all layers:\n\n"
            + misfits
        )
    return text


def projection(rows, wafers):
    """Resources of a wafer of the CS-2's size, next to the CS-2's, and what the largest model needs."""
    wafer, row = wafers[0], rows[-1]
    tiles, clock, lanes = wafer["rows"] * wafer["cols"], wafer["clock"], wafer["lanes"]
    kib, most, word = wafer["sram_kib"], wafer["most_sram_kib"], 2 * lanes

    def total(size):
        return in_bytes(1024 * size * tiles)

    lines = [
        ("multiply-adds", f"{lanes} per cycle", per_second(2 * lanes * tiles * clock, "FLOP"), "5.8 PFLOP/s"),
        (
            "with 90 % zeros, a tenth of the weights sent",
            "at most ten times the work per cycle",
            per_second(20 * lanes * tiles * clock, "FLOP"),
            "58 PFLOP/s",
        ),
        ("memory", f"{kib} KiB, at most {most}", f"{total(kib)}, at most {total(most)}", "40 GB"),
        (
            "its bandwidth",
            f"two words of {word} bytes read and one written per cycle",
            per_second(3 * word * tiles * clock, "B"),
            "20 PB/s",
        ),
        (
            "links",
            "four in and four out, a message of 38 bits per cycle each",
            per_second(8 * 38 / 8 * tiles * clock, "B"),
            "28 PB/s",
        ),
        (
            "stream",
            f"{wafer['valves']} valves, a message per cycle",
            per_second(BYTES_PER_MESSAGE * wafer["valves"] * clock, "B"),
            "",
        ),
    ]
    if row["cycles"]:
        time = row["cycles"] / clock
        speed = per_second(2 * row["multiply_adds"] / time, "FLOP")
        used = f"{utilization(row, wafer):.3f} of its lanes"
        lines += [
            (f"training {row['name']}, as compile_only estimates it", used, speed, ""),
            ("weights to stream for it", "", per_second(BYTES_PER_MESSAGE * row["messages"] / time, "B"), ""),
            ("gradients to accept for it", "", per_second(BYTES_PER_MESSAGE * row["words_back"] / time, "B"), ""),
        ]
    text = paragraph(
        f"{tiles} tiles at {clock / 1e9:.3g} GHz, the clock at which the CS-2's 3.4 million units reach 5.8 PFLOP/s. No"
        " tile of Weft has been built that fast; [fpga.md](../howto/fpga.md) describes what has been built."
    )
    head = f"| | a tile | {tiles} tiles | the CS-2 |"
    body = table(head, "|---|---|---:|---:|", (cells(*line) for line in lines))
    return text + body


def console(rows, wafers):
    """A step of GPT-3 XL per second on one wafer, next to the CS-2's console output."""
    wafer = wafers[0]

    def share(row, rate):
        return f"{row['multiply_adds'] * rate / (lanes_of(wafer) * wafer['clock']):.3f}"

    def line(row):
        theirs = row["cs2_rate"]
        return cells(row["batch"], shape_of(row), f"{row['rate']:.3g} steps/s", share(row, row["rate"]),
                     f"{theirs} steps/s" if theirs else "", share(row, theirs) if theirs else "")

    return table(
        "| sequences of a step | groups x sequences x columns | Weft, estimated | of the lanes | the CS-2, printed | of its units |",
        "|---:|---:|---:|---:|---:|---:|",
        map(line, rows),
    )


def swarm_costs(rows):
    costs = [
        ("make", "parameters become frames", "the root's stream", "a byte, once per step"),
        ("again", "cached frames are sent again", "the root's stream", "a byte, in every pass"),
        ("send", "a frame is sent to each child", "the root's network", "a byte"),
        ("take", "a frame is received and passed to the wafer", "a member's network", "a byte"),
        ("decode", "a frame becomes the wafer's messages", "its wafer", "a message"),
        ("encode", "a gradient becomes frames", "its wafer", "a byte"),
        ("pass", "gradients are sent to the root", "a member's network", "a byte"),
        ("add", "gradients are added to MemoryX's sums", "the root's network", "a byte"),
        ("update", "a parameter is updated", "MemoryX", "a parameter"),
    ]
    lines = [cells(what, thread, f"{1e9 * rows[0][key]:.3f} ns {unit}") for key, what, thread, unit in costs]
    lines.append(f"| latency until the other side notices | | {1e6 * rows[0]['latency']:.0f} us |")
    return table("| | thread | |", "|---|---|---:|", lines)


def swarm_runs(rows):
    def error(predicted, measured):
        return 100 * (predicted / measured - 1)

    def line(row):
        step, expected = row["step"], row["predicted_step"]
        processor, expected_processor = row["processor"], row["predicted_processor"]
        return cells(
            row["wafers"],
            row["micro_batches"],
            f"{1e3 * row['micro_batch']:.0f} ms",
            row["layers"],
            "training" if row["train"] else "forward",
            f"{step:.3f} s | {expected:.3f} s | {error(expected, step):+.1f} %",
            f"{processor:.2f} s | {expected_processor:.2f} s | {error(expected_processor, processor):+.1f} %",
        )

    errors = sorted(abs(error(row["predicted_step"], row["step"])) for row in rows)
    return table(
        "| wafers | micro-batches | of | layers | | a step | predicted | error | processors | predicted | error |",
        "|---:|---:|---:|---:|---|---:|---:|---:|---:|---:|---:|",
        map(line, rows),
    ) + f"\nErrors of a step: median {errors[len(errors) // 2]:.1f} %, worst {errors[-1]:.1f} %.\n"


def swarm_steps(fit, check):
    """Steps of 48 micro-batches of 0.1 s, on 1 to 16 wafers."""
    kind = {"micro_batches": 48, "micro_batch": 0.1, "layers": 12, "train": True}
    runs = {row["wafers"]: row for row in [*fit, *check] if kind.items() <= row.items()}
    wafers = [n for n in (1, 2, 4, 8, 16) if n in runs]
    lines = [
        cells("a step", *(f"{runs[n]['step']:.2f} s" for n in wafers)),
        cells("processor time of it", *(f"{runs[n]['processor']:.2f} s" for n in wafers)),
        cells("share of linear", *(f"{runs[1]['step'] / n / runs[n]['step']:.2f}" for n in wafers)),
    ]
    return table(cells("wafers", *wafers), "|:--|" + "--:|" * len(wafers), lines)


def swarm_hosts(rows):
    columns = ["measured", "one_host", "host_each", "nodes", "gpt_small"]
    return table(
        "| wafers | measured | predicted | a host each | and nodes of 4 children | and the work of gpt_small |",
        "|---:|---:|---:|---:|---:|---:|",
        (cells(row["wafers"], *(f"{row[column]:.2f}" for column in columns)) for row in rows),
    )


def by_model(rows):
    """{model: {wafers: row}} in order of the rows."""
    models = {}
    for row in rows:
        models.setdefault(row["name"], {})[row["wafers"]] = row
    return models


def figure7(rows, sizes, wafers):
    columns = [2, 4, 8, 16, 32, 64, 128, MOST_WAFERS]
    # A step on one wafer with the micro-batches that are chosen for one.
    own = {size["name"]: size["cycles"] * size["batch"] / size["sequences"] / wafers[0]["clock"] for size in sizes}

    def line(name, steps):
        one, micro_batches = steps[1]["seconds"], steps[1]["micro_batches"]
        speed_ups = (f"{one / steps[wafers]['seconds']:.1f}" for wafers in columns)
        limit = micro_batches / math.ceil(micro_batches / MOST_WAFERS)
        return cells(name, micro_batches, seconds(one), seconds(own[name]), *speed_ups, f"{limit:.1f}")

    return table(
        cells("| micro-batches | a step on 1 | its own choice", *columns, "passes allow"),
        "|---|---:|---:|---:|" + "---:|" * (len(columns) + 1),
        (line(name, steps) for name, steps in by_model(rows).items()),
    )


def figure7_variants(rows, drawn):
    lines = []
    for name, steps in by_model(drawn).items():
        one, most = steps[1]["seconds"], steps[MOST_WAFERS]["seconds"]
        pairs = [(one, most)]
        for system in ("slow links", "measured costs"):
            row = next(row for row in rows if row["name"] == name and row["system"] == system)
            pairs.append((row["seconds_on_one"], row["seconds"]))
        lines.append(cells(name, *(f"{one / most:.1f}, {seconds(most)}" for one, most in pairs)))
    return table("| | drawn | one link of 100 Gb/s | nodes and members as measured |", "|---|---:|---:|---:|", lines)
