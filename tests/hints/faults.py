"""Faults of the system that a program meets: calls that fail, limits, an output that takes nothing."""
import ctypes
import platform
import resource
import struct
from dataclasses import dataclass, field
from typing import Optional

NUMBERS = {"x86_64": {"getdents64": 217}, "aarch64": {"getdents64": 61}}[platform.machine()]
LOAD, EQUAL, RETURN = 0x20, 0x15, 0x06  # opcodes of BPF
ALLOW, ERRNO = 0x7FFF0000, 0x00050000
PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, FILTER = 22, 38, 2


@dataclass
class Call:
    """A system call that fails."""
    name: str
    error: int

    def filter(self):
        """Steps of BPF: past them if it is another call."""
        return [(LOAD, 0, 0, 0), (EQUAL, 0, 1, NUMBERS[self.name]), (RETURN, 0, 0, ERRNO | self.error)]


@dataclass
class Faults:
    calls: list = field(default_factory=list)
    limits: dict = field(default_factory=dict)  # {resource.RLIMIT_DATA: bytes}, or a pair: the hard limit as well
    stdout: Optional[str] = None

    def apply(self):
        """In the child, before its program starts."""
        for what, most in self.limits.items():
            resource.setrlimit(what, most if isinstance(most, tuple) else (most, resource.getrlimit(what)[1]))
        if not self.calls:
            return
        steps = [step for call in self.calls for step in call.filter()] + [(RETURN, 0, 0, ALLOW)]
        code = ctypes.create_string_buffer(b"".join(struct.pack("<HBBI", *step) for step in steps))
        program = ctypes.create_string_buffer(struct.pack("@HP", len(steps), ctypes.addressof(code)))
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or libc.prctl(PR_SET_SECCOMP, FILTER, program):
            raise OSError(ctypes.get_errno(), "the kernel has no such filters")
