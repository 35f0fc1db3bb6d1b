/// What an instruction works on: the parts of a PE, or of neighbouring PEs of a row that run in step.
///
/// In step all columns share one scalar state, and their memories interleave: a vector of VL beats over all columns is
/// VL * width neighbouring elements. A machine of one column is a PE that runs on its own.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "verif/model/machine/accumulators.hpp"
#include "verif/model/machine/ahead.hpp"
#include "verif/model/machine/flags.hpp"
#include "verif/model/machine/handoff.hpp"
#include "verif/model/machine/inbox.hpp"
#include "verif/model/machine/later.hpp"
#include "verif/model/machine/memory.hpp"
#include "verif/model/machine/own.hpp"
#include "verif/model/machine/place.hpp"
#include "verif/model/machine/ports.hpp"
#include "verif/model/machine/products.hpp"
#include "verif/model/machine/program.hpp"
#include "verif/model/machine/scratch.hpp"
#include "verif/model/machine/thread.hpp"
#include "verif/model/machine/work.hpp"

namespace weft::model {

/// The program asks for what the model cannot do, or breaks a duty of programs that hardware does not check.
struct ProgramError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// More instructions and beats of vf than any program runs without touching a stream, a queue or a command.
inline constexpr std::uint64_t kRunaway = 1u << 24;
/// More instructions that touch a stream or a queue than any program runs without a message of W.
inline constexpr std::uint64_t kTalkative = 1u << 22;

struct Machine;
/// Makes the dot products, or adds the products, that were put off: catch_up() does both.
void make_dots(Machine& m);
void add_products(Machine& m);

struct Machine {
  /// `ports` and `scratch`, which is of its width, must outlive it. `parts`: machines that share the row's columns, 1
  /// if this has all, 0 if it is a tile of its own.
  Machine(const Place& place, Ports& ports, Scratch& scratch, int parts)
      : place(place),
        parts(parts),
        memory(place.shape, place.columns.count, flags),
        accumulators(place.width()),
        ports(ports),
        program(place.shape.colors),
        ahead(place.width()),
        later(place.width(), parts ? Later::kOutputs : 1),
        scratch(scratch) {
    memory.on_write = [this] { make_dots(*this), forget(); };
  }
  Machine(Machine&&) = delete;

  const Place place;
  const int parts;
  Flags flags;
  Work work;
  Memory memory;
  Accumulators accumulators;
  HandoffQueue<3> mp;
  HandoffQueue<2> pm;
  Inbox w;
  Ports& ports;
  InstructionMemory program;
  Thread main{Thread::kMain}, psum{Thread::kPsum};
  Own own;

  Ahead ahead;
  Later later;
  Products products;
  /// Drops what was made before its time.
  void forget() { ahead.drop(), memory.unwatch(); }

  bool west_zero = false;       ///< in step: psum is between a rcv on WEST and the snd of its 0, so it cannot wait
  std::vector<Scalar> scalars;  ///< of ld and rcv, to be compared with the row's other parts

  Scratch& scratch;

  /// More columns than this one do the same.
  bool in_step() const { return parts > 0 && place.shape.cols > 1; }
  /// A thread does an instruction that uses a stream or a queue. Throws if it has done more than any program that ends.
  void exchanged(const Thread& t) {
    work.steps = 0;
    if (++work.exchanges > kTalkative) fail(t.pc, "exchanges words without end, and W brings nothing");
  }
  void count(std::uint64_t beats, bool multiplies) {
    work.beats += beats;
    if (multiplies) work.fma_lanes += beats * static_cast<unsigned>(place.shape.lanes);
  }
  /// `row 1`, or `row 1 column 2` of a tile of its own.
  std::string name() const;
  /// `pc 3 `halt``
  std::string where(std::uint16_t pc) const;
  [[noreturn]] void fail(std::uint16_t pc, const std::string& what) const;
  /// A scalar is not the same in two columns of the wafer.
  [[noreturn]] void out_of_step(const Scalar& scalar, int col, int other) const;
  /// It is another in this machine's first column and in its `col`-th. Throws if the row has more parts: they may have
  /// gone on without seeing it.
  Outcome differs(Thread& t, const Scalar& scalar, int col) const;
  /// The thread is about to read these registers, a bit each, for what columns in step do alike: NotInStep, or throws
  /// as differs(), if they have values of their own.
  Outcome settle(Thread& t, std::uint32_t registers);
  /// The same for IDX.
  Outcome settle_idx(Thread& t);

 private:
  Outcome settle(Thread& t, const Own::Values& values);
};

/// Does what was put off. The caller has FlushDenormals.
inline void catch_up(Machine& m) {
  if (m.later.any()) make_dots(m);
  if (m.products.any()) add_products(m);
}

}  // namespace weft::model
