#include "verif/model/machine/per_column.hpp"

#include "isa.hpp"
#include "verif/model/numbers/simd.hpp"

namespace weft::model {

void PerColumn::to_idx(int reg, int lanes) {
  idx_ = (*this)[reg];
  has_idx_ = true;
  beat_.clear();
  for (const std::uint16_t value : idx_.of_column) beat_.insert(beat_.end(), static_cast<std::size_t>(lanes), value);
  beat_.resize(beat_.size() + kVector);
}

void PerColumn::copy_to(int col, std::array<std::uint16_t, 16>& r, std::array<std::uint16_t, 16>& csr) const {
  const auto at = static_cast<std::size_t>(col);
  for (std::size_t reg = 0; reg < values_.size(); ++reg)
    if (has(static_cast<int>(reg))) r[reg] = values_[reg].of_column[at];
  if (has_idx_) csr[static_cast<std::size_t>(isa::Csr::Idx)] = idx_.of_column[at];
}

}  // namespace weft::model
