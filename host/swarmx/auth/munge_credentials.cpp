#include <fmt/format.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <new>
#include <utility>

#include "host/swarmx/auth/auth_error.hpp"
#include "host/swarmx/auth/credentials.hpp"
#include "host/swarmx/auth/handshake.hpp"
#include "host/swarmx/auth/munge.hpp"
#include "sw/base/refusal.hpp"

namespace weft::swarmx {
namespace {

constexpr std::size_t kNonce = 32;  // bytes
constexpr std::array<std::uint8_t, 8> kMagic{'W', 'E', 'F', 'T', 'M', 'N', 'G', '1'};
using MungeHello = std::array<std::uint8_t, kMagic.size() + kNonce>;

constexpr const char* kHint =
    ". HINT: start all processes of a run as the same user, on machines with the same MUNGE key and time.";

/// Proof by a credential of our user over `side`, the two nonces of the connection and the hash of the message. The
/// credential binds both nonces, so it cannot be replayed on another connection.
class MungeProof final : public Proof {
 public:
  MungeProof(std::shared_ptr<const Munge> munge, JoinSide side, const MungeHello& ours, const MungeHello& theirs,
             std::string peer)
      : munge_(std::move(munge)), side_(side), peer_(std::move(peer)) {
    const auto end = std::ranges::copy(side == JoinSide::Connects ? ours : theirs, nonces_.begin()).out;
    std::ranges::copy(side == JoinSide::Connects ? theirs : ours, end);
  }

  std::vector<std::uint8_t> of(std::span<const std::uint8_t> message) override {
    try {
      const std::string credential = munge_->encode(payload(side_, message));
      return {credential.begin(), credential.end()};
    } catch (const Refusal& why) {  // our daemon is gone, perhaps temporarily
      throw PeerLost(peer_ + " cannot be sent a hello: " + why.what());
    }
  }

  void check(std::span<const std::uint8_t> message, std::span<const std::uint8_t> proof) override {
    const auto decoded = munge_->decode({reinterpret_cast<const char*>(proof.data()), proof.size()});
    const JoinSide other = side_ == JoinSide::Connects ? JoinSide::Listens : JoinSide::Connects;
    if (decoded.ours) {  // as above
      throw PeerLost(peer_ + " cannot be authenticated by its credential: " + decoded.problem +
                     ". HINT: check munged on this machine.");
    }
    if (!decoded.problem.empty()) throw AuthError(peer_ + " has no valid credential: " + decoded.problem + kHint);
    if (decoded.user != ::geteuid()) {
      throw AuthError(
          fmt::format("{} runs as user {}, but this process as {}{}", peer_, decoded.user, ::geteuid(), kHint));
    }
    if (!std::ranges::equal(decoded.payload, payload(other, message)))
      throw AuthError(peer_ + " repeats the credential of another connection or message" + kHint);
  }

 private:
  using Payload = std::array<std::uint8_t, 1 + 2 * sizeof(MungeHello) + SHA256_DIGEST_LENGTH>;
  Payload payload(JoinSide side, std::span<const std::uint8_t> message) const {
    Payload all{static_cast<std::uint8_t>(side)};
    const auto end = std::ranges::copy(nonces_, all.begin() + 1).out;
    SHA256(message.data(), message.size(), end);
    return all;
  }

  std::shared_ptr<const Munge> munge_;
  JoinSide side_;
  std::string peer_;
  std::array<std::uint8_t, 2 * sizeof(MungeHello)> nonces_{};  // nonces: connecting side, then listening side
};

class MungeCredentials final : public Credentials {
 public:
  explicit MungeCredentials(const std::string& socket) : munge_(std::make_shared<const Munge>(socket)) {}
  asio::awaitable<Secured> secure(Socket socket, JoinSide side, std::string peer,
                                  std::function<void()> progress) const override {
    MungeHello ours{}, theirs{};
    std::ranges::copy(kMagic, ours.begin());
    if (RAND_bytes(ours.data() + kMagic.size(), kNonce) != 1) throw std::bad_alloc();
    Secured secured{plain_channel(std::move(socket)), nullptr};
    const asio::const_buffer buffer = asio::buffer(ours);
    if (const auto error = co_await secured.channel->write({&buffer, 1})) lost_in_handshake(peer, error);
    if (const auto read = co_await secured.channel->read(theirs, theirs.size()); read.error)
      lost_in_handshake(peer, read.error);
    if (!std::equal(kMagic.begin(), kMagic.end(), theirs.begin()))
      throw AuthError(peer + " does not authenticate by MUNGE. HINT: use MUNGE in all processes of a run, or none.");
    if (progress) progress();
    secured.proof = std::make_unique<MungeProof>(munge_, side, ours, theirs, std::move(peer));
    co_return secured;
  }

 private:
  std::shared_ptr<const Munge> munge_;
};

}  // namespace

std::shared_ptr<const Credentials> munge_credentials(const std::string& socket) {
  return std::make_shared<const MungeCredentials>(socket);
}

}  // namespace weft::swarmx
