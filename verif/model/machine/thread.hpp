/// A thread of a PE and what its sequencer works on.
#pragma once

#include <array>
#include <cstdint>

#include "isa.hpp"
#include "verif/model/instructions/elementwise.hpp"

namespace weft::model {

/// How far an instruction came.
enum class Outcome : std::uint8_t {
  Done,
  Waits,      ///< for more; what it could do is done
  NotInStep,  ///< the machine's columns cannot do it in step; nothing is done
};

/// What somebody waits for who cannot go on.
struct Waiting {
  static constexpr const char* kRoom = "room in its out queue";
  static constexpr const char* kRoute = "a route for what it sends";

  const char* waits = "";

  Outcome wait(const char* what) {
    waits = what;
    return Outcome::Waits;
  }
  /// `what`: why its columns cannot do it in step.
  Outcome not_in_step(const char* what) {
    waits = what;
    return Outcome::NotInStep;
  }
  /// For what Ports::can_send() said.
  Outcome cannot_send(Outcome why) {
    return why == Outcome::Waits ? wait(kRoute) : not_in_step("a color that does not go in step");
  }
};

struct Decoded;
struct Machine;
struct VectorOp;

/// Does a vector instruction, or as much of it as can be done.
using Execute = Outcome (*)(Machine& m, VectorOp& op);

/// What a thread's sequencer works on: operands as they were when the instruction was accepted.
struct VectorOp : Waiting {
  bool busy = false;
  bool started = false;  ///< has seen its handoff entry
  int done = 0;          ///< so much of the instruction: its file says in what units
  std::uint16_t pc = 0;
  Execute execute = nullptr;
  isa::Instr in;
  std::uint16_t rd = 0, ra = 0, rb = 0, rc = 0;  ///< values of the registers
  Elementwise elementwise = nullptr;             ///< of vf, and its table
  const bf16* table = nullptr;
  int vl = 0;  ///< 1..256
  std::uint16_t rep = 0, sta = 0, stb = 0, std = 0, idx = 0, lmask = 0, str = 0;
};

struct Thread : Waiting {
  static constexpr int kMain = 0, kPsum = 1;

  explicit Thread(int number) : id(number) {}

  int id;
  bool running = false;
  std::uint16_t pc = 0;
  std::array<std::uint16_t, 16> r{};
  std::array<std::uint16_t, 16> csr{};
  VectorOp op;
  bool is_main() const { return id == kMain; }
  /// Halted, and its sequencer is done.
  bool rests() const { return !running && !op.busy; }
};

}  // namespace weft::model
