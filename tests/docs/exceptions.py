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


BOARD = Never("takes a board, or a network card with one on its line")
COMMITS = Never("builds other commits; tests/look/bisect has a repository of its own")
SLURM = Never("takes a cluster; tests/cluster has one")
PLACEHOLDER = Never("has a word in capitals for what the reader puts there")
DOWNLOAD = Never("takes a vocabulary from elsewhere; make test-text gets it")

# What a document takes for granted: shell, before its first block.
PREPARED = {
    "README.md": "head -c 100000 configs/corpus.txt > my.txt",
    "docs/bisect.md": "",
    "docs/hugging_face.md": """
        weft run --params configs/gpt_tiny.yaml --backend model --model_dir out/gpt_tiny --num_steps 2
        weft export --to hf DIR --model_dir out/gpt_tiny
        python3 -c 'open("tokens.bin", "wb").write(b"".join(n.to_bytes(4, "little") for n in [20240520, 1, 4000] + [0] * 253)
                                                   + b"".join((n * n % 96).to_bytes(2, "little") for n in range(4000)))'
        sed 's,data_dir: .*,data_dir: configs/corpus.txt,' configs/gpt_tiny.yaml > mine.yaml""",
    "docs/network.md": "sed 's/^network: gpt2/network: mine/' sw/network/gpt2.yaml > mine.yaml",
    "docs/stream.md": "cp configs/gpt_tiny.yaml FILE; cp configs/corpus.txt .",
    "docs/text.md": "cp configs/corpus.txt .",
    "docs/parity.md": """
        sed 's,data_dir: .*,data_dir: configs/corpus.txt,' configs/gpt_tiny.yaml > mine.yaml""",
}

# (document, beginning of the command, what)
EXCEPTIONS = [
    ("README.md", "make sim CONFIG=gpt_tiny.yaml", Instead("NUM_CSX=4", "NUM_CSX=4 NUM_STEPS=1")),
    ("README.md", "make test", Never("is what runs this test")),
    ("README.md", "build/weft run --params configs/gpt_tiny.yaml --backend", Instead("--num_steps 1000", "--num_steps 3")),
    ("docs/bisect.md", "weft bisect --params configs/gpt_tiny.yaml --num_steps 2", Exits(1)),
    ("docs/bisect.md", "weft bisect A B", PLACEHOLDER),
    ("docs/bisect.md", "weft bisect HEAD", COMMITS),
    ("docs/bisect.md", "weft bisect --a", COMMITS),
    ("docs/bisect.md", "weft bisect model rtl", Long()),
    ("docs/bisect.md", "weft trail", PLACEHOLDER),
    ("docs/network.md", "make sim", Instead("NUM_CSX=4", "NUM_CSX=4 NUM_STEPS=1")),
    ("docs/cluster.md", "scripts/", SLURM),
    ("docs/cluster.md", "eval", SLURM),
    ("docs/cluster.md", "srun", SLURM),
    ("docs/debug_chain.md", "make fpga", Long()),
    ("docs/debug_chain.md", "DEBUG=1 make synth", Long()),
    ("docs/debugging.md", "make debug", Instead("make debug", "make debug </dev/null")),
    ("docs/debugging.md", "weft debug", PLACEHOLDER),
    ("docs/ethernet.md", "sudo", BOARD),
    ("docs/ethernet.md", "ping", BOARD),
    ("docs/fpga.md", "sudo", BOARD),
    ("docs/fpga.md", "ping", BOARD),
]
