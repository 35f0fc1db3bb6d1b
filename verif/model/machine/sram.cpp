#include "verif/model/machine/sram.hpp"

#include <algorithm>
#include <cstring>

namespace weft::model {

bool Sram::round_down(std::uint16_t& address) {
  if (address & (lanes_ - 1)) {
    flags_.set(isa::Flag::Misaligned);
    address &= static_cast<std::uint16_t>(~(lanes_ - 1));
  }
  if (address < elements_) return true;
  flags_.set(isa::Flag::BadAddress);
  return false;
}

void Sram::noted(unsigned first, unsigned count) { moved_->writes.push_back({first, count}); }

const std::uint16_t* Sram::collect(std::uint16_t address, int beats) {
  const std::size_t size = std::size_t{lanes_} * cols_;
  for (int i = 0; i < beats; ++i, address += lanes_) {
    std::uint16_t* to = read_.data() + i * size;
    if (!split(address)) {
      std::memcpy(to, read_word(address), size * sizeof(std::uint16_t));
      continue;
    }
    const unsigned lane = address & (lanes_ - 1), first = lanes_ - lane;  // elements of the first word
    const std::uint16_t* here = read_word(static_cast<std::uint16_t>(address - lane)) + lane;
    const std::uint16_t* next = read_word(static_cast<std::uint16_t>(address + first));
    for (unsigned col = 0; col < cols_; ++col, to += lanes_, here += lanes_, next += lanes_)
      std::copy_n(next, lane, std::copy_n(here, first, to));
  }
  return read_.data();
}

void Sram::scatter(std::uint16_t address, int beats) {
  const std::size_t size = std::size_t{lanes_} * cols_;
  for (int i = 0; i < beats; ++i, address += lanes_) {
    const std::uint16_t* from = written_.data() + i * size;
    if (!split(address)) {
      if (std::uint16_t* word = word_to_write(address)) std::memcpy(word, from, size * sizeof *word);
      continue;
    }
    const unsigned lane = address & (lanes_ - 1), first = lanes_ - lane;  // elements of the first word
    std::uint16_t* here = word_to_write(static_cast<std::uint16_t>(address - lane), lane, first);
    std::uint16_t* next = word_to_write(static_cast<std::uint16_t>(address + first), 0, lane);
    for (unsigned col = 0; col < cols_; ++col, from += lanes_) {
      if (here) std::copy_n(from, first, here + col * lanes_ + lane);
      if (next) std::copy_n(from + first, lane, next + col * lanes_);
    }
  }
}

std::array<std::uint16_t*, 2> Sram::pair_to_write(std::uint16_t address, unsigned lane) {
  if (!split(address)) {
    std::uint16_t* const word = word_to_write(address, lane, 2);
    return {word ? word + lane : nullptr, word ? word + lane + 1 : nullptr};
  }
  std::array<std::uint16_t*, 2> pair{};
  for (std::uint16_t*& element : pair) {
    const auto at = static_cast<std::uint16_t>(address + lane++);
    const unsigned own = at & (lanes_ - 1);
    if (std::uint16_t* const word = word_to_write(static_cast<std::uint16_t>(at - own), own, 1)) element = word + own;
  }
  return pair;
}

}  // namespace weft::model
