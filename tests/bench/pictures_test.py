#!/usr/bin/env python3
"""Pictures of docs/ have a line, a point and a label for each of their rows. Exit code 77: matplotlib is missing."""
import pathlib
import re
import shutil
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))

try:
    import page_pictures
except ImportError:
    print("skipped: no matplotlib. HINT: scripts/setup plot")
    sys.exit(77)

import pages  # noqa: E402

MODELS = [{"name": name, "micro_batches": 100, "wafers": n, "seconds": 10 / n}
          for name in ("Small", "XL") for n in (1, 2, 64)]
WIDTHS = [{"width": 64, "sparsity": 0, "estimate": 1, "rtl": 1}, {"width": 64, "sparsity": 0.9, "estimate": 1.5, "rtl": 1.4},
          {"width": 128, "sparsity": 0, "estimate": 1, "rtl": None},
          {"width": 128, "sparsity": 0.9, "estimate": 10, "rtl": None}]
GEMM = [{"n": n, "ideal": n / (n + 2), "even": 0.5, "scattered": 0.4, "valve_a_row": 0.45} for n in (4, 8, 16)]
PARTS = [{"part": "memory", "step": 0, "begin": 0, "end": 0.1}, {"part": "memory", "step": 1, "begin": 0.1, "end": 0.2},
         {"part": "update", "step": 0, "begin": 0.05, "end": 0.15}]
SIGNALS = [{"signal": "sums", "begin": 10, "end": 11, "text": "-0.5"}, {"signal": "unit", "begin": 10, "end": 12, "text": "main"},
           {"signal": "unit", "begin": 12, "end": 13, "text": "psum"}]
LOSSES = [*({"table": "curve", "step": step, "loss": loss} for step, loss in ((1, 4.5), (20, 2.5), (40, 2))),
          {"table": "evals", "step": 20, "weft": 2.5, "pytorch": 2.25}, {"table": "evals", "step": 40, "weft": 2, "pytorch": None}]


def losses():
    return [{"algorithm": algorithm, "seed": seed, "step": step, "eval_loss": 2 + seed / 100, "parameters": 7}
            for algorithm in ("static", "set", "rigl", "dense") for seed in (1, 2) for step in (200, 400)]


class Pictures(unittest.TestCase):
    def texts(self, svg):
        return re.findall(r"<text[^>]*>([^<]*)</text>", svg)

    def has(self, svg, *labels):
        for label in labels:
            self.assertEqual(self.texts(svg).count(label), 1, label)

    def points(self, svg, color):
        return len(re.findall(rf'<use [^>]*style="fill: [^;"]*; stroke: {color}"', svg))

    def paths(self, svg, color):
        return len(re.findall(rf'<path d="[^"]*" clip-path[^>]*stroke: {color}; ', svg))

    def test_each_picture_is_the_same_again(self):
        for picture, rows in ((page_pictures.utilization, GEMM), (page_pictures.speed_up, WIDTHS),
                              (page_pictures.scaling, MODELS), (page_pictures.mask_updates, losses()),
                              (page_pictures.timeline, PARTS), (page_pictures.readme, SIGNALS + LOSSES)):
            svg = picture(rows)
            self.assertEqual(svg, picture(rows))
            self.assertNotIn("dc:date", svg)
            self.assertNotIn("dc:creator", svg)
            self.assertNotRegex(svg, "nan|[ \t]\n")

    def test_utilization(self):
        svg = page_pictures.utilization(GEMM)
        self.has(svg, "n / (n + 2)", "n weights in every row", "a random mask, n on average", "a random mask, a valve per row",
                 "4", "8", "16", "n: non-zero weights for a row and an output", "beats that multiply / cycles")
        for color in (page_pictures.BLUE, page_pictures.ORANGE, page_pictures.GREEN):
            self.assertEqual(self.points(svg, color), len(GEMM) + 1, "and one in the legend")
        self.assertEqual(self.paths(svg, page_pictures.GRAY), 1)

    def test_speed_up_has_a_line_for_each_width_and_a_point_for_each_count(self):
        svg = page_pictures.speed_up(WIDTHS)
        self.has(svg, "width 64", "width 128", "only weights take time", "counted in the RTL (lines: estimates)", "0 %", "90 %",
                 "cycles dense / sparse", "50")
        self.assertEqual([self.points(svg, color) for color in page_pictures.COLORS[:2]], [2, 0])
        self.assertEqual([self.paths(svg, color) for color in page_pictures.COLORS[:3]], [1, 1, 0])
        self.assertEqual(self.points(svg, page_pictures.COLORS[-1]), 1, "in the legend")
        names = [text for text in self.texts(svg) if text.startswith("width")]
        self.assertEqual(names, ["width 128", "width 64"], "in the order of the lines")

    def test_speed_up_has_a_panel_for_each_number_of_wafers(self):
        rows = [{**row, "wafers": wafers, "tokens": tokens} for wafers, tokens in ((1, 32), (16, 8)) for row in WIDTHS]
        svg = page_pictures.speed_up(rows)
        self.has(svg, "one wafer, 32 tokens a column", "16 wafers, 8 tokens a column", "width 64", "width 128")
        self.assertEqual([self.points(svg, color) for color in page_pictures.COLORS[:2]], [4, 0])
        self.assertEqual([self.paths(svg, color) for color in page_pictures.COLORS[:2]], [2, 2])

    def test_scaling_has_a_line_for_each_model_and_a_point_for_each_number(self):
        svg = page_pictures.scaling(MODELS)
        self.has(svg, "GPT-3 Small", "GPT-3 XL", "linear", "wafers", "speed-up over one wafer")
        self.assertEqual(self.texts(svg).count("192"), 2, "on both axes")
        for color in (page_pictures.ORANGE, page_pictures.YELLOW):
            self.assertEqual(self.points(svg, color), 3)
            self.assertEqual(self.paths(svg, color), 1)

    def test_mask_updates(self):
        svg = page_pictures.mask_updates(losses())
        self.has(svg, "static, random", "SET", "RigL", "steps", "eval loss less the mean of static masks, nats", "0.020")
        self.assertNotIn("dense", self.texts(svg))
        for color in (page_pictures.GRAY, page_pictures.ORANGE, page_pictures.BLUE):
            self.assertEqual(self.points(svg, color), 4)
            self.assertEqual(self.paths(svg, color), 1)
        far = [{**row, "eval_loss": row["eval_loss"] + (row["algorithm"] == "rigl") * 0.1} for row in losses()]
        self.assertIn("0.10", self.texts(page_pictures.mask_updates(far)), "the axis has room for every run")

    def test_timeline_has_a_bar_for_each_interval(self):
        svg = page_pictures.timeline(PARTS)
        self.has(svg, "memory", "update", "a step", "the next", "milliseconds", "0", "200")
        bars = [len(re.findall(rf'<use [^>]*style="fill: {color}"/>', svg))
                for color in (page_pictures.BLUE, page_pictures.YELLOW)]
        self.assertEqual(bars, [2, 1])
        at = [tuple(map(float, corner)) for corner in re.findall(r'<path id="[^"]*" d="M ([\d.-]+) ([\d.-]+)\nL [^"z]*z\n"', svg)]
        memory, update, memory_of_next = at
        self.assertLess(memory[1], update[1], "parts from top to bottom")
        self.assertEqual(memory[1], memory_of_next[1])
        self.assertAlmostEqual(update[0] - memory[0], (memory_of_next[0] - memory[0]) / 2, 3, "times from left to right")

    def test_readme_has_a_row_for_each_signal_and_the_losses_of_both_programs(self):
        svg = page_pictures.readme(SIGNALS + LOSSES)
        self.has(svg, "sums", "unit", "\N{MINUS SIGN}0.5", "main", "psum", "training steps", "evaluation", "evaluation, PyTorch")
        self.assertEqual(self.paths(svg, page_pictures.BLUE), 1)
        self.assertEqual(self.points(svg, page_pictures.BLUE), 3, "and one in the legend")

    def test_pages_draws_the_pictures_of_which_there_are_results(self):
        docs = pathlib.Path(tempfile.mkdtemp(prefix="weft-"))
        self.addCleanup(shutil.rmtree, docs)
        (docs / "explanation").mkdir()
        results = {"sparsity": {"gemm": GEMM}, "overlap": {"figure2": PARTS}, "figure5": {"other": WIDTHS},
                   "mask_updates": {"losses": losses()[:1]}}
        drawn = pages.draw(results, docs)
        self.assertEqual([path.name for path in drawn], ["sparsity.svg", "figure2.svg"], "a curve needs several steps")
        self.assertEqual(drawn[0].read_text(encoding="utf-8"), page_pictures.utilization(GEMM))
        results = {"figure5": {"speed-up": WIDTHS}, "predictions": {"figure7": MODELS}, "mask_updates": {"losses": losses()}}
        drawn = pages.draw(results, docs)
        self.assertEqual([path.name for path in drawn], ["figure5.svg", "mask_updates.svg", "figure7.svg"])
        for path, label in zip(drawn, ("width 64", "RigL", "GPT-3 XL")):
            self.assertIn(label, path.read_text(encoding="utf-8"))
        signals = {"picture": SIGNALS}
        self.assertEqual(pages.draw({"readme": signals}, docs), [], "half of its rows are missing")
        losses_of = {table: [row for row in LOSSES if row["table"] == table] for table in ("curve", "evals")}
        self.assertEqual([path.name for path in pages.draw({"readme": signals, "trained_model": losses_of}, docs)], ["overview.svg"])


if __name__ == "__main__":
    unittest.main()
