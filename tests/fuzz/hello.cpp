/// The first message of a peer that has the key but is not authenticated yet: a handshake message, unchanged and with a
/// corrected checksum.
#include "host/swarmx/auth/hello.hpp"

#include <algorithm>

#include "host/swarmx/auth/auth_error.hpp"
#include "sw/base/crc32c.hpp"
#include "tests/fuzz/target.hpp"

namespace weft::fuzz::hello_target {
namespace {

constexpr std::uint32_t kVersion = 3;
constexpr std::size_t kChecked = 12;  // bytes of a header that the checksum covers

void put_right(std::span<std::uint8_t> bytes) {
  const std::uint32_t sum = crc32c(bytes.subspan(swarmx::kMessageHeader), crc32c(bytes.first(kChecked)));
  for (std::size_t n = 0; n < 4; ++n) bytes[kChecked + n] = static_cast<std::uint8_t>(sum >> 8 * n & 255);
}

void read_one(std::span<const std::uint8_t> bytes) {
  swarmx::MessageHeader header{};
  std::copy_n(bytes.begin(), header.size(), header.begin());
  const swarmx::MessageSizes sizes = swarmx::decode_sizes(header, "a peer");
  promise(sizes.body <= swarmx::kMostBody && sizes.proof <= swarmx::kMostProof, "a message is short");
  const auto rest = bytes.subspan(swarmx::kMessageHeader);
  if (rest.size() < sizes.body + sizes.proof) return;
  const swarmx::JoinMessage message = swarmx::decode_message(header, rest.first(sizes.body + sizes.proof), "a peer");
  if (message.kind != swarmx::MessageKind::Hello) return swarmx::check_welcome(message, "a peer");
  const swarmx::Hello there = swarmx::decode_hello(message, kVersion, "a peer");
  const swarmx::Hello here{.version = kVersion, .plan = 1, .job = "a", .role = "wafer", .name = "wafer 1"};
  const std::string why = swarmx::mismatch(here, there);
  promise(swarmx::encode_rejection(why).body.size() <= swarmx::kMostBody, "a refusal fits");
  promise(why.find('\n') == std::string::npos, "a refusal is one line");
}

void read_all(std::vector<std::uint8_t> bytes, bool right) {
  if (bytes.size() < swarmx::kMessageHeader) return;
  if (right) put_right(bytes);
  try {
    read_one(bytes);
  } catch (const swarmx::AuthError& refused) {
    promise_one_line(refused.what());
  }
}

std::string wire(const swarmx::JoinMessage& message, const std::vector<std::uint8_t>& proof = {}) {
  const auto bytes = swarmx::encode_message(message, proof);
  return {bytes.begin(), bytes.end()};
}

}  // namespace

std::vector<std::string> seeds() {
  const swarmx::Hello hello{.version = kVersion,
                            .plan = 0x0123456789abcdef,
                            .job = "a",
                            .build = "0.1.0",
                            .role = "wafer",
                            .name = "wafer 1"};
  return {wire(swarmx::encode_hello(hello)), wire(swarmx::encode_hello(hello), std::vector<std::uint8_t>(300, 'x')),
          wire(swarmx::encode_rejection("version 3 here, 2 there")), wire({swarmx::MessageKind::Welcome, {}})};
}

void read(std::span<const std::uint8_t> bytes) {
  read_all({bytes.begin(), bytes.end()}, false);
  read_all({bytes.begin(), bytes.end()}, true);
}

const bool kAdded = add({"hello", seeds, read});

}  // namespace weft::fuzz::hello_target
