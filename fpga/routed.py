"""Runs nextpnr and ends it when its router makes no progress: python3 fpga/routed.py LOG COMMAND...

The output of nextpnr goes to LOG. A nearly full chip may have placements that cannot be routed: nextpnr's first router then
removes connections as fast as it makes others, for hours. The router prints the number of connections left; if that number has
not decreased by a tenth in PATIENCE seconds of nextpnr's processor time, another seed is more promising. (A run that succeeded
after an hour and a half had made no progress for 25 minutes.) Exit code: the command's, or 3 if the command was ended.
"""

import os
import pathlib
import re
import subprocess
import sys
import time

PATIENCE = float(os.environ.get("PATIENCE", 2700))
# "Info:     487000 |   113288     371049 |  446   554 |     75169|     108.43    1450.84|": the column before the times.
LINE = re.compile(r"^Info: +\d+ \|[^|]*\|[^|]*\| *(\d+)\|", re.MULTILINE)
TAIL = 4096  # bytes of the log


def left(log):
    """Connections that are not made, or None before the router begins."""
    with log.open("rb") as file:
        file.seek(max(0, log.stat().st_size - TAIL))
        counts = LINE.findall(file.read().decode(errors="replace"))
    return int(counts[-1]) if counts else None


def spent(process):
    """Seconds of processor time, as of Linux's /proc; elsewhere seconds."""
    try:
        fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except OSError:
        return time.monotonic()


def attend(process, log):
    """Waits for it. The number of connections left when it was ended, or None if it ended by itself."""
    best, since = None, 0.0  # fewest that counted as progress, and when
    while True:
        try:
            process.wait(PATIENCE / 90)
            return None
        except subprocess.TimeoutExpired:
            now, time_spent = left(log), spent(process)
        if now is None or best is None or now <= 0.9 * best:
            best, since = now, time_spent
        elif time_spent - since > PATIENCE:
            process.terminate()
            process.wait()
            return now


def main():
    log = pathlib.Path(sys.argv[1])
    with log.open("wb") as file:
        process = subprocess.Popen(sys.argv[2:], stdout=file, stderr=subprocess.STDOUT)
    try:
        stuck = attend(process, log)
    finally:
        process.terminate()
    if stuck is None:
        return process.returncode if process.returncode >= 0 else 128 - process.returncode
    print(f"nextpnr: ended: {stuck} connections left, a tenth fewer at most in {PATIENCE / 60:g} minutes of work. HINT: another seed", file=sys.stderr)
    return 3


if __name__ == "__main__":
    sys.exit(main())
