#include "verif/trace/fst_chain.hpp"

#include "verif/trace/fst_bytes.hpp"

namespace weft::trace::fst {

void Chain::add(std::uint32_t step, std::uint64_t value) {
  begin(step);
  if (bits_ == 1) return add_varint(bytes_, std::uint64_t{steps_} << 2 | (value & 1) << 1);
  add_varint(bytes_, std::uint64_t{steps_} << 1);
  const unsigned whole = (bits_ + 7) / 8;
  const unsigned spare = whole * 8 - bits_;  // unused low bits of the last byte
  for (unsigned byte = whole; byte-- > 0;) {
    const int shift = static_cast<int>(byte * 8) - static_cast<int>(spare);
    bytes_.push_back(static_cast<char>(shift >= 64 ? 0 : shift >= 0 ? value >> shift : value << -shift));
  }
}

void Chain::add(std::uint32_t step, std::string_view value) {
  begin(step);
  const bool known = value.find_first_not_of("01") == std::string_view::npos;
  if (bits_ == 1) {
    if (known) return add_varint(bytes_, std::uint64_t{steps_} << 2 | (value[0] == '1' ? 2 : 0));
    return add_varint(bytes_, std::uint64_t{steps_} << 4 | (value[0] == 'z' ? 2 : 0) | 1);
  }
  add_varint(bytes_, std::uint64_t{steps_} << 1 | !known);
  if (!known) {
    bytes_ += value;
    return;
  }
  for (std::size_t at = 0; at < value.size(); at += 8) {
    unsigned byte = 0;
    for (std::size_t bit = at; bit < at + 8; ++bit) byte = byte << 1 | (bit < value.size() && value[bit] == '1');
    bytes_.push_back(static_cast<char>(byte));
  }
}

void Chain::add_text(std::uint32_t step, std::string_view text) {
  begin(step);
  add_varint(bytes_, std::uint64_t{steps_} << 1);
  add_varint(bytes_, text.size());
  bytes_ += text;
}

void Chain::end_block(char* frame) {
  if (!bytes_.empty() && bits_ > 0) {
    std::size_t at = last_at_;
    const std::uint64_t head = take_varint(bytes_, at);
    if (bits_ == 1) {
      *frame = static_cast<char>(head & 1 ? (head >> 1 & 1 ? 'z' : 'x') : '0' + (head >> 1 & 1));
    } else if (head & 1) {
      bytes_.copy(frame, bits_, at);
    } else {
      for (std::uint32_t bit = 0; bit < bits_; ++bit)
        frame[bit] = static_cast<char>('0' + (bytes_[at + bit / 8] >> (7 - bit % 8) & 1));
    }
  }
  std::string().swap(bytes_);  // frees the memory, which another signal may need in the next block
  step_ = 0;
}

}  // namespace weft::trace::fst
