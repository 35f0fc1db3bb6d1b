"""Does what a hint says, as a user would who takes it word for word."""
import contextlib
import os
import pathlib
import re
import subprocess
import tempfile
import threading
import zlib
from dataclasses import dataclass, field
from typing import Callable, Optional, Union

from faults import Faults

# Commands that are spelled out in hints.
COMMAND = re.compile(r"(?:^|: )((?:gzip|zstd|xz|bzip2|iconv|h5clear|chmod|mkdir|git|python3|\(umask) .*?)(?:; name OUT)?$")
PARAMS = """train_input:
  data_dir: corpus.txt
  batch_size: 4
  micro_batch_size: 2
model:
  hidden_size: 8
  num_hidden_layers: 1
  num_heads: 2
  filter_size: 16
  max_sequence_length: 8
  vocab_size: 14
optimizer:
  learning_rate: 0.01
runconfig:
  max_steps: 1
  checkpoint_steps: 0
wafer:
  rows: 2
  cols: 2
"""


@dataclass
class Case:
    """A mistake. `hint`: a part of what is said, or such parts of several mistakes; `how`: does what it says where following it word for word needs more."""
    name: str
    hint: Union[str, list]
    words: list = field(default_factory=list)
    edits: list = field(default_factory=list)  # edits of mine.yaml: from, to
    files: dict = field(default_factory=dict)
    given: str = ""  # a shell's command, done once for all cases that begin with it, in a folder that they get a copy of
    before: str = ""  # a shell's command
    command: Optional[list] = None  # instead of run --params mine.yaml --model_dir out
    how: Optional[Callable] = None
    steps: int = 1
    env: dict = field(default_factory=dict)
    rank: str = "RANK"  # the variable that tells processes of one run apart
    faults: Faults = field(default_factory=Faults)
    program: str = ""  # instead of weft, a copy in the case's folder
    needs: str = ""  # a tool that a machine may lack; the hint then counts as followed
    wrap: str = ""  # shell commands before the program starts: limits, locks, disks


class Given:
    """Folders in which commands of the shell have been done, each once."""

    def __init__(self):
        self.lock, self.made = threading.Lock(), {}
        self.all = tempfile.TemporaryDirectory(prefix="weft-hints-")

    def copy(self, run, line):
        with self.lock:
            own = self.made.setdefault(line, threading.Lock())
        folder = pathlib.Path(self.all.name) / f"{zlib.crc32(line.encode()):08x}"
        with own:
            if not folder.exists():
                folder.mkdir()
                for name, text in (("mine.yaml", PARAMS), ("corpus.txt", corpus())):
                    (folder / name).write_text(text)
                run.shell(line, folder)
        run.shell(f"cp -a {folder}/. .")


GIVEN = Given()


def corpus():
    return "".join(chr(ord("a") + i * i % 13) for i in range(2000))


class Run:
    def __init__(self, weft, folder, case):
        self.weft, self.folder, self.case = weft, folder, case
        self.words, self.env, self.wrap = list(case.words), dict(case.env), case.wrap
        self.base = ["run", "--params", "mine.yaml", "--model_dir", "out"] if case.command is None else list(case.command)
        if case.given:
            GIVEN.copy(self, case.given.replace("WEFT", str(weft)))
        text = PARAMS
        for old, new in case.edits:
            assert old in text, old
            text = text.replace(old, new)
        self.write("mine.yaml", text)
        self.write("corpus.txt", corpus())
        for name, content in case.files.items():
            self.write(name, content)
        if case.before:
            self.shell(case.before.replace("WEFT", str(weft)))
        self.code, self.said, self.ranks, self.faults = None, "", 1, case.faults

    def write(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())

    def read(self):
        return (self.folder / "mine.yaml").read_text()

    def shell(self, line, folder=None):
        subprocess.run(["bash", "-c", line], cwd=folder or self.folder, check=True, timeout=300, stdout=subprocess.DEVNULL,
                       stderr=subprocess.PIPE)

    def start(self):
        """One process, or `ranks` of them: their root says how it ended."""
        program = self.folder / self.case.program if self.case.program else self.weft
        shell = ["bash", "-c", f'{self.wrap}\nexec "$@"', "weft"] if self.wrap else []
        line = [*shell, str(program), *self.base, *self.words]
        others = [subprocess.Popen(line, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, env={**os.environ, **self.env, self.case.rank: str(rank)})
                  for rank in range(1, self.ranks)]
        faults = self.faults
        try:
            with contextlib.ExitStack() as opened:
                out = opened.enter_context(open(faults.stdout, "w")) if faults.stdout else subprocess.PIPE
                done = subprocess.run(line, cwd=self.folder, text=True, errors="replace", timeout=300, stdin=subprocess.DEVNULL,
                                      stdout=out, stderr=subprocess.PIPE, check=False, env={**os.environ, **self.env},
                                      preexec_fn=faults.apply if faults.calls or faults.limits else None)
            for other in others if done.returncode == 0 else []:
                assert other.wait(timeout=60) == 0, f"another rank ends with {other.returncode}"
        finally:
            for other in others:
                other.kill()
                other.wait()
        self.code = done.returncode
        self.said = (done.stderr if done.returncode else "") or done.stdout or ""
        return self.said

    @staticmethod
    def hints(said):
        return [hint.rstrip(".") for hint in re.findall(r"HINT: (.*)", said)]

    def hint(self, said):
        return next(iter(self.hints(said)), None)

    @staticmethod
    def subject(said):
        """The key that is refused: 'mine.yaml:8: model.num_heads: ...' or 'command line: --num_csx: ...'."""
        found = re.search(r"(?:^|: )(?:--)?([a-z_]+(?:\.[A-Za-z_]+)*): ", said)
        return found.group(1) if found else ""

    # Actions that hints ask for.

    def set(self, key, value):
        """A key on the command line, in place of one that is there."""
        self.drop_word(key)
        self.words += [f"--{key}", value]

    def drop_word(self, key):
        for name in (f"--{key}", f"--{key.rpartition('.')[2]}"):
            while name in self.words:
                at = self.words.index(name)
                alone = at + 1 == len(self.words) or self.words[at + 1].startswith("--")
                del self.words[at:at + (1 if alone else 2)]

    def drop(self, key, said):
        """A key is left out, on the command line or at its line of the file."""
        line = re.match(r"mine\.yaml:(\d+): ", said)
        if line is None:
            return self.drop_word(key)
        lines = self.read().splitlines()
        del lines[int(line.group(1)) - 1]
        return self.write("mine.yaml", "\n".join(lines) + "\n")

    def replace(self, old, new):
        text = self.read()
        assert old in text, old
        self.write("mine.yaml", text.replace(old, new))

    def follow(self, hint, said):
        key = self.subject(said)
        if self.case.how is not None:
            self.case.how(self, hint)
        elif found := re.match(r"did you mean (?:--)?([\w.]+)", hint):
            wrong = f"--{key}"
            self.words = [f"--{found.group(1)}" if w == wrong else w for w in self.words]
        elif found := re.search(r"(?:set|use) (?:--)?([a-z_]+\.[a-z_]+) (\"[^\"]+\"|[^ ,;]+)", hint):
            self.set(found.group(1), found.group(2).strip('"'))
        elif re.match(r"(leave it out|remove (one|it)|leave that|leave one)", hint):
            self.drop(key, said)
        elif found := re.match(r"(?:use|write it like|give it|set) (\[.*?\]|-?[\w.]+)", hint):
            self.set(key, found.group(1))
        elif found := COMMAND.search(hint):
            self.shell(found.group(1))
        else:
            raise AssertionError(f"cannot be followed as it stands: {hint}")
