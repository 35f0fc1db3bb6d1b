/// Queue of the root's requests for ops, in a rank of MemoryX, with the number of frames that each allows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

namespace weft::swarmx {

/// The oldest request is answered first, in as many frames as were requested.
class RequestQueue {
 public:
  /// Adds a request for `count` frames of the op. Requests before `first` are forgotten.
  void add(std::uint32_t number, std::size_t op, std::uint32_t count, std::uint32_t first);
  /// Requests `count` more frames. Returns false if the request was not made yet; true also if it is answered by now.
  bool request_more(std::uint32_t number, std::uint32_t count);
  /// Forgets all requests.
  void forget();

  bool empty() const { return requests_.empty(); }
  struct Request {
    std::uint32_t number = 0;
    std::size_t op = 0;
    std::uint64_t count = 0;  // frames that may be sent
    bool forgotten = false;
  };
  /// The request that is being answered.
  const Request& front() const { return requests_.front(); }
  enum class Permission : std::uint8_t { Send, Wait, Stop };
  /// Permission to send a frame of the answer. There must be a request.
  Permission permission() const;
  /// Returns permission(); counts the frame if it may be sent.
  Permission take_permission();
  /// Removes the request that is being answered, or was to be stopped.
  void end() { requests_.pop_front(); }

 private:
  std::deque<Request> requests_;
  std::uint32_t last_ = 0;  // number of the newest request
};

}  // namespace weft::swarmx
