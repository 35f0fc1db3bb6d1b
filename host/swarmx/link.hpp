/// One connection of the tree as its parent's side, or a node, has it: frames over a channel, in coroutines.
///
/// A leaf's side is wire.hpp. Inside a process the channel is one of a pair of sockets that nobody else can reach,
/// and payloads go beside it (handover.hpp).
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <memory>
#include <span>
#include <string>

#include "host/swarmx/auth/channel.hpp"
#include "host/swarmx/error.hpp"
#include "host/swarmx/frame.hpp"
#include "host/swarmx/handover.hpp"
#include "host/swarmx/put_off.hpp"
#include "host/swarmx/status.hpp"

namespace weft {

class Link {
 public:
  /// `peer` is the name errors use. `silence`: how long it may say nothing; 0 within a process, where that is no sign.
  /// It may take nothing for kPatience times that: it computes.
  Link(std::unique_ptr<Channel> channel, std::string peer, std::chrono::milliseconds silence = {}, Hands hands = {});

  /// One reader and one writer at a time. Both throw PeerLost; read also CorruptFrame. With a limit of silence, Alive
  /// is heard and not returned.
  asio::awaitable<Frame> read();
  asio::awaitable<void> write(std::span<const Frame> frames);  ///< together, one behind the other
  asio::awaitable<void> write(const Frame& frame) { return write({&frame, 1}); }

  const std::string& peer() const { return peer_; }
  /// What went over it, while it lives and afterwards.
  std::shared_ptr<const Traffic> traffic() const { return traffic_; }
  bool remote() const { return silence_ != silence_.zero(); }
  /// How often to say Alive; 0: never.
  std::chrono::milliseconds pulse() const { return silence_ / 6; }
  /// Nobody reads any more, or writes: no timer is left of it.
  void done_reading() const;
  void done_writing() const;
  /// Who reads or writes gets PeerLost.
  void close() noexcept;
  /// The same, and the reader says why.
  void close(const std::string& why);

  static constexpr int kPatience = 10;

 private:
  /// What may outlive a Link that is moved, or waited for.
  struct Connection {
    std::unique_ptr<Channel> channel;
    std::string why = {};                                       ///< it was closed
    std::shared_ptr<PutOff> reads = nullptr, writes = nullptr;  ///< between processes

    void close() noexcept;
    void close(const std::string& reason);
  };
  asio::awaitable<Frame> next();
  [[noreturn]] void fail(const boost::system::error_code& error) const;
  asio::awaitable<boost::system::error_code> fill(std::span<std::uint8_t> bytes);

  std::shared_ptr<Connection> connection_;
  Bytes early_;  ///< of the frames to come: [begin_, end_) arrived with those before
  std::size_t begin_ = 0, end_ = 0;
  bool large_ = false;  ///< the last payload: what is read early would be copied
  std::string peer_;
  std::chrono::milliseconds silence_;
  Hands hands_;
  std::shared_ptr<Traffic> traffic_ = std::make_shared<Traffic>();
};

/// "1.5 s"
std::string seconds(std::chrono::milliseconds time);
/// Throws PeerLost: it closed its connection, or what `error` says.
[[noreturn]] void lost(const std::string& peer, const boost::system::error_code& error);

}  // namespace weft
