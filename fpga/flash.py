#!/usr/bin/env python3
"""Loads a board's bitstream by openFPGALoader: flash.py BUILD BOARD [--bit PATH] [--cable OPTIONS] [--keep] [--root FOLDER].

The bitstream: PATH (a weft.bit, or a folder of a release), else that of BUILD, else that of a release in BUILD or on this machine.
The cable: OPTIONS of openFPGALoader, else by the USB id of the adapter that is plugged in. --keep writes the board's flash memory.
"""

import argparse
import hashlib
import os
import pathlib
import shlex
import subprocess
import sys
import time

import board as boards

HERE = pathlib.Path(__file__).resolve().parent
RULE = "70-weft-boards.rules"


class Failure(Exception):
    """An error that the user can correct (code 2), or a failure of the machine (1)."""

    def __init__(self, what, hint, code=1):
        super().__init__(f"flash: {what}. HINT: {hint}.")
        self.code = code


def candidates(build, name, path):
    """Returns the paths where a bitstream of the board may be, best first, each with a description."""
    if path:
        path = pathlib.Path(path).resolve()  # the sums of a release are in a folder above
        if path.is_dir():
            return [(folder / "weft.bit", "of the folder that was named") for folder in (path / "boards" / name, path / name, path)]
        return [(path, "that was named")]
    shares = [pathlib.Path(prefix) / "share/weft/boards" / name / "weft.bit" for prefix in ("/usr/local", "/usr")]
    return [(build / "fpga" / name / "weft.bit", "of this build folder"), (build / "release/boards" / name / "weft.bit", "of a release"),
            *((share, "of the release that is installed") for share in shares)]


def printable(text):
    """Escapes control characters of a text that is printed."""
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text)


def facts(bit):
    """The lines `key = value` of the weft.build next to a bitstream."""
    file = bit.with_name("weft.build")
    if not file.is_file():
        return {}
    lines = (line.partition("=") for line in file.read_text(encoding="utf-8").splitlines())
    return {printable(key.strip()): printable(value.strip()) for key, _, value in lines}


def check_sum(bit):
    """A release names the sum of each file: another file there is damaged."""
    for folder in (bit.parent, *bit.parents[1:3]):
        sums = folder / "SHA256SUMS"
        if not sums.is_file():
            continue
        for line in sums.read_text(encoding="utf-8").splitlines():
            wanted, _, file = line.partition("  ")
            if folder / file == bit and hashlib.sha256(bit.read_bytes()).hexdigest() != wanted:
                raise Failure(f"{bit} is damaged: its sum is not that of {sums}", "copy the release again", 2)


def choose(build, name, path):
    found = [(bit, what) for bit, what in candidates(build, name, path) if bit.is_file()]
    if path and not found:
        raise Failure(f"there is no bitstream at {path}", f"name a weft.bit, or a folder that has {name}/weft.bit", 2)
    if not found:
        raise Failure(f"no bitstream of {name}",
                      f"make fpga BOARD={name} makes one (an hour and more), or take one of a release: make flash BOARD={name} BIT=PATH", 1)
    bit, what = found[0]
    check_sum(bit)
    known = facts(bit)
    if known.get("board", name) != name:
        raise Failure(f"{bit} is a bitstream of {known['board']}, not of {name}", f"make flash BOARD={known['board']}, or another BIT=", 2)
    print(f"flash: {bit}, {what}")
    print(f"flash: {of_sources(build, name, known)}")
    return bit


def of_sources(build, name, known):
    """Describes if a bitstream was built from the sources here."""
    if "build" not in known:
        return "its build number is not known (no weft.build next to it); weft board reads it from the board"
    mesh = [f"{key}={known[source]}" for key, source in (("rows", "rows"), ("cols", "cols"), ("sram_kib", "sram_kib"), ("clock", "khz"),
                                                         ("debug", "debug"), ("tally", "tally"),
                                                         ("programs", "programs")) if source in known]
    done = subprocess.run([HERE / "build_number.sh", build, name, *mesh], check=False, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    number = done.stdout.strip()
    if done.returncode != 0 or not number:
        return f"build {known['build']}"
    if number == known["build"]:
        return f"build {known['build']}, that of the sources here"
    return f"build {known['build']}; the sources here give {number}: the bitstream is older, or was built with another MESH=. weft board checks its link"


def read(path):
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


def plugged(root, cables):
    """(place, id, options, bus, device) of each adapter that may be the board's."""
    found = []
    for folder in sorted((root / "sys/bus/usb/devices").glob("*")):
        usb = f"{read(folder / 'idVendor')}:{read(folder / 'idProduct')}"
        if usb in cables:
            found.append((folder.name, usb, cables[usb], int(read(folder / "busnum") or 0), int(read(folder / "devnum") or 0)))
    return found


def rule_commands():
    return f"sudo cp {shlex.quote(str(HERE / RULE))} /etc/udev/rules.d/ && sudo udevadm control --reload && sudo udevadm trigger, then plug the board in again"


def chosen(cable, found):
    """The options of a CABLE, and the adapter among those plugged in that they name: by its bus and device, or by its kind."""
    try:
        options = shlex.split(cable)
    except ValueError as error:
        raise Failure(f"CABLE={cable} is not a command line: {error}", "close each quotation", 2) from error
    place = options[options.index("--busdev-num") + 1:][:1] if "--busdev-num" in options else []
    if place:
        named = [one for one in found if place == [f"{one[3]}:{one[4]}"]]
    else:
        named = [one for one in found if shlex.split(one[2]) == options[:2]]
    return options, named[0] if len(named) == 1 else None


def may_be_opened(root, adapter):
    node = root / f"dev/bus/usb/{adapter[3]:03}/{adapter[4]:03}"
    if node.exists() and not os.access(node, os.R_OK | os.W_OK):
        raise Failure(f"{node} may not be opened", rule_commands())


def cable_of(root, name, cables, cable):
    """openFPGALoader's options, and the adapter they are for, if it is known."""
    found = plugged(root, cables)
    if cable:
        return chosen(cable, found)
    if not found:
        raise Failure(f"no adapter of {name} is plugged in ({' or '.join(cables)})",
                      "plug the board in by a cable that carries data (lsusb must show it); another adapter: CABLE=\"-c NAME\", of openFPGALoader --list-cables")
    if len(found) > 1:
        listed = "; ".join(f"{usb} at {place}: CABLE=\"{options} --busdev-num {bus}:{device}\"" for place, usb, options, bus, device in found)
        raise Failure(f"{len(found)} adapters may be that of {name}", f"unplug all but one, or choose: {listed}", 2)
    place, usb, options, _, _ = found[0]
    print(f"flash: the adapter at USB {place} is {usb}: openFPGALoader {options}")
    return shlex.split(options), found[0]


REASONS = (
    ("device not found", "the adapter is not plugged in, or has another USB id: lsusb shows it; CABLE=\"-c NAME\" chooses another"),
    ("usb_open() failed", None),  # the rule
    ("libusb_open() failed", None),
    ("unable to claim", "another program has the adapter: end it (openocd, a serial terminal, another openFPGALoader)"),
    ("device busy", "another program has the adapter: end it (openocd, a serial terminal, another openFPGALoader)"),
    ("idcode", "the board has another FPGA than the bitstream is for, or the JTAG line is disturbed: try again with CABLE=\"... --freq 1000000\""),
    ("cannot find board", "this openFPGALoader is too old for the name: CABLE=\"-c NAME\" names a cable instead"),
)


def reason(output):
    lower = output.lower()
    for words, hint in REASONS:
        if words in lower:
            return hint or rule_commands()
    return "unplug the board, plug it in again, and try once more"


def line_back(root, place, patience):
    """The serial line of the adapter, which openFPGALoader takes from its driver and gives back, or not."""
    until = time.monotonic() + patience
    while True:
        interfaces = sorted((root / "sys/bus/usb/devices").glob(f"{place}:*"))
        lines = [entry.name for folder in interfaces for entry in folder.glob("tty?*")]
        bare = [folder.name for folder in interfaces if not (folder / "driver").exists()]
        if lines and not bare or time.monotonic() >= until:
            break
        time.sleep(0.1)
    for line in lines:
        print(f"flash: the serial line is /dev/{line}; weft board /dev/{line} checks the board")
    for name in bare:
        print(f"flash: the interface {name} has lost its serial driver. HINT: echo {name} | sudo tee /sys/bus/usb/drivers/ftdi_sio/bind, "
              "or unplug the board and plug it in again (without FLASH=1 it must be loaded again then).")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("board")
    parser.add_argument("--bit", default="")
    parser.add_argument("--cable", default="")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path("/"))
    parser.add_argument("--patience", type=float, default=3)
    options = parser.parse_args()
    values = boards.read(options.board, [])
    cables = dict(cable.strip().split(" ", 1) for cable in values["cables"].split(","))
    try:
        bit = choose(options.build, options.board, options.bit)
        cable, adapter = cable_of(options.root, options.board, cables, options.cable)
        if adapter:
            may_be_opened(options.root, adapter)
        command = ["openFPGALoader", *cable, *(["-f"] if options.keep else []), str(bit)]
        print(f"flash: {shlex.join(command)}", flush=True)
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
            output = b""
            while some := process.stdout.read1():
                sys.stdout.buffer.write(some)
                sys.stdout.flush()
                output = (output + some)[-65536:]
        if process.returncode != 0:
            raise Failure(f"openFPGALoader has ended with {process.returncode}", reason(output.decode(errors="replace")))
        made = facts(bit)
        if made.get("link", values["link"]) == "ethernet":
            doubt = "" if "ip" in made else " if its bitstream was made with no other"
            address = made.get("ip", values["ip"])
            print(f"flash: the board's address is {address}{doubt}; weft board udp:{address} checks it")
        if adapter:
            line_back(options.root, adapter[0], options.patience)
    except FileNotFoundError:
        sys.exit("flash: there is no openFPGALoader. HINT: scripts/setup flash installs it.")
    except Failure as failure:
        sys.stdout.flush()
        print(failure, file=sys.stderr)
        sys.exit(failure.code)


if __name__ == "__main__":
    main()
