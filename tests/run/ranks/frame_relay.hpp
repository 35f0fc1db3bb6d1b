/// A relay that has the key of the run: it lets each process of the run in as the root would, joins the root in its
/// place, and passes on what both say, frame by frame. So tests do something at a frame by its name.
#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "host/swarmx/auth/credentials.hpp"
#include "host/swarmx/frame.hpp"
#include "sw/base/failure.hpp"

namespace weft {

/// A frame, or a message of the greeting, that has come and is about to go on.
struct Passing {
  std::string name;        ///< as in docs/swarm.md and docs/joining.md: "Greeting", "Op", "Gradient"
  std::uint64_t step = 0;  ///< from 0; of what a rank of MemoryX is told or says, that which began last
  bool up = false;         ///< to the root
  bool first = false;      ///< Begin: the first of its step
  bool last = false;       ///< Stats: now all micro-batches of the step have theirs
};

/// What becomes of a frame, and of its connection.
struct Fate {
  enum class Kind : std::uint8_t { Pass, Cut, Corrupt, Half, Hold } kind = Kind::Pass;
  std::chrono::milliseconds hold{0};  ///< Hold: neither way anything goes for so long
  std::uint32_t where = 0;            ///< Corrupt: a bit of the frame, counted round
};

class FrameRelay {
 public:
  using Wanted = std::function<bool(const Passing&)>;
  /// Between any free port and `target`. A step has `micro_batches`. Ranks of MemoryX, which the root sends to another
  /// port, come to `memory`, which must outlive this, and from there to that one (null: to that one).
  FrameRelay(const std::filesystem::path& key, std::uint16_t target, std::uint32_t micro_batches,
             FrameRelay* memory = nullptr);
  ~FrameRelay();
  FrameRelay(const FrameRelay&) = delete;
  FrameRelay& operator=(const FrameRelay&) = delete;

  std::uint16_t port() const { return acceptor_.local_endpoint().port(); }

  /// The next that is `wanted` waits while `act` says what becomes of it; a last Stats goes on before. Both are called
  /// in the relay's thread, `act` once.
  void trap(Wanted wanted, std::function<Fate()> act);
  /// Whether it has been sprung within `time`.
  bool sprung(std::chrono::milliseconds time);
  /// No trap any more.
  void disarm();
  /// Throws what the relay itself met.
  void check() const { failure_.check(); }

 private:
  struct Connection;
  using Shared = std::shared_ptr<Connection>;
  asio::awaitable<void> accept();
  asio::awaitable<void> join(Shared connection, asio::ip::tcp::socket client);
  asio::awaitable<void> forward(Shared connection, bool up);
  asio::awaitable<bool> greet(Shared connection, bool up);
  asio::awaitable<bool> frame(Shared connection, bool up);
  asio::awaitable<bool> pass(Shared connection, bool up, const Passing& passing, Bytes bytes);
  Passing look(bool memory, const Frame& frame, bool up);
  Bytes redirected(const Frame& frame);
  std::optional<Fate> spring(const Passing& passing);

  std::shared_ptr<const Credentials> credentials_;
  std::atomic<std::uint16_t> target_;
  std::uint32_t micro_batches_;
  FrameRelay* const memory_;
  asio::io_context io_{1};
  asio::ip::tcp::acceptor acceptor_;
  FirstFailure failure_;
  std::list<std::weak_ptr<Connection>> connections_;
  std::uint64_t step_ = 0;         // that goes on
  std::set<std::uint32_t> ended_;  // micro-batches of it

  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  Wanted wanted_;
  std::function<Fate()> act_;
  bool sprung_ = false;
  std::jthread thread_;  // last: it uses the others
};

}  // namespace weft
