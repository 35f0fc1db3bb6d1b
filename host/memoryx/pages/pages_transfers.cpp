/// Write-back of pages to the file, and completion of reads and writes.
#include <algorithm>
#include <cerrno>
#include <system_error>

#include "host/memoryx/pages/pages.hpp"
#include "sw/base/crc32c.hpp"
#include "sw/base/refusal.hpp"

namespace weft::memoryx {
namespace {

std::span<const std::uint8_t> words(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
}

constexpr auto kAnotherDisk = "set memoryx.flash_dir to a folder on another disk, or leave memoryx.dram_gib out";

Refusal unusable(const std::string& file, bool write, int error) {
  if (error == PageIo::kCutShort)
    return {file, "was truncated while the run trained", "the last checkpoint is whole: leave the file alone"};
  const std::string problem =
      (write ? "cannot be written: " : "cannot be read: ") + std::generic_category().message(error);
  const bool full = error == ENOSPC || error == EDQUOT || error == EFBIG;
  return Refusal(file, problem,
                 full ? "make room, set memoryx.flash_dir to a folder on another disk, or leave memoryx.dram_gib out"
                      : kAnotherDisk)
      .caused_by(error);
}

}  // namespace

/// Writes dirty pages back in advance, so that room is available when it is needed.
Pages::Requests Pages::write_behind() noexcept {
  const std::size_t free = options_.room - std::min(resident_, options_.room);
  const std::size_t ready = free + lists_.size(kLastClean) + lists_.size(kClean) + writing_, wanted = options_.room / 4;
  if (failure_ || ready >= wanted) return {};
  try {
    return choose_write_backs(wanted - ready);
  } catch (const std::bad_alloc&) {  // the thread that needs room will retry
    return {};
  }
}

/// Selects the next pages to evict, and marks them as being written.
Pages::Requests Pages::choose_write_backs(std::size_t enough) {
  Requests writes;
  while (writes.size() < enough && writing_ < std::min(kMostInFlight, options_.room / 4)) {
    const std::uint32_t last = lists_.first(kLastDirty);
    const std::uint32_t page = last != LruLists::kNone ? last : lists_.first(kDirty);
    if (page == LruLists::kNone) break;
    writes.reserve(enough);  // the only operation that can fail
    writes.push_back(request(page, true));
    lists_.remove(page);
    states_[page].writing = true;
    ++writing_;
  }
  return writes;
}

void Pages::fail(std::exception_ptr failure) noexcept {
  if (!failure_) failure_ = std::move(failure);
  changed_.notify_all();
}

void Pages::submit(Requests& requests) noexcept {
  if (requests.empty()) return;
  try {
    for (const PageRequest& request : requests)
      if (request.write) states_[request.page].checksum = crc32c(words(request.bytes));  // unchanged meanwhile
    io_->start(requests);
  } catch (...) {
    const Lock lock(mutex_);
    fail(std::current_exception());
  }
}

void Pages::complete(const PageRequest& request, int error) noexcept {
  const bool same = error != 0 || request.write || crc32c(words(request.bytes)) == states_[request.page].checksum;
  const Lock lock(mutex_);
  State& state = states_[request.page];
  try {
    if (error != 0) throw unusable(options_.file, request.write, error);
    if (!same) throw Refusal(options_.file, "has bytes other than those written", kAnotherDisk);
  } catch (...) {
    fail(std::current_exception());
  }
  if (request.write) {
    state.writing = false;
    state.dirty = error != 0;
    --writing_;
    traffic_.written += request.bytes.size();
  } else {
    state.where = Where::Resident;
    --reading_;
    traffic_.read += request.bytes.size();
  }
  if (state.pins == 0) append_to_lru(request.page);
  if (state.pins > 0 || waiting_ > 0) changed_.notify_all();
}

}  // namespace weft::memoryx
