"""The instruction set for the assembler, the models, the checkers and the host, as headers that change separately:

isa_machine.hpp   the machine's numbers and the names of ports, colors, commands, flags: what most files use
isa.hpp           instructions: opcodes, fields, decode, encode
isa_legal.hpp     what makes an instruction legal
isa_list.hpp      lists of instructions, as macros
"""

import isa

TYPES = {"fn": "Fn", "asel": "ASel", "bsel": "BSel", "csel": "CSel", "dsel": "DSel", "vsop": "VsOp", "vsd": "VsD",
         "csr": "Csr", "port": "Port", "color": "Color", "cmd": "Command", "flag": "Flag", "stall": "StallReason"}
MACHINE_ENUMS = ["port", "color", "cmd", "flag", "stall"]


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
    out = ["/// The fields of an instruction word. An opcode without an instruction leaves every field 0 and `known`\n"
           "/// false. Fields may hold values that are illegal (isa_legal.hpp).\n",
           "constexpr Instr decode(std::uint32_t word) {\n  Instr i;\n  i.op = static_cast<Opcode>(word >> 26);\n",
           "  i.known = true;\n  switch (i.op) {\n"]
    for ins in isa.INSTRS:
        out.append(f"    case Opcode::{camel(ins.name)}:\n")
        for f in ins.fields:
            mask = (1 << (f.msb - f.lsb + 1)) - 1
            out.append(f"      i.{f.name} = static_cast<{members[f.name]}>(word >> {f.lsb} & {mask:#x});\n")
        out.append("      return i;\n")
    out.append("    default:\n      i.known = false;\n      return i;\n  }\n}\n\n")
    return "".join(out)


def _encode():
    out = ["/// The word of an instruction: decode's inverse for values that fit their fields.\n",
           "constexpr std::uint32_t encode(const Instr& i) {\n",
           "  std::uint32_t word = static_cast<std::uint32_t>(i.op) << 26;\n  switch (i.op) {\n"]
    for ins in isa.INSTRS:
        out.append(f"    case Opcode::{camel(ins.name)}:\n")
        for f in ins.fields:
            out.append(f"      word |= static_cast<std::uint32_t>(i.{f.name}) << {f.lsb};\n")
        out.append("      break;\n")
    out.append("    default:\n      break;\n  }\n  return word;\n}\n\n")
    return "".join(out)


def _tables():
    out = ["/// A field's place in the word. `values`: how many of its values mean something.\n",
           "struct Field {\n  std::string_view name;\n  int msb;\n  int lsb;\n  int values;\n};\n\n",
           "/// An operand KIND[register], whose register's number is a field at bit `lsb`.\n"
           "struct Operand {\n  std::string_view kind;\n  int lsb;\n"
           "  std::string_view role;  ///< in error messages\n  std::string_view example;\n};\n\n",
           "/// Memory that an instruction writes if the word has the bits `when` at `mask`: VL words (of LANES elements) from the\n"
           "/// address on, in the register whose number is at bit `lsb`. Repetitions are STD elements apart.\n"
           "struct MemoryWrite {\n  std::uint32_t mask;\n  std::uint32_t when;\n  int lsb;\n};\n\n",
           "/// An instruction as the assembler and tests see it.\n",
           "struct Info {\n  Opcode op;\n  std::string_view name;\n  bool main;  ///< the main thread may run it\n",
           "  bool psum;  ///< the psum thread may run it\n  bool registers;  ///< uses only its thread's registers and pc\n"
           "  bool branches;  ///< the next pc depends on registers, and may be the target\n"
           "  bool local;     ///< a vector instruction that takes and sends no words and no entries of MP and PM\n"
           "  bool repeated;  ///< a vector instruction that is executed REP times\n"
           "  std::span<const Field> fields;\n"
           "  std::span<const Operand> operands;  ///< operands, if all of them are KIND[register]\n"
           "  std::span<const MemoryWrite> writes;  ///< writes of local instructions\n};\n\n",
           "namespace detail {\n"]
    for ins in isa.INSTRS:
        if ins.fields:
            rows = []
            for f in ins.fields:
                full = 1 << (f.msb - f.lsb + 1)
                values = len(isa.ENUMS[f.enum]) if f.enum and f.enum != "color" else full
                rows.append(f'{{"{f.name}", {f.msb}, {f.lsb}, {values}}}')
            out.append(f"inline constexpr Field k{camel(ins.name)}[] = {{\n    " + ",\n    ".join(rows) + "};\n")
        if ins.name in isa.OPERANDS:
            lsb = {f.name: f.lsb for f in ins.fields}
            rows = [f'{{"{o.kind}", {lsb[o.field]}, "{o.role}", "{o.example}"}}' for o in isa.OPERANDS[ins.name]]
            out.append(f"inline constexpr Operand k{camel(ins.name)}Operands[] = {{{', '.join(rows)}}};\n")
        writes = isa.memory_writes(ins)
        if writes:
            rows = [f"{{{_mask(w.given)}, {w.address.lsb}}}" for w in writes]
            out.append(f"inline constexpr MemoryWrite k{camel(ins.name)}Writes[] = {{{', '.join(rows)}}};\n")
    out.append("}  // namespace detail\n\n/// Every instruction, by rising opcode.\n"
               "inline constexpr Info kInstrs[] = {\n")
    for ins in isa.INSTRS:
        flags = ("main" in ins.threads, "psum" in ins.threads, isa.uses_registers_only(ins), isa.branches(ins),
                 ins.name in isa.LOCAL, ins.name in isa.REPEATED)
        fields = f"detail::k{camel(ins.name)}" if ins.fields else "{}"
        operands = f"detail::k{camel(ins.name)}Operands" if ins.name in isa.OPERANDS else "{}"
        writes = f"detail::k{camel(ins.name)}Writes" if isa.memory_writes(ins) else "{}"
        out.append(f'    {{Opcode::{camel(ins.name)}, "{ins.name}", {", ".join(map(_bool, flags))}, {fields}, {operands}, '
                   f"{writes}}},\n")
    places = {ins.op: place for place, ins in enumerate(isa.INSTRS)}
    out.append("};\n\nnamespace detail {\ninline constexpr std::int8_t kPlaces[] = {\n    " +
               ", ".join(str(places.get(op, -1)) for op in range(64)) + "};\n}  // namespace detail\n\n"
               "/// The instruction of an opcode, or null.\nconstexpr const Info* info(Opcode op) {\n"
               "  const int place = detail::kPlaces[static_cast<std::uint8_t>(op) & 63];\n"
               "  return place < 0 ? nullptr : &kInstrs[place];\n}\n\n")
    return "".join(out)


def _mask(given):
    """Mask and bits of a field's value in a word."""
    if given is None:
        return "0, 0"
    field, value = given
    return f"{((1 << (field.msb - field.lsb + 1)) - 1) << field.lsb:#x}, {value << field.lsb:#x}"


def _bool(value):
    return str(bool(value)).lower()


def _head(doc, includes):
    return ("// Generated from sw/isa/isa.py by sw/isa/generate.py.\n" + doc + "#pragma once\n\n" +
            "".join(f"#include {name}\n" for name in includes) + ("\n" if includes else ""))


def _enums(names):
    return [_enum(TYPES[name], [(camel(n), v) for v, n in enumerate(isa.ENUMS[name]) if n], "std::uint8_t", isa.ENUM_DOCS[name])
            for name in names]


def machine():
    out = [_head("/// Numbers of the machine; names of its ports, colors, commands and flags (docs/reference/isa.md).\n",
                 ["<cstdint>", "<string_view>"]), "namespace weft::isa {\n\n", *_enums(MACHINE_ENUMS)]
    out += [f"inline constexpr int k{name} = {value};  ///< {doc}\n" for name, (value, doc) in isa.MACHINE.items()]
    out += [_names(name, isa.ENUMS[name]) for name in MACHINE_ENUMS]
    rows = ", ".join("{" + ", ".join(str(outputs) for outputs in color) + "}" for color in isa.kernel_turns())
    out.append("/// Turns of a router that the compiler's routes take: sets of output ports, [color][input port].\n"
               f"inline constexpr std::uint8_t kKernelTurns[][{len(isa.ENUMS['port'])}] = {{{rows}}};\n")
    return "".join([*out, "\n}  // namespace weft::isa\n"])


def instructions():
    members = _members()
    enums = [name for name in isa.ENUMS if name not in MACHINE_ENUMS]
    out = [_head("/// The instruction set (docs/reference/isa.md): opcodes, fields, names.\n",
                 ["<cstdint>", "<span>", "<string_view>"]), '#include "isa_machine.hpp"\n\nnamespace weft::isa {\n\n',
           _enum("Opcode", [(camel(i.name), i.op) for i in isa.INSTRS], "std::uint8_t", "Opcodes; 0 is illegal."), *_enums(enums)]
    out += [_names(name, isa.ENUMS[name]) for name in enums]
    out.append("\n/// An instruction taken apart. A field that the instruction does not have is 0.\nstruct Instr {\n"
               "  Opcode op{};\n  bool known = false;  ///< the opcode has an instruction\n")
    out += [f"  {kind} {name}{{}};\n" for name, kind in members.items()]
    out.append("  friend bool operator==(const Instr&, const Instr&) = default;\n};\n\n")
    out += [_decode(members), _encode(), _tables(), "}  // namespace weft::isa\n"]
    return "".join(out)


def _place(field):
    return f"{{{field.lsb}, {(1 << (field.msb - field.lsb + 1)) - 1:#x}}}"


LEGAL_HEAD = """/// Threads of a PE.
enum class Thread : std::uint8_t { Main, Psum };

/// A field's bits in an instruction word.
struct Bits {
  std::uint8_t lsb = 0;
  std::uint32_t mask = 0;
  constexpr std::uint32_t of(std::uint32_t word) const { return word >> lsb & mask; }
};

/// A rule of legality: in this thread, if the bits `given` are `when`, the bits `field` are one of `values` (bit by value). A
/// rule without `given` holds always.
struct Rule {
  Opcode op;
  Thread thread;
  Bits given;
  std::uint32_t when;
  Bits field;
  std::uint32_t values;
};

/// A field that holds a color, which the instruction uses if any bit of `switches` is set.
struct ColorUse {
  Opcode op;
  bool taken;  ///< words are taken; else they are sent
  Bits field;
  std::uint32_t switches;
  constexpr bool used(std::uint32_t word) const { return (word & switches) != 0; }
};

"""

LEGAL_TAIL = """/// True if the thread may execute the instruction and all its fields hold legal values, apart from colors.
constexpr bool fields_legal(std::uint32_t word, Thread thread) {
  const Info* const i = info(static_cast<Opcode>(word >> 26));
  if (!i || !(thread == Thread::Main ? i->main : i->psum)) return false;
  for (const Rule& rule : kRules)
    if (rule.op == i->op && rule.thread == thread && rule.given.of(word) == rule.when &&
        !(rule.values >> rule.field.of(word) & 1))
      return false;
  return true;
}

/// True if all colors that the instruction uses are in the set (bit by color).
constexpr bool colors_in(std::uint32_t word, std::uint32_t set) {
  for (const ColorUse& use : kColorUses)
    if (static_cast<std::uint32_t>(use.op) == word >> 26 && use.used(word) && !(set >> use.field.of(word) & 1)) return false;
  return true;
}

/// Decision of a machine on an instruction word: executes it, or sets the flag and halts the thread.
enum class Verdict : std::uint8_t { Legal, BadInstr, BadColor };

/// The decision of a machine with `colors` colors. (mvp, in addition, is BadInstr while psum runs.)
constexpr Verdict verdict(std::uint32_t word, Thread thread, int colors) {
  constexpr std::uint32_t kAll = 0xffffffff;
  if (!fields_legal(word, thread) || !colors_in(word, kAll & ~(1u << static_cast<int>(Color::W)))) return Verdict::BadInstr;
  return colors_in(word, colors < 32 ? (1u << colors) - 1 : kAll) ? Verdict::Legal : Verdict::BadColor;
}

"""


def legal():
    out = [_head("/// Legality of instructions (docs/reference/isa.md), for every part of the project that uses or tests it.\n",
                 ["<cstdint>"]), '#include "isa.hpp"\n\nnamespace weft::isa {\n\n', LEGAL_HEAD,
           "inline constexpr Rule kRules[] = {\n"]
    for ins in isa.INSTRS:
        for thread in ins.threads:
            for rule in isa.rules(ins, thread):
                given = _place(rule.given) if rule.given else "{}"
                for field, values in rule.allowed.items():
                    out.append(f"    {{Opcode::{camel(ins.name)}, Thread::{thread.capitalize()}, {given}, {rule.when or 0}, "
                               f"{_place(field)}, {sum(1 << v for v in values):#x}}},  // {field.name}\n")
    out.append("};\n\ninline constexpr ColorUse kColorUses[] = {\n")
    for ins in isa.INSTRS:
        for field, color in isa.colors_used(ins).items():
            switches = sum(1 << s.lsb for s in color.switches) or 0xffffffff
            out.append(f"    {{Opcode::{camel(ins.name)}, {_bool(color.taken)}, {_place(field)}, {switches:#x}}},  // {field.name}\n")
    return "".join([*out, "};\n\n", LEGAL_TAIL, "}  // namespace weft::isa\n"])


def lists():
    """X-macros: X(name in Opcode, name in assembly)."""
    out = [_head("/// Lists of instructions: WEFT_ISA_VECTORS(X) is X(Vf, vf) X(Vaxs, vaxs) ..., of vector instructions only.\n", [])]
    rows = " ".join(f"X({camel(i.name)}, {i.name})" for i in isa.INSTRS if isa.is_vector(i))
    return "".join([*out, f"#define WEFT_ISA_VECTORS(X) {rows}\n"])


def emit():
    """The headers' texts by name."""
    return {"isa_machine.hpp": machine(), "isa.hpp": instructions(), "isa_legal.hpp": legal(), "isa_list.hpp": lists()}
