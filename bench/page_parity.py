"""Tables of docs/explanation/parity.md: a function for each, whose argument is rows of the results of `make parity`."""

from page_tables import cells, table


def at_step(difference, step):
    return f"{difference:.4f} (step {step})"


def curves(rows):
    return table(
        cells("", "loss at a step, first 100", "loss over 50 steps, of 1,000", "first gradient, smallest cosine"),
        "|:--|--:|--:|--:|",
        (cells(row["case"], at_step(row["difference"], row["step"]), f"{100 * row['mean_difference']:.3f} %",
               f"{row['cosine']:.6f} ({row['tensor']})") for row in rows),
    )


def exchange(rows):
    """Losses of a checkpoint of each program, in both programs."""

    def line(row):
        pairs = [(row[f"{owner}_weights_in_weft"], row[f"{owner}_weights_in_pytorch"]) for owner in ("weft", "pytorch")]
        return cells(row["case"], *(text for ours, theirs in pairs
                                    for text in (f"{ours:.5f}", f"{theirs:.5f}", f"{100 * abs(ours - theirs) / theirs:.4f} %")))

    return table(cells("", "Weft's: Weft", "PyTorch", "apart", "PyTorch's: Weft", "PyTorch", "apart"), "|:--|--:|--:|--:|--:|--:|--:|",
                 map(line, rows))


def options(rows):
    return table(cells("", "loss at a step, of 50"), "|:--|--:|",
                 (cells(row["option"], at_step(row["difference"], row["step"])) for row in rows))


def nudged(rows):
    return table(cells("", "apart by at most"), "|:--|--:|",
                 (cells(row["what"], f"{row['difference']:.5f}" if row["step"] is None else at_step(row["difference"], row["step"]))
                  for row in rows))
