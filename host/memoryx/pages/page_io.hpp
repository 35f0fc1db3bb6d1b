/// Asynchronous reads and writes of pages of a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace weft::memoryx {

struct PageRequest {
  bool write = false;
  std::uint32_t page = 0;  ///< page number, for the caller's use
  std::uint64_t offset = 0;
  std::span<std::byte> bytes;  ///< aligned as O_DIRECT requires; the caller must not touch them until the request ends
};

class PageIo {
 public:
  /// The `error` of a request if the file is shorter than the request needs; other values are an errno or 0.
  static constexpr int kCutShort = -1;
  /// Called at the end of each request, in a thread of the PageIo. Must not throw or call start().
  using Done = std::function<void(const PageRequest& request, int error)>;

  /// Waits for all requests that were started.
  virtual ~PageIo() = default;
  /// Called once, before the first start().
  virtual void begin(Done done) = 0;
  /// Returns at once. Thread-safe. Throws std::system_error or std::bad_alloc, in which case no request was started.
  virtual void start(std::span<const PageRequest> requests) = 0;
  /// Name of the implementation, e.g. "io_uring".
  virtual std::string name() const = 0;
};

/// Implementation on io_uring. Returns null if the system forbids io_uring, as containers do; `why` then gets the
/// reason. `file` must outlive the PageIo.
std::unique_ptr<PageIo> make_uring_io(int file, std::string* why = nullptr);
/// Implementation on threads that each wait for one request. `file` must outlive it. `name`: the value of name().
std::unique_ptr<PageIo> make_thread_io(int file, unsigned threads = 8, std::string name = "threads");

/// Reads or writes the bytes of a request from byte `done` on, and waits for the end. Returns an errno,
/// PageIo::kCutShort or 0.
int move_rest(int file, const PageRequest& request, std::size_t done = 0);

}  // namespace weft::memoryx
