"""weft bisect: host/inspect/bisect."""
from deeds import both, in_shell, words, wrapped
from follow import Case

PARAMS = ["--params", "mine.yaml", "--out", "b"]
BOTH = [*PARAMS, "model", "rtl"]
# A copy of the program outside any source tree.
COPIED = 'mkdir -p bin; cp "$1" "$(dirname "$1")/weft-inspect" bin/; shift; set -- bin/weft "$@"'


def bisect(name, hint, wrong, how=words(*BOTH), **more):
    return Case(f"bisect: {name}", hint, command=["bisect"], words=wrong, how=how, **more)


LOCKED = "mkdir -p b; exec 9>>b/.bisect.lock; flock -n 9"

CASES = [
    bisect("a folder in use", "wait for its end, or name another folder", BOTH, words("--params", "mine.yaml", "--out", "c", "model", "rtl"),
           wrap=LOCKED),
    bisect("one side", "write weft bisect model rtl, weft bisect COMMIT, or what else is to differ", PARAMS),
    bisect("a folder in a file", "name a folder that can be written", ["--params", "mine.yaml", "--out", "corpus.txt/b", "model", "rtl"]),
    bisect("no parameters", "give --params FILE to both", ["--out", "b", "model", "rtl"]),
    bisect("a program that does not exist", "name a weft program", [*PARAMS, "./none run", "rtl"], in_shell("ln -s WEFT none")),
    bisect("a pipe", "write them to a file, and name that", ["--params", "p", "--out", "b", "model", "rtl"], wrap="mkfifo p",
           how=both(in_shell("cp mine.yaml p.yaml"), wrapped(""), words("--params", "p.yaml", "--out", "b", "model", "rtl"))),
    bisect("a commit of no tree", "use a program in its tree's build/, or write PROGRAM run ...", [*PARAMS, "HEAD"],
           words(*PARAMS, "./bin/weft run", "rtl"), wrap=COPIED),
    bisect("a fingerprint that is damaged", "record it again", [*PARAMS, "./cut run", "rtl"], in_shell("sed -i 's: && .*::' cut"),
           files={"cut": '#!/bin/bash\nTHIS "$@" && truncate -s -9 b/a.steps\n'}, before="sed -i s:THIS:WEFT: cut; chmod +x cut"),
]
