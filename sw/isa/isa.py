"""The instruction set of a Weft processing element, its commands, colors, ports and flags: the one definition there is.

Encodings, and the rules that make one illegal, as plain data. `generate.py` turns them into a SystemVerilog package, a
C++ header and docs/reference/isa.md. docs/reference/pe.md describes what the instructions compute. An instruction has 32
bits, its opcode in [31:26].
"""

from collections import namedtuple

Field = namedtuple("Field", "name msb lsb enum")
Instr = namedtuple("Instr", "name op layout threads fields doc")
Color = namedtuple("Color", "taken switches")  # of an instruction: it takes words of the color, or sends words on it

OP_MSB, OP_LSB = 31, 26

# ---------------------------------------------------------------------------------------------- enumerations
# Values count from 0 unless a name is None (a number without a meaning).

ENUMS = {
    "fn": ["fma", "max", "ge", "sel", "exp", "recip", "rsqrt", "tanh"],
    "asel": ["M", "S", "OH", "MM"],
    "bsel": ["S", "R", "MS", "A"],
    "csel": ["Z", "R", "A", "S"],
    "dsel": ["R", "M"],
    "vsop": ["add", "max", "mov"],
    "vsd": ["N", "R", "M"],
    "csr": ["VL", "REP", "STA", "STB", "STD", "IDX", "LMASK", "STR", "ROW", "ROWS", "FLAGS", "COL", "COLS"],
    "port": ["N", "E", "S", "W", "RAMP"],
    "color": ["W", "RING", "NORTH", "WEST", "EAST"],
    "cmd": ["CR", "SELECT", "SETREG", "CALL", "IADDR", "ILO", "IHI", "MADDR", "MDATA", "ROUTE",
            "MARK"],
    "flag": ["NO_ROUTE", "BAD_COLOR", "NO_ROW", "BAD_COMMAND", "BAD_INSTR", "MISALIGNED", "BAD_ADDRESS",
             "BAD_ROUTE"],
    "stall": ["issued", "other", "scalar", "weight", "psum", "credit", "handoff", "memory", "hazard", "table", "command",
              "join", "asleep"],
}

ENUM_DOCS = {
    "fn": "function of `vf`",
    "asel": "operand a of `vf`, `vaxs`, `vdot` (`S` and `MM` only in `vf`); `MM`: memory, and so is b (`bsel` `MS`) or else c",
    "bsel": "operand b of `vf`",
    "csel": "operand c of `vf`",
    "dsel": "destination of `vf`",
    "vsop": "operation of `vs`",
    "vsd": "local destination of `vs`: nowhere, accumulator file, memory",
    "csr": "control register",
    "port": "port of a router, as a bit number of a route's outputs",
    "color": "color by name; a color field takes any number",
    "cmd": "command code (control messages on `W`)",
    "flag": "sticky flag, as a bit number of `FLAGS`",
    "stall": "what a thread did in a cycle, or waited for ([stalls.md](../explanation/stalls.md))",
}

# Bits of an enumeration in SystemVerilog, where no 32-bit instruction fixes it.
ENUM_WIDTHS = {"fn": 3, "asel": 2, "bsel": 2, "csel": 2, "dsel": 1, "vsop": 2, "vsd": 2, "csr": 4, "port": 3, "color": 5,
               "cmd": 8, "flag": 3, "stall": 4}

# Defaults of the RTL's and of the model's parameters.
MACHINE = {
    "Colors": (4, "colors physically built, on boards"),
    "WaferColors": (5, "colors of a simulated wafer"),
    "Depth": (4, "messages a link buffers for each color"),
    "RDepth": (256, "entries of the accumulator file"),
    "IDepth": (1024, "instructions"),
}

# The turns that the compiler's routes take (sw/compiler/program/load.cpp) where W does not turn around and no sequence
# lies over several columns: to which outputs, by color and input port. A router that is built for nothing else has these.
KERNEL_TURNS = {
    "W": {"W": "E RAMP"},
    "RING": {"N": "RAMP", "S": "N RAMP", "RAMP": "N S"},
    "NORTH": {"S": "RAMP", "RAMP": "N"},
    "WEST": {"E": "RAMP", "RAMP": "W"},
}


def kernel_turns():
    """Sets of output ports (bit p: port p), [color][input port]."""
    ports = ENUMS["port"]
    outputs = lambda names: sum(1 << ports.index(name) for name in names.split())
    return [[outputs(KERNEL_TURNS[color].get(port, "")) for port in ports] for color in KERNEL_TURNS]


# -------------------------------------------------------------------------------------------------- layouts
# Four layouts; within one a name has one place. Bits outside an instruction's fields are written 0 and ignored.


def _fields(*rows):
    return {row[0]: Field(row[0], row[1], row[2], row[3] if len(row) > 3 else None) for row in rows}


LAYOUTS = {
    "scalar": _fields(("rd", 25, 22), ("ra", 21, 18), ("rb", 17, 14), ("imm", 15, 0), ("shamt", 3, 0),
                      ("csr", 3, 0, "csr"), ("color", 4, 0)),
    "branch": _fields(("rd", 25, 22), ("ra", 25, 22), ("rb", 21, 18), ("target", 15, 0)),
    "vmain": _fields(("fn", 25, 23, "fn"), ("asel", 22, 21, "asel"), ("bsel", 20, 19, "bsel"), ("csel", 18, 17, "csel"),
                     ("dsel", 16, 16, "dsel"), ("rd", 15, 12), ("ra", 11, 8), ("rb", 7, 4), ("rc", 3, 0),
                     ("rotate", 25, 25), ("put", 24, 24), ("interleave", 23, 23)),
    "vpsum": _fields(("in", 25, 25), ("vsop", 24, 23, "vsop"), ("out", 22, 22), ("d", 21, 20, "vsd"), ("q", 19, 19),
                     ("gather", 18, 18), ("cin", 17, 13), ("cout", 12, 8), ("rd", 7, 4), ("rc", 3, 0), ("ra", 3, 0)),
}

LAYOUT_DOCS = {
    "scalar": "two cycles each in the core; ld, rcv, snd and waits take longer (pe.md)",
    "branch": "the program counter's; targets are absolute instruction addresses",
    "vmain": "vector instructions of the main thread",
    "vpsum": "vector instructions of the psum thread",
}

# --------------------------------------------------------------------------------------------- instructions
# Opcodes: op[5] marks a vector instruction, in which op[3] marks psum. In other instructions op[4:3] is 0 for computations,
# 1 for moves, 2 for branches, 3 for control of threads. Opcode 0 stays illegal, so unwritten instruction memory traps
# (BAD_INSTR, the thread halts).

BOTH, MAIN, PSUM = ("main", "psum"), ("main",), ("psum",)
INSTRS = []


def _instr(name, op, layout, threads, fields, doc):
    INSTRS.append(Instr(name, op, layout, threads, [LAYOUTS[layout][f] for f in fields.split()], doc))


_instr("li", 1, "scalar", BOTH, "rd imm", "rd = imm")
_instr("add", 2, "scalar", BOTH, "rd ra rb", "rd = ra + rb")
_instr("sub", 3, "scalar", BOTH, "rd ra rb", "rd = ra - rb")
_instr("and", 4, "scalar", BOTH, "rd ra rb", "rd = ra & rb")
_instr("or", 5, "scalar", BOTH, "rd ra rb", "rd = ra | rb")
_instr("xor", 6, "scalar", BOTH, "rd ra rb", "rd = ra ^ rb")
_instr("addi", 7, "scalar", BOTH, "rd ra imm", "rd = ra + imm")

_instr("shl", 8, "scalar", BOTH, "rd ra shamt", "rd = ra << shamt")
_instr("shr", 9, "scalar", BOTH, "rd ra shamt", "rd = ra >> shamt, logical")
_instr("ld", 10, "scalar", BOTH, "rd ra imm", "rd = M[ra + imm], raw 16 bits")
_instr("csrr", 11, "scalar", BOTH, "rd csr", "rd = control register csr")
_instr("csrw", 12, "scalar", BOTH, "csr ra", "control register csr = ra")
_instr("mvp", 13, "scalar", MAIN, "rd ra", "psum's register rd = main's ra; illegal while psum runs")
_instr("rcv", 14, "scalar", PSUM, "rd color", "rd = low 16 bits of the color's next message")
_instr("snd", 15, "scalar", PSUM, "color ra", "sends {16'b0, ra} on the color")

_instr("beq", 16, "branch", BOTH, "ra rb target", "branch if ra == rb")
_instr("bne", 17, "branch", BOTH, "ra rb target", "branch if ra != rb")
_instr("blt", 18, "branch", BOTH, "ra rb target", "branch if ra < rb, unsigned")
_instr("bge", 19, "branch", BOTH, "ra rb target", "branch if ra >= rb, unsigned")
_instr("dbnz", 20, "branch", BOTH, "ra target", "ra -= 1; branch if ra is not 0")
_instr("jal", 21, "branch", BOTH, "rd target", "rd = pc + 1; jump")
_instr("jr", 22, "branch", BOTH, "ra", "jump to the address in ra")

_instr("halt", 24, "branch", BOTH, "", "the thread ends; commands are taken when both have and all beats are written")
_instr("fork", 25, "branch", MAIN, "target", "waits until psum is idle, then starts it at target")
_instr("join", 26, "branch", MAIN, "", "waits until psum is idle and all its beats are written")

_instr("vf", 32, "vmain", MAIN, "fn asel bsel csel dsel rd ra rb rc", "d = fn(a, b, c), REP times VL beats")
_instr("vaxs", 33, "vmain", MAIN, "rotate put interleave asel rd ra", "sparse axpy: a weight stream times x at ra, added to accumulators rd")
_instr("vcr", 34, "vmain", MAIN, "rd rc", "carriage return: copies accumulators rc to rd, resets them")
_instr("vdot", 35, "vmain", MAIN, "asel rd ra rb rc", "sparse dot products of x at ra and dy at rb into sums at rd, rc in a group")

_instr("vs", 40, "vpsum", PSUM, "in vsop out d q gather cin cout rd rc", "fp32 stream: v = vsop(in, own) to out and d")
_instr("vb", 41, "vpsum", PSUM, "in out cin cout rd ra", "broadcast of bf16 vectors, from memory or from cin")
_instr("vr", 42, "vpsum", PSUM, "cin cout rc", "reduces sums along lanes and along the row")

# Instructions of the core that use more than their thread's registers and pc. The others, apart from vector instructions,
# are one function of registers and pc (sw/machine/register_step.hpp).
CORE = ["ld", "csrr", "mvp", "rcv", "snd", "halt", "fork", "join"]


def is_vector(instr):
    return instr.op >= 32


def uses_registers_only(instr):
    return not is_vector(instr) and instr.name not in CORE


def branches(instr):
    """The next pc depends on registers, and may be the target."""
    return uses_registers_only(instr) and {"ra", "target"} <= {f.name for f in instr.fields}


# Vector instructions that use no queue: they take and send no words, and no entries of MP and PM. Each is VL beats, or REP
# times VL beats if it is in REPEATED, too.
LOCAL = ["vf"]
REPEATED = ["vf"]

# Assembly text of vector instructions whose operands are all `KIND[register]`: kind, field, its name in error messages, and an
# example. Scalar instructions have their fields as operands; sw/asm has the other vector instructions.
Operand = namedtuple("Operand", "kind field role example")
OPERANDS = {"vcr": [Operand("R", "rd", "the destination", "r6"), Operand("R", "rc", "the accumulators of vcr", "r5")]}

# Memory that an instruction in LOCAL writes, VL words from the address in the register `address` on, again STD further on if it
# is repeated. `given`: a field and its value; None: always. A destination M[rd] in OPERANDS is written without a line here.
Write = namedtuple("Write", "address given")
WRITES = {"vf": [Write("rd", ("dsel", "M"))]}


def memory_writes(instr):
    """Each Write with fields, and with a number for its given value."""
    listed = [Write(o.field, None) for o in OPERANDS.get(instr.name, []) if (o.kind, o.field) == ("M", "rd")]
    fields = {f.name: f for f in instr.fields}
    return [Write(fields[w.address], w.given and (fields[w.given[0]], ENUMS[fields[w.given[0]].enum].index(w.given[1])))
            for w in WRITES.get(instr.name, listed) if instr.name in LOCAL]


# ---------------------------------------------------------------------------------------------------- legality
# An opcode without a name is illegal, and so is a value without a name in a field with named values. Further rules follow.

READ_ONLY_CSRS = ["ROW", "ROWS", "FLAGS", "COL", "COLS"]
WRITABLE_CSRS = {"main": ["VL", "REP", "STA", "STB", "STD", "IDX", "LMASK", "STR"], "psum": ["VL"]}
STREAM_ASELS = ["M", "OH"]

# The colors that an instruction of psum uses, and the fields any of which enables them; no fields: always. W belongs to main.
COLORS_USED = {
    "rcv": {"color": Color(True, [])},
    "snd": {"color": Color(False, [])},
    "vs": {"cin": Color(True, ["in", "gather"]), "cout": Color(False, ["out"])},
    "vb": {"cin": Color(True, ["in"]), "cout": Color(False, ["out"])},
    "vr": {"cin": Color(True, []), "cout": Color(False, [])},
}

# Values that other fields must hold if this one is 1.
NEEDS = {("vs", "gather"): {"in": 0, "out": 1, "d": 0}, ("vaxs", "put"): {"rotate": 1}}
# Values that other fields may not hold if this one has the given value: b has one address, of an entry of R or of memory.
FORBIDS = {("vf", "asel", "MM"): {"bsel": "R"}}

# A rule of legality: if the field `given` has the value `when` (or always, if `given` is None), then each field of `allowed` has
# one of the values listed for it.
Rule = namedtuple("Rule", "given when allowed")


def _width(field):
    return field.msb - field.lsb + 1


def _named_values(instr, field, thread):
    """The numbers that a field may hold, or None if it may hold any."""
    if field.enum is None:
        return None
    names = [n for n in ENUMS[field.enum] if n]
    if field.enum == "csr":
        names = WRITABLE_CSRS[thread] + (READ_ONLY_CSRS if instr.name == "csrr" else [])
    if field.enum == "asel" and instr.name != "vf":
        names = STREAM_ASELS
    if len(names) == 1 << _width(field):
        return None
    return [ENUMS[field.enum].index(n) for n in names]


def rules(instr, thread):
    """Conditions on the fields of an instruction in a thread that may execute it; `colors_used` adds that none is W."""
    fields = {f.name: f for f in instr.fields}
    found = []
    for f in instr.fields:
        values = _named_values(instr, f, thread)
        if values is not None:
            found.append(Rule(None, None, {f: values}))
        needs = NEEDS.get((instr.name, f.name))
        if needs:
            found.append(Rule(f, 1, {fields[n]: [v] for n, v in needs.items()}))
    for (name, field, value), forbidden in FORBIDS.items():
        if name == instr.name:
            number = lambda f, v: ENUMS[f.enum].index(v)
            given = fields[field]
            for n, v in forbidden.items():
                other = fields[n]
                allowed = [w for w in range(1 << _width(other)) if w != number(other, v)]
                found.append(Rule(given, number(given, value), {other: allowed}))
    return found


def colors_used(instr):
    """The fields that hold a color which the instruction uses, each with a Color whose switches are fields."""
    fields = {f.name: f for f in instr.fields}
    return {fields[name]: Color(color.taken, [fields[s] for s in color.switches])
            for name, color in COLORS_USED.get(instr.name, {}).items()}
