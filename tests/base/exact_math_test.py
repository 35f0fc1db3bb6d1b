#!/usr/bin/env python3
"""Options that change the bits of floating-point results are refused, by CMake and by the compiler."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CMAKE, COMPILER = sys.argv[1:3]


class ExactMath(unittest.TestCase):
    def cmake(self, flags):
        with tempfile.NamedTemporaryFile("w", suffix=".cmake") as file:
            file.write(f"cmake_minimum_required(VERSION 3.22)\ninclude({ROOT}/sw/base/exact_math.cmake)\nweft_exact_math(CMAKE_CXX_FLAGS)\n")
            file.flush()
            return subprocess.run([CMAKE, f"-DCMAKE_CXX_FLAGS={flags}", "-P", file.name], text=True, check=False, timeout=60,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def compile(self, flags):
        return subprocess.run([COMPILER, "-std=c++20", "-O2", *flags.split(), "-fsyntax-only", "-x", "c++", "-"], text=True, timeout=60,
                              check=False, input=f'#include "{ROOT}/sw/base/exact_math.hpp"\n', stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)

    def test_cmake_refuses_them_by_name_and_says_what_to_do(self):
        for flags in ("-ffast-math", "-g -Ofast", "-funsafe-math-optimizations", "-fassociative-math -fno-signed-zeros",
                      "-ffinite-math-only -O1", "-freciprocal-math", "-fsingle-precision-constant", "-mfpmath=387", "-mdaz-ftz",
                      "-ffp-model=fast", "-mrecip=all", "-mrecip", "-fno-honor-nans", "-fno-honor-infinities"):
            done = self.cmake(flags)
            self.assertNotEqual(done.returncode, 0, flags)
            said = " ".join(done.stdout.split())
            self.assertIn("changes the bits of results. HINT: leave -", said)
            self.assertIn("make clean", said)

    def test_options_next_to_the_compilers_name_are_checked(self):
        """CMake keeps those of CXX="g++ -mrecip" in a variable of its own."""
        self.assertRegex((ROOT / "CMakeLists.txt").read_text(), r"weft_exact_math\(CMAKE_CXX_COMPILER_ARG1 ")
        with tempfile.TemporaryDirectory() as build:
            done = subprocess.run([CMAKE, "-S", ROOT, "-B", build], text=True, check=False, timeout=600, env={**os.environ, "CXX": f"{COMPILER} -mrecip"},
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("-mrecip changes the bits of results", " ".join(done.stdout.split()))

    def test_cmake_takes_all_others(self):
        for flags in ("", "-O3 -march=native -g", "-ffp-contract=off -fno-math-errno -fno-trapping-math", "-fno-fast-math", "-DFAST=-Ofaster"):
            self.assertEqual(self.cmake(flags).returncode, 0, flags)

    def test_the_compiler_refuses_them_where_it_tells_of_them(self):
        sets = ["-ffast-math", "-ffinite-math-only"]
        if "clang" not in subprocess.run([COMPILER, "--version"], text=True, check=True, stdout=subprocess.PIPE).stdout:
            sets += ["-funsafe-math-optimizations", "-fassociative-math -fno-signed-zeros -fno-trapping-math", "-freciprocal-math"]
        for flags in sets:
            done = self.compile(flags)
            self.assertNotEqual(done.returncode, 0, flags)
            self.assertIn("changes the bits of results. HINT: leave it out of CXXFLAGS", done.stdout)
        self.assertEqual(self.compile("-ffp-contract=off -fno-math-errno -fno-trapping-math").returncode, 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
