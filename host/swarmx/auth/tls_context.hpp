/// What all TLS connections of a key have in common.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>

struct ssl_ctx_st;

namespace weft {

/// TLS 1.3 alone, one cipher, the key as external PSK with an ephemeral exchange; no certificate, no ticket, no early
/// data. Throws std::bad_alloc only.
class TlsContext {
 public:
  /// `secret`: any length; what is used is derived from it.
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

}  // namespace weft
