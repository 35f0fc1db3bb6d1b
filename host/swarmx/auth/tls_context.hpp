/// State that all TLS connections of one key share.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>

struct ssl_ctx_st;

namespace weft::swarmx {

/// TLS 1.3 only, one cipher, the key as external PSK with an ephemeral exchange; no certificates, tickets or early
/// data. Throws std::bad_alloc only.
class TlsContext {
 public:
  /// `secret` may have any length; the key in use is derived from it.
  explicit TlsContext(std::span<const std::uint8_t> secret);
  ~TlsContext();
  TlsContext(const TlsContext&) = delete;
  TlsContext& operator=(const TlsContext&) = delete;

  ssl_ctx_st* get() const { return context_; }
  std::span<const std::uint8_t> key() const { return key_; }

 private:
  std::array<std::uint8_t, 32> key_{};
  ssl_ctx_st* context_;
};

}  // namespace weft::swarmx
