#!/usr/bin/env python3
"""fpga/flash.py: which bitstream it takes, by which cable, and what it says when that fails: flash_test.py ROOT BUILD.

Adapters are folders as Linux shows them; openFPGALoader, which needs a real one, is a script that prints what it was given."""
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT, BUILD = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
del sys.argv[1:3]


class Flash(unittest.TestCase):
    def setUp(self):
        self.base = pathlib.Path(tempfile.mkdtemp(prefix="weft-"))
        self.addCleanup(shutil.rmtree, self.base)
        self.root, self.build = self.base / "root", self.base / "build"
        (self.build / "gen").mkdir(parents=True)
        for file in ("weft_isa_pkg.sv", "sfu_tables.svh"):
            if (BUILD / "gen" / file).exists():
                shutil.copy(BUILD / "gen" / file, self.build / "gen" / file)
        self.loader('echo "given: $*"')
        self.plug("1-2", "0403:6015")

    def loader(self, script):
        path = self.base / "bin/openFPGALoader"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    def plug(self, place, usb, device=5, tty="ttyUSB0"):
        folder = self.root / "sys/bus/usb/devices" / place
        folder.mkdir(parents=True)
        for name, text in (("idVendor", usb[:4]), ("idProduct", usb[5:]), ("busnum", "1"), ("devnum", str(device))):
            (folder / name).write_text(text + "\n")
        interface = folder.with_name(place + ":1.0")
        interface.mkdir()
        if tty:
            (interface / tty).mkdir()
            (interface / "driver").mkdir()

    def bitstream(self, folder, board="ulx3s", **facts):
        folder.mkdir(parents=True)
        (folder / "weft.bit").write_bytes(os.urandom(64))
        if facts:
            (folder / "weft.build").write_text("".join(f"{key} = {value}\n" for key, value in {"board": board, **facts}.items()))
        return folder / "weft.bit"

    def run_it(self, *words, board="ulx3s", code=0, cwd=None):
        environment = {**os.environ, "PATH": f"{self.base / 'bin'}:{os.environ['PATH']}"}
        done = subprocess.run([ROOT / "fpga/flash.py", self.build, board, "--root", self.root, "--patience", "0", *map(str, words)],
                              env=environment, text=True, cwd=cwd, timeout=60, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        self.assertEqual(done.returncode, code, done.stdout)
        return done.stdout

    def test_the_build_folders_bitstream_is_preferred_to_a_releases(self):
        released = self.bitstream(self.build / "release/boards/ulx3s")
        self.assertIn(f"given: -b ulx3s {released}\n", self.run_it())
        built = self.bitstream(self.build / "fpga/ulx3s")
        out = self.run_it("--keep")
        self.assertIn(f"flash: {built}, of this build folder\n", out)
        self.assertIn(f"given: -b ulx3s -f {built}\n", out)

    def test_a_release_is_named_by_its_folder_or_by_the_file(self):
        bit = self.bitstream(self.base / "weft release/boards/ulx3s")
        for path in (bit, bit.parent, bit.parents[1], bit.parents[2]):
            self.assertIn(f"given: -b ulx3s {bit}\n", self.run_it("--bit", path))
        self.assertIn("there is no bitstream at /nowhere. HINT: name a weft.bit", self.run_it("--bit", "/nowhere", code=2))

    def test_without_a_bitstream_it_says_where_to_get_one(self):
        if not pathlib.Path("/usr/share/weft/boards/ulx3s/weft.bit").exists():
            self.assertIn("no bitstream of ulx3s. HINT: make fpga BOARD=ulx3s makes one", self.run_it(code=1))

    def test_the_build_is_that_of_the_sources_or_older(self):
        number = subprocess.run([ROOT / "fpga/build_number.sh", self.build, "ulx3s"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
        self.bitstream(self.build / "fpga/ulx3s", build=number, rows=4, cols=2, sram_kib=24, khz=40000)
        self.assertIn(f"flash: build {number}, that of the sources here\n", self.run_it())
        other = self.bitstream(self.base / "other", build="0123456789abcdef", rows=4, cols=2, sram_kib=24, khz=40000)
        self.assertIn(f"flash: build 0123456789abcdef; the sources here give {number}: the bitstream is older", self.run_it("--bit", other))
        unknown = self.bitstream(self.base / "unknown")
        self.assertIn("its build number is not known", self.run_it("--bit", unknown))

    def test_another_boards_bitstream_and_a_damaged_one_are_refused(self):
        bit = self.bitstream(self.base / "x", board="ecpix5", build="0" * 16)
        self.assertIn("is a bitstream of ecpix5, not of ulx3s. HINT: make flash BOARD=ecpix5", self.run_it("--bit", bit, code=2))
        bit = self.bitstream(self.build / "release/boards/ulx3s")
        sums = self.build / "release/SHA256SUMS"
        sums.write_text(f"{hashlib.sha256(bit.read_bytes()).hexdigest()}  boards/ulx3s/weft.bit\n")
        self.run_it()
        bit.write_bytes(b"cut short")
        self.assertIn("is damaged: its sum is not that of", self.run_it(code=2))
        for folder, path in ((bit.parent, "weft.bit"), (bit.parents[1], "ulx3s"), (self.base, "build/release")):
            self.assertIn("is damaged: its sum is not that of", self.run_it("--bit", path, code=2, cwd=folder))

    def test_the_cable_is_found_by_its_usb_id(self):
        self.bitstream(self.build / "fpga/ecpix5")
        self.assertIn("no adapter of ecpix5 is plugged in (0403:6010 or 0403:6011). HINT: plug the board in", self.run_it(board="ecpix5", code=1))
        self.plug("1-3", "0403:6011", 7)
        self.assertIn("flash: the adapter at USB 1-3 is 0403:6011: openFPGALoader -c ft4232\n", self.run_it(board="ecpix5"))
        self.plug("1-4", "0403:6010", 8)
        out = self.run_it(board="ecpix5", code=2)
        self.assertIn('0403:6011 at 1-3: CABLE="-c ft4232 --busdev-num 1:7"; 0403:6010 at 1-4: CABLE="-b ecpix5 --busdev-num 1:8"', out)
        out = self.run_it("--cable=-c ft4232 --busdev-num 1:7", board="ecpix5")
        self.assertIn("given: -c ft4232 --busdev-num 1:7 ", out)
        self.assertIn("flash: the serial line is /dev/ttyUSB0", out)
        self.assertIn("CABLE=-c ft4232 'x is not a command line", self.run_it("--cable=-c ft4232 'x", board="ecpix5", code=2))

    def test_the_address_is_the_bitstreams(self):
        self.plug("1-3", "0403:6011", 7)
        self.bitstream(self.build / "fpga/ecpix5", board="ecpix5", link="ethernet", ip="192.168.1.77")
        self.assertIn("the board's address is 192.168.1.77; weft board udp:192.168.1.77 checks it", self.run_it(board="ecpix5"))
        serial = self.bitstream(self.base / "serial", board="ecpix5", link="serial")
        self.assertNotIn("udp:", self.run_it("--bit", serial, board="ecpix5"))

    def test_each_reason_of_a_failure_has_its_hint(self):
        self.bitstream(self.build / "fpga/ulx3s")
        for words, hint in (("unable to open ftdi device: -3 (device not found)", "lsusb shows it"),
                            ("unable to open ftdi device: -4 (usb_open() failed)", "/70-weft-boards.rules /etc/udev/rules.d/"),
                            ("unable to open ftdi device: -5 (unable to claim usb device)", "another program has the adapter"),
                            ("mismatch between target's idcode and bitstream idcode", "another FPGA"),
                            ("something else", "unplug the board")):
            self.loader(f'echo "{words}"; exit 1')
            out = self.run_it(code=1)
            self.assertIn("flash: openFPGALoader has ended with 1. HINT: ", out)
            self.assertIn(hint, out)

    def test_it_says_where_the_serial_line_is_and_how_to_restore_it(self):
        self.bitstream(self.build / "fpga/ulx3s")
        self.assertIn("flash: the serial line is /dev/ttyUSB0; weft board /dev/ttyUSB0 checks the board\n", self.run_it())
        shutil.rmtree(self.root / "sys")
        self.plug("1-2", "0403:6015", tty="")
        self.assertIn("flash: the interface 1-2:1.0 has lost its serial driver. HINT: echo 1-2:1.0 | sudo tee /sys/bus/usb/drivers/ftdi_sio/bind",
                      self.run_it())


if __name__ == "__main__":
    unittest.main(verbosity=2)
