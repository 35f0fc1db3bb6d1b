/// The kernel's io_uring: a ring of requests and one of their results, in memory shared with it (io_uring(7)).
#pragma once

#include <linux/io_uring.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "sw/base/descriptor.hpp"

namespace weft {

class Ring {
 public:
  /// For so many requests a call. Throws std::system_error if the kernel or its policy has none.
  explicit Ring(unsigned entries);
  ~Ring();
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;

  struct Entry {
    std::uint8_t opcode = IORING_OP_NOP;
    int file = -1;
    std::uint64_t offset = 0;
    std::span<std::byte> bytes;
    std::uint64_t tag = 0;  ///< comes back with the result
  };
  /// Hands the entries to the kernel. One thread at a time, beside wait(). Throws std::system_error.
  void submit(std::span<const Entry> entries);
  /// Waits for a result at least, and calls `each` with those that are there: bytes moved, or -errno. One thread at a
  /// time. Throws std::system_error.
  void wait(const std::function<void(std::uint64_t tag, std::int32_t result)>& each);

 private:
  /// Memory shared with the kernel.
  class Map {
   public:
    Map(int ring, std::size_t bytes, std::uint64_t what);
    ~Map();
    Map(const Map&) = delete;
    Map& operator=(const Map&) = delete;
    std::byte* at(std::size_t offset) const { return at_ + offset; }
    std::uint32_t& word(std::size_t offset) const { return *reinterpret_cast<std::uint32_t*>(at_ + offset); }

   private:
    std::byte* at_;
    std::size_t bytes_;
  };

  io_uring_params params_{};
  Descriptor ring_;
  Map requests_, entries_, results_;
};

}  // namespace weft
