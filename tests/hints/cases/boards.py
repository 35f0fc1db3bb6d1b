"""Boards that do not exist, on emulated ones: host/board."""
from cases.several_processes import free_port
from deeds import in_shell, setting
from follow import Case

FPGA = ["--backend", "fpga", "--wafer.rows", "auto", "--wafer.cols", "auto", "--wafer.sram_kib", "auto"]


def with_board(name, hint, device):
    """An emulated board is on the network as long as the program runs."""
    port = free_port()
    wrap = f'"$(dirname "$1")/weft-board" --udp {port} > board &\nboard=$!\n"$@"\ncode=$?\nkill $board\nexit $code'
    return Case(name, hint, words=[*FPGA, "--fpga.device", device], wrap=wrap, how=setting("fpga.device", f"udp:127.0.0.1:{port}"))


# A copy of weft in a folder without weft-board.
ALONE = 'mkdir -p bin; cp "$1" bin/weft; shift; set -- bin/weft "$@"'

CASES = [
    with_board("a file as a board", "name one, e.g. /dev/ttyUSB0, or udp:ADDRESS:PORT", "corpus.txt"),
    with_board("an address of a board that is none", "write udp:ADDRESS or udp:ADDRESS:PORT, e.g. udp:192.168.1.5", "udp:nowhere at all"),
    Case("no emulator", "make board builds it", words=FPGA, wrap=ALONE, how=in_shell("cp $(dirname WEFT)/weft-board bin/")),
]
