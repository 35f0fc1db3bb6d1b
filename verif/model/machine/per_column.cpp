#include <bit>

#include "verif/model/machine/machine.hpp"
#include "verif/model/numbers/simd.hpp"

namespace weft::model {

void Own::to_idx(int reg, int lanes) {
  idx_ = (*this)[reg];
  has_idx_ = true;
  beat_.clear();
  for (const std::uint16_t value : idx_.of_column) beat_.insert(beat_.end(), static_cast<std::size_t>(lanes), value);
  beat_.resize(beat_.size() + kVector);
}

void Own::put(int col, std::array<std::uint16_t, 16>& r, std::array<std::uint16_t, 16>& csr) const {
  const auto at = static_cast<std::size_t>(col);
  for (std::size_t reg = 0; reg < values_.size(); ++reg)
    if (has(static_cast<int>(reg))) r[reg] = values_[reg].of_column[at];
  if (has_idx_) csr[static_cast<std::size_t>(isa::Csr::Idx)] = idx_.of_column[at];
}

Outcome Machine::settle(Thread& t, const Own::Values& values) {
  for (std::size_t col = 1; col < values.of_column.size(); ++col)
    if (values.of_column[col] != values.of_column[0]) return differs(t, values.loaded, static_cast<int>(col));
  if (parts > 1) scalars.push_back(values.loaded);
  return Outcome::Done;
}

Outcome Machine::settle(Thread& t, std::uint32_t registers) {
  if (!t.is_main()) return Outcome::Done;
  for (std::uint32_t left = registers & own.registers(); left; left &= left - 1) {
    const int reg = std::countr_zero(left);
    if (const Outcome same = settle(t, own[reg]); same != Outcome::Done) return same;
    own.drop(1u << reg);
  }
  return Outcome::Done;
}

Outcome Machine::settle_idx(Thread& t) {
  if (!t.is_main() || !own.has_idx()) return Outcome::Done;
  if (const Outcome same = settle(t, own.idx()); same != Outcome::Done) return same;
  own.drop_idx();
  return Outcome::Done;
}

}  // namespace weft::model
