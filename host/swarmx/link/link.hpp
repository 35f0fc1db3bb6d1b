/// One connection of the tree, on the parent's side or of a node: frames over a channel, in coroutines.
///
/// The leaf's side is in wire.hpp. Inside a process the channel is one of a pair of sockets that no other process can
/// reach, and payloads are passed by pointer (local_payloads.hpp).
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "host/swarmx/auth/channel.hpp"
#include "host/swarmx/base/error.hpp"
#include "host/swarmx/base/lazy_deadline.hpp"
#include "host/swarmx/link/local_payloads.hpp"
#include "host/swarmx/protocol/frame.hpp"
#include "host/swarmx/protocol/status.hpp"

namespace weft::swarmx {

class Link {
 public:
  /// `peer` is the name used in errors. `silence`: how long the peer may send nothing; 0 within a process, where
  /// silence means nothing. It may accept nothing for kPatience times as long, since it may be computing.
  Link(std::unique_ptr<Channel> channel, std::string peer, std::chrono::milliseconds silence = {},
       PayloadQueues payloads = {});

  /// One reader and one writer at a time. Both throw PeerLost; read also CorruptFrame. With a limit of silence,
  /// heartbeats (Alive) are received and not returned.
  asio::awaitable<Frame> read();
  asio::awaitable<void> write(std::span<const Frame> frames);  ///< together, one after the other
  asio::awaitable<void> write(const Frame& frame) { return write({&frame, 1}); }

  /// Waits, and sends heartbeats, as long as `waits` returns true: it is called every kPollInterval. Returns false if
  /// the peer is gone. For a peer that has joined and is not read or written yet.
  asio::awaitable<bool> wait_while(std::function<bool()> waits);
  static constexpr std::chrono::milliseconds kPollInterval{20};

  const std::string& peer() const { return peer_; }
  /// Traffic of the connection; outlives it.
  std::shared_ptr<const Traffic> traffic() const { return traffic_; }
  bool remote() const { return silence_ != silence_.zero(); }
  /// Interval of heartbeats (Alive); 0: none.
  std::chrono::milliseconds heartbeat_interval() const { return silence_ / 6; }
  /// Cancels the timer of reads, or of writes: none follow.
  void done_reading() const;
  void done_writing() const;
  /// Closes the connection; readers and writers get PeerLost.
  void close() noexcept;
  /// Closes the connection; readers and writers get PeerLost with the text `why`.
  void close(const std::string& why);

  static constexpr int kPatience = 10;

 private:
  /// State that may outlive a Link that is moved or waited for.
  struct Connection {
    std::unique_ptr<Channel> channel;
    std::string why = {};                                             ///< it was closed for this reason
    std::shared_ptr<LazyDeadline> reads = nullptr, writes = nullptr;  ///< between processes

    void close() noexcept;
    void close(const std::string& reason);
  };
  asio::awaitable<Frame> next();
  [[noreturn]] void fail(const boost::system::error_code& error) const;
  asio::awaitable<boost::system::error_code> fill(std::span<std::uint8_t> bytes);

  std::shared_ptr<Connection> connection_;
  Bytes read_ahead_;  ///< read ahead: [begin_, end_) are bytes of the next frames
  std::size_t begin_ = 0, end_ = 0;
  bool large_ = false;  ///< the last payload was large: read-ahead would cost a copy
  std::string peer_;
  std::chrono::milliseconds silence_;
  PayloadQueues payloads_;
  std::shared_ptr<Traffic> traffic_ = std::make_shared<Traffic>();
};

/// "1.5 s"
std::string seconds(std::chrono::milliseconds time);
/// Throws PeerLost: the peer closed its connection, or `error` happened.
[[noreturn]] void lost(const std::string& peer, const boost::system::error_code& error);

}  // namespace weft::swarmx
