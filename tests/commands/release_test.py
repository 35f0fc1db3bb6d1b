#!/usr/bin/env python3
"""scripts/release: what it collects, and what it says when something is missing or old: release_test.py ROOT BUILD."""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT, BUILD = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
del sys.argv[1:3]


class Release(unittest.TestCase):
    def setUp(self):
        self.build = pathlib.Path(tempfile.mkdtemp(prefix="weft-")) / "a build"
        self.addCleanup(shutil.rmtree, self.build.parent)
        (self.build / "gen").mkdir(parents=True)
        for file in ("weft_isa_pkg.sv", "sfu_tables.svh"):
            if (BUILD / "gen" / file).exists():
                shutil.copy(BUILD / "gen" / file, self.build / "gen" / file)

    def bitstream(self, board, number):
        folder = self.build / "fpga" / board
        folder.mkdir(parents=True)
        (folder / "weft.bit").write_bytes(board.encode())
        (folder / "weft.build").write_text(f"build = {number}\nboard = {board}\n")

    def release(self, *words, code=0):
        done = subprocess.run([ROOT / "scripts/release", self.build, *words], text=True, timeout=60, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)
        self.assertEqual(done.returncode, code, done.stdout)
        return done.stdout

    def test_it_carries_package_rule_model_and_bitstreams_with_sums_that_hold(self):
        number = subprocess.run([ROOT / "fpga/build_number.sh", self.build, "ulx3s"], check=True, text=True, stdout=subprocess.PIPE).stdout.strip()
        self.bitstream("ulx3s", number)
        self.bitstream("ecpix5", "0" * 16)
        (self.build / "package").mkdir()
        (self.build / "package/weft_0.1.0_amd64.deb").write_text("a package")
        out = self.release("collect", "ulx3s", "ecpix5")
        self.assertIn(f"release: ulx3s, build {number}, that of the sources here\n", out)
        self.assertIn("release: ecpix5, build 0000000000000000; the sources here give ", out)
        files = {str(path.relative_to(self.build / "release")) for path in (self.build / "release").rglob("*") if path.is_file()}
        self.assertEqual(files, {"SHA256SUMS", "70-weft-boards.rules", "weft_0.1.0_amd64.deb",
                                 *(f"models/gpt_shakespeare/{path.name}" for path in (ROOT / "configs/shakespeare/model").iterdir()),
                                 *(f"boards/{board}/weft.{kind}" for board in ("ulx3s", "ecpix5") for kind in ("bit", "build"))})
        subprocess.run(["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"], cwd=self.build / "release", check=True)

    def test_a_board_without_a_bitstream_is_named_before_anything_is_built(self):
        self.bitstream("ulx3s", "0" * 16)
        self.assertIn("release: no bitstream of ecpix5. HINT: make fpga BOARD=ecpix5", self.release("check", "ulx3s", "ecpix5", code=1))
        self.assertIn("there is no board 'nobody'. HINT: fpga/boards has ", self.release("check", "nobody", code=2))
        self.release("check", "ulx3s")
        self.assertIn("release: no package in ", self.release("collect", "ulx3s", code=1))

    def test_without_names_it_is_for_all_boards(self):
        out = self.release("check", code=1)
        for folder in (ROOT / "fpga/boards").iterdir():
            self.assertIn(folder.name, out)


if __name__ == "__main__":
    unittest.main(verbosity=2)
