#!/usr/bin/env python3
"""Tables of pages that are made of a benchmark's single values."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "fpga")]

import command_results  # noqa: E402
import compiled_results  # noqa: E402
import page_commands  # noqa: E402
import page_fpga  # noqa: E402
import page_predictions  # noqa: E402
import page_values  # noqa: E402
import record  # noqa: E402


class Values(unittest.TestCase):
    def check(self, text, *rows):
        """The text ends with a table of these rows, whose lines have as many columns as its head."""
        lines = text.strip().splitlines()
        self.assertEqual(lines[-len(rows) :], list(rows))
        self.assertEqual(len({line.count("|") for line in lines if line.startswith("|")}), 1)

    def test_batch(self):
        name = "2 sequences"
        values = {name: 64000, f"{name}, FPU": 0.75, f"{name}, places with a token": 0.5, f"{name}, what the model itself asks for": 0.25,
                  f"{name}, bound by multiply-adds": 97.4, f"{name}, bound by valve": 0.1, f"{name}, bound by latency": 2.5}
        self.check(page_values.batch(values), "| 2 | 64,000 | 1,000 | 0.750 | 0.50 | 0.250 | multiply-adds 97 %, latency 2 % |")

    def test_trained_model(self):
        evals = [{"step": step, "weft": 1.5, "pytorch": 1.75} for step in (500, 1000, 1500)] + [{"step": 1750, "weft": 1.25, "pytorch": None}]
        mean = "mean training loss of steps 1001 to 1500"
        values = {"tokens of a step": 8, "steps of PyTorch": 1500, f"Weft, {mean}": 1.25, f"PyTorch, {mean}": 1.375,
                  "Weft, processor time": 140, "released weights, eval loss": 1.7, "released weights, eval loss in PyTorch": 1.71}
        text = page_values.trained_model(evals, values)
        self.check(text, "| eval loss after 1,000 steps | 1.5000 | 1.7500 |", "| eval loss after 1,500 steps | 1.5000 | 1.7500 |",
                   "| eval loss after 1,750 steps | 1.2500 |  |", f"| {mean} | 1.2500 | 1.3750 |",
                   "| eval loss of the released weights | 1.7000 | 1.7100 |", "| processor time | 2 minutes |  |",
                   "| tokens per second of it | 100 |  |")
        self.assertNotIn("after 500 steps", text)

    def test_board(self):
        values = {"a micro-batch": 1000, "down, as records": 20, "up": 3000, "Ethernet, op after op": 11145.2,
                  "Ethernet, at most, bound by the wafer": 15783}
        text = page_values.board(values)
        self.assertIn("takes 1,000 cycles; 20 bytes go down and 3,000 up", text)
        self.check(text, "| Ethernet | 11,145 tokens/s | 15,783 tokens/s | the wafer |")

    def test_figure3(self):
        values = {"GEMV, 8 x 2, contiguous": 1, "GEMV, 8 x 2, at random indices": 0.5, "GEMV, 8 x 2, weights and random indices streamed": 0.75,
                  "AXPY, 8, contiguous": 1, "AXPY, 8, all in one half of memory": 0.5}
        self.check(page_values.figure3(values), "| GEMV, 8 x 2, `vf.fma R[r0], M[x], MS[w], R[r0]` | 1.000 | 0.500 | 0.750 |  |",
                   "| AXPY, 8, `vf.fma M[y], M[x], S[a], M[y]` | 1.000 |  |  | 0.500 |")

    def test_gemm(self):
        values = {"1024 inputs a row, 12 tokens a column, dense": 0.5, "1024 inputs a row, 12 tokens a column, 10 % of them": 0.25,
                  "1024 inputs a row at 10 %, 12 tokens a column": 9.5}
        for tokens in (32, 64):
            for cycles in (4, 2):
                values |= {f"n 8, {tokens} tokens a column, {cycles} cycles": 0.5, f"n 8, {tokens} tokens a column, {cycles} cycles, an output": 1000.25}
        self.check(page_values.partial_sums(values), "| n = 8 | 1,000.2 | 0.750 | 1,000.2 | 0.625 |")
        self.check(page_values.tenth(values), "| 1,024 | 12 | 0.500 | 0.250 | 9.50 | 9.83 |")

    def test_micro_batches(self):
        values = {"a.yaml, 4 cycles a partial sum": 1000, "a.yaml, 4 cycles a partial sum, what the model itself asks for": 0.5,
                  "a, 4 cycles: FPU utilization": 0.75}
        self.check(page_values.micro_batches(values), "| a, 4 | 1,000 | 0.750 | 0.500 |")

    def test_cpu(self):
        few = "32 tokens on 96 x 1 tiles"
        values = {few: 98904576, f"{few}, model": 4.123}
        for name in ("gpt_small", "256 wide"):
            values |= {f"{name}, model, all threads together": 0.12, f"{name}, model / plain": 0.5,
                       f"{name}, PyTorch 1.13.0a0, OpenBLAS BLAS": 0.1, f"{name}, model / PyTorch": 1.2}
        self.check(page_values.cpu(values), "| gpt_small | 0.120 | PyTorch 1.13, OpenBLAS | 0.100 | 1.20 | 0.50 |",
                   "| 256 wide | 0.120 | PyTorch 1.13, OpenBLAS | 0.100 | 1.20 | 0.50 |",
                   "| 99 M parameters, 32 tokens on 96 x 1 tiles | 4.12 |  |  |  |  |")

    def test_meshes(self):
        values = {}
        for name, used in (("4x4", 0.8), ("8x8", 0.4), ("4x4, gradients", 0.5), ("4x8, gradients", 0.25)):
            values |= {f"{name}, valves": 1, name: 2000, f"{name}, FPU": used}
        self.check(page_values.meshes(values), "| 4x4 | 1 | 2,000 | 0.800 | 1.000 |", "| 8x8 | 1 | 2,000 | 0.400 | 0.500 |")
        self.check(page_values.gradients(values), "| 4x4 | 1 | 2,000 | 0.500 | 1.000 |", "| 4x8 | 1 | 2,000 | 0.250 | 0.500 |")

    def test_layer(self):
        values = {"4x4, hidden 8, all ops, dense": 5000, "4x4, hidden 8, all ops, 90 %": 1000, "4x4, hidden 8, all ops": 5,
                  "4x4, hidden 8, GEMMs and gradients, dense": 4000, "4x4, hidden 8, GEMMs and gradients, 90 %": 500}
        self.check(page_values.layer(values), "| 4x4, hidden 8 | 5,000 | 1,000 | 5.00 | 4,000 | 500 | 8.00 |")

    def test_generation(self):
        values = {}
        for psum, scale in ((4, 2), (2, 1)):
            for name, cycles in (("a pass of all tokens, one prompt", 10000), ("a pass of all tokens, one prompt, two columns", 12000),
                                 ("a pass of all tokens, twelve prompts", 5000), ("a pass of all tokens, one prompt, one beat", 4000),
                                 ("kept, one prompt", 2000), ("kept, last token", 3890), ("kept, twelve prompts", 250)):
                values[f"{name}, {psum} cycles a partial sum"] = cycles * scale
        self.assertIn("| one prompt, 64 tokens of context, over four columns | 20,000 | 10,000 |", page_values.generation_passes(values))
        text = page_values.generation_kept(values)
        self.assertIn("| one prompt | 4,000 | 2,000 |\n", text)
        self.assertIn("costs 0.20 of the passes of all tokens above, and twelve\nprompts cost 0.05. Twelve prompts give 8.0 times", text)
        self.assertIn("the\nattention of a position costs 30 cycles:", text)

    def test_hugging_face(self):
        text = "transformers 4.46.3, PyTorch 1.13\ngpt_tiny, untied fp32  weft 2.50000  transformers 2.50010  KL 1.50e-05\nOK\n"
        values = command_results.hugging_face_values(text)
        self.assertEqual(values, {"gpt_tiny, untied fp32, weft": 2.5, "gpt_tiny, untied fp32, transformers": 2.5001,
                                  "gpt_tiny, untied fp32, KL": 1.5e-5})
        self.check(page_values.hugging_face(values), "| gpt_tiny, untied fp32 | 2.50000 | 2.50010 | 1.50e-05 |")

    def test_cycles_of_a_run_of_mode_generate(self):
        text = "weights out/checkpoint_1.safetensors: step 1\n768 tokens of 12 prompts in 9.1 s, 84 tokens/s, 7000 simulated cycles, 9 a token\n"
        self.assertEqual(command_results.cycles_and_tokens(text), (7000, 768))
        values = command_results.generation_values(lambda window, psum, flags: (64 * psum * flags[1], flags[1]))
        self.assertEqual(values["kept, last token, 4 cycles a partial sum"], 256)
        self.assertEqual(values["a pass of all tokens, one prompt, one beat, 2 cycles a partial sum"], 128)

    def test_placement(self):
        values = {"exponent 0.5, in order": 1.5, "exponent 0.5, interleaved": 1.25, "exponent 0.5, by the compiler": 1, "exponent 0, in order": 2}
        self.check(page_values.placement({**values, "exponent 0, interleaved": 2, "exponent 0, by the compiler": 2}),
                   "| 0.5 | 1.500 | 1.250 | 1.000 |", "| 0 | 2.000 | 2.000 | 2.000 |")

    def test_overlap(self):
        values = {"weights change early: a step": 1.111, "weights change late": 1.5, "a step": 200}
        self.check(page_values.replayed(values), "| weights change early | 1.11 |", "| weights change late | 1.50 |")
        self.check(page_values.memory({"weights change late": 20.15, "all 256 layers": 3}), "| weights change late | 20.1 |")

    def test_swarm(self):
        values = {}
        for name in ("killed", "stopped"):
            values |= {f"{name}, the median": 1, f"{name}, the worst": 2, f"{name}, the worst over twice the deadline and the lost work": 0.5}
        self.check(page_values.swarm_loss(values), "| killed | 1.00 s | 2.00 s | 0.50 |", "| stopped | 1.00 s | 2.00 s | 0.50 |")
        values = {"a link, micro-batches a second without it": 2.5, "a link, with it": 2, "a link, share": 0.8, "a link, named after": 1.25}
        self.check(page_values.swarm_slow(values), "| a link | 2.50 | 2.00 | 0.80 | 1.2 s |")
        run = {"micro_batches": 48, "micro_batch": 0.1, "layers": 12, "train": True, "processor": 1}
        fit = [{**run, "wafers": 1, "step": 4}, {**run, "wafers": 2, "step": 1, "train": False}, {**run, "wafers": 3, "step": 2}]
        self.check(page_predictions.swarm_steps(fit, [{**run, "wafers": 2, "step": 2.5}]), "| a step | 4.00 s | 2.50 s |",
                   "| processor time of it | 1.00 s | 1.00 s |", "| share of linear | 1.00 | 0.80 |")


class Commands(unittest.TestCase):
    """Tables from what weft prints, and the reading of its output."""

    def lines(self, text):
        lines = text.strip().splitlines()
        table = [line for line in lines if line.startswith("|")]
        self.assertEqual(len({line.count("|") for line in table}), 1)
        return table[2:]

    def test_attention(self):
        cycles = {f"{form}_{way}": 1000 * at for at, (form, way) in enumerate(
            ((form, way) for form in ("stored", "shared") for way in ("forward", "backward", "bytes")), 1)}
        row = {"features": 3, "tokens": 12, "size": "XL", "rows_of_a_head": 53, **cycles}
        self.assertEqual(self.lines(page_commands.attention_forms([row])), ["| 3, 12 | 1,000 | 2,000 | 4,000 | 5,000 |"])
        self.assertEqual(self.lines(page_commands.attention_estimates([row])),
                         ["| XL | 53 | 1,000 | 2,000 | 3,000 | 4,000 | 5,000 | 6,000 | 0.3 |"])
        row |= {f"stored_{way}": None for way in ("forward", "backward", "bytes")}
        self.assertEqual(self.lines(page_commands.attention_estimates([row])),
                         ["| XL | 53 | does not fit 128 KiB |  |  | 4,000 | 5,000 | 6,000 |  |"])
        self.assertEqual(self.lines(page_commands.attention_waits([{"phase": "h.*.attn", "cycles": 1500.4, "waits": 20.6}])),
                         ["| `h.*.attn` | 1,500 | 21 |"])

    def test_scaling(self):
        row = {"size": "XL", "groups": 2, "sequences": 22, "columns": 86, "places": 100, "filled": 90, "tokens_of_column": 48, "gemms": 50,
               "gradients": 30, "attention": 15, "other": 5, "again": 20, "share": 0.4}
        self.assertEqual(self.lines(page_commands.bounds([row])),
                         ["| XL | 2 x 22 x 86 | 48 | 0.900 | 50 % | 30 % | 15 % | 5 % | 20 % | 0.400 |"])
        groups = [{"size": "S", "groups": 5, "cycles": 5e6}, {"size": "XL", "groups": 1, "cycles": 2.6e9}, {"size": "XL", "groups": 2, "cycles": None}]
        self.assertEqual(self.lines(page_commands.row_groups(groups)), ["| S | 5 |  |  |", "| XL |  | 2,600 | does not fit |"])
        wafers = [(4, True), (8, True), (8, False), (15, True), (15, False)]
        rows = [{"tokens": 8, "columns": columns, "from_the_west": west, "cycles": 1000 + 10 * at}
                for at, (columns, west) in enumerate(wafers)]
        text = page_commands.turn(rows)
        self.assertEqual(self.lines(text), ["| 8 | 1,000 | 1,010 | 1,020 | 1,030 | 1,040 |"])
        self.assertIn("by +2 %", " ".join(text.split()))
        self.assertEqual(self.lines(page_commands.valve_numbers([{"valves": 1, "auto": False, "cycles": 5000},
                                                                 {"valves": 2, "auto": True, "cycles": 4000}])),
                         ["| cycles, estimated | 5,000 | 4,000 |"])

    def test_wafer_has_a_line_for_each_mesh_dense_first(self):
        values = {f"GEMMs, {rows} rows, {beats} a vector, {mask}": rows / 4 for rows in (4, 16) for beats in ("1 beat", "2 beats")
                  for mask in ("90 % sparse", "dense")}
        self.assertEqual(self.lines(page_commands.wafer(values | {"GEMMs, 8x8 tiles, 4 tokens a column, 112 features": 0.5})),
                         ["| 4 | dense | 1.000 | 1.000 |", "| 16 | dense | 4.000 | 4.000 |", "| 4 | 90 % sparse | 1.000 | 1.000 |",
                          "| 16 | 90 % sparse | 4.000 | 4.000 |"])

    def test_phases_have_kinds(self):
        kinds = {"h.*.attn.c_attn.q.again": "gemms", "h.*.mlp.c_fc.dx": "gemms", "lm_head": "gemms", "h.*.mlp.c_proj.dw": "gradients",
                 "h.*.mlp.c_proj.db": "gradients", "h.*.attn": "attention", "h.*.attn.dx": "attention", "h.*.ln_1.affine.again.2": "other",
                 "tokens": "other"}
        self.assertEqual({phase: compiled_results.kind_of(phase) for phase in kinds}, kinds)

    def test_a_misfit_has_no_values_and_other_errors_are_raised(self):
        def weft_that_says(text):
            def weft(*words):
                raise subprocess.CalledProcessError(2, words, stderr=text)

            return weft

        self.assertEqual(compiled_results.gpt3(weft_that_says("wafer.sram_kib: every PE needs more. HINT: less"), "XL"), ({}, {}))
        with self.assertRaises(subprocess.CalledProcessError):
            compiled_results.gpt3(weft_that_says("wafer.rows: is no key"), "XL")


class Fpga(unittest.TestCase):
    def test_a_board_that_was_built_is_a_row(self):
        with tempfile.TemporaryDirectory(prefix="weft-") as name:
            folder = pathlib.Path(name) / "fpga/mine"
            folder.mkdir(parents=True)
            with self.assertRaisesRegex(SystemExit, "missing.* HINT: make fpga BOARD=mine"):
                record.main([name, "mine"])
            cells = {key: {"used": 10 * at, "available": 100} for at, key in enumerate(record.CELLS.values(), 1)}
            (folder / "report.json").write_text(json.dumps({"utilization": cells, "fmax": {"$glbnet$i_top.clock": {"achieved": 40.44,
                                                                                                               "constraint": 40}}}))
            (folder / "stat.txt").write_text("        60   LUT4\n")
            (folder / "weft.build").write_text("title = A board\nrows = 4\ncols = 2\nsram_kib = 24\ndebug = 0\ntally = 23\nlink = serial\n")
            (folder / "netlist.json").write_text(json.dumps({"modules": {"top": {"attributes": {"top": "1"}, "cells": {
                f"{record.WAFER}.g_tile.i_pe.x": {"type": "LUT4"}, "other": {"type": "CCU2C"}}}}}))
            rows = list(record.rows(pathlib.Path(name), "mine"))
            of = {table: [row for row in rows if row["table"] == table] for table in ("design", "clocks", "parts")}
            self.assertEqual(self.last(page_fpga.bitstreams(of["design"], of["clocks"])),
                             "| `mine` | A board | 4 x 2 tiles of 24 KiB, with counters | serial line | 10 % | 40.4 MHz, for 40 |")
            self.assertEqual(page_fpga.designs(of["design"], of["clocks"]).splitlines()[2:4],
                             ["| LUT4 cells after synthesis | 60 |", "| logic sites after placement | 10 of 100 |"])
            self.assertEqual(page_fpga.parts(of["parts"]).splitlines()[2:], ["| PEs | 1 |", "| elsewhere | 2 |"])

    def last(self, text):
        return text.splitlines()[-1]


if __name__ == "__main__":
    unittest.main()
