#include "verif/model/machine/sram.hpp"

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
  for (int i = 0; i < beats; ++i, address += lanes_)
    std::memcpy(read_.data() + i * size, read_word(address), size * sizeof(std::uint16_t));
  return read_.data();
}

void Sram::scatter(std::uint16_t address, int beats) {
  const std::size_t size = std::size_t{lanes_} * cols_;
  for (int i = 0; i < beats; ++i, address += lanes_)
    if (std::uint16_t* word = word_to_write(address))
      std::memcpy(word, written_.data() + i * size, size * sizeof *word);
}

}  // namespace weft::model
