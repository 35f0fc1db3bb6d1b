"""Tables of the sizes of designs for FPGAs, from bench/results/fpga_*.jsonl: a function for each, whose arguments are rows."""

from page_tables import cells, table

BUILT = {"debug": "debug chain", "tally": "counters"}
LINKS = {"serial": "serial line", "ethernet": "Ethernet"}


def number(value):
    return f"{value:,}" if isinstance(value, (int, float)) else ""


def of(row, key):
    return f"{number(row[key])} of {number(row[f'{key}_of'])}" if f"{key}_of" in row else number(row.get(key))


def mesh(row):
    options = [text for key, text in BUILT.items() if row.get(key, "0") != "0"]
    return f"{row['rows']} x {row['cols']} tiles of {row['sram_kib']} KiB" + (", with " + " and ".join(options) if options else "")


def clock(row):
    return f"{row['mhz']:.1f} MHz, for {row['target']:g}"


def clocks_of(clocks, name):
    return [row for row in clocks if row["name"] == name]


def bitstreams(designs, clocks):
    """A line for each board."""
    return table(
        cells("board", "chip", "mesh", "link", "logic sites", "clock of the wafer"),
        "|:--|:--|:--|:--|--:|:--|",
        (cells(f"`{row['name']}`", row["title"], mesh(row), LINKS[row["link"]], f"{100 * row['sites'] / row['sites_of']:.0f} %",
               clock(clocks_of(clocks, row["name"])[0])) for row in designs),
    )


KINDS = {"luts": "LUT4 cells after synthesis", "sites": "logic sites after placement", "flip_flops": "flip-flops",
         "block_rams": "block RAM of 18 kbit", "distributed_rams": "distributed RAM, 16 x 4", "multipliers": "multipliers, 18 x 18"}


def design_lines(designs, clocks):
    for key, text in KINDS.items():
        if any(key in row for row in designs):
            yield cells(text, *(of(row, key) for row in designs))
    names = dict.fromkeys(row["clock"] for row in clocks)
    for name in names:
        found = {row["name"]: clock(row) for row in clocks if row["clock"] == name}
        yield cells(f"clock, {name}", *(found.get(row["name"], "") for row in designs))


def designs(rows, clocks):
    """Cells and clocks, a column for each design."""
    return table(cells("", *(row["name"] for row in rows)), "|:--|" + "--:|" * len(rows), design_lines(rows, clocks))


def parts(rows):
    """Sites of the parts of each board before placement."""
    boards = list(dict.fromkeys(row["name"] for row in rows))
    found = {(row["part"], row["name"]): row["sites"] for row in rows}
    return table(cells("sites before placement", *boards), "|:--|" + "--:|" * len(boards),
                 (cells(part, *(number(found.get((part, board))) for board in boards)) for part in dict.fromkeys(row["part"] for row in rows)))


def counts(rows):
    """Cells that are counted without placement, a column for each design."""
    kinds = [key for key in rows[0] if key not in ("bench", "table", "name") and any(row.get(key) for row in rows)]
    return table(cells("", *(row["name"] for row in rows)), "|:--|" + "--:|" * len(rows),
                 (cells(kind, *(number(row.get(kind)) for row in rows)) for kind in kinds))


def chips(rows):
    return table(cells("chip", "tiles", "limit"), "|:--|--:|:--|", (cells(row["chip"], row["tiles"], row["bound"]) for row in rows))
