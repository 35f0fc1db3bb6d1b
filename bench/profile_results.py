"""Results that `weft profile` prints of a micro-batch on the RTL, for bench/command_results.py: a function for each file of results,
whose argument runs weft and returns its output; it returns rows."""

import json
import pathlib
import tempfile


def profiled(weft, *words):
    """The profile of a micro-batch of gpt_tiny with two cycles a partial sum and one layer, on the RTL: {phase: sums}, all."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "profile.json"
        weft("profile", "--params", "configs/gpt_tiny.yaml", "--wafer.psum_cycles", 2, "--model.num_hidden_layers", 1, "--json", path,
             *words)
        profile = json.loads(path.read_text(encoding="utf-8"))
    return {phase["name"]: phase for phase in profile["kinds"]}, profile["total"]


def attention_of(features, tokens, form):
    """One head over 8 rows, a sequence over 8 columns: `features` of the head a row, `tokens` a column."""
    return ["--wafer.rows", 8, "--wafer.cols", 8, "--wafer.valves", 8, "--wafer.sram_kib", 128, "--wafer.sequence_columns", 8,
            "--model.num_heads", 1, "--model.hidden_size", 8 * features, "--model.filter_size", 64, "--model.max_sequence_length", 8 * tokens,
            "--train_input.batch_size", 1, "--train_input.micro_batch_size", 1, "--wafer.attention", form, "--backend", "rtl"]


GROUP_OF_XL = ["--wafer.rows", 8, "--wafer.cols", 16, "--wafer.valves", 8, "--wafer.sram_kib", 48, "--wafer.sequence_columns", 2,
               "--wafer.attention", "shared", "--model.recompute", "block", "--model.num_heads", 1, "--model.hidden_size", 39,
               "--model.filter_size", 154, "--model.max_sequence_length", 48, "--train_input.batch_size", 16,
               "--train_input.micro_batch_size", 16, "--backend", "rtl"]
TILES_OF_GROUP = 8 * 16


def waits(phase, tiles):
    """Cycles in which main waits for psum, the mean over tiles."""
    return phase["main"].get("join", 0) / tiles


def kind(phase):
    """What a phase computes, for the table of a slice's phases."""
    if phase.endswith(".dw"):
        return "gradients of weights"
    if phase in ("h.*.attn", "h.*.attn.again"):
        return "attention, forward, twice"
    if phase == "h.*.attn.dx":
        return "attention, backward"
    return "GEMMs" if any(name in phase for name in (".c_", "lm_head", "embedding")) else "norms, loss, GELU, tokens"


def slice_phases(phases, total):
    """Cycles of a micro-batch by kind of phase, largest first, and what main does in them, as shares."""
    kinds = {}
    for name, phase in phases.items():
        sums = kinds.setdefault(kind(name), {"cycles": 0, "issued": 0, "other": 0, "join": 0})
        sums["cycles"] += phase["cycles"]
        for reason in ("issued", "other", "join"):
            sums[reason] += phase["main"].get(reason, 0) / TILES_OF_GROUP
    for name, sums in sorted(kinds.items(), key=lambda one: -one[1]["cycles"]):
        yield {"table": "phases", "kind": name, "cycles": sums["cycles"], "share": sums["cycles"] / total["cycles"],
               **{reason: sums[reason] / sums["cycles"] for reason in ("issued", "other", "join")}}


def attention(weft):
    """Cycles of attention on the RTL in both forms; and those of a slice of GPT-3 XL, with main's waits for psum, and by phase."""
    for features, tokens in ((8, 4), (3, 12), (8, 12)):
        row = {"table": "forms", "features": features, "tokens": tokens}
        for form in ("stored", "shared"):
            phases, _ = profiled(weft, *attention_of(features, tokens, form))
            row |= {f"{form}_forward": phases["h.*.attn"]["cycles"], f"{form}_backward": phases["h.*.attn.dx"]["cycles"]}
        yield row
    phases, total = profiled(weft, *GROUP_OF_XL)
    for name, phase in (("h.*.attn", phases["h.*.attn"]), ("h.*.attn.dx", phases["h.*.attn.dx"]), ("micro-batch", total)):
        yield {"table": "waits", "phase": name, "cycles": phase["cycles"], "waits": waits(phase, TILES_OF_GROUP)}
    yield from slice_phases(phases, total)


# Columns of a wafer of 4 rows; True: in a run with a board, in which no stream turns around.
TURNS = [(4, False), (5, True), (5, False), (8, True), (8, False), (15, True), (15, False), (16, False), (32, False)]


def turn(weft):
    """Cycles of all gradients of a micro-batch, a sequence a column, where W turns around in the last column, and where not."""
    for tokens in (32, 16, 8):
        for columns, board in TURNS:
            phases, _ = profiled(weft, "--model.max_sequence_length", tokens, "--wafer.cols", columns, "--train_input.micro_batch_size",
                                 columns, "--train_input.batch_size", 2 * columns, "--num_csx", 2, "--backend",
                                 "rtl,fpga" if board else "rtl")
            yield {"table": "gradients", "tokens": tokens, "columns": columns, "from_the_west": board or columns < 5,
                   "cycles": sum(phase["cycles"] for name, phase in phases.items() if name.endswith(".dw"))}


def losses(weft):
    """The largest losses that `weft profile` prints."""
    for config in ("gpt_tiny", "gpt_small"):
        text = weft("profile", "--params", f"configs/{config}.yaml")
        yield {"table": "losses", "config": config, "text": text[text.index("the largest losses") :].rstrip("\n")}
