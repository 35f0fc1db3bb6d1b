"""Tables of docs/ from the results of `make measure-commands`: a function for each, whose arguments are rows."""

import textwrap

from page_tables import cells, table


def number(value):
    return f"{value:,.0f}"


def percent(part, whole):
    return f"{100 * part / whole:.0f} %"


def code(text):
    """Lines as a program prints them."""
    return f"```\n{text}\n```\n"


def paragraph(text):
    return "\n" + textwrap.fill(text, 100, break_on_hyphens=False) + "\n"


def attention_forms(rows):
    columns = ("stored_forward", "stored_backward", "shared_forward", "shared_backward")
    return table(cells("f, SP", "stored: forward", "backward", "shared: forward", "backward"), "|:--|--:|--:|--:|--:|",
                 (cells(f"{row['features']}, {row['tokens']}", *(number(row[column]) for column in columns)) for row in rows))


def attention_waits(rows):
    return table(cells("", "cycles", "main waits for psum"), "|:--|--:|--:|",
                 (cells(f"`{row['phase']}`" if "." in row["phase"] else row["phase"], number(row["cycles"]), number(row["waits"]))
                  for row in rows))


def slice_phases(rows):
    return table(cells("", "cycles", "share", "main issues beats", "psum has the unit", "main waits for psum"), "|:--|" + "--:|" * 5,
                 (cells(row["kind"], number(row["cycles"]), *(percent(row[part], 1) for part in ("share", "issued", "other", "join")))
                  for row in rows))


def attention_estimates(rows):
    def line(row):
        costs = [number(row[f"{form}_{what}"]) if row[f"{form}_{what}"] else "" for form in ("stored", "shared")
                 for what in ("forward", "backward", "bytes")]
        if not row["stored_bytes"]:
            return cells(row["size"], row["rows_of_a_head"], "does not fit 128 KiB", *costs[1:], "")
        # A block that is recomputed runs attention forward twice.
        stored, shared = (2 * row[f"{form}_forward"] + row[f"{form}_backward"] for form in ("stored", "shared"))
        return cells(row["size"], row["rows_of_a_head"], *costs, f"{stored / shared:.1f}")

    return table(cells("", "rows a head", "stored: forward", "backward", "bytes", "shared: forward", "backward", "bytes", "times faster"),
                 "|:--|" + "--:|" * 8, map(line, rows))


def bounds(rows):
    """Cycles of a micro-batch by kind of work."""

    def line(row):
        total = sum(row[kind] for kind in ("gemms", "gradients", "attention", "other"))
        return cells(row["size"], f"{row['groups']} x {row['sequences']} x {row['columns']}", row["tokens_of_column"],
                     f"{row['filled'] / row['places']:.3f}", *(percent(row[kind], total) for kind in
                                                              ("gemms", "gradients", "attention", "other", "again")), f"{row['share']:.3f}")

    return table(cells("", "groups x sequences x columns", "tokens a column", "places with a token", "GEMMs", "gradients of weights",
                       "attention", "other", "again", "of the lanes"), "|:--|:--|" + "--:|" * 8, map(line, rows))


def row_groups(rows):
    """Millions of cycles of a step, a line for each size and a column for each number of groups."""
    groups = list(dict.fromkeys(row["groups"] for row in rows))
    sizes = {}
    for row in rows:
        sizes.setdefault(row["size"], {})[row["groups"]] = row["cycles"]

    def text(size, count):
        if count not in sizes[size]:
            return ""
        return f"{sizes[size][count] / 1e6:,.0f}" if sizes[size][count] else "does not fit"

    def line(size):
        return cells(size, *(text(size, count) for count in groups))

    return table(cells("groups", *groups), "|:--|" + "--:|" * len(groups), map(line, sizes))


def recompute(rows):
    """Bytes of a tile for each number of layers, and estimated cycles for the least."""
    layers = list(dict.fromkeys(row["layers"] for row in rows))
    found = {(row["recompute"], row["layers"]): row for row in rows}
    forms = list(dict.fromkeys(row["recompute"] for row in rows))
    return table(cells("`gpt_tiny` with", *(f"bytes of a tile, {count} layers" for count in layers), f"cycles of a micro-batch, {layers[0]} layers"),
                 "|:--|" + "--:|" * (len(layers) + 1),
                 (cells(f"`recompute: {form}`", *(number(found[form, count]["bytes"]) for count in layers),
                        number(found[form, layers[0]]["cycles"])) for form in forms))


def turn(rows):
    """Cycles of all gradients: a line for each number of tokens, a column for each wafer."""
    wafers = list(dict.fromkeys((row["columns"], row["from_the_west"]) for row in rows))
    cycles = {(row["tokens"], row["columns"], row["from_the_west"]): row["cycles"] for row in rows}
    tokens = list(dict.fromkeys(row["tokens"] for row in rows))
    heads = [f"{columns}, from the west" if west and columns > 4 else columns for columns, west in wafers]
    text = table(cells("tokens a column", *heads), "|--:|" + "--:|" * len(wafers),
                 (cells(count, *(number(cycles[count, *wafer]) for wafer in wafers)) for count in tokens))
    few = min(tokens)

    def longer(columns, west):
        return f"{100 * (cycles[few, columns, west] / cycles[few, 4, True] - 1):+.0f} %"

    return text + paragraph(
        f"With {few} tokens and indices from the west, the cycles differ from those of 4 columns by {longer(8, True)} on 8 columns and"
        f" by {longer(15, True)} on 15; where W turns around, by {longer(8, False)} and {longer(15, False)}.")


def valve_shapes(rows):
    return table(cells("tiles, features per row", "valves", "cycles", "with a valve per row"), "|:--|--:|--:|--:|",
                 (cells(f"{row['tiles']}, {row['features']}", row["valves"], number(row["cycles"]), number(row["cycles_of_a_valve_each"]))
                  for row in rows))


def valve_numbers(rows):
    return table(cells("valves", *(f"{row['valves']}, `auto`" if row["auto"] else row["valves"] for row in rows)),
                 "|:--|" + "--:|" * len(rows), [cells("cycles, estimated", *(number(row["cycles"]) for row in rows))])


def losses(config):
    """The lines of a configuration, as `weft profile` prints them."""
    return lambda rows: code(next(row["text"] for row in rows if row["config"] == config))


def configs(rows):
    return code(rows[0]["text"])


def wafer(values):
    """Beats per entry of a block's GEMMs over the ideal: a line for each number of rows, dense and sparse."""
    found = {}
    for name, value in values.items():
        if name.startswith("GEMMs, ") and " vector, " in name:
            rows, beats, mask = name.removeprefix("GEMMs, ").split(", ")
            found.setdefault((mask, rows.split()[0]), {})[beats.split()[0]] = value
    beats = list(next(iter(found.values())))
    return table(cells("rows", "weights", *(f"{count} beat{'' if count == '1' else 's'}" for count in beats)),
                 "|--:|:--|" + "--:|" * len(beats),
                 (cells(rows, mask, *(f"{values_of[count]:.3f}" for count in beats))
                  for (mask, rows), values_of in sorted(found.items(), key=lambda one: (one[0][0] != "dense", int(one[0][1])))))
