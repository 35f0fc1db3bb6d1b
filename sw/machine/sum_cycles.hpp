/// Cycles of a GEMM's sums, measured on the RTL (docs/explanation/short_vectors.md, Cycles). The compiler chooses
/// interleaved outputs with them, and the estimate of a GEMM counts them.
#pragma once

#include <algorithm>

namespace weft::machine {

constexpr int kSumLatency = 7;        ///< from a multiply-add until the next one of the same sum
constexpr double kHomeCycles = 18;    ///< additional cycles when the home row changes
constexpr double kBesideCycles = 12;  ///< ... plus these, of which a partial sum's words hide one each
constexpr int kPsumBuffers = 3;       ///< of partial sums

/// Cycles from one home row's last partial sum to the next one's first, of `words` words.
inline double home_cycles(double words) { return kHomeCycles + std::max(0.0, kBesideCycles - words); }

/// Cycles until psum has the size and the buffer of a home row's smaller group, which has `missing` outputs less than
/// other groups, `buffers` groups after the previous smaller group. Words of a previous group of the same home row hide
/// them.
inline double fewer_cycles(double missing, int buffers) {
  return 18 + 4 * missing + 6.0 * (buffers / kPsumBuffers + buffers % kPsumBuffers);
}

}  // namespace weft::machine
