#include "host/swarmx/payload.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <limits>

#include "host/memoryx/fixed_point.hpp"
#include "host/swarmx/error.hpp"
#include "sw/base/refusal.hpp"
#include "verif/wafer.hpp"

namespace weft {
namespace {

void check(bool holds, const char* what) {
  if (!holds) throw CorruptFrame(what);
}

}  // namespace

Bytes encode_messages(std::span<const Message> messages) {
  const auto count = static_cast<std::uint32_t>(messages.size());
  Bytes bytes(4 + messages.size() * 4 + (messages.size() + 7) / 8);
  std::memcpy(bytes.data(), &count, 4);
  std::uint8_t* data = bytes.data() + 4;
  std::uint8_t* control = data + messages.size() * 4;
  for (std::size_t i = 0; i < messages.size(); ++i) std::memcpy(data + 4 * i, &messages[i].data, 4);
  for (std::size_t i = 0; i < messages.size(); ++i)
    control[i / 8] = static_cast<std::uint8_t>(control[i / 8] | unsigned{messages[i].ctrl} << (i % 8));
  return bytes;
}

void decode_messages(std::span<const std::uint8_t> bytes, std::vector<Message>& messages) {
  std::uint32_t count = 0;
  check(bytes.size() >= 4, "an op's frame has no count");
  std::memcpy(&count, bytes.data(), 4);
  check(bytes.size() == 4 + std::size_t{count} * 4 + (std::size_t{count} + 7) / 8, "an op's frame has a wrong length");
  const std::uint8_t* data = bytes.data() + 4;
  const std::uint8_t* control = data + std::size_t{count} * 4;
  messages.resize(count);
  static_assert(std::endian::native == std::endian::little && sizeof(Message) == 8 && offsetof(Message, ctrl) == 4);
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    std::array<std::uint32_t, 8> words;
    std::array<std::uint64_t, 8> made;  // messages as words, so that they are made as vectors
    std::memcpy(words.data(), data + 4 * i, sizeof words);
    for (std::size_t k = 0; k < 8; ++k) made[k] = words[k];
    if (control[i / 8] != 0) {  // few are
      for (std::size_t k = 0; k < 8; ++k) made[k] |= std::uint64_t{control[i / 8] >> k & 1U} << 32;
    }
    std::memcpy(static_cast<void*>(messages.data() + i), made.data(), sizeof made);
  }
  for (; i < count; ++i) {
    std::memcpy(&messages[i].data, data + 4 * i, 4);
    messages[i].ctrl = ((control[i / 8] >> (i % 8)) & 1U) != 0;
  }
}

Bytes encode_integers(std::span<const std::int64_t> values) {
  Bytes bytes(values.size_bytes());
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

std::vector<std::int64_t> decode_integers(std::span<const std::uint8_t> bytes) {
  check(bytes.size() % 8 == 0, "a frame of 64-bit integers has a wrong length");
  std::vector<std::int64_t> values(bytes.size() / 8);
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

Bytes encode_round(const Round& round) {
  return encode_integers(std::vector<std::int64_t>{round.train ? 1 : 0, round.wafers, round.micro_batches});
}

Round decode_round(std::span<const std::uint8_t> bytes) {
  const std::vector<std::int64_t> values = decode_integers(bytes);
  check(values.size() == 3, "a round's frame has a wrong length");
  const auto counts = [](std::int64_t n) { return n > 0 && n <= std::numeric_limits<std::uint32_t>::max(); };
  check((values[0] == 0 || values[0] == 1) && counts(values[1]) && counts(values[2]),
        "a round's frame says what cannot be");
  return {values[0] != 0, static_cast<std::uint32_t>(values[1]), static_cast<std::uint32_t>(values[2])};
}

std::uint32_t taken(const Round& round, std::uint32_t number, int first, int count) {
  const std::uint64_t before = std::uint64_t{number} * round.wafers + static_cast<std::uint64_t>(first);
  if (before >= round.micro_batches) return 0;
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(round.micro_batches - before, static_cast<unsigned>(count)));
}

Frame error_frame(ErrorKind kind, std::string_view text) {
  Bytes bytes = encode_text(text.substr(0, kMaxPayload / 2));
  bytes.insert(bytes.begin(), static_cast<std::uint8_t>(kind));
  Frame frame{.type = FrameType::Error};
  return frame.carry(std::move(bytes));
}

void throw_error(std::span<const std::uint8_t> bytes, std::string_view sender) {
  if (bytes.empty()) throw CorruptFrame(std::string(sender) + " reports an error without a text");
  std::string text = one_line(decode_text(bytes.subspan(1)));
  if (!text.starts_with(sender)) text = std::string(sender) + ": " + text;
  switch (static_cast<ErrorKind>(bytes[0])) {
    case ErrorKind::GradientOverflow:
      throw GradientOverflow(text);
    case ErrorKind::WaferStuck:
      throw WaferStuck(text);
    case ErrorKind::LossNotFinite:
      throw LossNotFinite(text);
    case ErrorKind::Diverged:
      throw Diverged(text);
    case ErrorKind::Swarm:
      break;
  }
  throw SwarmError(text);
}

Bytes encode_text(std::string_view text) { return {text.begin(), text.end()}; }
std::string decode_text(std::span<const std::uint8_t> bytes) { return {bytes.begin(), bytes.end()}; }

}  // namespace weft
