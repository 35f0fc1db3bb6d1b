"""Commands of the documents that a test does not run as they are: long ones wait for `make test-long`, some run
shorter, and for some it takes what no test has."""

from dataclasses import dataclass


@dataclass
class Instead:
    """Shorter."""

    old: str
    new: str


@dataclass
class Long:
    """In `make test-long` alone."""


@dataclass
class Never:
    why: str


@dataclass
class Exits:
    """It ends with this code, which says what it has found."""

    code: int


COMMITS = Never("builds other commits; tests/look/bisect has a repository of its own")
PLACEHOLDER = Never("has a word in capitals for what the reader puts there")

# What a document takes for granted: shell, before its first block.
PREPARED = {
    "README.md": "head -c 100000 configs/corpus.txt > my.txt",
    "docs/network.md": "sed 's/^network: gpt2/network: mine/' sw/network/gpt2.yaml > mine.yaml",
}

# (document, beginning of the command, what)
EXCEPTIONS = [
    ("README.md", "make sim CONFIG=gpt_tiny.yaml", Instead("NUM_CSX=4", "NUM_CSX=4 NUM_STEPS=1")),
    ("README.md", "make waves", Long()),  # installs what `make test` does not need
    ("README.md", "make test", Never("is what runs this test")),
    ("README.md", "build/weft run --params configs/gpt_tiny.yaml --backend", Instead("--num_steps 1000", "--num_steps 3")),
    ("docs/bisect.md", "weft bisect --params configs/gpt_tiny.yaml --num_steps 2", Exits(1)),
    ("docs/bisect.md", "weft bisect A B", PLACEHOLDER),
    ("docs/bisect.md", "weft bisect HEAD", COMMITS),
    ("docs/bisect.md", "weft bisect --a", COMMITS),
    ("docs/bisect.md", "weft bisect model rtl", Long()),
    ("docs/bisect.md", "weft trail", PLACEHOLDER),
    ("docs/network.md", "make sim", Instead("NUM_CSX=4", "NUM_CSX=4 NUM_STEPS=1")),
    ("docs/debugging.md", "make debug", Long()),
    ("docs/debugging.md", "weft debug", PLACEHOLDER),
]
