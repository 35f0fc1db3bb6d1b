/// Psum's vector instructions: `key=value` in any order; an omitted key is off.
#include <algorithm>
#include <optional>

#include "sw/asm/vector.hpp"
#include "sw/base/did_you_mean.hpp"

namespace weft::assembler {
namespace {

struct Keys {
  std::optional<std::uint8_t> in, out;  ///< colors
  std::optional<Operand> own, dst, src;
  bool gather = false;
  std::optional<std::uint8_t> gather_from;  ///< color that the gather takes from, if not `out`'s
};

constexpr const char* usage_of(isa::Opcode op) {
  return op == isa::Opcode::Vs   ? "'vs.add in=RING, own=Q[r2], out=RING, dst=M[r3], gather'"
         : op == isa::Opcode::Vb ? "'vb src=M[r1], out=RING, dst=M[r2]' or 'vb in=RING, out=RING, dst=M[r2]'"
                                 : "'vr in=WEST, out=WEST, src=R[r2]'";
}

std::vector<std::string> keys_of(isa::Opcode op) {
  if (op == isa::Opcode::Vs) return {"in", "own", "out", "dst", "gather"};
  if (op == isa::Opcode::Vb) return {"in", "src", "out", "dst"};
  return {"in", "out", "src"};
}

void read_value(Keys& keys, isa::Opcode op, std::string_view key, Cursor& at, const Symbols& symbols) {
  const bool has_value = at.eat('=');
  if (key == "gather") {
    keys.gather = true;
    if (has_value) keys.gather_from = read_color(at, symbols);
    return;
  }
  if (!has_value) throw Complaint{in_quotes(key) + " needs a value", std::string("write ") + usage_of(op)};
  if (key == "in") keys.in = read_color(at, symbols);
  if (key == "out") keys.out = read_color(at, symbols);
  if (key == "own") keys.own = read_operand(at, symbols, {"R", "Q"}, "own");
  if (key == "src" && op == isa::Opcode::Vb) keys.src = read_operand(at, symbols, {"M"}, "src of vb");
  if (key == "src" && op == isa::Opcode::Vr) keys.src = read_operand(at, symbols, {"R"}, "src of vr");
  if (key == "dst" && op == isa::Opcode::Vs) keys.dst = read_operand(at, symbols, {"R", "M"}, "dst of vs");
  if (key == "dst" && op == isa::Opcode::Vb) keys.dst = read_operand(at, symbols, {"M"}, "dst of vb");
}

Keys read_keys(isa::Opcode op, Cursor& at, const Symbols& symbols) {
  Keys keys;
  const std::vector<std::string> legal = keys_of(op);
  std::vector<std::string_view> seen;
  do {
    const Cursor before = at;
    const std::string_view key = at.word();
    if (std::find(legal.begin(), legal.end(), key) == legal.end())
      throw Complaint{"unknown operand " + before.here(),
                      did_you_mean(key, legal, std::string("write ") + usage_of(op))};
    if (std::find(seen.begin(), seen.end(), key) != seen.end())
      throw Complaint{in_quotes(key) + " is given twice", "keep one of them"};
    seen.push_back(key);
    read_value(keys, op, key, at, symbols);
  } while (at.eat(','));
  at.expect_end(usage_of(op));
  return keys;
}

void require(bool fine, const std::string& what, const std::string& hint) {
  if (!fine) throw Complaint{what, hint};
}

void fill_vs(isa::Instr& i, const Keys& keys) {
  require(keys.own || (keys.in && i.vsop == isa::VsOp::Mov), "vs has no own", "add own=R[r] or own=Q[r]");
  if (keys.own) {
    i.q = keys.own->kind == "Q";
    i.rc = keys.own->reg;
  }
  if (keys.dst) {
    i.d = keys.dst->kind == "R" ? isa::VsD::R : isa::VsD::M;
    i.rd = keys.dst->reg;
  }
  if (!keys.gather) return;
  require(!keys.in && keys.out && !keys.dst, "gather sends its own vector and forwards those of the others",
          "give own and out, but neither in nor dst");
  i.gather = true;
  i.cin = keys.gather_from.value_or(*keys.out);
}

}  // namespace

isa::Instr read_psum(isa::Opcode op, std::string_view suffix, Cursor& at, const Symbols& symbols) {
  isa::Instr i;
  i.op = op;
  if (op == isa::Opcode::Vs) i.vsop = static_cast<isa::VsOp>(read_suffix("vs", suffix, isa::kVsopNames));
  const Keys keys = read_keys(op, at, symbols);
  i.cin = keys.in.value_or(0);
  i.cout = keys.out.value_or(0);
  if (op == isa::Opcode::Vr) {
    require(keys.in && keys.out && keys.src, "vr needs in, out and src", std::string("write ") + usage_of(op));
    i.rc = keys.src->reg;
    return i;
  }
  i.in = keys.in.has_value();
  i.out = keys.out.has_value();
  if (op == isa::Opcode::Vs) {
    fill_vs(i, keys);
    return i;
  }
  require(keys.in.has_value() != keys.src.has_value(), "vb takes its vector from a color or from memory",
          "give one of in=COLOR and src=M[r]");
  require(keys.dst.has_value(), "vb has no dst", "add dst=M[r]");
  if (keys.src) i.ra = keys.src->reg;
  i.rd = keys.dst->reg;
  return i;
}

}  // namespace weft::assembler
