/// SRAM by whole vectors, and by elements for the outside.
#include "verif/model/row.hpp"

namespace weft::model {

/// Where the words of `beats` beats begin in m_. Past the end of memory: a place of zeros, so that one check is enough.
std::size_t Row::place(std::uint16_t address, int beats) {
  const int misaligned = (address & (shape_.lanes - 1));
  if (misaligned) {
    flag(isa::Flag::Misaligned);
    address -= misaligned;
  }
  if (address + beats * shape_.lanes > shape_.sram_elements()) {
    flag(isa::Flag::BadAddress);
    return static_cast<std::size_t>(shape_.sram_elements()) * columns_.count;
  }
  return static_cast<std::size_t>(address) * columns_.count;
}

const std::uint16_t* Row::read(std::uint16_t address, int beats) { return m_.data() + place(address, beats); }

std::uint16_t* Row::write(std::uint16_t address, int beats) {
  std::size_t at = place(address, beats);
  const auto end = static_cast<std::size_t>(shape_.sram_elements()) * columns_.count;
  if (at == end) at += static_cast<std::size_t>(WaferShape::kRDepth) * width_;  // behind the zeros
  return m_.data() + at;
}

void Row::write_memory(std::uint16_t value) {
  for (int col = 0; col < shape_.cols; ++col) {
    if (selected_col_ != 255 && selected_col_ != col) continue;
    const std::uint16_t address = maddr_[col]++;
    const int lane = (address & (shape_.lanes - 1));
    std::uint16_t* word = write(address - lane, 1);
    const int own = col - columns_.first;
    if (own >= 0 && own < columns_.count) word[own * shape_.lanes + lane] = value;
  }
}

std::vector<std::uint16_t> Row::sram(int col) const {
  std::vector<std::uint16_t> elements(shape_.sram_elements());
  for (std::size_t e = 0; e < elements.size(); ++e)
    elements[e] = m_.data()[e / shape_.lanes * width_ + (col - columns_.first) * shape_.lanes + e % shape_.lanes];
  return elements;
}

}  // namespace weft::model
