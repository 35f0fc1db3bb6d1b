"""weft-asm and weft-words, which the build puts next to weft."""
from deeds import words, writing
from follow import Case


def program(name, path, hint, wrong, right, wrap="", **more):
    found = f'p="$(dirname "$1")/{path}"; [ -x "$p" ] || exit 77\nshift\nexec "$p" "$@" '
    return Case(name, hint, command=[], words=wrong, wrap=found + wrap, how=more.pop("how", None) or words(*right), **more)


ASM, SOURCE = "sw/asm/weft-asm", {"add.s": "li r1, N\nhalt\n"}
CASES = [
    program("a constant without a value", ASM, "write -D NAME=12", ["-D", "N", "add.s"], ["-D", "N=12", "add.s"], files=SOURCE),
    program("a folder of assembly", ASM, "name a file of assembly", ["-D", "N=1", "."], ["-D", "N=1", "add.s"], files=SOURCE),
    program("words on a full disk", ASM, "make room, or send it elsewhere", ["-D", "N=1", "add.s"], ["-D", "N=1", "add.s"], files=SOURCE,
            wrap="> /dev/full", how=lambda run, hint: setattr(run, "wrap", run.wrap.replace("/dev/full", "elsewhere"))),
    program("an instruction that is none", ASM, "docs/reference/isa.md lists them", ["add.s"], ["add.s"], files={"add.s": "frobnicate\n"},
            how=writing("add.s", "halt\n")),
    program("an endless line", ASM, "write several lines", ["add.s"], ["add.s"], files={"add.s": "halt" + " " * 500 + "x\n"},
            how=writing("add.s", "halt\n")),
    program("a kind of value", "weft-words", "use one of ", ["colour"], ["color"], how=lambda run, hint: words(hint.split()[3].strip(","))(run, hint)),
]
