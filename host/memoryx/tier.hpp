/// The flash tier: a bounded part of parameters, moments and sums is in DRAM, the rest in a file
/// (docs/explanation/tiers.md).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "host/memoryx/pages/pages.hpp"
#include "host/memoryx/store.hpp"
#include "sw/base/descriptor.hpp"

namespace weft::memoryx {

struct TierOptions {
  std::uint64_t dram = 0;  ///< maximum bytes of resident pages
  std::string folder;      ///< folder of the file
  unsigned threads = 1;    ///< optimizer threads, each of which pins its own pages
  int moments = 2;         ///< number of moment vectors
  /// Creates the reader and writer of the file; empty: io_uring, or threads if the system forbids io_uring.
  std::function<std::unique_ptr<PageIo>(int file)> io = {};
};

/// Size and number of pages.
struct TierShape {
  std::size_t page = 0;  ///< bytes per page
  std::size_t room = 0;  ///< number of resident pages
};
/// Chooses the largest page size, up to 256 KiB, at which the bound holds enough pages. Throws Refusal for
/// memoryx.dram_gib, naming the smallest bound that works, if even the smallest pages are too large.
TierShape tier_shape(std::uint64_t dram, unsigned threads);

/// Size of the file in bytes.
std::uint64_t tier_bytes(std::uint64_t parameters, std::size_t page, int moments = 2);

class TierStore final : public ParameterStore {
 public:
  /// Throws Refusal.
  TierStore(std::uint64_t parameters, const TierOptions& options);
  ~TierStore() override;

  std::span<float> weights() override { return vector(0); }
  std::span<float> first_moments() override { return moments_ > 0 ? vector(1) : std::span<float>(); }
  std::span<float> second_moments() override { return moments_ > 1 ? vector(2) : std::span<float>(); }
  std::span<std::int64_t> sums() override;
  Pages* pages() override { return pages_.get(); }

 private:
  std::span<float> vector(std::size_t k);

  std::uint64_t parameters_;
  std::size_t moments_;
  std::size_t stride_;  // bytes of a vector of fp32, with the padding of its last page
  Descriptor file_;
  std::unique_ptr<Pages> pages_;
};

}  // namespace weft::memoryx
