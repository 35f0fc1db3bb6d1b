/// Scope guard that makes subnormals count as zero in the current thread (docs/reference/numbers.md).
///
/// The optimizer's moments of a parameter without gradients decay into subnormals after some hundred steps; each
/// operation on a subnormal would cost about a hundred cycles. Every thread that updates parameters holds a
/// FlushToZero, so the bits do not depend on which thread computed them.
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace weft {

class FlushToZero {
 public:
  FlushToZero() : saved_(get()) { set(saved_ | kBits); }
  ~FlushToZero() { set(saved_); }
  FlushToZero(const FlushToZero&) = delete;
  FlushToZero& operator=(const FlushToZero&) = delete;

 private:
#if defined(__x86_64__)
  static constexpr std::uint64_t kBits = 0x8040;  // FTZ and DAZ of MXCSR
  static std::uint64_t get() { return _mm_getcsr(); }
  static void set(std::uint64_t value) { _mm_setcsr(static_cast<unsigned>(value)); }
#elif defined(__aarch64__)
  static constexpr std::uint64_t kBits = 1U << 24;  // FZ of FPCR
  static std::uint64_t get() {
    std::uint64_t value;
    asm volatile("mrs %0, fpcr" : "=r"(value));
    return value;
  }
  static void set(std::uint64_t value) { asm volatile("msr fpcr, %0" ::"r"(value)); }
#else
#error "add the way in which this CPU flushes subnormals to zero"
#endif
  std::uint64_t saved_;
};

}  // namespace weft
