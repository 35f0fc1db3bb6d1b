#include "host/appliance/data/tokens.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "sw/base/crc32c.hpp"

namespace weft {

static_assert(std::endian::native == std::endian::little, "tokens are copied as they lie in the file");

Tokens::Tokens(std::vector<std::uint16_t> tokens) { append(std::move(tokens)); }

void Tokens::append(std::vector<std::uint16_t> tokens) {
  const auto kept = std::make_shared<const std::vector<std::uint16_t>>(std::move(tokens));
  append(std::as_bytes(std::span(*kept)), kept);
}

void Tokens::append(std::span<const std::byte> bytes, std::shared_ptr<const void> owner) {
  if (bytes.size() < 2) return;
  ends_.push_back(size() + bytes.size() / 2);
  pieces_.push_back({bytes, std::move(owner)});
}

std::uint32_t Tokens::checksum() const {
  std::uint32_t crc = 0;
  for (const Piece& piece : pieces_) {
    crc = crc32c({reinterpret_cast<const std::uint8_t*>(piece.bytes.data()), piece.bytes.size() / 2 * 2}, crc);
  }
  return crc;
}

void Tokens::copy(std::uint64_t first, std::span<std::uint16_t> out) const {
  auto piece = static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), first) - ends_.begin());
  while (!out.empty()) {
    const std::uint64_t begin = piece == 0 ? 0 : ends_[piece - 1];
    const std::size_t count = std::min<std::uint64_t>(out.size(), ends_.at(piece) - first);
    std::memcpy(out.data(), pieces_[piece].bytes.data() + 2 * (first - begin), 2 * count);
    out = out.subspan(count);
    first += count;
    ++piece;
  }
}

}  // namespace weft
