/// One TLS connection without its socket: bytes in, bytes out. Its user may wait in a coroutine or in a thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "host/swarmx/auth/channel.hpp"
#include "host/swarmx/auth/tls_context.hpp"

struct ssl_st;
struct bio_st;

namespace weft::swarmx {

/// Problem of a peer that is another program.
inline constexpr const char* kNoTls = "it does not use TLS";

class Tls {
 public:
  /// Bytes that one key seals, far below the 2^24.5 records that AES-GCM allows (RFC 8446, 5.5).
  static constexpr std::uint64_t kPerKey = std::uint64_t{1} << 36;
  static constexpr std::size_t kRecord = 16384;  ///< maximum bytes of a record

  /// `context` must outlive it.
  Tls(const TlsContext& context, JoinSide side, std::uint64_t per_key = kPerKey);
  ~Tls();
  Tls(const Tls&) = delete;
  Tls& operator=(const Tls&) = delete;

  enum class Step : std::uint8_t { NeedsMore, Done, Failed };
  /// Continues the handshake. outgoing() must be sent after each call, also after a failure.
  Step handshake();
  /// Reason of the failure, as a clause about the other side: "it has another key".
  const std::string& problem() const { return problem_; }

  /// Seals `plain`, in records of kRecord, into outgoing(), after the handshake. Returns false if what arrived was
  /// broken, after which nothing is sealed.
  [[nodiscard]] bool seal(std::span<const std::uint8_t> plain);
  struct Opened {
    std::size_t size = 0;
    bool broken = false;  ///< true if data was changed in transit, or is not TLS
  };
  /// Fills `into` with opened bytes; if they are fewer, more must arrive.
  Opened open(std::span<std::uint8_t> into);

  /// Returns room for up to `most` bytes from the peer, once all that arrived before is opened.
  std::span<std::uint8_t> room(std::size_t most);
  void arrived(std::size_t size) { begin_ = 0, end_ = size; }
  std::size_t outgoing() const { return out_.size(); }
  /// Replaces `sent` with the bytes to be sent, and reuses its memory.
  void take_outgoing(std::vector<std::uint8_t>& sent);

 private:
  static int write_out(bio_st* bio, const char* bytes, int size);
  static int read_in(bio_st* bio, char* bytes, int size);
  static long control(bio_st* bio, int what, long number, void* pointer);

  ssl_st* ssl_;
  std::vector<std::uint8_t> out_;
  std::vector<std::uint8_t> in_;  // [begin_, end_) has arrived and was not read yet
  std::size_t begin_ = 0, end_ = 0;
  std::string problem_;
  std::uint64_t per_key_, sealed_ = 0;
};

}  // namespace weft::swarmx
