/// Instruction memory: every word is decoded and its functions are looked up. Copies share all data until one is
/// written.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "isa.hpp"
#include "verif/model/machine/thread.hpp"

namespace weft::model {

/// Executes a scalar instruction, or hands a vector instruction to its thread's sequencer.
using Step = Outcome (*)(Machine& m, Thread& t, const Decoded& decoded);

struct Decoded {
  isa::Instr in;
  Step step[2];                          ///< by thread; an illegal instruction has a step that halts the thread
  bool registers[2] = {};                ///< by thread: legal, and uses only the thread's registers and pc
  bool local = false, repeated = false;  ///< as in isa::Info
  Execute execute = nullptr;             ///< set for vector instructions
  Elementwise elementwise = nullptr;     ///< set for vf, with its table
  const bf16* table = nullptr;
};

/// Decodes an instruction with the table of instructions, for a machine with `colors` colors.
Decoded decode(std::uint32_t word, int colors);

class InstructionMemory {
 public:
  static constexpr int kMask = isa::kIDepth - 1;

  explicit InstructionMemory(int colors) : colors_(colors), content_(std::make_shared<Content>(colors)) {}

  void set(int address, std::uint32_t word) {
    if (content_.use_count() > 1) content_ = std::make_shared<Content>(*content_);
    content_->words[static_cast<std::size_t>(address & kMask)] = word;
    content_->decoded[static_cast<std::size_t>(address & kMask)] = decode(word, colors_);
    changed_ = true;
  }
  /// Shares the other's data if this memory has changed since the last call, and both have the same words.
  void share(const InstructionMemory& other) {
    if (std::exchange(changed_, false) && words() == other.words()) content_ = other.content_;
  }
  const Decoded& operator[](int address) const { return content_->decoded[static_cast<std::size_t>(address & kMask)]; }
  const std::vector<std::uint32_t>& words() const { return content_->words; }

 private:
  struct Content {
    explicit Content(int colors) : words(isa::kIDepth), decoded(isa::kIDepth, decode(0, colors)) {}
    std::vector<std::uint32_t> words;
    std::vector<Decoded> decoded;
  };

  int colors_;
  std::shared_ptr<Content> content_;
  bool changed_ = false;
};

}  // namespace weft::model
