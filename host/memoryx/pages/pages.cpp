#include "host/memoryx/pages/pages.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "sw/base/invariant.hpp"
#include "sw/base/refusal.hpp"

namespace weft::memoryx {
namespace {

constexpr std::size_t kMostMoved = 16384;   // pages; each may become a mapping, whose number is limited
constexpr std::size_t kMostGuarded = 1024;  // pages; more would cost time and mappings (vm.max_map_count)

Refusal no_memory(int error) {
  return {"memoryx.dram_gib", "the system gives no more memory for pages: " + std::generic_category().message(error),
          "set it to less, or raise the limits of this process (ulimit -v, ulimit -d, vm.max_map_count)"};
}

std::byte* reserve(std::size_t bytes, bool guard) {
  void* const at = ::mmap(nullptr, bytes, guard ? PROT_NONE : PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) throw no_memory(errno);
  // A page is smaller than a huge page. A kernel without huge pages returns EINVAL.
  [[maybe_unused]] const int no_huge_pages = ::madvise(at, bytes, MADV_NOHUGEPAGE);
  return static_cast<std::byte*>(at);
}

}  // namespace

Pages::Pages(std::size_t bytes, Options options, std::unique_ptr<PageIo> io)
    : options_(std::move(options)),
      guard_(bytes / options_.page <= kMostGuarded),
      recycles_(bytes / options_.page <= kMostMoved),
      memory_(reserve(bytes, guard_)),
      io_(std::move(io)),
      states_(bytes / options_.page),
      lists_(states_.size(), kLists) {
  invariant(bytes % options_.page == 0, "pages fill their range");
  io_->begin([this](const PageRequest& request, int error) { complete(request, error); });
}

Pages::~Pages() {
  io_.reset();  // waits for all requests
  ::munmap(memory_, states_.size() * options_.page);
}

std::string Pages::description() const {
  return "pages of " + std::to_string(options_.page >> 10) + " KiB, " + io_->name() +
         (options_.direct ? ", O_DIRECT" : ", through the page cache, as its file system has no O_DIRECT");
}

Pages::Range Pages::range_of(std::span<const std::byte> bytes) const {
  if (bytes.empty()) return {};
  const auto begin = static_cast<std::size_t>(bytes.data() - memory_);
  const std::size_t first = begin / options_.page, last = (begin + bytes.size() - 1) / options_.page;
  return {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last - first + 1)};
}

PageRequest Pages::request(std::uint32_t page, bool write) const {
  return {write, page, std::uint64_t{page} * options_.page, bytes(page)};
}

void Pages::check() const {
  if (failure_) std::rethrow_exception(failure_);
}

bool Pages::failed() const {
  const Lock lock(mutex_);
  return failure_ != nullptr;
}

Pages::Traffic Pages::traffic() const {
  const Lock lock(mutex_);
  return traffic_;
}

void Pages::pin(std::span<const std::uint32_t> pages, Use use) {
  try {
    pin_all(pages, use);
  } catch (...) {  // some pages may never arrive: threads that wait for them must find the failure
    const Lock lock(mutex_);
    fail(std::current_exception());
    throw;
  }
}

void Pages::pin_all(std::span<const std::uint32_t> pages, Use use) {
  Lock lock(mutex_);
  Requests reads;
  for (const std::uint32_t page : pages) pin_page(lock, page, reads);
  if (!reads.empty()) {
    lock.unlock();
    submit(reads);
    lock.lock();
  }
  for (const std::uint32_t page : pages) {
    State& state = states_[page];
    const bool change = use != Use::Read;
    changed_.wait(lock, [&] { return failure_ || (state.where == Where::Resident && !(change && state.writing)); });
    check();
    if (change) state.dirty = true;
  }
}

/// Pins the page, and requests a read if it is not resident.
void Pages::pin_page(Lock& lock, std::uint32_t page, Requests& reads) {
  check();
  State& state = states_[page];
  ++state.pins;
  lists_.remove(page);
  if (state.where == Where::Resident || state.where == Where::Reading) return;
  const Where was = std::exchange(state.where, Where::Reading);  // other threads that need the page wait
  make_room(lock, page, was, reads);
  state.where = was;
  if (const int error = bring_in(page, reads); error != 0) throw no_memory(error);
}

/// Reserves room for one page.
void Pages::make_room(Lock& lock, std::uint32_t page, Where from, Requests& reads) {
  while (resident_ >= options_.room && !evict_one(page, from)) {
    Requests writes = choose_write_backs(1);
    std::ranges::move(reads, std::back_inserter(writes));
    reads.clear();
    if (writes.empty()) {
      ++waiting_;
      changed_.wait(lock);
      --waiting_;
    } else {
      lock.unlock();
      submit(writes);
      lock.lock();
    }
    check();
  }
  ++resident_;
}

/// Evicts a page to make room for `new_page`, which is brought in from `from`.
bool Pages::evict_one(std::uint32_t new_page, Where from) {
  const std::uint32_t last = lists_.first(kLastClean);
  const std::uint32_t page = last != LruLists::kNone ? last : lists_.first(kClean);
  if (page == LruLists::kNone) return false;
  if (from == Where::OnDisk && recycles_ && move_memory(page, new_page)) {
    lists_.remove(page);
    --resident_;
  } else {
    release_memory(page);
  }
  states_[page].where = Where::OnDisk;
  return true;
}

/// Moves one page's memory to another page, which will be overwritten: the kernel need not zero it first.
bool Pages::move_memory(std::uint32_t from, std::uint32_t to) {
  const std::size_t size = options_.page;
  recycles_ = ::mremap(bytes(from).data(), size, size, MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP,
                       bytes(to).data()) != MAP_FAILED;
  if (recycles_) protect(bytes(from));
  return recycles_;
}

/// Zeros the page and returns its memory to the system, which does not take locked memory (mlockall).
void Pages::release_memory(std::uint32_t page) {
  lists_.remove(page);
  const std::span<std::byte> at = bytes(page);
  if (::madvise(at.data(), at.size(), MADV_DONTNEED) != 0) std::ranges::fill(at, std::byte{0});
  protect(at);
  --resident_;
}

/// Makes accesses to a page that is not resident end the program. A failure is ignored: only the check is lost, and no
/// value is wrong.
void Pages::protect(std::span<std::byte> at) const {
  if (!guard_) return;
  [[maybe_unused]] const int left_open = ::mprotect(at.data(), at.size(), PROT_NONE);
}

/// Brings the page into room that was reserved. Returns an errno if there is no memory for the page, whose state is
/// then unchanged.
int Pages::bring_in(std::uint32_t page, Requests& reads) {
  State& state = states_[page];
  if (guard_ && ::mprotect(bytes(page).data(), options_.page, PROT_READ | PROT_WRITE) != 0) return errno;
  state.last = false;
  if (state.where == Where::Zero) {
    state.where = Where::Resident;
    state.dirty = true;
    if (state.pins > 1) changed_.notify_all();
    return 0;
  }
  reads.push_back(request(page, false));
  state.where = Where::Reading;
  state.dirty = false;
  ++reading_;
  return 0;
}

void Pages::unpin(std::span<const std::uint32_t> pages, Use use) noexcept {
  Lock lock(mutex_);
  for (const std::uint32_t page : pages) {
    State& state = states_[page];
    state.last = use == Use::Last;
    if (--state.pins > 0 || state.where != Where::Resident) continue;
    if (use == Use::Forget && !state.writing) {
      release_memory(page);
      state.where = Where::Zero;
    } else if (!state.writing) {
      append_to_lru(page);
    }
  }
  Requests writes = write_behind();
  if (waiting_ > 0) changed_.notify_all();
  lock.unlock();
  submit(writes);
}

void Pages::append_to_lru(std::uint32_t page) {
  const State& state = states_[page];
  lists_.push_back(state.dirty ? (state.last ? kLastDirty : kDirty) : (state.last ? kLastClean : kClean), page);
}

void Pages::prefetch(std::uint32_t first, std::uint32_t count) noexcept {
  Lock lock(mutex_);
  const std::size_t most = std::min(kMostInFlight, options_.room / 4);
  Requests requests;
  try {
    requests.reserve(most);
  } catch (const std::bad_alloc&) {
    return;
  }
  for (std::uint32_t page = first; page < first + count && reading_ < most && !failure_; ++page) {
    if (states_[page].where != Where::OnDisk) continue;
    if (resident_ >= options_.room && !evict_one(page, Where::OnDisk)) break;
    if (bring_in(page, requests) != 0) break;  // the thread that needs the page reports the error
    ++resident_;
  }
  Requests writes = write_behind();
  lock.unlock();
  submit(requests);
  submit(writes);
}

void Pages::forget(std::uint32_t first, std::uint32_t count) noexcept {
  Lock lock(mutex_);
  for (std::uint32_t page = first; page < first + count; ++page) {
    State& state = states_[page];
    ++waiting_;
    changed_.wait(lock, [&] { return failure_ || (!state.writing && state.where != Where::Reading); });
    --waiting_;
    if (failure_) return;
    if (state.where == Where::Resident) release_memory(page);
    state.where = Where::Zero;
  }
  changed_.notify_all();
}

}  // namespace weft::memoryx
