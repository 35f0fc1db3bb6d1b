#include "host/memoryx/tier.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "host/memoryx/pages/pinned_pages.hpp"
#include "host/memoryx/pages/scratch_file.hpp"
#include "host/memoryx/shards.hpp"
#include "sw/base/refusal.hpp"

namespace weft::memoryx {
namespace {

constexpr std::size_t kSmallest = 4096, kLargest = std::size_t{1} << 18;  // bytes of a page
static_assert(kLargest <= kShard * sizeof(float), "no two shards share a page");

/// Twice the number of pages that all threads may pin at a time: the sums may pin a quarter, and another part is in
/// transit.
std::size_t pages_needed(std::size_t page, unsigned threads) {
  constexpr std::size_t kBlock = ParameterStore::kBlock;
  const std::size_t block = 3 * pages_of(kBlock * sizeof(float), page) + pages_of(kBlock * sizeof(std::int64_t), page);
  return 2 * ((threads + 2) * (block + 1) + ParameterStore::kStreamed);
}

std::size_t up(std::size_t bytes, std::size_t page) { return (bytes + page - 1) / page * page; }

std::unique_ptr<PageIo> make_io(int file) {
  std::string why;
  auto ring = make_uring_io(file, &why);
  return ring ? std::move(ring)
              : make_thread_io(file, 8, fmt::format("threads, because the system rejects io_uring ({})", why));
}

}  // namespace

TierShape tier_shape(std::uint64_t dram, unsigned threads) {
  for (std::size_t page = kLargest; page >= kSmallest; page /= 2)
    if (dram / page >= pages_needed(page, threads)) return {page, dram / page};
  constexpr double kGib = 1U << 30;
  const double smallest = static_cast<double>(pages_needed(kSmallest, threads) * kSmallest) / kGib;
  throw Refusal("memoryx.dram_gib",
                fmt::format("{} no room for the pages that {} and the stream use at a time",
                            dram < kSmallest ? fmt::format("{} bytes have", dram)
                                             : fmt::format("{:.3g} GiB have", static_cast<double>(dram) / kGib),
                            threads == 1 ? "a thread" : fmt::format("{} threads", threads)),
                fmt::format("set it to {:.6f} or more, or to 0 for no bound", smallest + 5e-7));
}

std::uint64_t tier_bytes(std::uint64_t parameters, std::size_t page, int moments) {
  return static_cast<std::uint64_t>(1 + moments) * up(parameters * sizeof(float), page) +
         up(parameters * sizeof(std::int64_t), page);
}

TierStore::TierStore(std::uint64_t parameters, const TierOptions& options)
    : parameters_(parameters), moments_(static_cast<std::size_t>(options.moments)) {
  const TierShape shape = tier_shape(options.dram, options.threads);
  const std::uint64_t bytes = tier_bytes(parameters, shape.page, options.moments);
  stride_ = up(parameters * sizeof(float), shape.page);
  ScratchFile scratch = make_scratch_file(options.folder, bytes);
  file_ = std::move(scratch.file);
  pages_ = std::make_unique<Pages>(
      bytes,
      Pages::Options{.page = shape.page, .room = shape.room, .file = std::move(scratch.name), .direct = scratch.direct},
      options.io ? options.io(file_.get()) : make_io(file_.get()));
}

TierStore::~TierStore() = default;

std::span<float> TierStore::vector(std::size_t k) {
  return {reinterpret_cast<float*>(pages_->data() + k * stride_), parameters_};
}

std::span<std::int64_t> TierStore::sums() {
  return {reinterpret_cast<std::int64_t*>(pages_->data() + (1 + moments_) * stride_), parameters_};
}

}  // namespace weft::memoryx
