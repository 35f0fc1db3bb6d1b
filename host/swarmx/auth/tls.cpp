#include "host/swarmx/auth/tls.hpp"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "sw/base/invariant.hpp"

namespace weft::swarmx {
namespace {

/// Describes the other side's problem by the handshake's last error.
std::string clause(unsigned long error) {
  switch (ERR_GET_REASON(error)) {
    case SSL_R_BINDER_DOES_NOT_VERIFY:
    case SSL_R_BAD_PSK:
      return "it has another key";
    case SSL_R_SSLV3_ALERT_ILLEGAL_PARAMETER:  // OpenSSL's answer to a peer with another key
    case SSL_R_TLSV1_ALERT_DECRYPT_ERROR:
      return "it has another key and rejects the key of this process";
    case SSL_R_DIGEST_CHECK_FAILED:
    case SSL_R_DECRYPTION_FAILED_OR_BAD_RECORD_MAC:
      return "its messages were replayed or changed in transit";
    case SSL_R_NO_SHARED_CIPHER:
    case SSL_R_NO_SUITABLE_SIGNATURE_ALGORITHM:
    case SSL_R_NO_SUITABLE_KEY_SHARE:
    case SSL_R_MISSING_SIGALGS_EXTENSION:
      return "it uses TLS without a key";
    case SSL_R_WRONG_VERSION_NUMBER:
    case SSL_R_HTTP_REQUEST:
    case SSL_R_HTTPS_PROXY_REQUEST:
      return kNoTls;
    default: {
      const char* reason = ERR_reason_error_string(error);
      return std::string("it uses TLS differently (") + (reason != nullptr ? reason : "no reason") + ")";
    }
  }
}

}  // namespace

int Tls::write_out(BIO* bio, const char* bytes, int size) {
  auto& out = static_cast<Tls*>(BIO_get_data(bio))->out_;
  const auto* const first = reinterpret_cast<const std::uint8_t*>(bytes);  // type of out_: copied at once
  out.insert(out.end(), first, first + size);
  return size;
}

int Tls::read_in(BIO* bio, char* bytes, int size) {
  Tls& tls = *static_cast<Tls*>(BIO_get_data(bio));
  const std::size_t here = std::min(tls.end_ - tls.begin_, static_cast<std::size_t>(size));
  BIO_clear_retry_flags(bio);
  if (here == 0) {
    BIO_set_retry_read(bio);
    return -1;
  }
  std::memcpy(bytes, tls.in_.data() + tls.begin_, here);
  tls.begin_ += here;
  return static_cast<int>(here);
}

long Tls::control(BIO*, int what, long, void*) { return what == BIO_CTRL_FLUSH ? 1 : 0; }

Tls::Tls(const TlsContext& context, JoinSide side, std::uint64_t per_key)
    : ssl_(SSL_new(context.get())), per_key_(per_key) {
  static BIO_METHOD* const method = [] {
    BIO_METHOD* made = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "weft");
    BIO_meth_set_write(made, write_out);
    BIO_meth_set_read(made, read_in);
    BIO_meth_set_ctrl(made, control);
    return made;
  }();
  BIO* bio = BIO_new(method);
  if (ssl_ == nullptr || bio == nullptr) {
    SSL_free(ssl_);
    BIO_free(bio);
    throw std::bad_alloc();
  }
  BIO_set_data(bio, this);
  BIO_set_init(bio, 1);
  SSL_set_bio(ssl_, bio, bio);
  side == JoinSide::Connects ? SSL_set_connect_state(ssl_) : SSL_set_accept_state(ssl_);
}

Tls::~Tls() { SSL_free(ssl_); }

Tls::Step Tls::handshake() {
  ERR_clear_error();
  const int result = SSL_do_handshake(ssl_);
  if (result == 1) {
    if (SSL_session_reused(ssl_) == 1) return Step::Done;  // with our key
    problem_ = "it presents a certificate in place of the key";
    return Step::Failed;
  }
  if (SSL_get_error(ssl_, result) == SSL_ERROR_WANT_READ) return Step::NeedsMore;
  problem_ = clause(ERR_peek_error());
  return Step::Failed;
}

bool Tls::seal(std::span<const std::uint8_t> plain) {
  if (plain.empty()) return true;
  ERR_clear_error();
  if ((sealed_ += plain.size()) > per_key_) {
    SSL_key_update(ssl_, SSL_KEY_UPDATE_NOT_REQUESTED);
    sealed_ = plain.size();
  }
  std::size_t written = 0;
  if (SSL_write_ex(ssl_, plain.data(), plain.size(), &written) != 1) return false;
  invariant(written == plain.size(), "memory takes all that TLS writes");
  return true;
}

Tls::Opened Tls::open(std::span<std::uint8_t> into) {
  Opened opened;
  ERR_clear_error();
  while (opened.size < into.size()) {
    std::size_t size = 0;
    const int result = SSL_read_ex(ssl_, into.data() + opened.size, into.size() - opened.size, &size);
    opened.size += size;
    if (result == 1) continue;
    opened.broken = SSL_get_error(ssl_, result) != SSL_ERROR_WANT_READ;
    break;
  }
  return opened;
}

std::span<std::uint8_t> Tls::room(std::size_t most) {
  invariant(begin_ == end_, "TLS takes all that has arrived before it asks for more");
  if (in_.size() < most) in_.resize(most);
  return std::span(in_).first(most);
}

void Tls::take_outgoing(std::vector<std::uint8_t>& sent) {
  sent.clear();
  std::swap(sent, out_);
}

}  // namespace weft::swarmx
