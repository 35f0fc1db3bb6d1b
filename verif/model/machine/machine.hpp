/// The state an instruction works on: the parts of a PE, or of neighbouring PEs of a row that run in lockstep.
///
/// In lockstep all columns share one scalar state, and their memories interleave: a vector of VL beats over all columns
/// is VL * width neighbouring elements. A machine of one column is a PE that runs independently.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "verif/model/machine/accumulators.hpp"
#include "verif/model/machine/aligned.hpp"
#include "verif/model/machine/deferred_dots.hpp"
#include "verif/model/machine/flags.hpp"
#include "verif/model/machine/handoff.hpp"
#include "verif/model/machine/inbox.hpp"
#include "verif/model/machine/per_column.hpp"
#include "verif/model/machine/place.hpp"
#include "verif/model/machine/ports.hpp"
#include "verif/model/machine/precomputed_sums.hpp"
#include "verif/model/machine/products.hpp"
#include "verif/model/machine/program.hpp"
#include "verif/model/machine/sram.hpp"
#include "verif/model/machine/thread.hpp"

namespace weft::model {

/// The program uses a feature the model lacks, or breaks a rule that hardware does not check.
struct ProgramError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Limit on instructions and beats of vf between two uses of a stream, a queue or a command. No valid program exceeds
/// it.
inline constexpr std::uint64_t kRunaway = 1u << 24;
/// Limit on instructions that use a stream or a queue between two messages of W. No valid program exceeds it.
inline constexpr std::uint64_t kTalkative = 1u << 22;

/// Work done by a machine: the counters of each of its columns, and progress counters that detect endless programs.
struct Work {
  std::uint64_t beats = 0;      ///< per column
  std::uint64_t passed = 0;     ///< additional beats per column for each column to its east: gathers in lockstep
  std::uint64_t fma_lanes = 0;  ///< per column
  std::uint64_t steps = 0;      ///< instructions and beats of vf since the last exchange or command
  std::uint64_t exchanges = 0;  ///< instructions that use streams or queues since the last message of W
  bool moved = false;           ///< something has happened since this was cleared

  void w_came() { steps = exchanges = 0; }
  std::uint64_t beats_of(int columns_to_the_east) const {
    return beats + passed * static_cast<std::uint64_t>(columns_to_the_east);
  }
};

/// Temporary buffers for a single instruction. Machines of one width that run in turn share them, so that they stay
/// small and in the cache.
class Scratch {
 public:
  /// `width`: floats of an accumulator entry.
  explicit Scratch(int width) : a(floats(width)), b(floats(width)), width_(width) {}

  /// A vector of +0 of the maximum length.
  const float* zeros() {
    if (!zeros_) zeros_.emplace(floats(width_));
    return zeros_->data();
  }

  Aligned<float> a, b;  ///< operands of a vector instruction, [beat or repetition][col][lane]

  /// Room for the sums of make_dots().
  float* sums(std::size_t size) {
    if (size > sums_size_) {
      sums_ = AlignedRoom<float>(2 * size);
      sums_size_ = 2 * size;  // set after the allocation has succeeded
    }
    return sums_.data();
  }

 private:
  static std::size_t floats(int width) {
    return static_cast<std::size_t>(machine::WaferShape::kRDepth) * static_cast<std::size_t>(width);
  }

  int width_;
  std::optional<Aligned<float>> zeros_;
  AlignedRoom<float> sums_;
  std::size_t sums_size_ = 0;
};

struct Machine;
/// Compute the deferred dot products, or add the deferred products; catch_up() does both.
void make_dots(Machine& m);
void add_products(Machine& m);

struct Machine {
  /// `ports` and `scratch` must outlive the machine; `scratch` has its width. `parts`: number of machines that share
  /// the row's columns; 1 if this machine has all columns, 0 if it is an independent tile.
  Machine(const Place& place, Ports& ports, Scratch& scratch, int parts)
      : place(place),
        parts(parts),
        sram(place.shape, place.columns.count, flags),
        accumulators(place.width()),
        w(place.row),
        ports(ports),
        program(place.shape.colors),
        precomputed_sums(place.width()),
        deferred_dots(place.width(), parts ? DeferredDots::kOutputs : 1),
        scratch(scratch) {
    sram.on_write = [this] { make_dots(*this), forget(); };
  }
  Machine(Machine&&) = delete;

  const Place place;
  const int parts;
  Flags flags;
  Work work;
  Sram sram;
  Accumulators accumulators;
  HandoffQueue<3> mp;
  HandoffQueue<2> pm;
  Inbox w;
  Ports& ports;
  InstructionMemory program;
  Thread main{Thread::kMain}, psum{Thread::kPsum};
  PerColumn per_column;

  PrecomputedSums precomputed_sums;
  DeferredDots deferred_dots;
  Products products;
  /// Drops precomputed sums.
  void forget() { precomputed_sums.drop(), sram.unwatch(); }

  bool west_zero = false;       ///< in lockstep: psum is between a rcv on WEST and the snd of its 0, so it cannot wait
  std::vector<Scalar> scalars;  ///< results of ld and rcv, to be compared with the row's other slices

  Scratch& scratch;

  /// More than one column runs in this machine's lockstep.
  bool in_lockstep() const { return parts > 0 && place.shape.cols > 1; }
  /// Must be called when a thread executes an instruction that uses a stream or a queue. Throws if the count exceeds
  /// kTalkative.
  void exchanged(const Thread& t) {
    work.steps = 0;
    if (++work.exchanges > kTalkative) fail(t.pc, "exchanges words without end, and W brings nothing");
  }
  void count(std::uint64_t beats, bool multiplies) {
    work.beats += beats;
    if (multiplies) work.fma_lanes += beats * static_cast<unsigned>(place.shape.lanes);
  }
  /// `row 1`, or `row 1 column 2` for an independent tile.
  std::string name() const;
  /// `pc 3 `halt``
  std::string where(std::uint16_t pc) const;
  [[noreturn]] void fail(std::uint16_t pc, const std::string& what) const;
  /// Throws: a scalar differs between two columns of the wafer.
  [[noreturn]] void out_of_step(const Scalar& scalar, int col, int other) const;
  /// The scalar differs between this machine's first column and column `col`. Throws if the row has more slices,
  /// because they may have continued without detecting it.
  Outcome differs(Thread& t, const Scalar& scalar, int col) const;
  /// Must be called before the thread reads these registers (a bit each) for anything that lockstep columns do alike.
  /// Returns NotInLockstep, or throws as differs(), if they have different values per column.
  Outcome settle(Thread& t, std::uint32_t registers);
  /// As settle(), for IDX.
  Outcome settle_idx(Thread& t);

 private:
  Outcome settle(Thread& t, const PerColumn::Values& values);
};

/// Executes all deferred work. The caller must hold FlushDenormals.
inline void catch_up(Machine& m) {
  if (m.deferred_dots.any()) make_dots(m);
  if (m.products.any()) add_products(m);
}

}  // namespace weft::model
