"""Words of the debugger that it does not know: host/inspect/debug. One script has all mistakes, another does what the hints say."""
from deeds import words, writing
from follow import Case

PARAMS = ["--params", "mine.yaml", "--model_dir", "out"]
START = [*PARAMS, "--phase", "h.0.mlp.c_fc", "--backend", "model", "--wafer.psum_cycles", "4"]
SCRIPT = [*START, "--script", "commands"]

ELSEWHERE = dict.fromkeys((
    "name the .weftcore that a run has written: weft debug FILE.weftcore",
    "leave it out, since a core dump cannot run",
    "write tile R,C into the script",
    "write row and column, e.g. --tile 2,1",
    "rows are 0 to {}, columns 0 to {}",
    "name a .weftcore that a run has written",
    "take another copy, or let the run hang again",
), "DebugCore.HintsHelp")

# A debugger command, its hint, and the command that the hint suggests.
LINES = [
    ("break interleaved.s:34", "", "break interleaved.s:34"),
    ("continue", "", "continue"),
    ("print x[70000]", "an address has 16 bits", "print x[0]"),
    ("frobnicate", "help lists the commands", "help"),
    ("step 1 2 3", "help lists the commands", "step 1"),
    ("step 0", "write a number from 1 on", "step 1"),
    ("goto x", "write digits", "goto 3"),
    ("cycle", "the model has no cycles: move N", "move 2"),
    ("delete 7", "info breaks lists them", "info breaks"),
    ("where here", "where, or where all", "where all"),
    ("thread third", "main or psum", "thread psum"),
    ("thread main", "", "thread main"),
    ("tile 0-1,0", "write ROW,COLUMN, e.g. 2,1", "tile 1,1"),
    ("tile 2,0", "rows are 0 to 1", "tile 1,0"),
    ("report", "info streams shows what waits in a tile", "info streams"),
    ("info nothing", "registers, routes, credits, streams, handoffs, flags, symbols or breaks", "info registers"),
    ("info credits", "info streams shows what waits", "info streams"),
    ("print r99", "write r3, psum.r3, csr VL, R[8], M[0x120:8], or an array as x[3][0:8]; info symbols lists arrays", "print M[0x120:8]"),
    ("print tokens[5]", "tokens has 1 slots of 8", "print tokens[0]"),
    ("print tokens[0][7:9]", "a slot of tokens has 8 elements", "print tokens[0][7:8]"),
    ("print M[0xffff:8]", "a tile has 24576 elements", "print M[24568:8]"),
    ("break", "help lists the kinds", "break gemm"),
    ("break message", "help lists the kinds", "break message W"),
    ("break gemm.s:x", "write gemm.s:13", "break gemm.s:13"),
    ("break gemm.s:1", "name a line with one; list shows lines", "list"),
    ("break nowhere", "write gemm, gemm.s:13 or 73", "break 73"),
    ("break message purple", "there are W, RING, NORTH, WEST, EAST", "break message RING"),
    ("tile 0,0", "", "tile 0,0"),
]


def script(column):
    return "".join(line[column] + "\n" for line in LINES)


CASES = [
    Case("lines of a debugger", [line[1] for line in LINES if line[1]], command=["debug"], words=SCRIPT,
         files={"commands": script(0)}, how=writing("commands", script(2))),
    Case("credits of the model", "--wafer.depth 4 gives it the RTL's", command=["debug"], words=SCRIPT, files={"commands": "info credits\n"},
         how=words(*SCRIPT, "--wafer.depth", "4")),
    Case("debugging no phase", "name a phase, or a core dump", command=["debug"], words=PARAMS, how=words(*START)),
    Case("debugging a tile", "type tile 1,1", command=["debug"], words=[*START, "--tile", "1,1"], files={"commands": "tile 1,1\n"},
         how=words(*SCRIPT)),
    Case("a script that does not exist", "name a file of commands", command=["debug"], words=SCRIPT, how=writing("commands", "where\n")),
]
