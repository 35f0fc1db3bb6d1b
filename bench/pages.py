#!/usr/bin/env python3
"""Writes the measured tables and pictures of docs/ from the results of the benchmarks.

`build/weft-bench --results bench/results BENCHMARK...` writes bench/results/BENCHMARK.jsonl, an object per line; this
program reads these files, so pages can be written again without measuring. A table is written between the lines
`<!-- NAME: make TARGET -->` and `<!-- end -->` of its page; a table whose rows are missing is an error. Pictures need
matplotlib (scripts/setup plot).
"""

import argparse
import collections
import json
import os
import pathlib
import sys
import tempfile

import page_check
import page_commands
import page_figures
import page_fpga
import page_parity
import page_predictions
import page_tables
import page_values

ROOT = pathlib.Path(__file__).resolve().parent.parent

Table = collections.namedtuple("Table", "result rows page section text")
Picture = collections.namedtuple("Picture", "result rows file drawing needs more", defaults=[None, ()])

# The rows that a table needs are those of `rows`, names of tables in the results file, or in each of several files. VALUES
# are the values that belong to no table: {name: value}.
VALUES = ["values"]
BOARDS = ("fpga_ulx3s", "fpga_ulx3s_45f", "fpga_ecpix5")
SIZES = "reference/fpga_sizes.md"
TABLES = [
    Table("sparsity", ["gemm"], "explanation/sparsity.md", "gemm", page_tables.gemm),
    Table("sparsity", ["micro-batch"], "explanation/sparsity.md", "micro-batch", page_tables.micro_batch),
    Table("figure5", ["speed-up"], "explanation/sparsity.md", "figure5", page_tables.figure5),
    Table("mask_update_costs", ["costs"], "explanation/dynamic_sparsity.md", "costs", page_tables.mask_update_costs),
    Table("mask_updates", ["losses"], "explanation/dynamic_sparsity.md", "losses", page_tables.mask_update_losses),
    Table("predictions", ["gpt3", "wafer"], "explanation/scaling.md", "gpt3", page_predictions.gpt3),
    Table("predictions", ["gpt3", "wafer"], "explanation/scaling.md", "projection", page_predictions.projection),
    Table("predictions", ["swarm-costs"], "explanation/scaling.md", "swarm-costs", page_predictions.swarm_costs),
    Table("predictions", ["swarm-fit"], "explanation/scaling.md", "swarm-fit", page_predictions.swarm_runs),
    Table("predictions", ["swarm-check"], "explanation/scaling.md", "swarm-check", page_predictions.swarm_runs),
    Table("predictions", ["swarm-fit", "swarm-check"], "explanation/swarm.md", "swarm-steps", page_predictions.swarm_steps),
    Table("predictions", ["swarm-hosts"], "explanation/scaling.md", "swarm-hosts", page_predictions.swarm_hosts),
    Table("predictions", ["console", "wafer"], "explanation/scaling.md", "console", page_predictions.console),
    Table("predictions", ["figure7", "gpt3", "wafer"], "explanation/scaling.md", "figure7", page_predictions.figure7),
    Table(
        "predictions",
        ["figure7-variants", "figure7"],
        "explanation/scaling.md",
        "figure7-variants",
        page_predictions.figure7_variants,
    ),
    Table("attention_spread", ["attention_spread"], "explanation/attention_rows.md", "attention-spread", page_tables.attention_spread),
    Table("programs", ["programs"], "explanation/program_speed.md", "programs", page_tables.programs),
    Table("programs", ["solver"], "explanation/solver.md", "solver", page_tables.solver),
    Table("slice", ["slice"], "explanation/row_groups.md", "slice", page_tables.slice_of_xl),
    Table("batch", VALUES, "explanation/scaling.md", "batch", page_values.batch),
    Table("cpu", VALUES, "explanation/parity.md", "cpu", page_values.cpu),
    Table("weak_scaling", VALUES, "explanation/scaling.md", "weak-scaling", page_values.meshes),
    Table("weak_scaling", VALUES, "explanation/scaling.md", "weak-gradients", page_values.gradients),
    Table("figure3", VALUES, "explanation/memory.md", "figure3", page_values.figure3),
    Table("gemm", VALUES, "explanation/psum.md", "partial-sums", page_values.partial_sums),
    Table("micro_batch", VALUES, "explanation/psum.md", "micro-batches", page_values.micro_batches),
    Table("micro_batch", VALUES, "explanation/stalls.md", "micro-batches", page_values.micro_batches),
    Table("gemm", VALUES, "explanation/sparsity.md", "tenth", page_values.tenth),
    Table("layer", VALUES, "explanation/sparsity.md", "layer", page_values.layer),
    Table("placement", VALUES, "explanation/sparsity.md", "placement", page_values.placement),
    Table("board", VALUES, "howto/fpga.md", "board", page_values.board),
    Table("overlap", VALUES, "explanation/overlap.md", "replayed", page_values.replayed),
    Table("memory", VALUES, "explanation/overlap.md", "memory", page_values.memory),
    Table("memory", VALUES, "explanation/tiers.md", "bounded", page_values.bounded_memory),
    Table("generation", VALUES, "explanation/generation.md", "passes", page_values.generation_passes),
    Table("generation", VALUES, "explanation/generation.md", "kept", page_values.generation_kept),
    Table("hugging_face", VALUES, "howto/hugging_face.md", "accuracy", page_values.hugging_face),
    Table("python", VALUES, "howto/python.md", "python", page_values.python),
    Table("swarm_loss", VALUES, "explanation/swarm.md", "swarm-loss", page_values.swarm_loss),
    Table("swarm_slow", VALUES, "explanation/swarm.md", "swarm-slow", page_values.swarm_slow),
    Table("trained_model", ["evals", *VALUES], "explanation/trained_model.md", "losses", page_values.trained_model),
    Table("trained_model", ["sample", "evals", *VALUES], "../README.md", "trained-model", page_values.trained_sample),
    Table("attention", ["forms"], "explanation/attention_rows.md", "attention-forms", page_commands.attention_forms),
    Table("attention", ["waits"], "explanation/attention_rows.md", "attention-waits", page_commands.attention_waits),
    Table("attention", ["phases"], "explanation/row_groups.md", "slice-phases", page_commands.slice_phases),
    Table("attention_estimates", ["estimates"], "explanation/attention_rows.md", "attention-estimates", page_commands.attention_estimates),
    Table("bounds", ["bounds"], "explanation/scaling.md", "bounds", page_commands.bounds),
    Table("turn", ["gradients"], "explanation/scaling.md", "turn", page_commands.turn),
    Table("valves", ["shapes"], "explanation/scaling.md", "valve-shapes", page_commands.valve_shapes),
    Table("valves", ["numbers"], "explanation/scaling.md", "valve-numbers", page_commands.valve_numbers),
    Table("row_groups", ["groups"], "explanation/row_groups.md", "row-groups", page_commands.row_groups),
    Table("losses", ["losses"], "explanation/stalls.md", "losses-tiny", page_commands.losses("gpt_tiny")),
    Table("losses", ["losses"], "explanation/stalls.md", "losses-small", page_commands.losses("gpt_small")),
    Table("recompute", ["layers"], "reference/network.md", "recompute", page_commands.recompute),
    Table("configs", ["lines"], "reference/commands.md", "configs", page_commands.configs),
    Table("wafer", VALUES, "explanation/short_vectors.md", "wafer", page_commands.wafer),
    Table(BOARDS, ["design", "clocks"], "howto/fpga.md", "bitstreams", page_fpga.bitstreams),
    Table(BOARDS, ["design", "clocks"], SIZES, "boards", page_fpga.designs),
    Table(BOARDS, ["parts"], SIZES, "parts", page_fpga.parts),
    Table("fpga_tile", ["design", "clocks"], SIZES, "tile", page_fpga.designs),
    Table("fpga_tile_debug", ["design", "clocks"], SIZES, "tile-debug", page_fpga.designs),
    Table("fpga_tile_tally", ["design", "clocks"], SIZES, "tile-tally", page_fpga.designs),
    Table("fpga_wafer", ["design", "clocks"], SIZES, "wafer", page_fpga.designs),
    Table("fpga_router", ["cells"], SIZES, "router", page_fpga.counts),
    Table("fpga_link", ["cells"], SIZES, "link", page_fpga.counts),
    Table("fpga_larger", ["cells"], SIZES, "larger", page_fpga.counts),
    Table("fpga_larger", ["chips"], SIZES, "chips", page_fpga.chips),
    Table("parity", ["curves"], "explanation/parity.md", "parity", page_parity.curves),
    Table("parity", ["exchange"], "explanation/parity.md", "exchange", page_parity.exchange),
    Table("parity_options", ["options"], "explanation/parity.md", "options", page_parity.options),
    Table("parity_nudged", ["nudged"], "explanation/parity.md", "nudged", page_parity.nudged),
]


def has_curves(rows):
    """True if there are several evaluations per run; a table needs the last one only."""
    return len({row["step"] for row in rows}) > 1


# `drawing` names a function of page_pictures, which is imported only if a picture is drawn. `more` has the results and
# tables whose rows follow those of `rows`.
PICTURES = [
    Picture("sparsity", "gemm", "explanation/sparsity.svg", "utilization"),
    Picture("figure5", "speed-up", "explanation/figure5.svg", "speed_up"),
    Picture("mask_updates", "losses", "explanation/mask_updates.svg", "mask_updates", has_curves),
    Picture("predictions", "figure7", "explanation/figure7.svg", "scaling"),
    Picture("readme", "picture", "overview.svg", "readme", more=[("trained_model", "curve"), ("trained_model", "evals")]),
    Picture("overlap", "figure2", "explanation/figure2.svg", "timeline"),
]


def fail(message):
    sys.exit(f"pages.py: {message}")


def read_results(folder):
    """{benchmark: {table: [row]}} of all results files in the folder; the table `values` is {name: value}."""
    results = {}
    for path in sorted(pathlib.Path(folder).glob("*.jsonl")):
        tables = results[path.stem] = collections.defaultdict(list)
        values = tables["values"] = {}
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            try:
                row = json.loads(line)
                if "table" in row:
                    tables[row["table"]].append(row)
                elif "name" in row:
                    values[row["name"]] = row["value"]
            except (ValueError, TypeError):
                fail(f"{path}:{number}: is not a JSON object. HINT: measure again, see bench/README.md")
    return results


def replace_section(page, name, text):
    """The page with `text` between the lines `<!-- name: ... -->` and `<!-- end -->`."""
    begin = page.find(f"<!-- {name}:")
    first = page.find("\n", begin) + 1
    end = page.find("<!-- end -->", first)
    if begin < 0 or end < 0:
        fail(f"the page has no section {name}. HINT: it is between <!-- {name}: ... --> and <!-- end -->")
    return f"{page[:first]}\n{text}\n{page[end:]}"


def write(path, text):
    """Writes a file atomically."""
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, delete=False) as file:
        file.write(text)
    os.chmod(file.name, 0o644)
    os.replace(file.name, path)


def rendered_pages(results, docs, tables):
    """{path of a page: its text with these tables}."""
    pages = {}
    for table in tables:
        path = pathlib.Path(os.path.normpath(docs / table.page))
        page = pages.get(path) or path.read_text(encoding="utf-8")
        try:
            text = table.text(*(page_check.rows_of(results, table, name) for name in table.rows))
        except (KeyError, IndexError, StopIteration, TypeError) as error:
            fail(f"bench/results/{page_check.files_of(table)[0]}.jsonl lacks a value of {path}, section {table.section}: {error!r}."
                 " HINT: measure again, see bench/README.md")
        pages[path] = replace_section(page, table.section, text)
    return pages


def draw(results, docs):
    """Draws all pictures of which there are results; returns their paths."""
    drawn = []
    for picture in PICTURES:
        rows = results.get(picture.result, {}).get(picture.rows)
        more = [results.get(result, {}).get(name) for result, name in picture.more]
        if not rows or not all(more) or (picture.needs and not picture.needs(rows)):
            continue
        try:
            import page_pictures
        except ImportError as error:
            fail(f"{error}: pictures need matplotlib. HINT: scripts/setup plot, or --tables")
        path = docs / picture.file
        write(path, getattr(page_pictures, picture.drawing)(sum(more, rows)))
        drawn.append(path)
    return drawn


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=pathlib.Path, default=ROOT / "bench/results", help="folder of *.jsonl files")
    parser.add_argument("--docs", type=pathlib.Path, default=ROOT / "docs", help="folder of pages and pictures")
    parser.add_argument("--tables", action="store_true", help="write no pictures")
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if a table is out of date or is of no results")
    parser.add_argument("benchmark", nargs="*", help="use only the results of these benchmarks")
    options = parser.parse_args(arguments)
    results = read_results(options.results)
    for name in options.benchmark:
        if name not in results:
            fail(f"{options.results}/{name}.jsonl is missing. HINT: build/weft-bench --results {options.results} {name}")
    tables = [table for table in TABLES if not options.benchmark or set(page_check.files_of(table)) & set(options.benchmark)]
    errors = list(page_check.missing_rows(results, options.docs, tables))
    if options.check:
        errors += [*page_check.unknown_markers(options.docs, TABLES), *page_check.unmarked_measurements(options.docs),
                   *page_check.histories(options.docs), *page_figures.unproved_figures(results, options.docs, TABLES)]
    if errors:
        print("\n".join(errors))
        return 1
    pages = rendered_pages(results, options.docs, tables)
    old = [path for path, text in pages.items() if path.read_text(encoding="utf-8") != text]
    if options.check:
        for path in old:
            print(f"{path}: a table differs from the results. HINT: bench/pages.py")
        return 1 if old else 0
    for path in old:
        write(path, pages[path])
    drawn = {name: results[name] for name in options.benchmark or results}
    written = old + ([] if options.tables else draw(drawn, options.docs))
    print("\n".join(str(path) for path in written) or "nothing to write")
    return 0


if __name__ == "__main__":
    sys.exit(main())
