/// Traces: the effects of a tile's threads on streams, queues and commands, derived from its program before it runs.
///
/// A kernel branches on registers, on its row's constants and on nothing computed (docs/reference/pe.md). The external
/// effects of a thread therefore follow from the commands and weights that W brings to its row, independent of the
/// weights' values and of the tokens. The reader runs a thread's scalar instructions on known and unknown numbers; it
/// rejects a branch, an address of code or a length that is unknown.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "isa_legal.hpp"
#include "sw/machine/message.hpp"
#include "sw/machine/shape.hpp"

namespace weft::deadlock {

inline constexpr int kMask = isa::kIDepth - 1;  ///< for an address of code

/// Text of the finding for an instruction that the machine executes and the reader does not.
inline constexpr const char* kUnknownEffects = "the check does not know the effects of this instruction";

inline std::size_t at(isa::Csr csr) { return static_cast<std::size_t>(csr); }

/// The external effect of one instruction or command. Nothing that a thread does between two events is visible outside.
struct Event {
  enum class Kind : std::uint8_t {
    Command,  ///< main: takes n commands at rest
    Axpy,     ///< main: takes n messages, including the CR
    Copy,     ///< main: puts an entry into MP (vcr, vaxs)
    Dot,      ///< main: takes n messages, including the CR, in groups: an entry into MP for each; one of PM at the end
    Fork,     ///< main: starts psum's next part
    Join,     ///< main: waits until psum is idle
    Words,    ///< psum: n beats of vs, or of vb
    Reduce,   ///< psum: entries of MP up to one that is the last, a word for each of their counts (vr)
    Take,     ///< psum: a word (rcv)
    Send,     ///< psum: a word (snd)
    Halted,   ///< psum: its core has halted; its sequencer may still have one instruction
    End,      ///< psum: a part ends
  };
  Kind kind{};
  std::uint16_t pc = 0;
  std::uint32_t n = 1;
  std::uint8_t cin = 0, cout = 0;
  std::uint8_t takes = 0;  ///< words of cin per beat; for Reduce the maximum
  std::uint8_t full = 0;   ///< Dot: indices of a full group
  std::uint8_t sends = 0;  ///< words of its entry in the out queue
  bool q = false;          ///< needs an entry of MP, and takes it with its last beat
  bool pm = false;         ///< needs room in PM, and puts an entry with its last beat
  bool per_east = false;   ///< n times for each column to the east
  bool not_last = false;   ///< takes nothing in the last column

  friend bool operator==(const Event&, const Event&) = default;
};

/// Entries of MP that a Dot makes.
inline std::uint32_t groups_of(const Event& dot) { return std::max(1U, (dot.n - 1 + dot.full - 1U) / dot.full); }

/// The events of a tile in a phase.
struct Trace {
  std::vector<Event> main, psum;
  friend bool operator==(const Trace&, const Trace&) = default;
};

/// Exception: the program or the stream is wrong, or its behavior cannot be determined statically.
struct Finding {
  enum class Kind : std::uint8_t { Wrong, Unknown } kind{};
  int row = 0, col = -1;  ///< col -1: all of the row
  bool psum = false;
  bool has_pc = false;
  std::uint16_t pc = 0;
  std::string text;
};

/// Exception: the columns of a row behave differently, so each must be read separately.
struct ColumnsDiffer {};

using Routes = std::array<std::vector<std::uint8_t>, 5>;  ///< [port][color], sets of outputs

/// Reads one tile, or all columns of a row together (col -1).
class Reader {
 public:
  Reader(const machine::WaferShape& shape, int row, int col);

  /// The events of the tile for the messages that W brings to its row. `known`: values of MDATA are those of the actual
  /// run. Throws Finding, and ColumnsDiffer.
  Trace read(std::span<const machine::Message> w, bool known);

  /// Registers and control registers have any values from here on.
  void forget_registers();

  const Routes& routes() const { return routes_; }
  const std::vector<std::uint32_t>& instructions() const { return code_; }

 private:
  struct Value {
    std::uint16_t v = 0;
    bool known = false;
  };
  struct Thread {
    std::array<std::uint16_t, 16> r{}, csr{};
    std::uint32_t known = 1, csr_known = 0xffff;  ///< registers whose value is known (bit by number)

    Value reg(int n) const { return {r[static_cast<std::size_t>(n)], (known >> n & 1) != 0}; }
    Value control(isa::Csr c) const { return {csr[at(c)], (csr_known >> at(c) & 1) != 0}; }
    void set(int n, Value value) {
      if (n == 0) return;
      r[static_cast<std::size_t>(n)] = value.v;
      known = value.known ? known | 1u << n : known & ~(1u << n);
    }
  };

  [[noreturn]] void wrong(bool psum, std::uint16_t pc, const std::string& text) const;
  [[noreturn]] void unknown(bool psum, std::uint16_t pc, const std::string& text) const;
  void command(const machine::Message& m);
  void route(std::uint16_t value);
  void run(bool psum, std::uint16_t pc);
  void check_legal(bool psum, std::uint16_t pc) const;
  void scalar(bool psum, const isa::Instr& in, std::uint16_t& pc);
  void registers(bool psum, const isa::Instr& in, std::uint16_t& pc);
  /// Value that csrr reads.
  Value control(bool psum, isa::Csr csr) const;
  void vector(bool psum, const isa::Instr& in, std::uint16_t pc);
  void local(bool psum, const isa::Info& info, std::uint16_t pc);
  void stream(const isa::Instr& in, std::uint16_t pc);
  std::uint16_t number(bool psum, const Value& value, std::uint16_t pc, const char* what) const;
  int length(bool psum, std::uint16_t pc) const;
  /// Indices of a full group of a vdot.
  std::uint8_t group(const isa::Instr& in, std::uint16_t pc) const;
  void color(int c, std::uint16_t pc, bool in) const;
  void writes(bool psum, const Value& first, const Value& stride, const Value& times, int beats, std::uint16_t pc);
  /// Takes the messages up to and including the next command; returns their number.
  std::uint32_t take_stream(std::uint16_t pc);

  const machine::WaferShape shape_;
  const int row_, col_;
  std::vector<std::uint32_t> code_;
  std::vector<isa::Instr> decoded_;
  std::vector<std::array<isa::Verdict, 2>> verdicts_;  ///< [pc][psum]
  std::vector<Value> memory_;
  std::vector<bool> loaded_;  ///< [element]: psum has read it since psum was started
  Thread main_, psum_;
  Routes routes_;
  bool selected_ = true, one_column_ = false;
  int iaddr_ = 0;
  std::uint16_t low_ = 0;
  std::uint16_t maddr_ = 0, other_maddr_ = 0;                  ///< load address of all columns; of a single column
  int column_ = machine::Selection::kAll, other_column_ = -1;  ///< the selected column; the column of other_maddr_
  bool maddr_known_ = false;
  bool known_ = true;          ///< values of MDATA are those of the actual run
  bool psum_may_run_ = false;  ///< no join since the last fork
  bool forked_ = false;        ///< in this call
  std::uint64_t steps_ = 0;

  std::span<const machine::Message> w_;
  std::size_t next_ = 0;
  Trace trace_;
};

}  // namespace weft::deadlock
