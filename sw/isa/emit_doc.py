"""docs/reference/isa.md: the reference page."""

import isa

HEAD = """# Instruction encodings

This page is the reference of the 32-bit encodings, for authors of kernels, of the assembler and of
the RTL. [pe.md](pe.md) describes what the instructions compute. The page is generated from
[sw/isa/isa.py](../../sw/isa/isa.py) by `cmake --build build --target weft_isa_doc`.

An instruction has 32 bits, its opcode in [31:26]. Opcode 0 and the gaps are illegal, as are an
instruction of the other thread and a value without a name below in a field that has them: the
thread halts with the sticky flag `BAD_INSTR`. [pe.md](pe.md), Edge cases, lists the other illegal
encodings. Bits outside an instruction's fields are written 0 and ignored. Where operands follow a
name, they are written so in assembly; [sw/asm](../../sw/asm/README.md) has the operands of the
others. [add_an_instruction.md](../howto/add_an_instruction.md) lists the free opcodes, and
describes how to add an instruction.
"""


def _place(field):
    return f"{field.name}[{field.msb}:{field.lsb}]" if field.msb > field.lsb else f"{field.name}[{field.msb}]"


def _written(instr):
    """The instruction in assembly, with its fields as operands; the name alone if sw/asm/README.md has its operands."""
    operands = ", ".join(f"{o.kind}[{o.field}]" for o in isa.OPERANDS.get(instr.name, []))
    return f"{instr.name} {operands}".rstrip()


def emit():
    out = [HEAD]
    for layout in isa.LAYOUTS:
        out.append(f"\n## {layout}: {isa.LAYOUT_DOCS[layout]}\n\n| op | instruction | thread | fields | meaning |\n"
                   "|---|---|---|---|---|\n")
        for i in isa.INSTRS:
            if i.layout == layout:
                thread = "both" if len(i.threads) == 2 else i.threads[0]
                fields = " ".join(_place(f) for f in i.fields) or "-"
                out.append(f"| {i.op} | `{_written(i)}` | {thread} | {fields} | {i.doc.replace('|', chr(92) + '|')} |\n")
    out.append("\n## Names of values\n\n| field | names | what |\n|---|---|---|\n")
    for name, values in isa.ENUMS.items():
        names = ", ".join(f"{v} `{n}`" for v, n in enumerate(values) if n)
        out.append(f"| {name} | {names} | {isa.ENUM_DOCS[name]} |\n")
    return "".join(out)
