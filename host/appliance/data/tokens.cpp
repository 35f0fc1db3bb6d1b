#include "host/appliance/data/tokens.hpp"

#include <algorithm>
#include <bit>

#include "sw/base/crc32c.hpp"

namespace weft {
namespace {

static_assert(std::endian::native == std::endian::little, "a checksum is of the tokens as they lie in a file");

class InMemory final : public TokenPiece {
 public:
  explicit InMemory(std::vector<std::uint16_t> tokens) : tokens_(std::move(tokens)) {}
  std::uint64_t size() const override { return tokens_.size(); }
  void copy(std::uint64_t first, std::span<std::uint16_t> out) const override {
    std::ranges::copy(std::span(tokens_).subspan(first, out.size()), out.begin());
  }

 private:
  std::vector<std::uint16_t> tokens_;
};

}  // namespace

Tokens::Tokens(std::vector<std::uint16_t> tokens) { append(std::move(tokens)); }

void Tokens::append(std::vector<std::uint16_t> tokens) {
  const std::uint32_t checksum =
      crc32c({reinterpret_cast<const std::uint8_t*>(tokens.data()), 2 * tokens.size()}, checksum_);
  append(std::make_shared<InMemory>(std::move(tokens)), checksum);
}

void Tokens::append(std::shared_ptr<const TokenPiece> piece, std::uint32_t checksum) {
  if (piece->size() == 0) return;
  ends_.push_back(size() + piece->size());
  pieces_.push_back(std::move(piece));
  checksum_ = checksum;
}

void Tokens::copy(std::uint64_t first, std::span<std::uint16_t> out) const {
  auto piece = static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), first) - ends_.begin());
  while (!out.empty()) {
    const std::uint64_t begin = piece == 0 ? 0 : ends_[piece - 1];
    const std::size_t count = std::min<std::uint64_t>(out.size(), ends_.at(piece) - first);
    pieces_[piece]->copy(first - begin, out.first(count));
    out = out.subspan(count);
    first += count;
    ++piece;
  }
}

}  // namespace weft
