#!/usr/bin/env python3
"""Bender.yml and weft.core list the RTL as scripts/rtl_files does, and Verilator elaborates a wafer of a project outside of the
tree from that list.

file_lists_test.py --write: writes the lists of both files, after a module or package was added, renamed or removed.
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import outside

SCRIPT = """weft_no_yosys=1; . scripts/rtl_files "$1"; printf '%s\\n' "${weft_packages[@]}" "${weft_modules[@]}" """


def rtl_files():
    """The files of rtl/, packages first in the order of their dependencies."""
    with tempfile.TemporaryDirectory(prefix="weft-") as build:
        out = subprocess.run(["bash", "-euc", SCRIPT, "_", build], cwd=outside.ROOT, text=True, check=True, stdout=subprocess.PIPE)
    return [file for file in out.stdout.split() if file.startswith("rtl/")]


def with_list(text, files):
    """The text of Bender.yml or weft.core with these files of rtl/, packages and modules below their comments."""
    text = re.sub(r"^ +- rtl/\S+\.sv\n", "", text, flags=re.MULTILINE)
    packages = [file for file in files if file.endswith("_pkg.sv")]
    for comment, listed in ((r"# Packages.*\n(?: +- gen/.*\n)?", packages), (r"# Modules\.\n", files[len(packages):])):
        at = re.search(rf"^( +){comment}", text, re.MULTILINE)
        text = text[:at.end()] + "".join(f"{at[1]}- {file}\n" for file in listed) + text[at.end():]
    return text


class FileLists(unittest.TestCase):
    def test_each_lists_all_files_of_rtl_in_order(self):
        hint = "HINT: tests/ip/file_lists_test.py --write"
        expected = rtl_files()
        self.assertEqual(outside.files_of("Bender.yml"), ["gen/weft_isa_pkg.sv", *expected], hint)
        self.assertEqual(outside.files_of("weft.core"), expected, hint)

    def test_writing_restores_a_list_without_a_module(self):
        for name in ("Bender.yml", "weft.core"):
            text = (outside.ROOT / name).read_text()
            self.assertEqual(with_list(re.sub(r" +- rtl/pe/weft_pe\.sv\n", "", text), rtl_files()), text)

    def test_the_lists_of_packages_are_complete_and_in_the_order_of_their_dependencies(self):
        listed = ["gen/weft_isa_pkg.sv"]
        for part in ("rtl", "fpga"):
            listed += [line for line in (outside.ROOT / part / "packages.txt").read_text().splitlines() if not line.startswith("#")]
        found = [str(path.relative_to(outside.ROOT)) for part in ("rtl", "fpga") for path in (outside.ROOT / part).rglob("*_pkg.sv")]
        self.assertEqual(sorted(listed[1:]), sorted(found))
        names = [pathlib.Path(file).stem for file in listed]
        for at, file in enumerate(listed[1:], start=1):
            used = set(re.findall(r"\b(\w+_pkg)::", (outside.ROOT / file).read_text()))
            self.assertLessEqual(used, set(names[:at]), file)

    def test_the_headers_of_rtl_are_listed_for_fusesoc(self):
        headers = [str(path.relative_to(outside.ROOT)) for path in (outside.ROOT / "rtl").rglob("*.svh")]
        listed = re.findall(r"^ +- (\S+\.svh): \{is_include_file: true\}$", (outside.ROOT / "weft.core").read_text(), re.MULTILINE)
        self.assertEqual(listed, sorted(headers))

    def test_the_version_is_that_of_the_project(self):
        version = re.search(r"project\(weft VERSION ([0-9.]+)", (outside.ROOT / "CMakeLists.txt").read_text())[1]
        self.assertIn(f'name: "weft:rtl:wafer:{version}"', (outside.ROOT / "weft.core").read_text())

    def test_verilator_elaborates_a_wafer_from_the_list_of_bender(self):
        with outside.project() as folder:
            outside.generate(folder)
            files = [f"../weft/{file}" for file in outside.files_of("Bender.yml")]
            outside.run("verilator", "--lint-only", "--timing", "-Wno-fatal", "-I../weft/rtl", "-I../weft/gen", "--top-module",
                        "wafer_tb", *files, "wafer_tb.sv", cwd=folder)


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        for name in ("Bender.yml", "weft.core"):
            path = outside.ROOT / name
            path.write_text(with_list(path.read_text(), rtl_files()))
    else:
        unittest.main(verbosity=2)
