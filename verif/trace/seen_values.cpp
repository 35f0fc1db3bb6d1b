#include "verif/trace/seen_values.hpp"

#include <utility>

namespace weft::trace {
namespace {

constexpr char kDigits[] = "0123456789ABCDEF";

}  // namespace

void SeenValues::keep(std::string hex) {
  if (hex_.size() < kMost || hex_.contains(hex))
    hex_.insert(std::move(hex));
  else
    complete_ = false;
}

void SeenValues::add(std::uint64_t value, unsigned bits) {
  std::string hex((bits + 3) / 4, '0');
  for (std::size_t digit = 0; digit < hex.size(); ++digit)
    hex[hex.size() - 1 - digit] = kDigits[value >> (4 * digit) & 15];
  keep(std::move(hex));
}

void SeenValues::add(const std::string& bits) {
  std::string hex((bits.size() + 3) / 4, '0');
  for (std::size_t digit = 0; digit < hex.size(); ++digit) {
    unsigned value = 0;
    bool none = false;
    for (std::size_t bit = 0; bit < 4 && 4 * digit + bit < bits.size(); ++bit) {
      const char c = bits[bits.size() - 1 - 4 * digit - bit];
      none |= c == 'z';
      value |= c == '1' ? 1U << bit : 0;
    }
    hex[hex.size() - 1 - digit] = none ? 'z' : kDigits[value];
  }
  keep(std::move(hex));
}

}  // namespace weft::trace
