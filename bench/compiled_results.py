"""Results that `weft run --mode compile_only` and `weft configs` compute, for bench/command_results.py: a function for each file of
results, whose argument runs weft, as in `weft("run", "--json", ...)`, and returns its output; it returns rows."""

import json
import subprocess

import measured

CONFIGS = "configs"
SIZES = {"Small": "small", "Medium": "medium", "Large": "large", "XL": "xl", "2.7B": "2p7b", "6.7B": "6p7b", "13B": "13b", "20B": "20b",
         "175B": "175b"}
HEADS = {"Small": (12, 64), "Medium": (16, 64), "Large": (16, 96), "XL": (16, 128), "2.7B": (32, 80), "6.7B": (32, 128),
         "13B": (40, 128), "20B": (64, 96)}  # and features of each
ROWS = 850
TOKENS = 2048
SIDE_BY_SIDE = {"Small": 5, "Medium": 5, "Large": 5, "20B": 5}  # sequences over 200 of 1,000 columns, where five divide the batch; else four


def compiled(weft, params, *words):
    """({name: value}, {phase: its line}) of `compile_only`."""
    lines = [json.loads(line) for line in weft("run", "--params", f"{CONFIGS}/{params}.yaml", "--mode", "compile_only", "--json",
                                               *words).splitlines()]
    return ({line["name"]: line["value"] for line in lines if "name" in line},
            {line["phase"]: line for line in lines if "phase" in line})


def gpt3(weft, size, *words):
    """The same of a file of GPT-3; nothing if it does not fit a tile."""
    try:
        return compiled(weft, f"params_gpt3_{SIZES[size]}_pile", "--wafer.valves", ROWS, *words)
    except subprocess.CalledProcessError as error:
        if "wafer.sram_kib" not in error.stderr:
            raise
        return {}, {}


def attention_estimates(weft):
    """Attention of a layer, a sequence over 200 columns and rows in one group: both forms."""
    for size in ("Small", "Medium", "Large", "XL", "2.7B", "6.7B", "13B", "20B"):
        row = {"table": "estimates", "size": size, "rows_of_a_head": min(ROWS // HEADS[size][0], HEADS[size][1])}
        for form, kib in (("stored", 128), ("shared", 48)):
            facts, phases = gpt3(weft, size, "--wafer.sequence_columns", 200, "--wafer.row_groups", 1, "--wafer.attention", form,
                                 "--train_input.micro_batch_size", SIDE_BY_SIDE.get(size, 4), "--wafer.sram_kib", kib)
            for way, name in (("forward", "h.*.attn"), ("backward", "h.*.attn.dx")):
                row[f"{form}_{way}"] = phases[name]["cycles"] // phases[name]["ops"] if phases else None
            row[f"{form}_bytes"] = used_bytes(facts) if facts else None
        yield row


def used_bytes(facts):
    """Bytes of a tile in use, by the plan's memory table."""
    return facts["SRAM: total per PE"]


KINDS = {"attention": (".attn", ".attn.again", ".attn.dx"), "gradients": (".dw", ".db")}


def kind_of(phase):
    """GEMMs, gradients of weights, attention, or other: norms, elementwise functions, loss, tokens."""
    if phase.endswith(KINDS["attention"]):
        return "attention"
    if phase.endswith(KINDS["gradients"]):
        return "gradients"
    parts = phase.replace(".again", "").removesuffix(".dx").removesuffix(".2").split(".")
    return "gemms" if parts[-1] in ("embedding", "lm_head", "q", "k", "v", "c_attn", "c_proj", "c_fc") else "other"


def predicted():
    """The shapes of bench/results/predictions.jsonl, which `auto` chooses for one wafer: {size: row}."""
    lines = (measured.RESULTS / "predictions.jsonl").read_text(encoding="utf-8").splitlines()
    return {row["name"]: row for row in map(json.loads, lines) if row.get("table") == "gpt3"}


def bounds(weft):
    """A micro-batch of some sizes in the shapes of the table of predictions: its cycles by kind of work."""
    for size in ("Small", "XL", "2.7B", "13B", "175B"):
        shape = predicted()[size]
        groups, sequences, columns = shape["row_groups"], shape["sequences"], shape["columns"]
        facts, phases = gpt3(weft, size, "--wafer.row_groups", groups, "--train_input.micro_batch_size", sequences,
                             "--wafer.sequence_columns", columns)
        sums = {kind: 0 for kind in ("gemms", "gradients", "attention", "other")}
        again = 0
        for name, phase in phases.items():
            if name != "total":
                sums[kind_of(name)] += phase["cycles"]
                again += phase["cycles"] if ".again" in name else 0
        yield {"table": "bounds", "size": size, "groups": groups, "sequences": sequences // groups, "columns": columns,
               "places": facts["tokens"] * 1000 * groups, "filled": sequences * TOKENS, "tokens_of_column": facts["tokens"],
               **sums, "again": again, "share": facts["share_of_lanes"]}


def row_groups(weft):
    """A step on one wafer by the number of groups of rows, where it divides the batch; no cycles: it does not fit."""
    for size in ("Small", "Medium", "XL", "6.7B"):
        for groups in (1, 2, 5):
            if predicted()[size]["batch"] % groups == 0:
                facts, _ = gpt3(weft, size, "--wafer.row_groups", groups)
                yield {"table": "groups", "size": size, "groups": groups, "cycles": facts.get("cycles of a wafer"),
                       "share": facts.get("share_of_lanes")}


def tiny(weft, *words):
    return compiled(weft, "gpt_tiny", "--wafer.psum_cycles", 2, "--model.num_hidden_layers", 1, *words)


def recompute(weft):
    """Bytes of a tile and cycles of a micro-batch, with and without the recomputation of blocks."""
    for form in ("none", "block"):
        for layers in (2, 3, 12):
            facts, phases = compiled(weft, "gpt_tiny", "--model.recompute", form, "--model.num_hidden_layers", layers, "--wafer.sram_kib", 128)
            yield {"table": "layers", "recompute": form, "layers": layers, "bytes": used_bytes(facts), "cycles": phases["total"]["cycles"]}


def valves(weft):
    """Cycles of a micro-batch with the valves that `auto` chooses, and with others."""
    for rows, cols, features in ((32, 4, 8), (64, 1, 12), (100, 20, 8), (200, 5, 4), (200, 40, 4), (400, 5, 4)):
        shape = ["--wafer.rows", rows, "--wafer.cols", cols, "--wafer.sram_kib", 128, "--model.hidden_size", features * rows,
                 "--model.num_heads", rows, "--model.filter_size", features * rows, "--model.max_sequence_length", 8,
                 "--train_input.micro_batch_size", cols, "--train_input.batch_size", cols, "--wafer.valves"]
        facts, phases = tiny(weft, *shape, "auto")
        _, each = tiny(weft, *shape, rows)
        yield {"table": "shapes", "tiles": f"{rows}x{cols}", "features": features, "valves": facts["valves"],
               "cycles": phases["total"]["cycles"], "cycles_of_a_valve_each": each["total"]["cycles"]}
    square = ["--wafer.rows", 16, "--wafer.cols", 16, "--model.hidden_size", 128, "--model.num_heads", 16, "--model.filter_size", 512,
              "--model.vocab_size", 384, "--train_input.micro_batch_size", 16, "--train_input.batch_size", 16, "--wafer.valves"]
    auto = tiny(weft, *square, "auto")[0]["valves"]
    for number in (1, 2, 3, 4, 6, 8, 16):
        yield {"table": "numbers", "valves": number, "auto": number == auto, "cycles": tiny(weft, *square, number)[1]["total"]["cycles"]}


def configs(weft):
    """What `weft configs` prints for 192 wafers, of the smallest files of GPT-3."""
    lines = []
    for size in ("Small", "Medium"):
        text = weft("configs", f"{CONFIGS}/params_gpt3_{SIZES[size]}_pile.yaml", "--num_csx", 192, "--train_input.auto_num_csx", 192,
                    "--clock", 853)
        lines += text.split("\n\n")[0].splitlines()[1 if lines else 0 :]
    yield {"table": "lines", "text": "\n".join(lines)}
