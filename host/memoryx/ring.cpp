#include "host/memoryx/ring.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <system_error>

namespace weft {
namespace {

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

int set_up(unsigned entries, io_uring_params& params) {
  const long ring = ::syscall(SYS_io_uring_setup, entries, &params);
  if (ring < 0) fail("io_uring_setup");
  return static_cast<int>(ring);
}

long enter(int ring, unsigned submit, unsigned wait, unsigned flags) {
  for (;;) {
    const long count = ::syscall(SYS_io_uring_enter, ring, submit, wait, flags, nullptr, 0);
    if (count >= 0) return count;
    if (errno != EINTR && errno != EAGAIN && errno != EBUSY) fail("io_uring_enter");
  }
}

}  // namespace

Ring::Map::Map(int ring, std::size_t bytes, std::uint64_t what) : bytes_(bytes) {
  void* const at =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring, static_cast<off_t>(what));
  if (at == MAP_FAILED) fail("io_uring: mmap");
  at_ = static_cast<std::byte*>(at);
}

Ring::Map::~Map() { ::munmap(at_, bytes_); }

Ring::Ring(unsigned entries)
    : ring_(set_up(entries, params_)),
      requests_(ring_.get(), params_.sq_off.array + params_.sq_entries * sizeof(std::uint32_t), IORING_OFF_SQ_RING),
      entries_(ring_.get(), params_.sq_entries * sizeof(io_uring_sqe), IORING_OFF_SQES),
      results_(ring_.get(), params_.cq_off.cqes + params_.cq_entries * sizeof(io_uring_cqe), IORING_OFF_CQ_RING) {}

Ring::~Ring() = default;

void Ring::submit(std::span<const Entry> entries) {
  const std::uint32_t mask = requests_.word(params_.sq_off.ring_mask);
  const std::atomic_ref<std::uint32_t> tail(requests_.word(params_.sq_off.tail));
  while (!entries.empty()) {
    const std::size_t count = std::min<std::size_t>(entries.size(), params_.sq_entries);
    std::uint32_t at = tail.load(std::memory_order_relaxed);
    for (const Entry& entry : entries.first(count)) {
      auto& to = reinterpret_cast<io_uring_sqe*>(entries_.at(0))[at & mask];
      to = {};
      to.opcode = entry.opcode;
      to.fd = entry.file;
      to.off = entry.offset;
      to.addr = reinterpret_cast<std::uint64_t>(entry.bytes.data());
      to.len = static_cast<std::uint32_t>(entry.bytes.size());
      to.user_data = entry.tag;
      reinterpret_cast<std::uint32_t*>(requests_.at(params_.sq_off.array))[at & mask] = at & mask;
      ++at;
    }
    tail.store(at, std::memory_order_release);
    for (std::size_t left = count; left > 0;)
      left -= static_cast<std::size_t>(enter(ring_.get(), static_cast<unsigned>(left), 0, 0));
    entries = entries.subspan(count);
  }
}

void Ring::wait(const std::function<void(std::uint64_t, std::int32_t)>& each) {
  const std::atomic_ref<std::uint32_t> head(results_.word(params_.cq_off.head));
  const std::atomic_ref<std::uint32_t> tail(results_.word(params_.cq_off.tail));
  const std::uint32_t mask = results_.word(params_.cq_off.ring_mask);
  std::uint32_t at = head.load(std::memory_order_relaxed);
  if (at == tail.load(std::memory_order_acquire)) enter(ring_.get(), 0, 1, IORING_ENTER_GETEVENTS);
  for (const std::uint32_t end = tail.load(std::memory_order_acquire); at != end;) {
    const io_uring_cqe result = reinterpret_cast<const io_uring_cqe*>(results_.at(params_.cq_off.cqes))[at & mask];
    head.store(++at, std::memory_order_release);
    each(result.user_data, result.res);
  }
}

}  // namespace weft
