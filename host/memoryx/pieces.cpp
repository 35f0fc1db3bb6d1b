#include "host/memoryx/pieces.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "host/memoryx/invariant.hpp"
#include "sw/base/crc32c.hpp"
#include "sw/base/refusal.hpp"

namespace weft {
namespace {

/// Lists: what goes first, and of that what need not be written.
enum List : std::uint8_t { kLastClean, kClean, kLastDirty, kDirty, kLists };

constexpr std::size_t kMostGuarded = 1024;  // pieces: of more it would take time, and mappings (vm.max_map_count)
constexpr std::size_t kMostUnderWay = 64;   // reads ahead, and writes behind

std::byte* reserve(std::size_t bytes, bool guard) {
  void* const at = ::mmap(nullptr, bytes, guard ? PROT_NONE : PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "memory for pieces");
  ::madvise(at, bytes, MADV_NOHUGEPAGE);  // a piece is less than a huge page
  return static_cast<std::byte*>(at);
}

std::span<const std::uint8_t> words(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
}

Refusal unusable(const std::string& file, bool write, int error) {
  if (error == PieceIo::kCutShort)
    return {file, "was cut short while the run trained", "the last checkpoint is whole: leave the file alone"};
  const std::string problem =
      (write ? "cannot be written: " : "cannot be read: ") + std::generic_category().message(error);
  const bool full = error == ENOSPC || error == EDQUOT || error == EFBIG;
  return {file, problem,
          full ? "make room, or set memoryx.flash_dir to a folder on another disk"
               : "look after the disk, or set memoryx.flash_dir to a folder on another one"};
}

}  // namespace

Pieces::Pieces(std::size_t bytes, Options options, std::unique_ptr<PieceIo> io)
    : options_(std::move(options)),
      guard_(bytes / options_.piece <= kMostGuarded),
      memory_(reserve(bytes, guard_)),
      io_(std::move(io)),
      states_(bytes / options_.piece),
      lists_(states_.size(), kLists) {
  invariant(bytes % options_.piece == 0, "pieces fill their range");
  io_->begin([this](const PieceRequest& request, int error) { done(request, error); });
}

Pieces::~Pieces() {
  io_.reset();  // waits
  ::munmap(memory_, states_.size() * options_.piece);
}

Pieces::Range Pieces::of(std::span<const std::byte> bytes) const {
  if (bytes.empty()) return {};
  const auto begin = static_cast<std::size_t>(bytes.data() - memory_);
  const std::size_t first = begin / options_.piece, last = (begin + bytes.size() - 1) / options_.piece;
  return {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last - first + 1)};
}

PieceRequest Pieces::request(std::uint32_t piece, bool write) const {
  return {write, piece, std::uint64_t{piece} * options_.piece, bytes(piece)};
}

void Pieces::check() const {
  if (failure_) std::rethrow_exception(failure_);
}

void Pieces::fail(std::exception_ptr failure) noexcept {
  if (!failure_) failure_ = std::move(failure);
  changed_.notify_all();
}

bool Pieces::failed() const {
  const Lock lock(mutex_);
  return failure_ != nullptr;
}

Pieces::Moved Pieces::moved() const {
  const Lock lock(mutex_);
  return moved_;
}

void Pieces::hold(std::span<const std::uint32_t> pieces, Use use) {
  Lock lock(mutex_);
  Requests reads;
  for (const std::uint32_t piece : pieces) want(lock, piece, reads);
  if (!reads.empty()) {
    lock.unlock();
    submit(reads);
    lock.lock();
  }
  for (const std::uint32_t piece : pieces) {
    State& state = states_[piece];
    const bool change = use != Use::Read;
    changed_.wait(lock, [&] { return failure_ || (state.where == Where::Here && !(change && state.going)); });
    check();
    if (change) state.dirty = true;
  }
}

/// It is held from now on, and comes if it is away.
void Pieces::want(Lock& lock, std::uint32_t piece, Requests& reads) {
  check();
  State& state = states_[piece];
  ++state.held;
  lists_.remove(piece);
  if (state.where == Where::Here || state.where == Where::Coming) return;
  const Where was = std::exchange(state.where, Where::Coming);  // who else wants it waits
  make_room(lock, reads);
  state.where = was;
  come(piece, reads);
}

/// Room is taken from now on.
void Pieces::make_room(Lock& lock, Requests& reads) {
  while (here_ >= options_.room && !drop_one()) {
    Requests writes = to_write(1);
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
  ++here_;
}

bool Pieces::drop_one() {
  const std::uint32_t last = lists_.first(kLastClean);
  const std::uint32_t piece = last != PieceLists::kNone ? last : lists_.first(kClean);
  if (piece == PieceLists::kNone) return false;
  drop(piece);
  states_[piece].where = Where::Away;
  return true;
}

void Pieces::drop(std::uint32_t piece) {
  lists_.remove(piece);
  const std::span<std::byte> at = bytes(piece);
  ::madvise(at.data(), at.size(), MADV_DONTNEED);
  if (guard_) ::mprotect(at.data(), at.size(), PROT_NONE);
  --here_;
}

/// Into room that was made.
void Pieces::come(std::uint32_t piece, Requests& reads) {
  State& state = states_[piece];
  if (guard_) ::mprotect(bytes(piece).data(), options_.piece, PROT_READ | PROT_WRITE);
  state.last = false;
  if (state.where == Where::Zero) {
    state.where = Where::Here;
    state.dirty = true;
    if (state.held > 1) changed_.notify_all();
    return;
  }
  reads.push_back(request(piece, false));
  state.where = Where::Coming;
  state.dirty = false;
  ++reading_;
}

void Pieces::release(std::span<const std::uint32_t> pieces, Use use) noexcept {
  Lock lock(mutex_);
  for (const std::uint32_t piece : pieces) {
    State& state = states_[piece];
    state.last = use == Use::Last;
    if (--state.held > 0 || state.where != Where::Here) continue;
    if (use == Use::Forget && !state.going) {
      drop(piece);
      state.where = Where::Zero;
    } else if (!state.going) {
      let_go(piece);
    }
  }
  Requests writes = behind();
  if (waiting_ > 0) changed_.notify_all();
  lock.unlock();
  submit(writes);
}

/// Writes behind whoever changes pieces, so that room is there when it is wanted.
Pieces::Requests Pieces::behind() noexcept {
  const std::size_t free = options_.room - std::min(here_, options_.room);
  const std::size_t ready = free + lists_.size(kLastClean) + lists_.size(kClean) + writing_, wanted = options_.room / 4;
  if (failure_ || ready >= wanted) return {};
  try {
    return to_write(wanted - ready);
  } catch (const std::bad_alloc&) {  // who wants room will ask again
    return {};
  }
}

void Pieces::let_go(std::uint32_t piece) {
  const State& state = states_[piece];
  lists_.push_back(state.dirty ? (state.last ? kLastDirty : kDirty) : (state.last ? kLastClean : kClean), piece);
}

/// The next to go, as being written from now on.
Pieces::Requests Pieces::to_write(std::size_t enough) {
  Requests writes;
  while (writes.size() < enough && writing_ < std::min(kMostUnderWay, options_.room / 4)) {
    const std::uint32_t last = lists_.first(kLastDirty);
    const std::uint32_t piece = last != PieceLists::kNone ? last : lists_.first(kDirty);
    if (piece == PieceLists::kNone) break;
    writes.reserve(enough);  // all that can fail
    writes.push_back(request(piece, true));
    lists_.remove(piece);
    states_[piece].going = true;
    ++writing_;
  }
  return writes;
}

void Pieces::ahead(std::uint32_t first, std::uint32_t count) noexcept {
  Lock lock(mutex_);
  const std::size_t most = std::min(kMostUnderWay, options_.room / 4);
  Requests requests;
  try {
    requests.reserve(most);
  } catch (const std::bad_alloc&) {
    return;
  }
  for (std::uint32_t piece = first; piece < first + count && reading_ < most && !failure_; ++piece) {
    if (states_[piece].where != Where::Away) continue;
    if (here_ >= options_.room && !drop_one()) break;
    ++here_;
    come(piece, requests);
  }
  Requests writes = behind();
  lock.unlock();
  submit(requests);
  submit(writes);
}

void Pieces::forget(std::uint32_t first, std::uint32_t count) noexcept {
  Lock lock(mutex_);
  for (std::uint32_t piece = first; piece < first + count; ++piece) {
    State& state = states_[piece];
    ++waiting_;
    changed_.wait(lock, [&] { return failure_ || (!state.going && state.where != Where::Coming); });
    --waiting_;
    if (failure_) return;
    if (state.where == Where::Here) drop(piece);
    state.where = Where::Zero;
  }
  changed_.notify_all();
}

void Pieces::submit(Requests& requests) noexcept {
  if (requests.empty()) return;
  try {
    for (const PieceRequest& request : requests)
      if (request.write) states_[request.piece].checksum = crc32c(words(request.bytes));  // is left alone meanwhile
    io_->start(requests);
  } catch (...) {
    const Lock lock(mutex_);
    fail(std::current_exception());
  }
}

void Pieces::done(const PieceRequest& request, int error) noexcept {
  const bool same = error != 0 || request.write || crc32c(words(request.bytes)) == states_[request.piece].checksum;
  const Lock lock(mutex_);
  State& state = states_[request.piece];
  try {
    if (error != 0) throw unusable(options_.file, request.write, error);
    if (!same)
      throw Refusal(options_.file, "has other bytes than were written to it",
                    "look after the disk, or set memoryx.flash_dir to a folder on another one");
  } catch (...) {
    fail(std::current_exception());
  }
  if (request.write) {
    state.going = false;
    state.dirty = error != 0;
    --writing_;
    moved_.written += request.bytes.size();
  } else {
    state.where = Where::Here;
    --reading_;
    moved_.read += request.bytes.size();
  }
  if (state.held == 0) let_go(request.piece);
  if (state.held > 0 || waiting_ > 0) changed_.notify_all();
}

}  // namespace weft
