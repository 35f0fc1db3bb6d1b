"""Text of this machine, each line of it once: sources, headers, documentation."""

import hashlib
import os

ROOTS = ("/usr/include", "/usr/share", "/usr/lib", "/usr/local/include", "/usr/local/lib", "/usr/src")
LARGEST = 4_000_000  # bytes of a file


def texts(root):
    for folder, folders, files in os.walk(root):
        folders.sort()
        for name in sorted(files):
            path = os.path.join(folder, name)
            try:
                if os.path.islink(path) or os.path.getsize(path) > LARGEST:
                    continue
                with open(path, "rb") as file:
                    text = file.read()
                text.decode()
            except (OSError, UnicodeDecodeError):
                continue
            if b"\0" not in text:
                yield text


def write_corpus(folder, least, most_each=1_000_000):
    """Writes `least` bytes or more, as documents of some `most_each` bytes, into `folder`; returns (bytes, documents)."""
    os.makedirs(folder, exist_ok=True)
    seen, now, documents, total = set(), [], 0, 0

    def flush():
        nonlocal documents
        if now:
            with open(os.path.join(folder, f"{documents:04}.txt"), "wb") as file:
                file.write(b"".join(now))
            now.clear()
            documents += 1

    # Round robin over the roots, so that about a fifth is of each kind; headers alone would suffice.
    turns = [texts(root) for root in ROOTS if os.path.isdir(root)]
    while turns and total < least:
        for turn in list(turns):
            text = next(turn, None)
            if text is None:
                turns.remove(turn)
                continue
            for line in text.splitlines(keepends=True):
                mark = hashlib.blake2b(line, digest_size=8).digest()
                if len(line) > 8 and mark in seen:
                    continue
                seen.add(mark)
                now.append(line)
                total += len(line)
            if sum(map(len, now)) >= most_each:
                flush()
    flush()
    return total, documents
