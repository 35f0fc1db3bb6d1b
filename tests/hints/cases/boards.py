"""Boards that are not there, on emulated ones: host/board."""
from cases.several_processes import free_port
from deeds import in_shell, setting
from follow import Case

FPGA = ["--backend", "fpga", "--wafer.rows", "auto", "--wafer.cols", "auto", "--wafer.sram_kib", "auto"]
PORT = free_port()
# An emulated board that is on the network as long as the program runs.
BOARD = f'"$(dirname "$1")/weft-board" --udp {PORT} > board &\nboard=$!\n"$@"\ncode=$?\nkill $board\nexit $code'
# A copy of weft in a folder that has no weft-board.
ALONE = 'mkdir -p bin; cp "$1" bin/weft; shift; set -- bin/weft "$@"'

CASES = [
    Case("a file as a board", "name one, e.g. /dev/ttyUSB0, or udp:ADDRESS:PORT", words=[*FPGA, "--fpga.device", "corpus.txt"], wrap=BOARD,
         how=setting("fpga.device", f"udp:127.0.0.1:{PORT}")),
    Case("no emulator", "make board builds it", words=FPGA, wrap=ALONE, how=in_shell("cp $(dirname WEFT)/weft-board bin/")),
]
