#!/usr/bin/env python3
"""The tables of docs/ are those of bench/results, and each is made of its rows."""
import contextlib
import io
import json
import os
import pathlib
import shutil
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))

import page_check  # noqa: E402
import page_predictions  # noqa: E402
import page_tables  # noqa: E402
import pages  # noqa: E402


def run(*arguments):
    """(exit code or message, output) of pages.py."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            code = pages.main([str(argument) for argument in arguments])
        except SystemExit as end:
            code = end.code
    return code, out.getvalue()


class Tables(unittest.TestCase):
    def check(self, text, *lines):
        self.assertEqual(text, "".join(f"{line}\n" for line in lines))

    def test_gemm(self):
        text = page_tables.gemm([{"n": 4, "ideal": 0.5, "even": 0.25, "scattered": 0.125, "valve_a_row": 0.4}])
        row = "|   4 |   0.500 |           0.250 |      0.500 |        0.125 |      0.250 |         0.400 |      0.800 |"
        self.assertEqual(text.splitlines()[2:], [row])
        self.assertEqual({len(line) for line in text.splitlines()}, {len(row)})

    def test_micro_batch(self):
        text = page_tables.micro_batch([{"what": "cycles", "dense": 200, "in_order": 60, "by_load": 50}])
        row = "| cycles                          |     200 |             60 |            50 |           0.250 |"
        self.assertEqual(text.splitlines()[2:], [row])
        self.assertEqual({len(line) for line in text.splitlines()}, {len(row)})

    def test_costs_are_in_milliseconds_in_the_order_of_the_columns(self):
        row = {"config": "c", "step": 1, "compile": 0.2, "mask": 0.03, "choice": 0.004, "set": 0.0005, "rigl": 0.006}
        text = page_tables.mask_update_costs([row])
        self.assertEqual(text.splitlines()[2],
                         "| c | 1000.0 ms | 200.0 ms | 30.0 ms | 4.0 ms | 0.5 ms | 6.0 ms |")

    def test_losses_are_those_of_the_last_step(self):
        rows = [{"algorithm": algorithm, "seed": seed, "step": step, "eval_loss": loss + seed / 10 + (step < 20),
                 "parameters": 7}
                for algorithm, loss in (("static", 2), ("set", 1.75), ("rigl", 2.5), ("dense", 1))
                for seed in (1, 2) for step in (10, 20)]
        self.check(page_tables.mask_update_losses(rows),
                   "| | parameters left | seed 1 | seed 2 | mean | mean less static's |",
                   "|:--|--:|--:|--:|--:|--:|",
                   "| static, random | 7 | 2.1000 | 2.2000 | 2.1500 | +0.0000 |",
                   "| SET | 7 | 1.8500 | 1.9500 | 1.9000 | -0.2500 |",
                   "| RigL | 7 | 2.6000 | 2.7000 | 2.6500 | +0.5000 |",
                   "| dense | 7 | 1.1000 | 1.2000 | 1.1500 | -1.0000 |")

    def test_attention_spread(self):
        rows = [{"features": 3, "tokens": 12, "stored": 8889, "stored_back": 22599, "shared": 7388, "shared_back": 19441,
                 "times": 2.52, "times_back": 2.547}]
        self.check(page_tables.attention_spread(rows),
                   "| f, SP | stored: forward | backward | shared: forward | backward | times faster | backward |",
                   "|:--|--:|--:|--:|--:|--:|--:|",
                   "| 3, 12 | 8,889 | 22,599 | 7,388 | 19,441 | 2.52 | 2.55 |")

    def test_slice_of_xl(self):
        rows = [{"tiles": "4x4", "hidden": 5, "filter": 20, "seq": 8, "cycles": 2000, "estimated_cycles": 1999.6,
                 "share_of_lanes": 0.25, "estimated_share": 0.2504}]
        self.check(page_tables.slice_of_xl(rows),
                   "| tiles | features, of the filter | a sequence | cycles, RTL | estimated | of the lanes, RTL | estimated |",
                   "|:--|--:|--:|--:|--:|--:|--:|",
                   "| 4x4 | 5, 20 | 8 tokens | 2,000 | 2,000 | 0.250 | 0.250 |")

    def test_figure5(self):
        rows = [{"wafers": wafers, "width": width, "sparsity": sparsity, "estimate": estimate, "rtl": rtl}
                for wafers in (1, 16) for width, rtl in ((64, 2 * wafers), (128, None))
                for sparsity, estimate in ((0.5, 2 * wafers), (0.9, 2.2 * wafers))]
        lines = page_tables.figure5(rows).splitlines()
        self.assertEqual(lines[0], "| width | one wafer, estimated | one wafer, RTL | 16 wafers, estimated | 16 wafers, RTL |")
        self.assertEqual(lines[2:4], ["| 64 | 2.20 | 2.00 | 35.20 | 32.00 |", "| 128 | 2.20 |  | 35.20 |  |"])
        self.assertEqual(" ".join(lines[5:]), "The RTL's points are within 10.0 % of the lines. The farthest is width 64 at 90 % on"
                                              " one wafer: 2.00 in RTL and 2.20 estimated.")


WAFER = {"rows": 10, "cols": 100, "lanes": 4, "valves": 5, "sram_kib": 48, "most_sram_kib": 128, "clock": 1e9}
SIZE = {"name": "S", "layers": 2, "hidden": 8, "seq": 16, "batch": 60, "row_groups": 1, "sequences": 5, "parameters": 1.5e9,
        "columns": 20, "sram_kib": 48, "cycles": 2e6,
        "multiply_adds": 4e9, "messages": 5e6, "words_back": 2.5e5, "bound": "latency", "misfit": ""}


class Predictions(unittest.TestCase):
    def test_sizes_of_gpt3(self):
        large = {**SIZE, "name": "L", "misfit": "needs 5 KiB"}
        none = {**SIZE, "name": "N", "cycles": 0, "misfit": "needs 6 KiB"}
        lines = page_predictions.gpt3([SIZE, large, none], [WAFER]).splitlines()
        self.assertEqual(lines[0], "10 x 100 tiles of 4 lanes, a valve per row; blocks are recomputed. A sequence has 16 tokens; the")
        self.assertTrue(lines.pop(1).startswith("numbers of groups of rows, "))
        self.assertEqual(lines.pop(1), "sequence, are those that `auto` chooses for one wafer.")
        self.assertEqual(lines[4], "| S | 2 x 8 | 1.5 G | 30 GB | 48 KiB | 1 x 5 x 20 | 2 M | latency | 0.500 | 20 MB, 1 MB |")
        self.assertEqual(lines[5], "| L | 2 x 8 | 1.5 G | 30 GB | 48 KiB | 1 x 5 x 20, does not fit | 2 M | latency | 0.500 | 20 MB, 1 MB |")
        self.assertEqual(lines[6], "| N | 2 x 8 | 1.5 G | 30 GB | 48 KiB | does not fit | | | | |")
        self.assertEqual(lines[8][:36], "The following sizes do not fit; thei")
        self.assertEqual(lines[10:], ["- L: needs 5 KiB", "- N: needs 6 KiB"])
        self.assertNotIn("do not fit", page_predictions.gpt3([SIZE], [WAFER]))

    def test_console(self):
        row = {"batch": 10, "row_groups": 5, "sequences": 5, "columns": 20, "multiply_adds": 1e12, "rate": 2, "cs2_rate": 0.5}
        lines = page_predictions.console([row, {**row, "batch": 20, "rate": 1, "cs2_rate": None}], [WAFER]).splitlines()
        self.assertEqual(lines[2:], ["| 10 | 5 x 1 x 20 | 2 steps/s | 0.500 | 0.5 steps/s | 0.125 |",
                                     "| 20 | 5 x 1 x 20 | 1 steps/s | 0.250 |  |  |"])

    def test_projection(self):
        lines = page_predictions.projection([{**SIZE, "name": "not this"}, SIZE], [WAFER]).splitlines()
        self.assertTrue(lines[0].startswith("1000 tiles at 1 GHz, the clock"))
        columns = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines[3:]]
        self.assertEqual(columns[0], ["", "a tile", "1000 tiles", "the CS-2"])
        self.assertEqual([row[2] for row in columns[2:]],
                         ["8 TFLOP/s", "80 TFLOP/s", "49.15 MB, at most 131.1 MB", "24 TB/s", "38 TB/s", "20 GB/s",
                          "4 TFLOP/s", "10 GB/s", "500 MB/s"])
        self.assertEqual([row[3] for row in columns[2:6]], ["5.8 PFLOP/s", "58 PFLOP/s", "40 GB", "20 PB/s"])
        self.assertEqual([row[0] for row in columns[8:]], ["training S, as compile_only estimates it",
                                                           "weights to stream for it", "gradients to accept for it"])
        self.assertEqual([columns[2][1], columns[4][1], columns[8][1]],
                         ["4 per cycle", "48 KiB, at most 128", "0.500 of its lanes"])
        self.assertEqual(len(page_predictions.projection([{**SIZE, "cycles": 0}], [WAFER]).splitlines()), len(lines) - 3)

    def test_costs_of_the_swarm_are_in_nanoseconds(self):
        names = ["make", "again", "send", "take", "decode", "encode", "pass", "add", "update"]
        row = {**{name: at * 1e-9 for at, name in enumerate(names, 1)}, "latency": 1e-4}
        lines = page_predictions.swarm_costs([row]).splitlines()[2:]
        self.assertEqual([line.split("|")[3].split()[0] for line in lines],
                         [*(f"{at}.000" for at in range(1, 10)), "100"])
        self.assertIn("| a parameter is updated | MemoryX | 9.000 ns a parameter |", lines)

    def test_runs_of_the_swarm_have_errors(self):
        run_of = {"wafers": 2, "micro_batches": 48, "micro_batch": 0.1, "layers": 12, "train": True, "step": 2,
                  "predicted_step": 2.2, "processor": 1, "predicted_processor": 0.9}
        rows = [run_of, {**run_of, "train": False, "predicted_step": 1.9}, {**run_of, "predicted_step": 2}]
        lines = page_predictions.swarm_runs(rows).splitlines()
        self.assertEqual(lines[2], "| 2 | 48 | 100 ms | 12 | training | 2.000 s | 2.200 s | +10.0 % | 1.00 s | 0.90 s | -10.0 % |")
        self.assertIn("| forward | 2.000 s | 1.900 s | -5.0 % |", lines[3])
        self.assertEqual(lines[5:], ["", "Errors of a step: median 5.0 %, worst 10.0 %."])

    def test_hosts(self):
        row = {"wafers": 2, "measured": 0.1, "one_host": 0.2, "host_each": 0.3, "nodes": 0.4, "gpt_small": 0.5}
        self.assertEqual(page_predictions.swarm_hosts([row]).splitlines()[2], "| 2 | 0.10 | 0.20 | 0.30 | 0.40 | 0.50 |")

    def test_figure7(self):
        wafers = [1, 2, 4, 8, 16, 32, 48, 64, 128, 192]
        rows = [{"name": "S", "micro_batches": 200, "wafers": n, "seconds": 1200 / n} for n in wafers]
        lines = page_predictions.figure7(rows, [{**SIZE, "cycles": 5e9}], [WAFER]).splitlines()
        self.assertEqual(lines[2], "| S | 200 | 1200 s | 60 s | 2.0 | 4.0 | 8.0 | 16.0 | 32.0 | 64.0 | 128.0 | 192.0 | 100.0 |")
        self.assertEqual({line.count("|") for line in lines}, {14})
        variants = [{"name": "S", "system": system, "wafers": 192, "seconds_on_one": one, "seconds": most}
                    for system, one, most in (("measured costs", 9, 3), ("slow links", 5, 0.5))]
        lines = page_predictions.figure7_variants(variants, rows).splitlines()
        self.assertEqual(lines[2:], ["| S | 192.0, 6.25 s | 10.0, 0.5 s | 3.0, 3 s |"])


class Pages(unittest.TestCase):
    def setUp(self):
        self.base = pathlib.Path(tempfile.mkdtemp(prefix="weft-"))
        self.addCleanup(shutil.rmtree, self.base)
        self.results, self.docs = self.base / "results", self.base / "docs"
        self.results.mkdir()
        for table in pages.TABLES:
            (self.docs / table.page).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / "docs" / table.page, self.docs / table.page)
        for path in (ROOT / "bench/results").glob("*.jsonl"):
            shutil.copy(path, self.results)
        self.page = self.docs / "explanation/sparsity.md"
        self.where = ["--results", self.results, "--docs", self.docs]

    def test_documents_have_the_tables_of_the_results(self):
        self.assertEqual(run("--check"), (0, ""), "HINT: bench/pages.py")

    def test_every_table_has_its_section(self):
        marked = [(os.path.relpath(path, ROOT / "docs"), name) for path in page_check.pages_of(ROOT / "docs")
                  for _, name, _ in page_check.markers(path.read_text(encoding="utf-8"))]
        self.assertEqual(sorted(marked), sorted((table.page, table.section) for table in pages.TABLES))

    def check_fails(self, *words):
        code, out = run(*self.where, "--check")
        self.assertEqual(code, 1)
        for word in ("HINT: ", *words):
            self.assertIn(word, out)

    def test_a_section_of_no_results_is_an_error(self):
        text = self.page.read_text(encoding="utf-8")
        self.page.write_text(text + "\n<!-- mine: make plot -->\n<!-- end -->\n", encoding="utf-8")
        self.check_fails(f"{self.page}:{text.count(chr(10)) + 2}: the section mine has no results", "TABLES in bench/pages.py")
        self.page.write_text(text, encoding="utf-8")
        (self.results / "figure5.jsonl").unlink()
        self.check_fails("bench/results/figure5.jsonl is missing", "section figure5", "make plot RESULTS=figure5")

    def test_a_measured_table_outside_of_a_section_is_an_error(self):
        text = self.page.read_text(encoding="utf-8")
        for head, cell in (("what", "12.5 ms"), ("what", "1,200 tokens/s"), ("cycles of a block", "1,200"), ("FPU utilization", "0.5")):
            self.page.write_text(f"{text}\n| a | {head} |\n|---|---|\n| b | 3 |\n| c | {cell} |\n", encoding="utf-8")
            self.check_fails(f"{self.page}:{text.count(chr(10)) + (4 if head != 'what' else 5)}: ", "is measured")
        for more in ("| a | default |\n|---|---|\n| b | 30 s |\n", "| a | rows |\n|---|---|\n| b | 1,200 |\n",
                     "```\n| a | cycles |\n| b | 12 |\n```\n"):
            self.page.write_text(f"{text}\n{more}", encoding="utf-8")
            self.assertEqual(run(*self.where, "--check"), (0, ""))

    def test_a_figure_in_the_text_without_a_result_is_an_error(self):
        text = self.page.read_text(encoding="utf-8")
        for figure in ("98,765,431 cycles", "87.654321 s", "4321 MHz", "98.76543 %", "12 to 98,765,431\ncycles"):
            self.page.write_text(f"{text}\nA step takes {figure}.\n", encoding="utf-8")
            self.check_fails(f"{self.page}:{text.count(chr(10)) + 2}: ", "is in no result of this page")
        (self.results / "mine.jsonl").write_text('{"name": "step", "value": 98765.4321}\n', encoding="utf-8")
        for figure, code in (("98,765.4 cycles", 0), ("98,765.5 cycles", 1)):
            self.page.write_text(f"{text}\nA step takes {figure} (`bench/results/mine.jsonl`).\n", encoding="utf-8")
            self.assertEqual(run(*self.where, "--check")[0], code, figure)
        self.page.write_text(f"{text}\nAfter 20 s, a beat takes 7 cycles.\n", encoding="utf-8")
        self.assertEqual(run(*self.where, "--check"), (0, ""), "settings and depths of the design are no measurements")
        (self.docs / "explanation").mkdir(exist_ok=True)
        (self.docs / "explanation/program_speed.md").write_text("# Speed\n\nA loop runs 12 times.\n", encoding="utf-8")
        self.check_fails("program_speed.md: ", "\"65,535 times\" is in DERIVED of bench/page_figures.py, but not on this page")

    def test_a_table_out_of_date_is_found_and_written(self):
        before = self.page.read_text(encoding="utf-8")
        self.page.write_text(before.replace("0.933", "0.934"), encoding="utf-8")
        code, out = run(*self.where, "--check")
        self.assertEqual((code, out.count("HINT")), (1, 1))
        self.assertIn(str(self.page), out)
        self.assertIn("0.934", self.page.read_text(encoding="utf-8"), "a check writes nothing")
        self.assertEqual(run(*self.where, "--tables"), (0, f"{self.page}\n"))
        self.assertEqual(self.page.read_text(encoding="utf-8"), before)
        self.assertEqual(run(*self.where, "--tables"), (0, "nothing to write\n"))
        self.assertEqual(self.page.stat().st_mode & 0o777, 0o644)
        self.assertEqual(sorted(os.path.relpath(path, self.docs) for path in self.base.rglob("*.md")),
                         sorted({table.page for table in pages.TABLES}))

    def test_only_the_named_results_are_used(self):
        for name in ("explanation/sparsity.md", "explanation/scaling.md"):
            path = self.docs / name
            path.write_text(path.read_text(encoding="utf-8").replace("0.9", "0.8"), encoding="utf-8")
        self.assertEqual(run(*self.where, "--tables", "sparsity"), (0, f"{self.page}\n"))
        self.assertIn("figure5", run(*self.where, "--tables", "figure5x")[0])

    def test_history_is_an_error(self):
        text = self.page.read_text(encoding="utf-8")
        self.page.write_text(f"{text}\nIt took 12 cycles before this change.\n", encoding="utf-8")
        self.check_fails(f"{self.page}:{text.count(chr(10)) + 2}: ", "before this change")

    def test_missing_rows_and_values_are_errors(self):
        path, text = self.results / "sparsity.jsonl", self.page.read_text(encoding="utf-8")
        rows = [json.loads(line) for line in path.read_text().splitlines()]
        for kept, word in (([row for row in rows if row.get("table") != "gemm"], "sparsity.jsonl has no rows gemm"),
                           ([{key: value for key, value in row.items() if key != "even"} for row in rows], "'even'")):
            path.write_text("".join(json.dumps(row) + "\n" for row in kept))
            code, out = run(*self.where, "--check")
            self.assertNotEqual(code, 0)
            self.assertIn(word, f"{code}{out}")
            self.assertIn("HINT: ", f"{code}{out}")
        self.assertEqual(self.page.read_text(encoding="utf-8"), text)

    def test_damaged_files_are_named(self):
        with open(self.results / "sparsity.jsonl", "a", encoding="utf-8") as file:
            file.write("{\n")
        self.assertIn("sparsity.jsonl:15: ", run(*self.where)[0])
        shutil.copy(ROOT / "bench/results/sparsity.jsonl", self.results)
        text = self.page.read_text(encoding="utf-8")
        self.page.write_text(text.replace("<!-- gemm:", "<!-- other:"), encoding="utf-8")
        self.assertIn("no section gemm", run(*self.where)[0])
        self.page.write_text(text.replace("<!-- end -->", ""), encoding="utf-8")
        self.assertIn("no section gemm", run(*self.where)[0])


if __name__ == "__main__":
    unittest.main()
