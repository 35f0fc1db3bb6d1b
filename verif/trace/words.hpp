/// Text form of messages, numbers and instructions, for waveforms, reports and debuggers.
///
/// Names of colors, commands, ports and flags are those of sw/isa/isa.py.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sw/asm/assembler.hpp"

namespace weft::isa {
enum class Opcode : std::uint8_t;
}

namespace weft::trace {

/// A bf16 and an fp32 as a short decimal: "0.0625", "-1.5e-07", "nan".
std::string decimal_bf16(std::uint16_t bits);
std::string decimal_fp32(std::uint32_t bits);

/// A color's name, or its number.
std::string color_word(unsigned color);
/// Kind of message that the kernels send on a color, the first word of `message_words`; empty for other colors.
std::string_view message_kind(unsigned color);

/// Context for decoding a message, besides its bits.
struct MessageNames {
  int rows = 1;                                  ///< rows of the wafer
  std::map<std::uint16_t, std::string> kernels;  ///< by address
  std::uint32_t pairs = 0;                       ///< colors (bit c: color c) that carry pairs of bf16, else fp32
};

/// `W 17 -> row 3 0.0625` (weight of local index 17), `CMD call gemm`, `PSUM 1.75` (RING), `SUM 2.5` (NORTH), `OUT 0.5`
/// (WEST), `PAIR 1 0.5` (bf16), `4: 0.5` (another color).
std::string message_words(unsigned color, bool ctrl, std::uint32_t data, const MessageNames& names);

/// An instruction of a program: `vaxs R[r5], M[r1]  gemm_output gemm.s:12`.
struct InstructionNames {
  explicit InstructionNames(const assembler::Program& program);
  /// The instruction at an address; the number alone if the address is past the program's end.
  std::string at(unsigned pc) const;
  /// "gemm+3": the last label before the instruction.
  std::string label(unsigned pc) const;
  /// "gemm.s:41", or empty.
  std::string place(unsigned pc) const;

  const assembler::Program& program;

 private:
  std::map<std::uint16_t, std::string> labels_;
};

/// Addresses of the instructions reachable from the entry `address`, in order.
std::vector<unsigned> reached(const assembler::Program& program, unsigned address);
/// Checks that an instruction with this opcode is reachable.
bool reaches(const assembler::Program& program, unsigned address, isa::Opcode op);
/// Colors on which the psum instructions reachable from `address` forward pairs of bf16.
std::uint32_t pair_colors(const assembler::Program& program, unsigned address);

}  // namespace weft::trace
