#!/usr/bin/env python3
"""The files of each operation of networks: fails if one of the places (sw/network/README.md) lacks it."""
import pathlib
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
OPERATIONS = sorted(p.stem for p in (ROOT / "sw/network/operations").glob("*.cpp"))
FUNCTIONS = sorted(p.stem for p in (ROOT / "sw/kernels/elementwise").glob("*.s") if p.stem != "features")
# Those whose kernels are in files of other names.
KERNELS = {"embed": "gemm", "linear": "gemm", "norm": "layernorm", "elementwise": "elementwise/features"}


class Operations(unittest.TestCase):
    def test_every_operation_has_its_lowering_and_no_other_has_one(self):
        files = (ROOT / "sw/compiler/operations").glob("*.cpp")
        self.assertEqual(sorted({p.stem.removesuffix("_gradient").removesuffix("_shared") for p in files}), OPERATIONS)

    def test_every_operation_has_kernels(self):
        for name in OPERATIONS:
            self.assertTrue((ROOT / f"sw/kernels/{KERNELS.get(name, name)}.s").is_file(), name)

    def test_every_operation_is_computed_by_the_reference(self):
        text = (ROOT / "tests/reference/network.cpp").read_text(encoding="utf-8")
        for name in OPERATIONS:
            kind = "".join(word.capitalize() for word in name.split("_"))
            self.assertEqual(text.count(f"case Kind::{kind}:"), 2, f"{name}: forward and backward")

    def test_every_operation_has_a_row_in_the_documentation(self):
        text = (ROOT / "docs/reference/network.md").read_text(encoding="utf-8")
        for name in [n for n in OPERATIONS if n != "elementwise"] + FUNCTIONS:
            self.assertIn(f"\n| `{name}` |", text)

    def test_every_function_is_computed_by_the_reference(self):
        text = (ROOT / "tests/reference/elementwise.cpp").read_text(encoding="utf-8")
        for name in FUNCTIONS:
            self.assertEqual(text.count(f'{{"{name}",'), 1, name)


if __name__ == "__main__":
    unittest.main()
