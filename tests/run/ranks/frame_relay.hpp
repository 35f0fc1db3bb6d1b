/// A man-in-the-middle relay with the run's key: it accepts each process as the root would, joins the root on the
/// process's behalf, and forwards both directions frame by frame, so that tests can act at a named frame.
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
#include "host/swarmx/protocol/frame.hpp"
#include "sw/base/failure.hpp"

namespace weft::test {

namespace asio = boost::asio;

/// A frame, or a handshake message, that has arrived and is about to be forwarded.
struct Passing {
  std::string name;        ///< as in docs/reference/swarm_protocol.md, or "Hello": "Op", "Gradient"
  std::uint64_t step = 0;  ///< from 0; for ranks of MemoryX, the step that began last
  bool up = false;         ///< to the root
  bool first = false;      ///< Begin: the first one of its step
  bool last = false;       ///< Stats: the last one of its step, counting micro-batches
};

/// Treatment of a frame and its connection.
struct Fate {
  enum class Kind : std::uint8_t { Pass, Cut, Corrupt, Half, Hold } kind = Kind::Pass;
  std::chrono::milliseconds hold{0};  ///< Hold: pause of both directions
  std::uint32_t where = 0;            ///< Corrupt: the bit to flip, modulo the frame's size
};

class FrameRelay {
 public:
  using Wanted = std::function<bool(const Passing&)>;
  /// Relays between a free port and `target`. `micro_batches`: per step. Ranks of MemoryX, which the root redirects to
  /// another port, reach that port through `memory`, which must outlive this relay, or directly if `memory` is null.
  FrameRelay(const std::filesystem::path& key, std::uint16_t target, std::uint32_t micro_batches,
             FrameRelay* memory = nullptr);
  ~FrameRelay();
  FrameRelay(const FrameRelay&) = delete;
  FrameRelay& operator=(const FrameRelay&) = delete;

  std::uint16_t port() const { return acceptor_.local_endpoint().port(); }

  /// Traps the next frame that is `wanted`: it waits until `act` has decided its fate, except that a last Stats is
  /// forwarded first. Both functions are called in the relay's thread, `act` once.
  void trap(Wanted wanted, std::function<Fate()> act);
  /// Waits for at most `time`; returns true if the trap was sprung.
  bool sprung(std::chrono::milliseconds time);
  /// Removes the trap.
  void disarm();
  /// Throws the relay's own error, if any.
  void check() const { failure_.check(); }

 private:
  struct Connection;
  using Shared = std::shared_ptr<Connection>;
  asio::awaitable<void> accept();
  asio::awaitable<void> join(Shared connection, asio::ip::tcp::socket client);
  asio::awaitable<void> forward(Shared connection, bool up);
  asio::awaitable<bool> relay_handshake(Shared connection, bool up);
  asio::awaitable<bool> frame(Shared connection, bool up);
  asio::awaitable<bool> pass(Shared connection, bool up, const Passing& passing, swarmx::Bytes bytes);
  Passing interpret(bool memory, const swarmx::Frame& frame, bool up);
  swarmx::Bytes redirected(const swarmx::Frame& frame);
  std::optional<Fate> spring(const Passing& passing);

  std::shared_ptr<const swarmx::Credentials> credentials_;
  std::atomic<std::uint16_t> target_;
  std::uint32_t micro_batches_;
  FrameRelay* const memory_;
  asio::io_context io_{1};
  asio::ip::tcp::acceptor acceptor_;
  FirstFailure failure_;
  std::list<std::weak_ptr<Connection>> connections_;
  std::uint64_t step_ = 0;         // the current step
  std::set<std::uint32_t> ended_;  // its completed micro-batches

  std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  Wanted wanted_;
  std::function<Fate()> act_;
  bool sprung_ = false;
  std::jthread thread_;  // declared last, because the thread uses the other members
};

}  // namespace weft::test
