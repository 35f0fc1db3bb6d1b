#!/usr/bin/env python3
"""tests/reference/pytorch/permutation.py gives the numbers of host/data/permutation.hpp."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "pytorch"))

from permutation import mix64, permute  # noqa: E402

OF_CPP = {1: [0], 2: [0, 1], 7: [2, 6, 5, 3, 1, 4], 96: [33, 45, 42, 70, 28, 27], 7842: [3567, 3414, 2481, 1576, 4478, 1969]}


class Permutation(unittest.TestCase):
    def test_the_first_positions_are_those_of_the_cpp(self):
        for size, positions in OF_CPP.items():
            found = [permute(x, size, mix64(mix64(3) + 5)) for x in range(min(size, 6))]
            self.assertEqual(found, positions, size)

    def test_each_position_occurs_once(self):
        for size in (1, 2, 3, 64, 65):
            self.assertEqual(sorted(permute(x, size, size) for x in range(size)), list(range(size)))


if __name__ == "__main__":
    unittest.main()
