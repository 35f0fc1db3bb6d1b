"""Commands of the documents that a test does not run as they are: long ones wait for `make test-long`, some run
shorter, and for some it takes what no test has."""

from dataclasses import dataclass


@dataclass
class Instead:
    """Shorter: in `make test`, or always."""

    old: str
    new: str
    always: bool = False


@dataclass
class Long:
    """In `make test-long` alone, with `more` after it."""

    more: str = ""


@dataclass
class Never:
    why: str


@dataclass
class Exits:
    """It ends with this code, which says what it has found."""

    code: int


BOARD = Never("needs a board, or a network with one")
BITSTREAM = Never("takes most of an hour; tests/fpga routes a small one")
SLURM = Never("tests/cluster types it under a Slurm of its own")
TYPED = Never("tests/commands/cerebras_commands_test.py types it in a copy")
COMMITS = Never("builds other commits; tests/inspect/bisect has a repository of its own")
PLACEHOLDER = Never("has a word in capitals for what the reader puts there")

# Preconditions of a document: shell commands to run before its first block.
PREPARED = {
    "README.md": "head -c 100000 configs/corpus.txt > my.txt",
    "docs/hugging_face.md": "weft run --params configs/gpt_tiny.yaml --backend model --num_steps 1 --model_dir out/gpt_tiny; "
    "weft export --to hf DIR --model_dir out/gpt_tiny; rm DIR/token*; "
    "sed s,corpus.txt,configs/corpus.txt, configs/gpt_tiny.yaml > mine.yaml; "
    """python3 -c 'import struct; n = 40 * 64; open("tokens.bin", "wb").write("""
    """struct.pack("<256i", 20240520, 1, n, *[0] * 253) + struct.pack(f"<{n}H", *[i * i % 96 for i in range(n)]))'""",
    "docs/network.md": "sed 's/^network: gpt2/network: mine/' sw/network/gpt2.yaml > mine.yaml",
    "docs/parity.md": "sed s,corpus.txt,configs/corpus.txt, configs/gpt_tiny.yaml > mine.yaml",
    "docs/stream.md": "sed s,corpus.txt,configs/corpus.txt, configs/gpt_tiny.yaml > FILE",
    "docs/text.md": "cp configs/corpus.txt corpus.txt; mkdir package data; "
    "weft tokenizer train corpus.txt --vocab_size 600 --out package; mv package/vocab.json package/encoder.json; "
    "mv package/merges.txt package/vocab.bpe",
}

# Entries: (document, beginning of the command, treatment).
EXCEPTIONS = [
    ("docs/commands.md", "sudo make test-distributions", Never("makes roots of distributions and builds in each: an hour")),
    ("docs/hugging_face.md", "python3 -c", Never("needs PyTorch; tests/interop/pytorch_files_test.py runs it")),
    ("README.md", "make sim CONFIG=gpt_tiny.yaml", Instead("NUM_CSX=4", "NUM_CSX=4 NUM_STEPS=1")),
    ("README.md", "make waves", Long()),  # installs what `make test` does not need
    ("README.md", "make test", Never("is what runs this test")),
    ("README.md", "build/weft run --params configs/gpt_tiny.yaml --backend", Instead("--num_steps 1000", "--num_steps 3")),
    ("docs/bisect.md", "weft bisect --params configs/gpt_tiny.yaml --num_steps 2", Exits(1)),
    ("docs/bisect.md", "weft bisect A B", PLACEHOLDER),
    ("docs/bisect.md", "weft bisect HEAD", COMMITS),
    ("docs/bisect.md", "weft bisect --a", COMMITS),
    ("docs/bisect.md", "weft bisect model rtl", Long()),
    ("docs/bisect.md", "weft fingerprint", PLACEHOLDER),
    ("docs/network.md", "make sim", Instead("NUM_CSX=4", "NUM_CSX=4 NUM_STEPS=1")),
    ("docs/debugging.md", "make debug", Long()),
    ("docs/debugging.md", "weft debug", PLACEHOLDER),
    ("docs/cluster.md", "scripts/csrun_wse", SLURM),
    ("docs/cluster.md", "scripts/setup slurm", SLURM),
    ("docs/cluster.md", "scripts/cluster", SLURM),
    ("docs/cluster.md", "eval", SLURM),
    ("docs/cluster.md", "srun", SLURM),
    ("docs/commands.md", "cd scripts/gpt", TYPED),
    ("docs/commands.md", "source venv_appliance", TYPED),
    ("docs/commands.md", "python run.py", TYPED),
    ("docs/commands.md", "csrun_wse", SLURM),
    ("docs/commands.md", "weft configs", Long()),  # tests/cli compiles each file
    ("docs/commands.md", "make package", Never("builds everything once more, for any processor")),
    ("docs/commands.md", "make release", Never("needs bitstreams, which take hours; tests/commands/release_test.py collects small ones")),
    ("docs/commands.md", "sudo apt install", Never("changes the machine; make package TRY=1 does it in a fresh Debian")),
    ("docs/debug_chain.md", "make fpga", BITSTREAM),
    ("docs/debug_chain.md", "DEBUG=1 make synth", BITSTREAM),
    ("docs/ethernet.md", "sudo ip", BOARD),
    ("docs/ethernet.md", "ping", BOARD),
    ("docs/fpga.md", "sudo", BOARD),
    ("docs/fpga.md", "build/weft board", Long()),
    ("docs/fpga.md", "ping", BOARD),
    ("docs/fpga.md", "make sim CONFIG=gpt_board.yaml BACKEND=fpga DEVICE", BOARD),
    ("docs/fpga.md", "make sim CONFIG=gpt_board.yaml BACKEND=fpga NUM_CSX=2", BOARD),
    ("docs/fpga.md", "build/weft run --params configs/gpt_board.yaml --backend fpga --fpga.device", BOARD),
    ("docs/fpga.md", "build/weft profile --params configs/gpt_board.yaml --backend fpga", BOARD),
    ("docs/fpga.md", "build/weft profile --params", Long()),
    ("docs/fpga.md", "make sim CONFIG=gpt_board.yaml BACKEND=model", Instead("MODEL_DIR", "NUM_STEPS=1 MODEL_DIR", True)),
    ("docs/fpga.md", "make sim CONFIG=gpt_board.yaml BACKEND=fpga", Long(" NUM_STEPS=1")),
    ("docs/fpga.md", "build/weft run --params configs/gpt_board.yaml --backend fpga --check", Long(" --num_steps 1")),
    ("docs/generation.md", "build/weft run", Long()),
    ("docs/hangs.md", "make check", Long()),
    ("docs/hangs.md", "weft check", Instead("gpt_small", "gpt_tiny")),
    ("docs/hugging_face.md", "build/weft run --params mine.yaml", Instead("DIR ", "DIR --backend model --num_steps 1 ", True)),
    ("docs/hugging_face.md", "build/weft run --params theirs.yaml", Instead("--mode eval", "--mode eval --backend model")),
    ("docs/metrics.md", "scripts/setup tensorboard", Long()),
    ("docs/metrics.md", "build/tensorboard/bin/tensorboard", Never("serves until it is stopped")),
    ("docs/parity.md", "make parity", Never("trains all cases with PyTorch; tests/parity has what it wrote")),
    ("docs/parity.md", "/usr/bin/python3", Long()),
    ("docs/recipes.md", "for rank in", Instead("\ndone", "\ndone; for job in $(jobs -p); do wait $job; done", True)),
    ("docs/stream.md", "build/weft run --params FILE --plan", Instead("my.weftplan", "my.weftplan --num_steps 1", True)),
    ("docs/swarm.md", "for r in", Instead("run.key &\ndone; wait", "run.key --num_steps 2 &\ndone; for job in $(jobs -p); do wait $job; done", True)),
    ("docs/text.md", "npm pack", Never("fetches GPT-2's vocabulary; here one of configs/corpus.txt stands for it")),
    ("docs/text.md", "build/weft run --params configs/gpt2.yaml", Instead("--train_input.tokenizer", "--mode validate_only --train_input.tokenizer", True)),
    ("docs/tiers.md", "make sim", Long()),
    ("docs/tiers.md", "build/weft run", Long(" --backend model --num_steps 3")),
    ("docs/waves.md", "make waves", Long()),
    ("docs/waves.md", "build/weft run", Instead("--trace.step 7", "--trace.step 1 --num_steps 1", True)),
    ("fpga/README.md", "make", BOARD),
    ("fpga/README.md", "build/weft board", BOARD),
    ("scripts/gpt/README.md", "cd scripts/gpt", TYPED),
    ("scripts/gpt/README.md", "source venv_appliance", TYPED),
    ("scripts/gpt/README.md", "python run.py", TYPED),
    ("tests/fault_injection/README.md", "WEFT_FAULT_INJECTION=SEED", PLACEHOLDER),
    ("tests/fuzz/README.md", "scripts/setup fuzz", Never("make test-long runs each target")),
    ("verif/random/README.md", "build/weft-random --seed 1 --instructions", Instead("--instructions 10000000 --fabrics 1000", "--instructions 100000 --fabrics 10")),
    ("verif/random/README.md", "build/weft-random-always", Instead("--fabrics 1000", "--fabrics 10")),
    ("verif/random/README.md", "build/weft-random-24", Instead("--fabrics 1000", "--fabrics 10")),
]
