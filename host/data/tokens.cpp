#include "host/data/tokens.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "sw/base/crc32c.hpp"

namespace weft::data {
namespace {

class InMemory final : public TokenPiece {
 public:
  explicit InMemory(std::vector<TokenId> tokens) : tokens_(std::move(tokens)) {}
  std::uint64_t size() const override { return tokens_.size(); }
  void copy(std::uint64_t first, std::span<TokenId> out) const override {
    std::ranges::copy(std::span(tokens_).subspan(first, out.size()), out.begin());
  }

 private:
  std::vector<TokenId> tokens_;
};

}  // namespace

std::uint32_t token_checksum(std::span<const TokenId> tokens, std::uint32_t before) {
  static_assert(std::endian::native == std::endian::little, "a checksum covers the tokens as they are in a file");
  std::array<std::uint16_t, 4096> halves;
  std::size_t count = 0;
  const auto flush = [&] {
    before = crc32c({reinterpret_cast<const std::uint8_t*>(halves.data()), 2 * count}, before);
    count = 0;
  };
  for (const TokenId token : tokens) {
    if (count + 2 > halves.size()) flush();
    halves[count++] = static_cast<std::uint16_t>(token);
    if (token > 0xffff) halves[count++] = static_cast<std::uint16_t>(token >> 16);
  }
  flush();
  return before;
}

Tokens::Tokens(std::vector<TokenId> tokens) { append(std::move(tokens)); }

void Tokens::append(std::vector<TokenId> tokens) {
  const std::uint32_t checksum = token_checksum(tokens, checksum_);
  append(std::make_shared<InMemory>(std::move(tokens)), checksum);
}

void Tokens::append(std::shared_ptr<const TokenPiece> piece, std::uint32_t checksum) {
  if (piece->size() == 0) return;
  ends_.push_back(size() + piece->size());
  pieces_.push_back(std::move(piece));
  checksum_ = checksum;
}

void Tokens::copy(std::uint64_t first, std::span<TokenId> out) const {
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

}  // namespace weft::data
