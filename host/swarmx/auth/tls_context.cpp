#include "host/swarmx/auth/tls_context.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/ssl.h>

#include <algorithm>
#include <new>
#include <string_view>

namespace weft::swarmx {
namespace {

constexpr std::string_view kIdentity = "weft";  // sent in the clear: it reveals nothing about the run
constexpr std::string_view kLabel = "weft: external key of TLS 1.3";
constexpr std::array<unsigned char, 2> kCipher{0x13, 0x01};  // TLS_AES_128_GCM_SHA256

/// Makes the "earlier session" that has the key; null if there is no memory.
SSL_SESSION* session(SSL* ssl) {
  const auto* context = static_cast<const TlsContext*>(SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl)));
  SSL_SESSION* made = SSL_SESSION_new();
  if (made != nullptr && SSL_SESSION_set1_master_key(made, context->key().data(), context->key().size()) == 1 &&
      SSL_SESSION_set_cipher(made, SSL_CIPHER_find(ssl, kCipher.data())) == 1 &&
      SSL_SESSION_set_protocol_version(made, TLS1_3_VERSION) == 1)
    return made;
  SSL_SESSION_free(made);
  return nullptr;
}

int use_key(SSL* ssl, const EVP_MD*, const unsigned char** identity, std::size_t* length, SSL_SESSION** found) {
  *identity = reinterpret_cast<const unsigned char*>(kIdentity.data());
  *length = kIdentity.size();
  *found = session(ssl);
  return *found != nullptr ? 1 : 0;
}

int find_key(SSL* ssl, const unsigned char* identity, std::size_t length, SSL_SESSION** found) {
  const bool ours = std::ranges::equal(std::span(identity, length), kIdentity);
  *found = ours ? session(ssl) : nullptr;
  return ours && *found == nullptr ? 0 : 1;
}

void must(bool done) {
  if (!done) throw std::bad_alloc();
}

}  // namespace

TlsContext::TlsContext(std::span<const std::uint8_t> secret) : context_(SSL_CTX_new(TLS_method())) {
  must(context_ != nullptr);
  unsigned size = 0;
  must(HMAC(EVP_sha256(), kLabel.data(), kLabel.size(), secret.data(), secret.size(), key_.data(), &size) != nullptr);
  SSL_CTX_set_app_data(context_, this);
  must(SSL_CTX_set_min_proto_version(context_, TLS1_3_VERSION) == 1);
  must(SSL_CTX_set_max_proto_version(context_, TLS1_3_VERSION) == 1);
  must(SSL_CTX_set_ciphersuites(context_, "TLS_AES_128_GCM_SHA256") == 1);
  must(SSL_CTX_set1_groups_list(context_, "X25519") == 1);
  must(SSL_CTX_set_num_tickets(context_, 0) == 1);
  SSL_CTX_clear_options(context_, SSL_OP_ENABLE_MIDDLEBOX_COMPAT);  // it imitates a session of TLS 1.2
  SSL_CTX_set_session_cache_mode(context_, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_psk_use_session_callback(context_, use_key);
  SSL_CTX_set_psk_find_session_callback(context_, find_key);
}

TlsContext::~TlsContext() {
  SSL_CTX_free(context_);
  OPENSSL_cleanse(key_.data(), key_.size());
}

}  // namespace weft::swarmx
