/// Scope guard that makes subnormals count as zero in the current thread (docs/reference/numbers.md).
///
/// The optimizer's moments of a parameter without gradients decay into subnormals after some hundred steps; each
/// operation on a subnormal would cost about a hundred cycles. Every thread that updates parameters holds a
/// FlushToZero, so the bits do not depend on which thread computed them. Where the hardware does not flush as x86 does,
/// the guard does nothing and the optimizers' FlushedFloat flushes.
#pragma once

#include "sw/base/flushed_float.hpp"

namespace weft::memoryx {

class FlushToZero {
 public:
  FlushToZero() : saved_(FloatMode::get()) { FloatMode::set(saved_ | FloatMode::kFlush); }
  ~FlushToZero() { FloatMode::set(saved_); }
  FlushToZero(const FlushToZero&) = delete;
  FlushToZero& operator=(const FlushToZero&) = delete;

 private:
  unsigned saved_;
};

}  // namespace weft::memoryx
