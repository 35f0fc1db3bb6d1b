#!/usr/bin/env python3
"""One adapter is one thing everywhere: boards' files, the program's table and the udev rule agree: cables_test.py ROOT."""
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(sys.argv.pop(1))


def values(board):
    return dict((part.strip() for part in line.partition("#")[0].split("=", 1)) for line in board.read_text().splitlines() if "=" in line.partition("#")[0])


class Cables(unittest.TestCase):
    boards = [values(path) for path in sorted((ROOT / "fpga/boards").glob("*/board"))]
    cables = {tuple(cable.strip().split(" ", 1)) for board in boards for cable in board["cables"].split(",")}

    def test_the_program_knows_the_boards_cables(self):
        table = (ROOT / "host/board/devices/usb_cables.cpp").read_text()
        known = {(usb, options) for usb, options in re.findall(r'\{"([0-9a-f]{4}:[0-9a-f]{4})", .*"(-[bc] \w[\w-]*)", -?\d\}', table)}
        self.assertEqual(known, self.cables)

    def test_the_rule_is_for_all_of_them(self):
        rule = (ROOT / "fpga/70-weft-boards.rules").read_text()
        ruled = {f"{vendor}:{product}" for vendor, product in re.findall(r'SUBSYSTEM=="usb".*ATTR\{idVendor\}=="(\w+)", ATTR\{idProduct\}=="(\w+)"', rule)}
        self.assertLessEqual({usb for usb, _ in self.cables}, ruled)

    def test_the_rule_is_written_as_udev_reads_it(self):
        word = re.compile(r'(ACTION|SUBSYSTEMS?|DRIVER|ENV\{\w+\}|ATTRS?\{\w+\})(==|!=)"[^"]*"|(GOTO|LABEL|MODE|GROUP|ATTR\{\w+\})="[^"]*"|TAG\+="[^"]*"')
        text = (ROOT / "fpga/70-weft-boards.rules").read_text()
        for line in text.splitlines():
            if line and not line.startswith("#"):
                for part in re.split(r",\s*", line):
                    self.assertIsNotNone(word.fullmatch(part), line)
        self.assertEqual(re.findall(r'GOTO="(\w+)"', text), re.findall(r'LABEL="(\w+)"', text))

    def test_the_programs_usual_address_is_the_boards(self):
        usual = re.search(r'kUsualAddress = "([\d.]+)"', (ROOT / "host/board/devices/network_boards.hpp").read_text())[1]
        self.assertIn(usual, {board["ip"] for board in self.boards if "ip" in board})


if __name__ == "__main__":
    unittest.main(verbosity=2)
