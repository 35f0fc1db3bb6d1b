/// The flash tier: parameters, moments and sums of which DRAM has a bounded part, and a file the rest (docs/tiers.md).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "host/memoryx/pieces.hpp"
#include "host/memoryx/store.hpp"
#include "sw/base/descriptor.hpp"

namespace weft {

struct TierOptions {
  std::uint64_t dram = 0;  ///< bytes of pieces that are in DRAM at most
  std::string folder;      ///< of the file
  unsigned threads = 1;    ///< of the optimizer: each holds pieces of its own
  int moments = 2;         ///< vectors of them
  /// Reads and writes the file; empty: by io_uring, by threads where the system refuses that.
  std::function<std::unique_ptr<PieceIo>(int file)> io = {};
};

/// How pieces are cut.
struct TierShape {
  std::size_t piece = 0;  ///< bytes
  std::size_t room = 0;   ///< pieces in DRAM
};
/// The largest pieces, to 256 KiB, of which the bound has enough. Throws Refusal of memoryx.dram_gib, which names the
/// smallest bound that works, if none are small enough.
TierShape tier_shape(std::uint64_t dram, unsigned threads);

/// Bytes of the file.
std::uint64_t tier_bytes(std::uint64_t parameters, std::size_t piece, int moments = 2);

class TierStore final : public ParameterStore {
 public:
  /// Throws Refusal.
  TierStore(std::uint64_t parameters, const TierOptions& options);
  ~TierStore() override;

  std::span<float> weights() override { return vector(0); }
  std::span<float> first_moments() override { return moments_ > 0 ? vector(1) : std::span<float>(); }
  std::span<float> second_moments() override { return moments_ > 1 ? vector(2) : std::span<float>(); }
  std::span<std::int64_t> sums() override;
  Pieces* pieces() override { return pieces_.get(); }

 private:
  std::span<float> vector(std::size_t k);

  std::uint64_t parameters_;
  std::size_t moments_;
  std::size_t stride_;  // bytes of a vector of fp32, with what fills its last piece
  Descriptor file_;
  std::unique_ptr<Pieces> pieces_;
};

}  // namespace weft
