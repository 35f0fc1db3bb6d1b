"""A memory control group of the kernel, of either version, where this process may make one."""
import contextlib
import os
import pathlib


def _own(version):
    """The folder of this process's group, in which one of that version's memory groups can be made; None."""
    for line in pathlib.Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        if version == 1 and "memory" in controllers.split(","):
            return pathlib.Path("/sys/fs/cgroup/memory") / path.lstrip("/")
        if version == 2 and not controllers:
            for root in ("/sys/fs/cgroup", "/sys/fs/cgroup/unified"):
                folder = pathlib.Path(root) / path.lstrip("/")
                subtree = folder / "cgroup.subtree_control"
                if subtree.exists() and "memory" in subtree.read_text().split():
                    return folder
    return None


@contextlib.contextmanager
def memory_group(limit):
    """A file to write a process's number to, which puts it into a group of at most `limit` bytes; None: not to be had."""
    for version, name in ((1, "memory.limit_in_bytes"), (2, "memory.max")):
        folder = _own(version)
        if folder is None:
            continue
        group = folder / f"weft_test_{os.getpid()}"
        try:
            group.mkdir()
            (group / name).write_text(str(limit))
        except OSError:
            continue
        try:
            yield group / "cgroup.procs"
        finally:
            group.rmdir()
        return
    yield None
