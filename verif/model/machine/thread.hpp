/// A thread of a PE, and the state of its sequencer.
#pragma once

#include <array>
#include <cstdint>

#include "isa.hpp"
#include "verif/model/numbers/elementwise.hpp"

namespace weft::model {

/// Result of executing an instruction.
enum class Outcome : std::uint8_t {
  Done,
  Waits,          ///< incomplete; all work possible now is done
  NotInLockstep,  ///< the machine's columns cannot execute it in lockstep; nothing is done
};

/// Reason why an instruction waits.
struct Waiting {
  static constexpr const char* kRoom = "room in its out queue";
  static constexpr const char* kRoute = "a route for what it sends";

  const char* waits = "";

  Outcome wait(const char* what) {
    waits = what;
    return Outcome::Waits;
  }
  /// `what`: why the columns cannot execute it in lockstep.
  Outcome not_in_lockstep(const char* what) {
    waits = what;
    return Outcome::NotInLockstep;
  }
  /// Sets the reason for a result of Ports::can_send().
  Outcome cannot_send(Outcome why) {
    return why == Outcome::Waits ? wait(kRoute) : not_in_lockstep("a color that is not sent in lockstep");
  }
};

struct Decoded;
struct Machine;
struct VectorOp;

/// Executes a vector instruction, or as much of it as possible.
using Execute = Outcome (*)(Machine& m, VectorOp& op);

/// State of a thread's sequencer, with operands as they were when the instruction was accepted.
struct VectorOp : Waiting {
  bool busy = false;
  bool started = false;  ///< has taken its handoff entry
  int done = 0;          ///< progress of the instruction; each instruction's file defines the unit
  std::uint16_t pc = 0;
  Execute execute = nullptr;
  isa::Instr in;
  std::uint16_t rd = 0, ra = 0, rb = 0, rc = 0;  ///< values of the registers
  Elementwise elementwise = nullptr;             ///< set for vf, with its table
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
  /// The thread has halted, and its sequencer is done.
  bool rests() const { return !running && !op.busy; }
};

}  // namespace weft::model
