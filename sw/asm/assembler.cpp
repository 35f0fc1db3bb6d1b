#include "sw/asm/assembler.hpp"

#include "isa_machine.hpp"
#include "sw/asm/arrays.hpp"
#include "sw/asm/expansion.hpp"
#include "sw/asm/instruction.hpp"
#include "sw/asm/routine.hpp"
#include "sw/asm/symbols.hpp"
#include "sw/asm/words.hpp"

namespace weft::assembler {
namespace {

constexpr int kEndless = 0xffff;  // room for all kernels together, which no single program has

/// Two-pass assembler of plain lines: the first pass assigns addresses to labels (every instruction is one word), the
/// second encodes the words.
class Assembly {
 public:
  /// `room`: the largest number of instructions.
  Assembly(std::span<const Source> sources, const Constants& constants, int room)
      : sources_(sources), room_(room), expansion_(expand(sources)), others_{".array",  ".equ",     ".reg",    ".word",
                                                                             ".kernel", ".routine", ".general"} {
    others_.insert(others_.end(), expansion_.macros.begin(), expansion_.macros.end());
    for (const Source& source : sources) program_.files.emplace_back(source.name);
    complaining([&] {
      for (const auto& [name, value] : constants) symbols_.define_value(name, value, {});
      for (const Line& line : expansion_.lines) find_labels(current_ = line);
      if (!program_.kernels.empty() && program_.kernels.back().address == address_) no_instruction();
    });
  }

  void read() {
    complaining([&] {
      const Source* source = nullptr;
      for (const Line& line : expansion_.lines) {
        current_ = line;
        if (source != source_of(line)) symbols_.begin_source();
        source = source_of(line);
        read(line);
      }
    });
  }

  int count() const { return address_; }
  Program take() { return std::move(program_); }
  ProgramWithArrays take_all() { return {std::move(program_), std::move(arrays_), general_}; }

 private:
  template <class Work>
  void complaining(const Work& work) {
    try {
      work();
    } catch (const Complaint& complaint) {
      throw error_in(current_, complaint.what, complaint.hint);
    }
  }

  void label(std::string_view name, const Place& place) {
    symbols_.define_value(name, address_, place);
    program_.labels.emplace(name, static_cast<std::uint16_t>(address_));
  }

  void find_labels(const Line& line) {
    Cursor at(line.text);
    for (std::string_view name = take_label(at); !name.empty(); name = take_label(at)) label(name, line.place);
    const std::string_view mnemonic = at.word();
    if (mnemonic == ".kernel" || mnemonic == ".routine") {
      Routine routine = read_routine(mnemonic, at);
      label(routine.name, line.place);
      if (mnemonic == ".routine") return;
      program_.kernels.push_back({std::string(routine.name), static_cast<std::uint16_t>(address_),
                                  std::move(routine.parameters), plain_comment(line.comment), file_of(line.place),
                                  line.place.line});
      kernel_ = line;
      return;
    }
    if (mnemonic.empty() || mnemonic == ".equ" || mnemonic == ".reg" || mnemonic == ".array" || mnemonic == ".general")
      return;
    if (++address_ > room_)
      throw Complaint{"the program is longer than the " + std::to_string(room_) + " instructions there is room for",
                      "make it shorter"};
  }

  [[noreturn]] void no_instruction() {
    current_ = kernel_;
    throw Complaint{"the kernel has no instruction", "end it with halt"};
  }

  void read(const Line& line) {
    Cursor at(line.text);
    while (!take_label(at).empty()) {
    }
    if (at.done()) return;
    const Cursor before = at;
    const std::string_view mnemonic = at.word();
    if (mnemonic.empty()) throw Complaint{"expected an instruction " + before.here(), "comments start with ; or //"};
    if (mnemonic == ".kernel" || mnemonic == ".routine") {
      symbols_.begin_routine();
      for (const Parameter& p : read_routine(mnemonic, at).parameters)
        symbols_.define_register(p.name, p.reg, line.place);
    } else if (mnemonic == ".equ" || mnemonic == ".reg") {
      define(mnemonic, at, line.place);
    } else if (mnemonic == ".array") {
      arrays_.push_back(places_.read(at, symbols_, line.place));
    } else if (mnemonic == ".general") {
      at.expect_end("'.general' alone");
      if (!general_) general_ = source_line(line);
    } else {
      program_.words.push_back(read_word(mnemonic, at));
      program_.lines.push_back(source_line(line));
    }
  }

  SourceLine source_line(const Line& line) const {
    return {static_cast<std::size_t>(line.place.source - sources_.data()), line.place.line};
  }

  std::uint32_t read_word(std::string_view mnemonic, Cursor& at) const {
    if (mnemonic != ".word") return read_instruction(mnemonic, at, symbols_, others_);
    const auto word = static_cast<std::uint32_t>(symbols_.read_number(at, -0x80000000LL, 0xffffffff, "word"));
    at.expect_end("'.word 0x1234'");
    return word;
  }

  void define(std::string_view directive, Cursor& at, const Place& place) {
    const std::string usage = directive == ".equ" ? "'.equ NAME, 12'" : "'.reg NAME, r3'";
    const std::string_view name = at.word();
    at.expect(',', usage);
    if (directive == ".equ") {
      symbols_.define_value(name, symbols_.read_expression(at), place);
    } else {
      symbols_.define_register(name, symbols_.read_register(at), place);
    }
    at.expect_end(usage);
  }

  const std::span<const Source> sources_;
  const int room_;
  const Expansion expansion_;
  std::vector<std::string> others_;  // directives and macros, for hints about unknown instructions
  Symbols symbols_;
  Program program_;
  ArrayPlaces places_;
  std::vector<Array> arrays_;
  std::optional<SourceLine> general_;
  int address_ = 0;
  Line current_, kernel_;
};

}  // namespace

Program assemble(std::span<const Source> sources, const Constants& constants) {
  Assembly assembly(sources, constants, isa::kIDepth);
  assembly.read();
  return assembly.take();
}

ProgramWithArrays assemble_with_arrays(std::span<const Source> sources, const Constants& constants) {
  Assembly assembly(sources, constants, isa::kIDepth);
  assembly.read();
  return assembly.take_all();
}

Program assemble(std::string_view text, std::string_view file_name, const Constants& constants) {
  const Source source{file_name, text};
  return assemble({&source, 1}, constants);
}

std::vector<Kernel> declared_kernels(std::span<const Source> sources) {
  return Assembly(sources, {}, kEndless).take().kernels;
}

int instruction_count(std::span<const Source> sources) { return Assembly(sources, {}, kEndless).count(); }

}  // namespace weft::assembler
