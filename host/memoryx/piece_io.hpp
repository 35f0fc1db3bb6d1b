/// Reads and writes of pieces of a file, many at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace weft {

struct PieceRequest {
  bool write = false;
  std::uint32_t piece = 0;  ///< whose it is: for who asked
  std::uint64_t offset = 0;
  std::span<std::byte> bytes;  ///< aligned as O_DIRECT wants it; whoever asks leaves them alone until the end
};

class PieceIo {
 public:
  /// What the end of a request says, if not an errno or 0: the file is shorter.
  static constexpr int kCutShort = -1;
  /// Told of each request's end, in a thread of this. Must not throw; may not call start().
  using Done = std::function<void(const PieceRequest& request, int error)>;

  /// After all that was started has ended.
  virtual ~PieceIo() = default;
  /// Once, before the first start().
  virtual void begin(Done done) = 0;
  /// Returns at once. Thread-safe. Throws std::system_error, std::bad_alloc; the requests have not been started then.
  virtual void start(std::span<const PieceRequest> requests) = 0;
  /// "io_uring".
  virtual std::string name() const = 0;
};

/// By io_uring; null: the system does not permit io_uring, as containers do not, and `why` says how. `file` must
/// outlive it.
std::unique_ptr<PieceIo> make_ring_io(int file, std::string* why = nullptr);
/// By threads that each wait for one request. `file` must outlive it. `name`: what it calls itself.
std::unique_ptr<PieceIo> make_thread_io(int file, unsigned threads = 8, std::string name = "threads");

/// Reads or writes what a request has behind its first `done` bytes, and waits for it: an errno, PieceIo::kCutShort or
/// 0.
int move_rest(int file, const PieceRequest& request, std::size_t done = 0);

}  // namespace weft
