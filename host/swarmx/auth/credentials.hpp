/// How the processes of a run know each other: by a key that all have, or by MUNGE, which knows their user.
///
/// Whoever holds the key, or runs as our user on a machine of the cluster, is one of the run. Which one it is it says
/// itself (greeting.hpp): members of a run trust each other.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "host/swarmx/auth/channel.hpp"

namespace weft {

/// What shows that a message of the greeting comes from the other side of this very connection, where the channel alone
/// does not.
class Proof {
 public:
  virtual ~Proof() = default;
  /// Of a message that we send. Throws PeerLost if there is none at the moment.
  virtual std::vector<std::uint8_t> of(std::span<const std::uint8_t> message) = 0;
  /// Throws Refused if `proof` is not the other side's, of this message, on this connection.
  virtual void check(std::span<const std::uint8_t> message, std::span<const std::uint8_t> proof) = 0;
};

struct Secured {
  std::unique_ptr<Channel> channel;
  std::unique_ptr<Proof> proof;  ///< null: the channel is proof
};

class Credentials {
 public:
  virtual ~Credentials() = default;
  /// Makes a channel of `socket`; `peer` is the name errors use. Calls `progress` whenever the other side has said
  /// something that makes sense. Throws Refused if the other side is none of us, PeerLost if it goes away. The caller
  /// sets a deadline. One object serves any number of connections, on one thread at a time.
  virtual asio::awaitable<Secured> secure(Socket socket, JoinSide side, std::string peer,
                                          std::function<void()> progress) const = 0;
};

/// A key that all processes of a run have in a file: TLS 1.3 with this key and no certificates. Forward secret; nobody
/// on the way can read, change or replay anything. Throws Refusal as read_key_file (key_file.hpp).
std::shared_ptr<const Credentials> key_credentials(const std::filesystem::path& file);

/// The user of a cluster with MUNGE, as under Slurm: plain TCP after both sides have shown that they run as our user.
/// Who can change packets on the network between can still take a connection over, as Slurm's own. Throws Refusal where
/// there is no libmunge, or no daemon that answers. `socket`: the daemon's; empty: where it always is.
///
/// Each greeting waits for the local daemon, a millisecond or so, and the executor with it.
std::shared_ptr<const Credentials> munge_credentials(const std::string& socket = {});

}  // namespace weft
