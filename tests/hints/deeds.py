"""Mistakes and deeds that many cases have."""
import pathlib
import struct

from follow import Case


def shard(ids, magic=20240520, version=1):
    header = struct.pack("<3i", magic, version, len(ids)) + bytes(4 * 253)
    return header + struct.pack(f"<{len(ids)}H", *ids)


def key(name, value, hint, **more):
    """A key of the command line."""
    return Case(f"{name} {value}", hint, words=[f"--{name}", value], **more)


def words(*to):
    """Step: other words in place of the case's."""
    return lambda run, hint: run.words.__setitem__(slice(None), list(to))


def setting(name, value):
    return lambda run, hint: run.set(name, value)


def base(*to):
    return lambda run, hint: run.base.__setitem__(slice(None), list(to))


def editing(old, new):
    return lambda run, hint: run.replace(old, new)


def in_file(name, *changes):
    """Step: (old, new) in a file of the folder."""
    def deed(run, hint):
        text = (run.folder / name).read_text()
        for old, new in changes:
            assert old in text, old
            text = text.replace(old, new, 1)
        run.write(name, text)
    return deed


def writing(name, content):
    return lambda run, hint: run.write(name, content)


def in_shell(line):
    return lambda run, hint: run.shell(line.replace("WEFT", str(run.weft)))


def both(*steps):
    return lambda run, hint: [step(run, hint) for step in steps]


def wrapped(line):
    """Step: a disk, limit or neighbour other than the case's."""
    return lambda run, hint: setattr(run, "wrap", line)


# A case's wrap: enters a new namespace in which a folder is a disk of the given size.
DISK = 'unshare -Urm true 2>/dev/null || exit 77; mkdir -p out disk; exec unshare -Urm bash -c "mount -t tmpfs -o size={} none {} && exec \\"\\$@\\"" - "$@"'
SMALL = ["--mode", "validate_only", "--model_dir", "out"]
TINY = str(pathlib.Path(__file__).resolve().parents[2] / "configs/gpt_tiny.yaml")  # as an installed program finds it
TRAINED = "WEFT run --params mine.yaml --model_dir out --quiet"
TOKENIZER = "cat corpus.txt corpus.txt > words.txt; seq 2000 >> words.txt; WEFT tokenizer train words.txt --vocab_size 300 --out t"
TENSORS = f"python3 {pathlib.Path(__file__).parent}/tensors.py"
HDF5 = f"python3 {pathlib.Path(__file__).parent}/hdf5.py WEFT"
