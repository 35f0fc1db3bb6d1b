/// A flat range of memory that is larger than what it may take of DRAM: pieces of it are here, the others in a file.
///
/// Addresses stay what they are; what moves is what is behind them. Who wants to use a piece holds it (held.hpp), and
/// waits if it is away. What nobody holds goes when room is needed: first what was said to be used last
/// (docs/tiers.md).
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "host/memoryx/piece_io.hpp"
#include "host/memoryx/piece_list.hpp"

namespace weft {

class Pieces {
 public:
  struct Options {
    std::size_t piece = std::size_t{1} << 18;  ///< bytes, a power of two from 4096
    std::size_t room = 64;                     ///< pieces that are here at most
    std::string file;                          ///< what the file is called, for errors
    bool direct = true;                        ///< it is not in the page cache
  };
  /// What it is held for.
  enum class Use : std::uint8_t {
    Read,    ///< it will be again before long
    Change,  ///< the same
    Last,    ///< is changed, and not wanted again for a step
    Forget   ///< is changed, and zeros when it is let go
  };

  /// Zeros. `bytes`: a multiple of a piece. Throws Refusal, std::system_error, std::bad_alloc.
  Pieces(std::size_t bytes, Options options, std::unique_ptr<PieceIo> io);
  ~Pieces();
  Pieces(const Pieces&) = delete;
  Pieces& operator=(const Pieces&) = delete;

  std::byte* data() const { return memory_; }
  std::size_t count() const { return states_.size(); }
  std::size_t piece_bytes() const { return options_.piece; }
  std::size_t room() const { return options_.room; }
  /// Those that the bytes lie in.
  struct Range {
    std::uint32_t first = 0, count = 0;
  };
  Range of(std::span<const std::byte> bytes) const;
  /// "pieces of 256 KiB, io_uring, O_DIRECT".
  std::string about() const;

  /// Returns when all of the pieces are here; they stay until they are released. Together nobody may hold more than
  /// room() says. Throws Refusal if the file cannot be read or written, or has other bytes than were written, or if the
  /// system has no memory.
  void hold(std::span<const std::uint32_t> pieces, Use use);
  void release(std::span<const std::uint32_t> pieces, Use use) noexcept;
  /// They will be wanted soon, in this order: reads what there is room for, and returns at once.
  void ahead(std::uint32_t first, std::uint32_t count) noexcept;
  /// Nobody holds them, and their values are of no use any more: zeros.
  void forget(std::uint32_t first, std::uint32_t count) noexcept;

  /// Whether a read or a write has failed: what is away may be lost.
  bool failed() const;
  struct Moved {
    std::uint64_t read = 0, written = 0;  ///< bytes
  };
  Moved moved() const;

 private:
  /// Of what is here, not held and not being written: what goes first, and of that what need not be written.
  enum List : std::uint8_t { kLastClean, kClean, kLastDirty, kDirty, kLists };
  static constexpr std::size_t kMostUnderWay = 64;  // reads ahead, and writes behind

  enum class Where : std::uint8_t { Zero, Away, Coming, Here };
  struct State {
    Where where = Where::Zero;
    bool dirty = false;  // the file has not what is here
    bool going = false;  // is being written
    bool last = false;   // as its last use was
    std::uint32_t held = 0;
    std::uint32_t checksum = 0;  // of what was written
  };
  using Lock = std::unique_lock<std::mutex>;
  using Requests = std::vector<PieceRequest>;

  std::span<std::byte> bytes(std::uint32_t piece) const {
    return {memory_ + std::size_t{piece} * options_.piece, options_.piece};
  }
  PieceRequest request(std::uint32_t piece, bool write) const;
  void hold_all(std::span<const std::uint32_t> pieces, Use use);
  void want(Lock& lock, std::uint32_t piece, Requests& reads);
  void make_room(Lock& lock, std::uint32_t piece, Where from, Requests& reads);
  bool drop_one(std::uint32_t piece_to_come, Where from);
  bool move(std::uint32_t from, std::uint32_t to);
  void drop(std::uint32_t piece);
  int come(std::uint32_t piece, Requests& reads);
  void close(std::span<std::byte> at) const;
  void let_go(std::uint32_t piece);
  Requests to_write(std::size_t enough);
  Requests behind() noexcept;
  void submit(Requests& requests) noexcept;
  void done(const PieceRequest& request, int error) noexcept;
  void fail(std::exception_ptr failure) noexcept;
  void check() const;

  Options options_;
  bool guard_;     // who uses what is not here is stopped
  bool recycles_;  // memory moves from piece to piece
  std::byte* memory_;
  std::unique_ptr<PieceIo> io_;
  mutable std::mutex mutex_;  // of all below
  std::condition_variable changed_;
  std::vector<State> states_;  // [piece]
  PieceLists lists_;
  std::size_t here_ = 0;  // pieces that take memory
  std::size_t reading_ = 0, writing_ = 0;
  int waiting_ = 0;  // threads that wait for room, or for a piece that they do not hold
  std::exception_ptr failure_;
  Moved moved_;
};

}  // namespace weft
