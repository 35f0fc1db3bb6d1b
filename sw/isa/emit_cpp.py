"""isa.hpp: the instruction set, and the machine's numbers, for the assembler, the models and the host."""

import isa

TYPES = {"fn": "Fn", "asel": "ASel", "bsel": "BSel", "csel": "CSel", "dsel": "DSel", "vsop": "VsOp", "vsd": "VsD",
         "csr": "Csr", "port": "Port", "color": "Color", "cmd": "Command", "flag": "Flag", "stall": "StallReason"}


def camel(name):
    if name.isupper():
        return "".join(p.capitalize() for p in name.split("_")) if len(name) > 2 else name
    return name.capitalize()


def _enum(name, rows, base, doc):
    body = ", ".join(f"{n} = {v}" for n, v in rows)
    return f"/// {doc}\nenum class {name} : {base} {{ {body} }};\n\n"


def _names(name, values):
    items = ", ".join(f'"{v or ""}"' for v in values)
    return f"inline constexpr std::string_view k{name.capitalize()}Names[] = {{{items}}};\n"


def _members():
    """Every field name once, in order, with its C++ type."""
    seen = {}
    for fields in isa.LAYOUTS.values():
        for f in fields.values():
            width = f.msb - f.lsb + 1
            kind = f.enum != "color" and TYPES.get(f.enum) or ("bool" if width == 1 else f"std::uint{8 if width <= 8 else 16}_t")
            seen.setdefault(f.name, kind)
    return seen


def _decode(members):
    out = ["/// The fields of an instruction word. An illegal opcode leaves every field 0 and `legal` false.\n",
           "constexpr Instr decode(std::uint32_t word) {\n  Instr i;\n  i.op = static_cast<Op>(word >> 26);\n",
           "  i.legal = true;\n  switch (i.op) {\n"]
    for ins in isa.INSTRS:
        out.append(f"    case Op::{camel(ins.name)}:\n")
        for f in ins.fields:
            mask = (1 << (f.msb - f.lsb + 1)) - 1
            out.append(f"      i.{f.name} = static_cast<{members[f.name]}>(word >> {f.lsb} & {mask:#x});\n")
        out.append("      return i;\n")
    out.append("    default:\n      i.legal = false;\n      return i;\n  }\n}\n\n")
    return "".join(out)


def _encode():
    out = ["/// The word of an instruction: decode's inverse for values that fit their fields.\n",
           "constexpr std::uint32_t encode(const Instr& i) {\n",
           "  std::uint32_t word = static_cast<std::uint32_t>(i.op) << 26;\n  switch (i.op) {\n"]
    for ins in isa.INSTRS:
        out.append(f"    case Op::{camel(ins.name)}:\n")
        for f in ins.fields:
            out.append(f"      word |= static_cast<std::uint32_t>(i.{f.name}) << {f.lsb};\n")
        out.append("      break;\n")
    out.append("    default:\n      break;\n  }\n  return word;\n}\n\n")
    return "".join(out)


def _tables():
    out = ["/// A field's place in the word. `values`: how many of its values mean something.\n",
           "struct Field {\n  std::string_view name;\n  int msb;\n  int lsb;\n  int values;\n};\n\n",
           "/// An instruction as the assembler and tests see it.\n",
           "struct Info {\n  Op op;\n  std::string_view name;\n  bool main;  ///< the main thread may run it\n",
           "  bool psum;  ///< the psum thread may run it\n  std::span<const Field> fields;\n};\n\n",
           "namespace detail {\n"]
    for ins in isa.INSTRS:
        if ins.fields:
            rows = []
            for f in ins.fields:
                full = 1 << (f.msb - f.lsb + 1)
                values = len(isa.ENUMS[f.enum]) if f.enum and f.enum != "color" else full
                rows.append(f'{{"{f.name}", {f.msb}, {f.lsb}, {values}}}')
            out.append(f"inline constexpr Field k{camel(ins.name)}[] = {{\n    " + ",\n    ".join(rows) + "};\n")
    out.append("}  // namespace detail\n\n/// Every instruction, by rising opcode.\n"
               "inline constexpr Info kInstrs[] = {\n")
    for ins in isa.INSTRS:
        main, psum = (str(t in ins.threads).lower() for t in ("main", "psum"))
        fields = f"detail::k{camel(ins.name)}" if ins.fields else "{}"
        out.append(f'    {{Op::{camel(ins.name)}, "{ins.name}", {main}, {psum}, {fields}}},\n')
    out.append("};\n\n/// The instruction of an opcode, or null.\nconstexpr const Info* info(Op op) {\n"
               "  for (const Info& i : kInstrs)\n    if (i.op == op) return &i;\n  return nullptr;\n}\n\n")
    return "".join(out)


def emit():
    members = _members()
    out = ["// Generated from sw/isa/isa.py by sw/isa/generate.py.\n",
           "/// The instruction set (docs/isa.md): opcodes, fields, names.\n#pragma once\n\n",
           "#include <cstdint>\n#include <span>\n#include <string_view>\n\nnamespace weft::isa {\n\n",
           _enum("Op", [(camel(i.name), i.op) for i in isa.INSTRS], "std::uint8_t", "Opcodes; 0 is illegal.")]
    for name, values in isa.ENUMS.items():
        out.append(_enum(TYPES[name], [(camel(n), v) for v, n in enumerate(values) if n], "std::uint8_t",
                         isa.ENUM_DOCS[name]))
    out += [f"inline constexpr int k{name} = {value};  ///< {doc}\n" for name, (value, doc) in isa.MACHINE.items()]
    out += [_names(name, values) for name, values in isa.ENUMS.items()]
    rows = ", ".join("{" + ", ".join(str(outputs) for outputs in color) + "}" for color in isa.kernel_turns())
    out.append("/// Turns of a router that the compiler's routes take: sets of output ports, [color][input port].\n"
               f"inline constexpr std::uint8_t kKernelTurns[][{len(isa.ENUMS['port'])}] = {{{rows}}};\n")
    out.append("\n/// An instruction taken apart. A field that the instruction does not have is 0.\nstruct Instr {\n"
               "  Op op{};\n  bool legal = false;\n")
    out += [f"  {kind} {name}{{}};\n" for name, kind in members.items()]
    out.append("  friend bool operator==(const Instr&, const Instr&) = default;\n};\n\n")
    out += [_decode(members), _encode(), _tables(), "}  // namespace weft::isa\n"]
    return "".join(out)
