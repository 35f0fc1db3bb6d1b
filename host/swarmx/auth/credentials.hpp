/// Authentication of a run's processes: by a key that all have, or by MUNGE, which attests their user.
///
/// A process that has the key, or runs as our user on a machine of the cluster, belongs to the run. It states its role
/// and name itself (hello.hpp): members of a run trust each other.
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

namespace weft::swarmx {

/// Proof that a message of the handshake comes from the other side of this very connection, where the channel alone
/// proves nothing.
class Proof {
 public:
  virtual ~Proof() = default;
  /// Returns the proof of a message that we send. Throws PeerLost if none can be made at the moment.
  virtual std::vector<std::uint8_t> of(std::span<const std::uint8_t> message) = 0;
  /// Throws AuthError if `proof` is not the other side's, of this message, on this connection; PeerLost if it cannot be
  /// checked at the moment.
  virtual void check(std::span<const std::uint8_t> message, std::span<const std::uint8_t> proof) = 0;
};

struct Secured {
  std::unique_ptr<Channel> channel;
  std::unique_ptr<Proof> proof;  ///< null: the channel itself is proof
};

class Credentials {
 public:
  virtual ~Credentials() = default;
  /// Makes a channel of `socket`; `peer` is the name used in errors. Calls `progress` whenever the other side has sent
  /// something meaningful. Throws AuthError if the other side cannot be authenticated, PeerLost if it goes away. The
  /// caller sets a deadline. One object serves any number of connections, on one thread at a time.
  virtual asio::awaitable<Secured> secure(Socket socket, JoinSide side, std::string peer,
                                          std::function<void()> progress) const = 0;
};

/// Credentials by a key that all processes of a run have in a file: TLS 1.3 with this key and no certificates. Forward
/// secret; an attacker on the network can read, change or replay nothing. Throws Refusal as read_key_file
/// (key_file.hpp).
std::shared_ptr<const Credentials> key_credentials(const std::filesystem::path& file);

/// Credentials by the user of a cluster with MUNGE, as under Slurm: plain TCP after both sides have proven that they
/// run as our user. An attacker who can change packets on the network can still take a connection over, as with Slurm's
/// own connections. Throws Refusal if there is no libmunge, or no daemon answers. `socket`: the daemon's; empty: the
/// default.
///
/// Each handshake blocks the executor until the local daemon answers, a millisecond or so.
std::shared_ptr<const Credentials> munge_credentials(const std::string& socket = {});

}  // namespace weft::swarmx
