#include "host/swarmx/auth/tls_channel.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "host/swarmx/auth/auth_error.hpp"
#include "host/swarmx/auth/credentials.hpp"
#include "host/swarmx/auth/handshake.hpp"
#include "host/swarmx/auth/key_file.hpp"

namespace weft::swarmx {
namespace {

constexpr std::size_t kFirst = 4096;    // bytes read at a time from a peer that may be unauthenticated
constexpr std::size_t kRoom = 262144;   // bytes read at a time: a sealed frame of 128 KiB, and what follows it
constexpr std::size_t kSlice = 262144;  // bytes sealed before they are sent: the peer opens them while we seal the next

/// Error category of bytes that were changed in transit.
class Broken final : public boost::system::error_category {
 public:
  const char* name() const noexcept override { return "weft.tls"; }
  std::string message(int) const override { return "its data was changed in transit"; }
};
boost::system::error_code broken() {
  static const Broken category;
  return {1, category};
}

class TlsChannel final : public Channel {
 public:
  TlsChannel(std::shared_ptr<const TlsContext> context, Socket socket, JoinSide side, std::uint64_t per_key)
      : context_(std::move(context)), socket_(std::move(socket)), tls_(*context_, side, per_key) {
    prepare(socket_);
  }

  asio::awaitable<void> shake_hands(const std::string& peer, const std::function<void()>& progress) {
    for (;;) {
      const Tls::Step step = tls_.handshake();
      const bool answers = tls_.outgoing() > 0;  // a listener answers only a peer that seems to have the key
      if (const auto error = co_await flush(); error && step != Tls::Step::Failed) lost_in_handshake(peer, error);
      if (step == Tls::Step::Failed) {
        const std::string problem = tls_.problem();
        throw AuthError(peer + " is not authenticated: " + problem +
                        (problem == kNoTls ? ". HINT: give all processes of a run the same key file; if they have it, "
                                             "another program uses this port: set another MASTER_PORT for all."
                                           : ". HINT: give all processes of a run the same key file, and no others."));
      }
      if (answers && progress) progress();
      if (step == Tls::Step::Done) co_return;
      if (const auto error = co_await arrive(kFirst, 1)) lost_in_handshake(peer, error);
    }
  }

  asio::awaitable<Received> read(std::span<std::uint8_t> into, std::size_t least) override {
    Received read;
    for (;;) {
      const auto [size, is_broken] = tls_.open(into.subspan(read.size));
      read.size += size;
      if (read.size >= least) break;
      if (is_broken) read.error = broken();
      if (!read.error) read.error = co_await arrive(kRoom, missing(least - read.size));
      if (read.error) break;
    }
    co_return read;
  }

  /// Joins pieces smaller than a record; seals whole records in place.
  asio::awaitable<boost::system::error_code> write(std::span<const asio::const_buffer> buffers) override {
    for (const asio::const_buffer& buffer : buffers) {
      std::span rest(static_cast<const std::uint8_t*>(buffer.data()), buffer.size());
      while (!rest.empty()) {
        if (joined_.empty() && rest.size() >= Tls::kRecord) {
          const std::size_t whole = std::min(rest.size() / Tls::kRecord * Tls::kRecord, kSlice);
          if (!tls_.seal(rest.first(whole))) co_return broken();
          rest = rest.subspan(whole);
        } else {
          const auto piece = rest.first(std::min(rest.size(), Tls::kRecord - joined_.size()));
          joined_.insert(joined_.end(), piece.begin(), piece.end());
          rest = rest.subspan(piece.size());
          if (joined_.size() == Tls::kRecord && !seal_joined()) co_return broken();
        }
        if (tls_.outgoing() < kSlice) continue;
        if (const auto error = co_await flush()) co_return error;
      }
    }
    if (!seal_joined()) co_return broken();
    co_return co_await flush();
  }

  void close() noexcept override {
    boost::system::error_code ignored;
    socket_.close(ignored);
  }

 private:
  bool seal_joined() {
    const bool sealed = tls_.seal(joined_);
    joined_.clear();
    return sealed;
  }
  asio::awaitable<boost::system::error_code> flush() {
    tls_.take_outgoing(sending_);
    const std::array<asio::const_buffer, 1> buffers{asio::buffer(sending_)};
    co_return co_await send(socket_, buffers);
  }
  /// Returns how many bytes must arrive, at least, before `plain` more can be opened: a part of a record may have
  /// arrived.
  static std::size_t missing(std::size_t plain) {
    return plain <= Tls::kRecord ? 1 : std::min(plain - Tls::kRecord, kRoom);
  }
  /// Receives up to `most` bytes from the peer, at least `least`.
  asio::awaitable<boost::system::error_code> arrive(std::size_t most, std::size_t least) {
    const auto room = tls_.room(most);
    const auto [error, size] = co_await receive(socket_, room, std::min(least, room.size()));
    tls_.arrived(size);
    co_return error;
  }

  std::shared_ptr<const TlsContext> context_;
  Socket socket_;
  Tls tls_;
  std::vector<std::uint8_t> joined_;   // less than a record, not yet sealed
  std::vector<std::uint8_t> sending_;  // in flight while a read may add to TLS's outgoing bytes
};

class KeyCredentials final : public Credentials {
 public:
  explicit KeyCredentials(std::span<const std::uint8_t> key) : context_(std::make_shared<const TlsContext>(key)) {}
  asio::awaitable<Secured> secure(Socket socket, JoinSide side, std::string peer,
                                  std::function<void()> progress) const override {
    auto channel = co_await tls_channel(context_, std::move(socket), side, std::move(peer), std::move(progress));
    co_return Secured{std::move(channel), nullptr};
  }

 private:
  std::shared_ptr<const TlsContext> context_;
};

}  // namespace

asio::awaitable<std::unique_ptr<Channel>> tls_channel(std::shared_ptr<const TlsContext> context, Socket socket,
                                                      JoinSide side, std::string peer, std::function<void()> progress,
                                                      std::uint64_t per_key) {
  auto channel = std::make_unique<TlsChannel>(std::move(context), std::move(socket), side, per_key);
  co_await channel->shake_hands(peer, progress);
  co_return channel;
}

std::shared_ptr<const Credentials> key_credentials(const std::filesystem::path& file) {
  return std::make_shared<const KeyCredentials>(read_key_file(file));
}

}  // namespace weft::swarmx
