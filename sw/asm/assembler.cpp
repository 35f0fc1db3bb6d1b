#include "sw/asm/assembler.hpp"

#include "sw/asm/nearest.hpp"
#include "sw/asm/operands.hpp"

namespace weft {
namespace {

using namespace assembler;

/// Another spelling of an instruction, with only its first fields as operands; the others are 0.
struct Pseudo {
  std::string_view name;
  isa::Op op;
  std::string_view first_field;
  std::size_t fields;
};
constexpr Pseudo kPseudos[] = {
    {"jmp", isa::Op::Jal, "target", 1},
    {"mov", isa::Op::Addi, "rd", 2},
    {"ret", isa::Op::Jr, "ra", 1},
};

struct Line {
  int number;
  std::string_view text;  ///< without comment and labels; views the source
};

std::string_view without_comment(std::string_view line) {
  return line.substr(0, std::min(line.find(';'), line.find("//")));
}

/// Takes `name:` off the front, if there is one.
std::string_view take_label(Cursor& at) {
  Cursor ahead = at;
  const std::string_view name = ahead.word();
  if (name.empty() || !ahead.eat(':')) return {};
  at = ahead;
  return name;
}

Complaint unknown_mnemonic(std::string_view mnemonic) {
  std::vector<std::string> names = {".equ", ".reg", ".word"};
  for (const Pseudo& pseudo : kPseudos) names.emplace_back(pseudo.name);
  for (const isa::Info& info : isa::kInstrs) {
    if (info.op != isa::Op::Vf && info.op != isa::Op::Vs) names.emplace_back(info.name);
  }
  for (const std::string_view fn : isa::kFnNames) names.push_back("vf." + std::string(fn));
  for (const std::string_view op : isa::kVsopNames) names.push_back("vs." + std::string(op));
  return {"unknown instruction " + quoted(mnemonic), did_you_mean(mnemonic, names, "docs/isa.md lists them")};
}

std::uint32_t read_instruction(std::string_view mnemonic, Cursor& at, const Symbols& symbols) {
  for (const Pseudo& pseudo : kPseudos) {
    if (mnemonic != pseudo.name) continue;
    std::span<const isa::Field> fields = isa::info(pseudo.op)->fields;
    while (fields.front().name != pseudo.first_field) fields = fields.subspan(1);
    return read_scalar(mnemonic, pseudo.op, fields.first(pseudo.fields), at, symbols);
  }
  const std::size_t point = std::min(mnemonic.find('.', 1), mnemonic.size());
  for (const isa::Info& info : isa::kInstrs) {
    const bool vector = static_cast<int>(info.op) >= static_cast<int>(isa::Op::Vf);
    if (!vector && mnemonic == info.name) return read_scalar(mnemonic, info.op, info.fields, at, symbols);
    if (vector && mnemonic.substr(0, point) == info.name)
      return read_vector(info, point < mnemonic.size() ? mnemonic.substr(point + 1) : "", at, symbols);
  }
  throw unknown_mnemonic(mnemonic);
}

/// Two passes: labels get their addresses (every instruction is one word), then lines are read in order.
class Assembly {
 public:
  void find_labels(const Line& line) {
    Cursor at(line.text);
    for (std::string_view name = take_label(at); !name.empty(); name = take_label(at)) {
      symbols_.define_value(name, address_, line.number);
      program_.labels.emplace(name, static_cast<std::uint16_t>(address_));
    }
    const std::string_view mnemonic = at.word();
    if (mnemonic.empty() || mnemonic == ".equ" || mnemonic == ".reg") return;
    if (++address_ > 65536) throw Complaint{"the program is longer than 65536 instructions", "make it shorter"};
  }

  void read(const Line& line) {
    Cursor at(line.text);
    while (!take_label(at).empty()) {
    }
    if (at.done()) return;
    const std::string where = at.here();
    const std::string_view mnemonic = at.word();
    if (mnemonic.empty()) throw Complaint{"expected an instruction " + where, "comments start with ; or //"};
    if (mnemonic == ".equ" || mnemonic == ".reg") {
      define(mnemonic, at, line.number);
      return;
    }
    std::uint32_t word = 0;
    if (mnemonic == ".word") {
      word = static_cast<std::uint32_t>(symbols_.read_number(at, -0x80000000LL, 0xffffffff, "word"));
      at.expect_end("'.word 0x1234'");
    } else {
      word = read_instruction(mnemonic, at, symbols_);
    }
    program_.words.push_back(word);
    program_.lines.push_back(line.number);
  }

  void give(const Constants& constants) {
    for (const auto& [name, value] : constants) symbols_.define_value(name, value, 0);
  }
  Program take() { return std::move(program_); }

 private:
  void define(std::string_view directive, Cursor& at, int line) {
    const std::string usage = directive == ".equ" ? "'.equ NAME, 12'" : "'.reg NAME, r3'";
    const std::string_view name = at.word();
    at.expect(',', usage);
    if (directive == ".equ") {
      symbols_.define_value(name, symbols_.read_expression(at), line);
    } else {
      symbols_.define_register(name, symbols_.read_register(at), line);
    }
    at.expect_end(usage);
  }

  Symbols symbols_;
  Program program_;
  int address_ = 0;
};

std::vector<Line> split(std::string_view source) {
  std::vector<Line> lines;
  for (int number = 1; !source.empty(); ++number) {
    const std::size_t end = std::min(source.find('\n'), source.size());
    lines.push_back({number, without_comment(source.substr(0, end))});
    source.remove_prefix(std::min(end + 1, source.size()));
  }
  return lines;
}

}  // namespace

Program assemble(std::string_view source, std::string_view file_name, const Constants& constants) {
  Assembly assembly;
  int line_number = 0;
  try {
    assembly.give(constants);
    const std::vector<Line> lines = split(source);
    for (const Line& line : lines) {
      line_number = line.number;
      assembly.find_labels(line);
    }
    for (const Line& line : lines) {
      line_number = line.number;
      assembly.read(line);
    }
  } catch (const Complaint& complaint) {
    throw AssemblyError(std::string(file_name), line_number, complaint.what, complaint.hint);
  }
  return assembly.take();
}

}  // namespace weft
