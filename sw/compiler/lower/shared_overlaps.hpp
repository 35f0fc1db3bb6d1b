/// Work that main and psum do at the same time in attention whose rows share the keys
/// (docs/explanation/attention_rows.md, Two threads at work).
#pragma once

#include <vector>

#include "sw/compiler/memory/memory_plan.hpp"
#include "sw/compiler/program/call.hpp"
#include "sw/machine/shape.hpp"

namespace weft::compiler {

/// Each is true if the accumulator file has room for both, and the arrays of a head have places of their own.
struct SharedOverlaps {
  bool records_with_array = false;    ///< main makes records while psum exchanges another array
  bool exchange_with_scores = false;  ///< psum exchanges v while main computes scores
  bool records_with_maxima = false;   ///< main makes the records of v while psum reduces maxima; needs the one above
  bool records_with_totals = false;   ///< main makes the records of q and dout while psum brings sums to their rows
};
SharedOverlaps shared_overlaps(const MemoryPlan& memory, const machine::WaferShape& wafer);

/// Entry of R of a row's own features of v, which wait there for their exchange while main computes scores: before the
/// entries of the visitors on their way. Below 0 if there is no room.
int own_features_at(const MemoryPlan& memory, const machine::WaferShape& wafer);

/// Batches of a set's visitors.
int visitor_batches(const MemoryPlan& memory);

/// Follows the two buffers of visitors through the calls of a sequence: psum gathers the first batch of a call during
/// the call before.
class VisitorBuffers {
 public:
  explicit VisitorBuffers(const MemoryPlan& memory) : memory_(memory) {}

  /// Address of the buffer of the next batch that a call computes with.
  int next() const { return buffer(odd_); }
  /// Address of the other buffer.
  int other() const { return buffer(1 - odd_); }
  /// True if the call before has gathered the first batch of the next call.
  bool ready() const { return ready_; }
  /// Arguments of a call whose first visitors are of the records at `own`.
  std::vector<Argument> arguments(int own) const {
    return {{"from", ready_ ? 0 : own}, {"other", next()}, {"now", other()}};
  }
  /// A call takes the batches of `sets` sets, and gathers the first batch of the next call if `next`.
  void take(int sets, bool next) { odd_ = (odd_ + sets * visitor_batches(memory_)) % 2, ready_ = next; }
  /// A call gathers the first batch of the next call, and takes none.
  void gather() { ready_ = true; }

 private:
  int buffer(int n) const { return memory_.visitors + n * memory_.turns_at_once * memory_.shared->slice(); }

  const MemoryPlan& memory_;
  int odd_ = 0;
  bool ready_ = false;
};

}  // namespace weft::compiler
