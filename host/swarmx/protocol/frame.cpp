#include "host/swarmx/protocol/frame.hpp"

#include <bit>
#include <cstring>
#include <string>
#include <utility>

#include "host/swarmx/base/error.hpp"
#include "sw/base/crc32c.hpp"
#include "sw/base/invariant.hpp"

template class std::vector<std::uint8_t, weft::swarmx::Uncleared<std::uint8_t>>;

namespace weft::swarmx {
namespace {

static_assert(std::endian::native == std::endian::little, "frames are little endian");

struct RawHeader {
  std::uint32_t magic;
  std::uint8_t version;
  std::uint8_t type;
  std::uint16_t reserved;
  std::uint64_t step;
  std::uint32_t pass, op, part, contains, length, payload_crc, reserved2;
  std::uint32_t header_crc;  // checksum of all fields before
};
constexpr std::uint32_t kMagic = 0x54464557;  // "WEFT"
constexpr std::uint8_t kVersion = 5;
constexpr std::size_t kChecked = offsetof(RawHeader, header_crc);
static_assert(kChecked + 4 == kHeaderBytes && sizeof(RawHeader) == kHeaderBytes);

[[noreturn]] void corrupt(const char* peer, const std::string& what) {
  throw CorruptFrame(std::string(peer) + " sent a corrupt frame: " + what +
                     ". HINT: check the network, and that both processes run the same version.");
}

}  // namespace

Frame& Frame::carry(Bytes content) {
  invariant(content.size() <= kMaxPayload, "a frame's payload is at most 1 MiB");
  crc = crc32c(content);
  payload = content.empty() ? nullptr : std::make_shared<const Bytes>(std::move(content));
  return *this;
}

HeaderBytes encode_header(const Frame& frame) {
  const auto length = static_cast<std::uint32_t>(frame.bytes().size());
  RawHeader raw{.magic = kMagic,
                .version = kVersion,
                .type = static_cast<std::uint8_t>(frame.type),
                .reserved = 0,
                .step = frame.step,
                .pass = frame.pass,
                .op = frame.op,
                .part = frame.part,
                .contains = frame.contains,
                .length = length,
                .payload_crc = frame.crc,
                .reserved2 = 0,
                .header_crc = 0};
  HeaderBytes bytes{};
  std::memcpy(bytes.data(), &raw, kChecked);
  raw.header_crc = crc32c(std::span(bytes).first(kChecked));
  std::memcpy(bytes.data() + kChecked, &raw.header_crc, 4);
  return bytes;
}

Header decode_header(const HeaderBytes& bytes, const char* peer) {
  RawHeader raw{};
  std::memcpy(&raw, bytes.data(), kHeaderBytes);
  if (raw.magic != kMagic) corrupt(peer, "it does not begin with WEFT");
  if (raw.version != kVersion)
    corrupt(peer, "version " + std::to_string(raw.version) + " instead of " + std::to_string(kVersion));
  if (raw.header_crc != crc32c(std::span(bytes).first(kChecked))) corrupt(peer, "the header's checksum is wrong");
  if (raw.type > static_cast<std::uint8_t>(kLastFrameType)) corrupt(peer, "its type is unknown");
  if (raw.length > kMaxPayload) corrupt(peer, "its header claims " + std::to_string(raw.length) + " bytes");
  return {
      {static_cast<FrameType>(raw.type), raw.step, raw.pass, raw.op, raw.part, raw.contains, raw.payload_crc, nullptr},
      raw.length};
}

Frame with_payload(Header header, Bytes payload, const char* peer) {
  const std::uint32_t expected = header.frame.crc;
  header.frame.carry(std::move(payload));
  if (header.frame.crc != expected) corrupt(peer, "the payload's checksum is wrong");
  return header.frame;
}

}  // namespace weft::swarmx
